/** With a clock that stands still, what happens does not depend on how fast receivers and resolvers are. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

/** The names of the events in the log, in its order. */
const logged = ({ deliveries, workspace }: Service): string =>
  deliveries
    .log(workspace)
    .map(({ request }) => nameIn(request?.body))
    .join('');

test('what is raised at an instant comes after all that fell due then, and is tried again in the order of the events', async () => {
  const service = startService({ assumptions: { webhookBackoffMultiplier: 1 } });
  let attemptsAtA = 0;
  const receiver = await startReceiver((_req, res) => {
    if (nameIn(receiver.received.at(-1)?.body) === 'a' && ++attemptsAtA === 2) begin(service, 'c');
    res.writeHead(500).end();
  });
  service.register(receiver.url);
  for (const name of ['a', 'b']) {
    begin(service, name);
    await service.clock.idle();
  }
  await service.clock.advance(5_000);
  expect(logged(service)).toBe('ababc');
  await service.clock.advance(5_000);
  expect(logged(service)).toBe('ababcabc');
});

test('a turn of many events that are due at one instant does not wait for one after the other', async () => {
  const service = startService();
  const names = ['a', 'b', 'c'];
  const all = Promise.withResolvers<void>();
  const receiver = await startReceiver(500, 500, 500, (_req, res) => {
    if (receiver.received.length === 2 * names.length) all.resolve();
    void all.promise.then(() => res.end());
  });
  service.register(receiver.url);
  for (const name of names) begin(service, name);
  await service.clock.advance(5_000);
  expect(logged(service)).toBe('abcabc');
});

describe('a clock that runs and is turned', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test('stands meanwhile: what falls due at one instant counts in the order of the events, whichever failed first', async () => {
    const { receiver, lose } = await startRace(() => 500);
    lose('a');
    const service = startService({ running: true });
    service.register(receiver.url);
    for (const name of ['a', 'b']) begin(service, name);
    await service.clock.idle();
    expect(logged(service)).toBe('ba');
    lose('a');
    await service.clock.advance(5_000);
    expect(logged(service)).toBe('baab');
  });
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
