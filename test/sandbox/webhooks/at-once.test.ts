/** How many attempts are under way at once. */
import { describe, expect, test } from 'vitest';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { attemptsAtOnce, Deliveries } from '../../../src/sandbox/webhooks/deliveries.ts';
import { start, startReceiver, startService, type Service } from './service.ts';

const { parties, each, shared } = attemptsAtOnce;
const many = each + 3;

/** Raises that many events at one instant, each for an endpoint whose name resolves to nothing, and not before `answer` is called. */
function raiseMany(maxRecords = many): Service & { readonly ids: readonly string[]; asked(): number; answer(): void } {
  let asked = 0;
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const resolve = async (): Promise<string[]> => {
    asked++;
    await promise;
    return [];
  };
  const addresses = createAddressRules({ allowPrivate: true, resolve, timeout: 20_000 });
  const service = startService({ maxRecords, addresses, onEvict: () => undefined });
  service.register('http://hook.example/');
  const ids = Array.from({ length: many }, () => service.events.raise(service.workspace, 'lead.created').id);
  return { ...service, ids, asked: () => asked, answer };
}

test('of more attempts at one endpoint at one instant, so many begin at once', async () => {
  const { asked, answer, clock } = raiseMany();
  await new Promise(setImmediate);
  expect(asked()).toBe(each);
  answer();
  await clock.idle();
  expect(asked()).toBe(many);
});

test('those that wait begin in the order in which they came', async () => {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<string[]> => {
    asked.push(name);
    return [];
  };
  const { clock, events, register, workspace } = startService({ addresses: createAddressRules({ allowPrivate: true, resolve }) });
  const names = Array.from({ length: parties + 3 }, (_, index) => `hook-${index}.example`);
  for (const name of names) register(`http://${name}/`);
  events.raise(workspace, 'lead.created');
  await clock.idle();
  expect(asked).toEqual(names);
});

test('those that waited are in the log in the order of their events, and at the instant of their round', async () => {
  const { answer, clock, deliveries, workspace, ids } = raiseMany();
  answer();
  await clock.idle();
  const log = deliveries.log(workspace);
  expect(log.map(({ eventId }) => eventId)).toEqual(ids);
  expect(new Set(log.map(({ at }) => at))).toEqual(new Set([start]));
});

test('nothing is sent to an endpoint that was paused while the attempt waited', async () => {
  const { asked, answer, clock, deliveries, workspace } = raiseMany();
  for (const webhook of workspace.webhooks.all()) webhook.paused = true;
  answer();
  await clock.idle();
  expect([asked(), deliveries.log(workspace)]).toEqual([each, []]);
});

test('an attempt that waits for an event that was given up to make room does not begin', async () => {
  const { asked, answer, clock } = raiseMany(1);
  answer();
  await clock.idle();
  expect(asked()).toBe(each + 1);
});

test('none that waits begins any more once deliveries are stopped', async () => {
  const { asked, clock, deliveries } = raiseMany();
  deliveries.stop();
  await clock.idle();
  expect(asked()).toBe(each);
});

/** An address for each name, which resolves once it is let go. */
function holdNames(held: (name: string) => boolean) {
  const asked: string[] = [];
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const resolve = async (name: string): Promise<string[]> => {
    asked.push(name);
    if (held(name)) await promise;
    return [];
  };
  return { asked, letGo, addresses: createAddressRules({ allowPrivate: true, resolve, timeout: 20_000 }) };
}

const countOf = (asked: readonly string[], name: string): number => asked.filter((one) => one === name).length;
const turnOfLoop = (): Promise<void> => new Promise(setImmediate);

