const BASE_URL = 'https://api.httpsms.com/v1';

export const headers = { 'X-API-Key': process.env.HTTPSMS_API_KEY };

export async function messages(owner, contact) {
  const query = new URLSearchParams({ owner, contact });
  const response = await fetch(`${BASE_URL}/messages?${query}`, { headers });
  return (await response.json()).data;
}
