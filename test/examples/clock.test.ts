import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { TourClock } from '../../examples/tour/clock.ts';
import { hourInMs } from '../../src/usage/model.ts';

afterEach(() => mock.timers.reset());

it('turns to any time a step ahead, and waits for nothing that no interval begins', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 5_000, max: 11_000 }), async (hours, more) => {
      const clock = new TourClock(0);
      const waiting: (() => void)[] = [];
      // As the recorder does: every five seconds something begins, and is done a bit later.
      const beat = setInterval(() => void setImmediate().then(() => waiting.splice(0).forEach((done) => done())), 5_000);
      try {
        // The first turn leaves the interval between two steps.
        await clock.turnTo(7_777, () => new Promise<void>((done) => waiting.push(done)));
        const end = clock.now() + hours * hourInMs + more;
        await clock.turnTo(end, () => new Promise<void>((done) => waiting.push(done)));
        expect(clock.now()).toBe(end);
      } finally {
        clearInterval(beat);
        mock.timers.reset();
      }
    }),
    { interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
  );
});
