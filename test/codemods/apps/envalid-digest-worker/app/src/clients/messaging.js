/** @param {ReturnType<typeof import('../env.js').readEnv>} env */
export function createMessaging({ MESSAGING_API_URL, MESSAGING_API_KEY }) {
  const headers = { accept: 'application/json', 'x-api-key': MESSAGING_API_KEY };

  const ask = async (method, path, body) => {
    const response = await fetch(`${MESSAGING_API_URL}/${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw Object.assign(new Error(`${method} ${path}: ${response.status}`), { status: response.status });
    return response.json();
  };

  return {
    contacts: async (page, limit) => (await ask('GET', `contacts?${new URLSearchParams({ page, limit })}`)).data,
    send: async (to, content) => (await ask('POST', 'messages/send', { channel: 'EMAIL', to, content })).messageId,
    message: (id) => ask('GET', `messages/${id}`),
  };
}
