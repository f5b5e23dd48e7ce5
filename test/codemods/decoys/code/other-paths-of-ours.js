const HOST = 'https://api.example.com';

export const health = () => fetch(`${HOST}/status`);
export const token = (code) => fetch(`${HOST}/oauth/token`, { method: 'POST', body: new URLSearchParams({ code }) });
export const dashboard = (session) => fetch(`${HOST}/dashboard/v1/widgets`, { headers: { Authorization: `Bearer ${session}` } });
