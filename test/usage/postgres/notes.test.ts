/** Notes that replicas give each other through PostgreSQL, and what they know of those that they miss. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { PostgresNotes } from '../../../src/usage/store/postgres/notes.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { wayTo } from '../../helpers/way.ts';

const databases = useDatabases();
const soon = { timeout: 10_000, interval: 10 };

/** Replicas, each with what it heard; they give a sign each time that some milliseconds pass, and reckon by a clock that the test sets. */
function replicas() {
  const clock = { now: 0 };
  const start = (address: string) => {
    const heard: string[] = [];
    const notes = new PostgresNotes(address, () => clock.now, 10);
    notes.listen({ note: (text) => void heard.push(text), missed: () => void heard.push('missed') });
    onTestFinished(() => notes.close());
    return { heard, notes };
  };
  return { clock, start };
}

/** Until it heard of so many, itself among them: of one more than once where its connection waits for longer than it may, and is made anew. */
const hearingOf = (replica: { readonly heard: readonly string[] }, many: number) =>
  vi.waitFor(() => expect(replica.heard.length).toBeGreaterThanOrEqual(many), soon);

const hearing = (...all: readonly { readonly notes: PostgresNotes }[]) =>
  vi.waitFor(() => expect(all.map(({ notes }) => notes.hears)).toEqual(all.map(() => true)), soon);

it('go to all others at once, in order, and not to oneself', async () => {
  const address = await databases.address();
  const { start } = replicas();
  const [one, two, three] = [start(address), start(address), start(address)];
  await hearing(one, two, three);
  for (const each of [one, two, three]) await hearingOf(each, 3);
  for (const each of [one, two, three]) each.heard.length = 0;
  one.notes.tell('a');
  one.notes.tell('b');
  await vi.waitFor(
    () =>
      expect([two.heard, three.heard]).toEqual([
        ['a', 'b'],
        ['a', 'b'],
      ]),
    soon,
  );
  expect(one.heard).toEqual([]);
});

it('are not missed from one that ends while it tells something', async () => {
  const address = await databases.address();
  const { clock, start } = replicas();
  const [one, two] = [start(address), start(address)];
  await hearing(one, two);
  await hearingOf(two, 2);
  one.notes.tell('last');
  await one.notes.close();
  await vi.waitFor(() => expect(two.heard).toContain('last'), soon);
  clock.now += 2_600;
  await hearing(two);
});

it('do not come through a way that is cut: that is known, and afterwards that some may have been missed', async () => {
  const address = await databases.address();
  const way = await wayTo(address);
  const { clock, start } = replicas();
  const [one, two] = [start(address), start(way.address)];
  await hearing(one, two);
  await hearingOf(one, 2);
  one.heard.length = 0;
  way.cut();
  await vi.waitFor(() => expect(two.notes.hears).toBe(false), soon);
  two.heard.length = 0;
  one.notes.tell('lost');
  // The other one only knows that somebody is silent.
  clock.now += 2_400;
  await vi.waitFor(() => expect(one.notes.hears).toBe(true), soon);
  clock.now += 200;
  expect(one.notes.hears).toBe(false);
  way.restore();
  await hearing(one, two);
  expect(two.heard).toContain('missed');
  expect(two.heard).not.toContain('lost');
  expect(one.heard).toContain('missed');
});

it('are missed from one that falls silent, until it is taken for killed; not from one that ends', async () => {
  const address = await databases.address();
  const way = await wayTo(address);
  const { clock, start } = replicas();
  const [one, two, three] = [start(address), start(way.address), start(address)];
  await hearing(one, two, three);
  await hearingOf(one, 3);
  await three.notes.close();
  way.cut();
  const until = (hears: boolean) =>
    vi.waitFor(() => {
      clock.now += 50;
      expect(one.notes.hears).toBe(hears);
    }, soon);
  await until(false);
  await until(true);
  expect(clock.now).toBeGreaterThan(10_000);
});