describe('an endpoint that hangs', () => {
  test('does not delay the deliveries of others: they go out while all of its attempts hang', async () => {
    const { asked, letGo, addresses } = holdNames((name) => name === 'hanging.example');
    const { clock, events, register, workspace } = startService({ addresses, maxRecords: 1_000 });
    register('http://hanging.example/', ['lead.created']);
    register('http://other.example/', ['order.created']);
    for (let count = 0; count < shared + 3; count++) events.raise(workspace, 'lead.created');
    events.raise(workspace, 'order.created');
    await turnOfLoop();
    expect([countOf(asked, 'hanging.example'), countOf(asked, 'other.example')]).toEqual([each, 1]);
    letGo();
    await clock.idle();
    expect(countOf(asked, 'hanging.example')).toBe(shared + 3);
  });

  describe('with so many others that the slots that they share are taken', () => {
    const hanging = Array.from({ length: Math.ceil(shared / (each - 1)) }, (_, index) => `hanging-${index}.example`);

    /** They hang in what they have, and then three events come for one that does so, too, or answers. */
    async function hang(lateHangs: boolean) {
      const holds = new Map((lateHangs ? [...hanging, 'late.example'] : hanging).map((name) => [name, Promise.withResolvers<void>()]));
      const asked: string[] = [];
      const resolve = async (name: string): Promise<string[]> => {
        asked.push(name);
        await holds.get(name)?.promise;
        return [];
      };
      const addresses = createAddressRules({ allowPrivate: true, resolve, timeout: 20_000 });
      const { clock, events, register, workspace } = startService({ addresses, maxRecords: 10_000 });
      for (const name of hanging) register(`http://${name}/`, ['lead.created']);
      register('http://late.example/', ['order.created']);
      for (let count = 0; count < each + 3; count++) events.raise(workspace, 'lead.created');
      for (let count = 0; count < 3; count++) events.raise(workspace, 'order.created');
      await turnOfLoop();
      const letGo = async (): Promise<void> => {
        for (const hold of holds.values()) hold.resolve();
        await clock.idle();
      };
      return { asked, holds, letGo };
    }

    test('does not delay those of another one, either', async () => {
      const { asked, letGo } = await hang(false);
      expect([asked.length, countOf(asked, 'late.example')]).toEqual([hanging.length + shared + 3, 3]);
      await letGo();
      expect(asked.length).toBe(hanging.length * (each + 3) + 3);
    });
    test('leaves one of these that comes free to an endpoint that has fewer', async () => {
      const { asked, holds, letGo } = await hang(true);
      const before = hanging.length + shared + 1;
      expect([asked.length, countOf(asked, 'late.example')]).toEqual([before, 1]);
      holds.get('hanging-0.example')?.resolve();
      await turnOfLoop();
      expect(asked.slice(before, before + 2)).toEqual(['late.example', 'late.example']);
      await letGo();
      expect(asked.length).toBe(hanging.length * (each + 3) + 3);
    });
  });
});

describe('an attempt is in the log when it is over', () => {
  const statuses = ({ deliveries, workspace }: Service) =>
    deliveries.log(workspace).map(({ response, nextAttemptAt }) => [response?.status, nextAttemptAt !== undefined]);

  /** Two endpoints of one event, of which one has answered and the other one has not. */
  async function half({ running = true, hangFirst = true }, ...quickAnswers: number[]) {
    const over = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const quick = await startReceiver((req, res) => {
      req.socket.on('close', over.resolve);
      res.writeHead(quickAnswers.shift() ?? 200).end();
    });
    const slow = await startReceiver((_req, res) => void release.promise.then(() => res.writeHead(202).end()), 202);
    const service = startService({ running });
    for (const { url } of hangFirst ? [slow, quick] : [quick, slow]) service.register(url);
    service.events.raise(service.workspace, 'lead.created', {});
    await Promise.all([over.promise, slow.count(1)]);
    await turnOfLoop();
    return { service, quick, slow, release: release.resolve };
  }

  test('and not when the slowest one of its event is', async () => {
    const { service, release } = await half({});
    expect(statuses(service)).toEqual([[200, false]]);
    release();
    await service.clock.idle();
    expect(statuses(service)).toEqual([
      [200, false],
      [202, false],
    ]);
  });
  test('with the next try of the event once that is known', async () => {
    const { service, release } = await half({}, 500);
    expect(statuses(service)).toEqual([[500, false]]);
    const [before] = service.deliveries.log(service.workspace);
    release();
    await expect
      .poll(() => statuses(service))
      .toEqual([
        [500, true],
        [202, true],
      ]);
    expect(before).not.toHaveProperty('nextAttemptAt');
  });
  test.for([
    { hangFirst: false, shown: [[200, false]] },
    { hangFirst: true, shown: [] },
  ])('while the clock stands, once those before it are: %j', async ({ hangFirst, shown }) => {
    const { service, release } = await half({ running: false, hangFirst });
    expect(statuses(service)).toEqual(shown);
    release();
    await service.clock.idle();
    expect(statuses(service)).toEqual(
      hangFirst
        ? [
            [202, false],
            [200, false],
          ]
        : [
            [200, false],
            [202, false],
          ],
    );
  });
  test('and is not made again by whoever goes on from a snapshot while others hang', async () => {
    const { service, quick, slow } = await half({});
    const state = structuredClone(service.deliveries.state());
    service.deliveries.stop();
    const restored = new Deliveries(service.parts, state);
    await service.clock.idle();
    expect([quick.received.length, slow.received.length]).toEqual([1, 2]);
    expect(restored.log(service.workspace).map(({ attempt, response }) => [attempt, response?.status])).toEqual([
      [1, 200],
      [1, 202],
    ]);
  });
});
