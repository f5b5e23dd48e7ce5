import axios from 'axios';
import fp from 'fastify-plugin';

async function messagingPlugin(fastify, { baseUrl, apiKey, timeout = 10_000 }) {
  const http = axios.create({ baseURL: baseUrl, timeout, headers: { 'x-api-key': apiKey } });
  http.interceptors.response.use(undefined, (error) => {
    fastify.log.warn({ status: error.response?.status, path: error.config?.url }, 'messaging failed');
    throw error;
  });

  fastify.decorate('messaging', http);
  fastify.decorateRequest('sendText', null);
  fastify.addHook('onRequest', async (request) => {
    request.sendText = async (to, content) => {
      const { data } = await http.post('/v1/messages/send', { channel: 'SMS', to, content });
      request.log.info({ id: data?.messageId }, 'sent');
      return data;
    };
  });
}

export default fp(messagingPlugin, { name: 'messaging' });
