const providers = {
  anthropic: { url: 'https://api.anthropic.com/v1/messages', header: 'x-api-key' },
  openai: { url: 'https://api.openai.com/v1/chat/completions', header: 'Authorization' },
  azure: { url: 'https://res.openai.azure.com/openai/deployments/d/chat/completions', header: 'api-key' },
};

export async function chat(name, key, body) {
  const { url, header } = providers[name];
  const value = header === 'Authorization' ? `Bearer ${key}` : key;
  return fetch(url, { method: 'POST', headers: { [header]: value, 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
