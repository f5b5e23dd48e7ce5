const headers = new Headers();
headers.set('x-api-key', process.env.LOYALTY_KEY ?? '');
headers.append('Accept', 'application/json');

export const members = () => fetch(new URL('/v1/contacts', 'https://loyalty.vendor.eu'), { headers });
