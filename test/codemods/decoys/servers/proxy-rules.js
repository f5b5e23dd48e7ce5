import { createProxyMiddleware } from 'http-proxy-middleware';

export const rules = [
  createProxyMiddleware({ pathFilter: '/v1/messages', target: 'http://messages.internal:8080' }),
  createProxyMiddleware({
    pathFilter: '/v1/contacts',
    target: 'http://contacts.internal:8080',
    on: { proxyReq: (proxyReq) => proxyReq.removeHeader('x-api-key') },
  }),
];
