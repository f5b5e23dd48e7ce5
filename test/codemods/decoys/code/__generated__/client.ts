export const listContacts = (key: string) => fetch('https://api.example.com/v1/contacts', { headers: { 'x-api-key': key } });
