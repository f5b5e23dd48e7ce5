import { createServer } from 'node:http';

createServer((req, res) => {
  const { pathname } = new URL(req.url, 'http://localhost');
  if (!req.headers['x-api-key']) return res.writeHead(401).end('Missing API key');
  if (pathname === '/v1/messages' && req.method === 'GET') return res.end('[]');
  if (pathname.startsWith('/v1/messages/')) return res.end(JSON.stringify({ messageId: pathname.split('/').at(-1) }));
  return res.writeHead(404).end();
}).listen(3000);
