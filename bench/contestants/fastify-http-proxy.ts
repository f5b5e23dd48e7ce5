/** @fastify/http-proxy as its README starts it: upstream, prefix and rewritePrefix, nothing else. */
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';

const app = fastify({ logger: false });
await app.register(proxy, { upstream: process.argv[2] ?? '', prefix: '/v1', rewritePrefix: '/v2' });
console.log(JSON.stringify({ msg: 'listening', url: await app.listen({ host: '127.0.0.1', port: 0 }) }));
// Ends by itself, so that --cpu-prof can write its file.
process.once('SIGTERM', () => process.exit());
