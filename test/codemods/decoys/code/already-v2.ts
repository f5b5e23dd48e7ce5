const BASE = 'https://api.example.com/v2';

export const headers = (key: string) => ({ Authorization: `Bearer ${key}` });
export const messages = (key: string) => fetch(`${BASE}/messages`, { headers: headers(key) });
