import { EventEmitter, once } from 'node:events';
import { mock } from 'node:test';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { TourClock } from '../../examples/tour/clock.ts';
import { hourInMs } from '../../src/contract/times.ts';

afterEach(() => mock.timers.reset());

it('turns to any time a step ahead, and waits for what intervals begin up to then, and for nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -11_000, max: 11_000 }), async (hours, more) => {
      const clock = new TourClock(0);
      const beats = new EventEmitter();
      // As the recorder does: every five seconds something begins, and is done a bit later.
      const beat = setInterval(() => {
        const at = clock.now();
        setImmediate(() => beats.emit('done', at));
      }, 5_000);
      let [last]: unknown[] = [];
      const settled = async (): Promise<void> => void ([last] = await once(beats, 'done'));
      try {
        // The first turn leaves the interval between two steps.
        await clock.turnTo(7_777, settled);
        const end = clock.now() + hours * hourInMs + more;
        await clock.turnTo(end, settled);
        expect(clock.now()).toBe(end);
        expect(last).toBeGreaterThan(end - 10_000);
      } finally {
        clearInterval(beat);
        mock.timers.reset();
      }
    }),
    { interruptAfterTimeLimit: 120_000, markInterruptAsFailure: true },
  );
});
