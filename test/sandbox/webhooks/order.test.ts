/** With a clock that stands still, what happens does not depend on how fast receivers and resolvers are. */
import { describe, expect, test } from 'vitest';
import type { WebhookEndpoint } from '../../../src/sandbox/store/workspace.ts';
import { day, start, startReceiver, startService, type Receiver, type Service } from './service.ts';

/** Raises an event by this name and does not wait for it. */
const begin = ({ events, workspace }: Service, name: string): string => events.raise(workspace, 'lead.created', { name }).id;

const nameIn = (body: unknown): string => /"name":"(.)"/.exec(String(body))?.[1] ?? '';

interface Race {
  readonly receiver: Receiver;
  /** From now on, the first answer to this event comes when the attempt at the other one is over. */
  lose(name: string): void;
}

/** A receiver of the events `a` and `b`, raised together, of which either one can be the slower. @param status by the event */
async function startRace(status: (name: string) => number): Promise<Race> {
  let loser = '';
  let attempts = 0;
  let over = Promise.withResolvers<void>();
  const receiver = await startReceiver((req, res) => {
    const name = nameIn(receiver.received.at(-1)?.body);
    const answer = (): void => void res.writeHead(status(name)).end();
    attempts++;
    if (attempts <= 2 && name === loser) return void over.promise.then(answer);
    // The caller closes the connection once it has read the answer.
    req.socket.on('close', over.resolve);
    answer();
  });
  return {
    receiver,
    lose(name) {
      loser = name;
      attempts = 0;
      over = Promise.withResolvers();
    },
  };
}

/** Makes the same calls twice: `a` is the slower one, and then `b`. @param prepare what is done before the events are raised */
async function race<T>(
  status: (name: string) => number,
  result: (service: Service, webhook: WebhookEndpoint) => T,
  prepare: (webhook: WebhookEndpoint) => void = () => undefined,
): Promise<Awaited<T>[]> {
  const { receiver, lose } = await startRace(status);
  const results: Awaited<T>[] = [];
  for (const loser of ['a', 'b']) {
    lose(loser);
    const service = startService();
    const webhook = service.register(receiver.url);
    prepare(webhook);
    for (const name of ['a', 'b']) begin(service, name);
    await service.clock.idle();
    results.push(await result(service, webhook));
  }
  return results;
}

describe('two events that are raised together', () => {
  test('are tried again in the order in which they were raised, whichever failed first', async () => {
    const [slowA, slowB] = await race(
      () => 500,
      async ({ clock, deliveries, workspace }) => {
        await clock.advance(day);
        return deliveries.log(workspace);
      },
    );
    expect(slowA?.map(({ request }) => nameIn(request?.body)).join('')).toBe('ababababab');
    expect(slowB).toEqual(slowA);
  });
  test('count in that order: the fifth failure in a row is the same one', async () => {
    const [slowA, slowB] = await race(
      (name) => (name === 'a' ? 500 : 200),
      ({ deliveries, workspace }, { failures }) => ({ failures, notifications: deliveries.notifications(workspace) }),
      (webhook) => {
        webhook.failures = 4;
      },
    );
    expect(slowA).toMatchObject({ failures: 0, notifications: [{ at: start }] });
    expect(slowB).toEqual(slowA);
  });
});

test('what is due at one instant is tried in the order of the events, also where a later one began before', async () => {
  const service = startService({ assumptions: { webhookBackoffMultiplier: 1 } });
  const names: string[] = [];
  const receiver = await startReceiver((_req, res) => {
    names.push(nameIn(receiver.received.at(-1)?.body));
    // In the second attempt at a, and so before the second one at b.
    if (names.join('') === 'aba') begin(service, 'c');
    res.writeHead(500).end();
  });
  service.register(receiver.url);
  for (const name of ['a', 'b']) {
    begin(service, name);
    await service.clock.idle();
  }
  await service.clock.advance(5_000);
  expect(names.join('')).toBe('abacb');
  await service.clock.advance(5_000);
  expect(names.join('')).toBe('abacbabc');
});

test('while the clock runs, no event waits for another one', async () => {
  const service = startService({ running: true });
  const release = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const receiver = await startReceiver(
    (_req, res) => void release.promise.then(() => res.end()),
    (req, res) => {
      req.socket.on('close', told.resolve);
      res.end();
    },
  );
  service.register(receiver.url);
  begin(service, 'a');
  await receiver.count(1);
  const quick = begin(service, 'b');
  await told.promise;
  await new Promise(setImmediate);
  expect(service.deliveries.log(service.workspace).map(({ eventId }) => eventId)).toEqual([quick]);
  release.resolve();
  await service.clock.idle();
});
