'use strict';

const Hapi = require('@hapi/hapi');

exports.start = async () => {
  const server = Hapi.server({ port: 3000, routes: { cors: { additionalHeaders: ['x-api-key'] } } });
  server.auth.scheme('api-key', () => ({
    authenticate: (request, h) => (request.headers['x-api-key'] ? h.authenticated({ credentials: {} }) : h.unauthenticated(new Error('x-api-key'))),
  }));
  server.route({ method: 'POST', path: '/v1/messages/send', handler: () => ({ messageId: 'm_1' }) });
  server.route({ method: 'GET', path: '/v1/contacts/{id}', handler: (request) => ({ id: request.params.id }) });
  await server.start();
};
