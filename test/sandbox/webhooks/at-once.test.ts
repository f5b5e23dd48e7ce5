/** How many attempts are under way at once. */
import { expect, test } from 'vitest';
import { createAddressRules } from '../../../src/sandbox/webhooks/address.ts';
import { maxAttemptsAtOnce } from '../../../src/sandbox/webhooks/deliveries.ts';
import { start, startService, type Service } from './service.ts';

const many = maxAttemptsAtOnce + 3;

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

test('of more attempts at one instant, so many begin at once', async () => {
  const { asked, answer, clock } = raiseMany();
  await new Promise(setImmediate);
  expect(asked()).toBe(maxAttemptsAtOnce);
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
  const names = Array.from({ length: many }, (_, index) => `hook-${index}.example`);
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
  expect([asked(), deliveries.log(workspace)]).toEqual([maxAttemptsAtOnce, []]);
});

test('an attempt that waits for an event that was given up to make room does not begin', async () => {
  const { asked, answer, clock } = raiseMany(1);
  answer();
  await clock.idle();
  expect(asked()).toBe(maxAttemptsAtOnce + 1);
});

test('none that waits begins any more once deliveries are stopped', async () => {
  const { asked, clock, deliveries } = raiseMany();
  deliveries.stop();
  await clock.idle();
  expect(asked()).toBe(maxAttemptsAtOnce);
});
