import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { LoadOutcome, LoadPlan } from '../../bench/load.ts';
import { answerBody } from '../../bench/request.ts';

const stall = 500;
const answer = `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(answerBody)}\r\n\r\n${answerBody}`;

/** What the generator says of a server that answers at once, but for one pause. */
async function outcomeOf(plan: Pick<LoadPlan, 'requests' | 'rate'>): Promise<LoadOutcome> {
  let calls = 0;
  let pause: Promise<void> | undefined;
  const server = createServer((socket) => {
    socket.on('data', () => {
      if (++calls === plan.requests / 2) pause = delay(stall);
      void Promise.resolve(pause).then(() => socket.write(answer));
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const load = fork(join(import.meta.dirname, '../../bench/load.ts'), { execArgv: [] });
  onTestFinished(() => {
    load.disconnect();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  load.send({ run: 1, case: 'get', port, connections: 2, ...plan } satisfies LoadPlan);
  const [outcome] = await once(load, 'message');
  return outcome as LoadOutcome;
}

it('counts from when a call was due: a pause is in the latency of all calls that it kept waiting', async () => {
  const { errors, p99, seconds } = await outcomeOf({ requests: 1_000, rate: 1_000 });
  expect(errors).toBe(0);
  expect(seconds).toBeGreaterThan(0.99);
  expect(p99).toBeGreaterThan(stall * 1_000 * 0.8);
});

it('counts from the sending without a rate: a pause keeps no more calls waiting than there are connections', async () => {
  const { errors, p99, late } = await outcomeOf({ requests: 1_000 });
  expect(errors).toBe(0);
  expect(p99).toBeLessThan(stall * 1_000 * 0.8);
  expect(late).toBe(0);
});
