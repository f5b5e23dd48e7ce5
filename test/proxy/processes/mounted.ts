/**
 * Processes with the proxy mounted in a server of their own. Records where nobody said so, in its working directory, in front of the v2 of
 * its first argument; with a second argument, in so many workers that share a port. Ends in order when it is told to, and by itself.
 */
import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import { createMigrationProxy } from '../../../src/index.ts';

const [, , v2Base = '', workers = '0'] = process.argv;

async function serve(): Promise<string> {
  const proxy = await createMigrationProxy({ v2Base });
  const server = express().use(proxy).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('message', async () => {
    server.close();
    await proxy.close();
    // Nothing of the proxy keeps the process: without its server and this channel, it ends.
    process.disconnect();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (cluster.isPrimary && workers !== '0') {
  const urls = await Promise.all(
    Array.from({ length: Number(workers) }, async () => {
      const [url] = await once(cluster.fork(), 'message');
      return url;
    }),
  );
  process.send?.(urls[0]);
  process.once('message', () => {
    process.disconnect();
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send('end');
  });
} else process.send?.(await serve());
