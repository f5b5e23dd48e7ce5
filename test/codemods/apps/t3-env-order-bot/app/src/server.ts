import { createServer } from 'node:http';
import { answer } from './bot/answer';
import { env } from './env';

createServer(async (req, res) => {
  if (req.method !== 'POST' || req.url !== '/v1/messages') return res.writeHead(404).end();
  if (req.headers['x-api-key'] !== env.SHOP_API_KEY) return res.writeHead(401).end();
  let body = '';
  for await (const piece of req) body += piece;
  res.writeHead((await answer(JSON.parse(body).contact)) === undefined ? 404 : 202).end();
}).listen(3000);
