/** What is due at one instant of a turn. */
import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/sandbox/clock/clock.ts';

const start = Date.parse('2026-08-01T12:00:00Z');
const day = 86_400_000;

const unexpected = (error: unknown): void => {
  throw error;
};

test('a turn begins all that is due at one instant together, and goes on once all of it is done', async () => {
  const clock = new VirtualClock(start, unexpected);
  const told: string[] = [];
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const set = (due: number, name: string, run = (): Promise<void> | void => undefined): void => {
    clock.at(start + due, async () => {
      told.push(name);
      await run();
    });
  };
  set(20, 'later');
  set(10, 'a waits for b', () => answered);
  set(10, 'b', answer);
  await clock.advance(30);
  expect(told).toEqual(['a waits for b', 'b', 'later']);
});
test('a task that shows another time gives up the rest of its instant', async () => {
  const clock = new VirtualClock(start, unexpected);
  clock.at(start + 10, () => clock.show({ now: start + day, frozen: true }));
  let ran = false;
  clock.at(start + 10, () => {
    ran = true;
  });
  await clock.advance(30);
  expect([ran, clock.now()]).toEqual([false, start + day]);
});
