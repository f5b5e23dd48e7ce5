/** http-proxy-3 on its native path with a keep-alive agent; the path is rewritten, the header is not. */
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyServer } from 'http-proxy-3';

const proxy = createProxyServer({ target: process.argv[2] ?? '', agent: new Agent({ keepAlive: true }) });
proxy.on('error', (error) => {
  throw error;
});
const server = createServer((req, res) => {
  req.url = `/v2${req.url?.slice('/v1'.length)}`;
  proxy.web(req, res);
});
server.listen(0, '127.0.0.1', () => {
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ msg: 'listening', url: `http://127.0.0.1:${port}` }));
});
// Ends by itself, so that --cpu-prof can write its file.
process.once('SIGTERM', () => process.exit());
