const base = process.env.MESSAGING_URL || 'https://api.example.com/v1';

async function call(path, init = {}) {
  const response = await fetch(`${base}${path}`, {
    ...init,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-key': process.env.MESSAGING_KEY,
    },
  });
  if (response.status >= 400) throw new Error(`messaging answered ${response.status} to ${path}`);
  return response.json();
}

export const send = (to, content) => call('/messages/send', { method: 'POST', body: JSON.stringify({ channel: 'WHATSAPP', to, content }) });
export const delivery = (id) => call(`/messages/${id}`);
export const customers = (page) => call(`/contacts?page=${page}`);
