import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Call } from '../../proxy/call.ts';
import { Connections } from '../../proxy/connections.ts';
import { createProxy } from '../../proxy/handler.ts';
import { proxyOptions } from '../helpers/proxy.ts';

/** A client with a thread of its own: it takes the first bytes of an answer, and what there is once it is told to go on. */
const client = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, taken } } = require('node:worker_threads');
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /v1/messages HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n'));
  socket.once('data', () => { socket.pause(); parentPort.postMessage('paused'); });
  const waiting = setInterval(() => {
    if (Atomics.load(taken, 1) === 0) return;
    clearInterval(waiting);
    socket.on('data', (bytes) => { Atomics.add(taken, 0, bytes.length); Atomics.notify(taken, 0); });
    socket.resume();
  }, 1);
  socket.on('error', () => undefined);`;

it('a proxy that stood still does not cut the client that went on taking its answer meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const patience = 1_000;
  const { context } = createProxy(proxyOptions('http://127.0.0.1:9'));
  const connections = new Connections(patience);
  let call: Call | undefined;
  const chunk = Buffer.alloc(64 * 1024);
  const server = createServer(async (req, res) => {
    connections.serve(() => (call = new Call(req, res, context)), req, res);
    for (let left = 500; left > 0; left--) if (!res.write(chunk)) await once(res, 'drain');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());

  /** The bytes that it took, and whether it may go on. */
  const taken = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(client, { eval: true, workerData: { port: (server.address() as AddressInfo).port, taken } });
  onTestFinished(() => void worker.terminate());
  await once(worker, 'message');
  await vi.advanceTimersByTimeAsync(patience);
  // This thread stands still now, until the client has taken what the system had for it.
  Atomics.store(taken, 1, 1);
  for (let before = -1; before < Atomics.load(taken, 0); Atomics.wait(taken, 0, before, 100)) before = Atomics.load(taken, 0);
  vi.advanceTimersByTime(patience);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(call?.code).toBeUndefined();
}, 20_000);
