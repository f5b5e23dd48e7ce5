export const handler = async (event) => {
  const key = event.headers['x-api-key'] ?? event.headers['X-Api-Key'];
  if (key === undefined) return { statusCode: 401, body: '{"error":"Missing API key"}' };
  const route = `${event.httpMethod} ${event.path}`;
  if (route === 'POST /v1/messages/send') return { statusCode: 200, body: '{"messageId":"m_1"}' };
  return { statusCode: 404, body: '{}' };
};
