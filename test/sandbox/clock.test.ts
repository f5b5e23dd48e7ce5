import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { VirtualClock, timestamp } from '../../src/sandbox/clock/clock.ts';

const start = Date.parse('2026-08-01T12:00:00Z');
const second = 1_000;
const day = 86_400_000;

const unexpected = (error: unknown): void => {
  throw error;
};
const frozen = (onError = unexpected): VirtualClock => new VirtualClock(start, onError);

/** Sets tasks at these instants after the start, and gives what has run: which, and when. */
function agenda(clock: VirtualClock, ...dues: readonly number[]): [number, number][] {
  const ran: [number, number][] = [];
  for (const due of dues) clock.at(start + due, () => void ran.push([due, clock.now() - start]));
  return ran;
}

describe('a clock that stands still', () => {
  test('shows where it was started, frozen', () => {
    expect(frozen().state()).toEqual({ now: start, frozen: true });
  });
  test('runs what is due now, or was before, at once', () => {
    const clock = frozen();
    expect(agenda(clock, 0, -5)).toEqual([
      [0, 0],
      [-5, 0],
    ]);
  });
  test('runs what falls due on the way in order, each at its own time', async () => {
    const clock = frozen();
    const ran = agenda(clock, 30, 10, 20, 31);
    await clock.advance(30);
    expect(ran).toEqual([
      [10, 10],
      [20, 20],
      [30, 30],
    ]);
    expect(clock.now()).toBe(start + 30);
  });
  test('runs what is due at one instant in the order in which it was set', async () => {
    const clock = frozen();
    const ran: string[] = [];
    for (const name of ['a', 'b', 'c']) clock.at(start + 5, () => void ran.push(name));
    await clock.advance(5);
    expect(ran).toEqual(['a', 'b', 'c']);
  });
  test('runs the lower order first at one instant, whenever it was set', async () => {
    const clock = frozen();
    const ran: string[] = [];
    const set = (due: number, order: number, name: string) => clock.at(start + due, () => void ran.push(name), { order });
    set(5, 2, 'c');
    set(5, 1, 'a');
    set(5, 1, 'b');
    set(4, 3, 'first');
    set(6, 0, 'last');
    await clock.advance(6);
    expect(ran.join(' ')).toBe('first a b c last');
  });
  test('runs what a task sets, where that is due on the way too', async () => {
    const clock = frozen();
    const ran: number[] = [];
    clock.at(start + 10, () => {
      clock.at(start + 20, () => void ran.push(clock.now() - start));
      clock.at(start + 10, () => void ran.push(clock.now() - start));
      clock.at(start + 31, () => void ran.push(clock.now() - start));
    });
    await clock.advance(30);
    expect(ran).toEqual([10, 20]);
  });
  test('goes on only once what it has started is done', async () => {
    const clock = frozen();
    const told: string[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    clock.at(start + 10, async () => {
      told.push('first begins');
      await answered;
      told.push(`first ends at ${clock.now() - start}`);
    });
    clock.at(start + 20, () => void told.push('second'));
    const turned = clock.advance(30).then(() => told.push('turned'));
    await Promise.resolve();
    expect(told).toEqual(['first begins']);
    answer();
    await turned;
    expect(told).toEqual(['first begins', 'first ends at 10', 'second', 'turned']);
  });
  test('waits before a turn for what is under way', async () => {
    const clock = frozen();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let end = 0;
    clock.at(start, async () => {
      await answered;
      end = clock.now();
    });
    const turned = clock.advance(day);
    answer();
    await turned;
    expect([end, clock.now()]).toEqual([start, start + day]);
  });
  test('takes one turn after the other', async () => {
    const clock = frozen();
    const ran = agenda(clock, 10, 20, 30);
    await Promise.all([clock.advance(15), clock.advance(10), clock.set(start + 5), clock.advance(30)]);
    expect(ran).toEqual([
      [10, 10],
      [20, 20],
      [30, 30],
    ]);
    expect(clock.now()).toBe(start + 35);
  });
  test('takes a turn after those that wait, also where others are over', async () => {
    const clock = frozen();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    clock.at(start + 15, () => answered);
    const first = clock.advance(10);
    const second = clock.advance(20);
    await first;
    const third = clock.advance(5);
    answer();
    await Promise.all([second, third]);
    expect(clock.now()).toBe(start + 35);
  });
  test('shows the new time at once where there is nothing to wait for', () => {
    const clock = frozen();
    void clock.advance('3650d');
    expect(clock.now()).toBe(start + 3650 * day);
  });
  test('turned backwards undoes nothing and forgets nothing', async () => {
    const clock = frozen();
    const ran = agenda(clock, 10, 20);
    await clock.advance(15);
    await clock.set(start);
    expect([clock.now(), ran.length]).toEqual([start, 1]);
    await clock.advance(30);
    expect(ran).toEqual([
      [10, 10],
      [20, 20],
    ]);
  });
  test('does not run what was taken off, also by what ran before it', async () => {
    const clock = frozen();
    const ran = agenda(clock, 20);
    const cancel = clock.at(start + 30, () => void ran.push([30, 30]));
    clock.at(start + 10, cancel);
    await clock.advance(60);
    expect(ran).toEqual([[20, 20]]);
  });
  test('clear empties the agenda', async () => {
    const clock = frozen();
    const ran = agenda(clock, 10, 20);
    clock.clear();
    await clock.advance(60);
    expect(ran).toEqual([]);
  });
  test('clear drops the tasks of one owner only', async () => {
    const clock = frozen();
    const ran = agenda(clock, 10);
    const [mine, other] = [{}, {}];
    clock.at(start + 5, () => void ran.push([5, 5]), { owner: mine });
    clock.at(start + 15, () => void ran.push([15, 15]), { owner: other });
    clock.clear(mine);
    await clock.advance(60);
    expect(ran.map(([due]) => due)).toEqual([10, 15]);
  });
  test.for([
    [
      'throws',
      () => {
        throw new Error('broken on purpose');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken on purpose'))],
  ] as const)('what %s is told to onError, and the rest still runs', async ([, fail]) => {
    const errors: unknown[] = [];
    const clock = frozen((error) => void errors.push(error));
    clock.at(start + 5, fail);
    const ran = agenda(clock, 10);
    await clock.advance(30);
    expect(errors).toEqual([new Error('broken on purpose')]);
    expect(ran).toEqual([[10, 10]]);
  });
});

describe('what a clock is told while it is being turned', () => {
  test('freeze holds when the turn is over', async () => {
    const clock = new VirtualClock(undefined, unexpected);
    clock.at(clock.now() + 60 * second, () => clock.freeze());
    await clock.advance('2m');
    expect(clock.frozen).toBe(true);
  });
  test('resume counts from the end of the turn', async () => {
    const clock = frozen();
    const seen: number[] = [];
    clock.at(start + second, async () => {
      clock.resume();
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(clock.now() - start);
    });
    await clock.advance(2 * second);
    expect(seen).toEqual([second]);
    expect(clock.frozen).toBe(false);
  });
  test('to show another time gives up this turn and those that wait', async () => {
    const clock = frozen();
    const ran = agenda(clock, 20);
    clock.at(start + 10, async () => {
      await Promise.resolve();
      clock.show({ now: start - day, frozen: true });
    });
    await Promise.all([clock.advance(30), clock.advance(day)]);
    expect(clock.now()).toBe(start - day);
    expect(ran).toEqual([]);
  });
});

describe('how far', () => {
  test.for([
    ['90s', 90 * second],
    ['15m', 900 * second],
    ['1.5h', 5_400 * second],
    ['2 d', 2 * day],
    ['7ms', 7],
    [0, 0],
    [1_234, 1_234],
  ] as const)('%s is a duration', async ([by, expected]) => {
    const clock = frozen();
    await clock.advance(by);
    expect(clock.now() - start).toBe(expected);
  });
  test.for([NaN, -1, Infinity, 0.5, '', 'soon', '90', '-1s', '1y', '1e3s', '9999999999999999d'])(
    '%s is none, and the message says what to write',
    async (by) => {
      const clock = frozen();
      await expect(clock.advance(by)).rejects.toMatchObject({ code: 'CLOCK_INVALID', message: expect.stringContaining('write 90s') });
      expect(clock.state()).toEqual({ now: start, frozen: true });
    },
  );
  test.for([
    ['2026-12-31T00:00:00Z', Date.parse('2026-12-31T00:00:00Z')],
    ['2026-12-31T01:00:00.500+01:00', Date.parse('2026-12-31T00:00:00.5Z')],
    ['9999-12-31T23:59:59.999Z', Date.parse('9999-12-31T23:59:59.999Z')],
    [0, 0],
  ] as const)('%s is an instant', async ([to, expected]) => {
    const clock = frozen();
    await clock.set(to);
    expect(clock.now()).toBe(expected);
  });
  test.for([NaN, -1, 0.5, 1e300, '', 'tomorrow', '2026-12-31', '2026-12-31T00:00:00', '2026-02-30T00:00:00Z', '1969-12-31T23:59:59Z'])(
    '%s is none, and the message says what to write',
    async (to) => {
      const clock = frozen();
      await expect(clock.set(to)).rejects.toMatchObject({ code: 'CLOCK_INVALID', message: expect.stringContaining('write 2026-12-31T') });
      expect(clock.state()).toEqual({ now: start, frozen: true });
    },
  );
  test('a duration that leads past the year 9999 is refused, and later turns are not', async () => {
    const clock = frozen();
    const [far, near] = await Promise.allSettled([clock.advance('3000000d'), clock.advance(1)]);
    expect([far, near]).toMatchObject([{ status: 'rejected', reason: { code: 'CLOCK_INVALID' } }, { status: 'fulfilled' }]);
    expect(clock.state()).toEqual({ now: start + 1, frozen: true });
  });
});

describe('a clock that runs', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: start });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const running = (): VirtualClock => new VirtualClock(undefined, unexpected);

  test('shows the time of the machine', () => {
    const clock = running();
    vi.advanceTimersByTime(1_500);
    expect(clock.state()).toEqual({ now: start + 1_500, frozen: false });
  });
  test('runs what falls due when it falls due, in order', () => {
    const clock = running();
    const ran = agenda(clock, 2_000, 1_000);
    vi.advanceTimersByTime(999);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(day);
    expect(ran).toEqual([
      [1_000, 1_000],
      [2_000, 2_000],
    ]);
  });
  test('waits longer than a timer can', () => {
    const clock = running();
    const ran = agenda(clock, 60 * day);
    vi.advanceTimersByTime(60 * day - 1);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual([[60 * day, 60 * day]]);
  });
  test('that is turned runs on from the new time', async () => {
    const clock = running();
    const ran = agenda(clock, day, day + 3_000);
    await clock.advance('1d');
    expect([clock.frozen, clock.now()]).toEqual([false, start + day]);
    vi.advanceTimersByTime(3_000);
    expect(ran).toEqual([
      [day, day],
      [day + 3_000, day + 3_000],
    ]);
  });
  test('that is frozen runs nothing until it runs again', () => {
    const clock = running();
    const ran = agenda(clock, 1_000);
    vi.advanceTimersByTime(400);
    clock.freeze();
    vi.advanceTimersByTime(day);
    expect([clock.now() - start, ran]).toEqual([400, []]);
    clock.resume();
    vi.advanceTimersByTime(600);
    expect(ran).toEqual([[1_000, 1_000]]);
  });
  test('that is turned backwards runs what falls due later than it seemed', async () => {
    const clock = running();
    const ran = agenda(clock, 1_000);
    await clock.set(start - 2_000);
    vi.advanceTimersByTime(2_999);
    expect(ran).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ran).toEqual([[1_000, 1_000]]);
  });
  test('that is turned backwards first runs what fell due and no timer has woken yet', async () => {
    const clock = running();
    const ran = agenda(clock, 1_000);
    vi.setSystemTime(start + 1_500);
    await clock.set(start);
    expect(ran).toEqual([[1_000, 1_500]]);
  });
  test('that is shown another time while it is turned runs on from that time', async () => {
    const clock = running();
    clock.at(start + 10, async () => {
      await Promise.resolve();
      clock.show({ now: start + day, frozen: false });
    });
    await Promise.all([clock.advance(30), clock.advance(30)]);
    vi.advanceTimersByTime(5);
    expect(clock.state()).toEqual({ now: start + day + 5, frozen: false });
  });
  test('stops at the end of the year 9999, the last that the times of the API can say', () => {
    const clock = running();
    clock.show({ now: Date.parse('9999-12-31T23:59:59.999Z'), frozen: false });
    vi.advanceTimersByTime(day);
    expect(timestamp(clock)).toBe('9999-12-31T23:59:59.999Z');
    clock.at(clock.now() + 1, () => undefined);
    vi.advanceTimersByTime(day);
    clock.clear();
  });
  test('leaves no timer once its agenda is empty', () => {
    const clock = running();
    const cancel = clock.at(start + day, () => undefined);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    agenda(clock, 1_000);
    clock.clear();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('the timer of a clock that runs does not keep the process', () => {
  const before = process.getActiveResourcesInfo();
  const clock = new VirtualClock(undefined, unexpected);
  clock.at(clock.now() + day, () => undefined);
  expect(process.getActiveResourcesInfo()).toEqual(before);
  clock.clear();
});

test('a clock that is shown a time past a task sets no timer of a negative time, of which Node would warn', async () => {
  const warnings: string[] = [];
  const warn = ({ name }: Error): number => warnings.push(name);
  process.on('warning', warn);
  const clock = new VirtualClock(undefined, unexpected);
  const ran = new Promise<void>((resolve) => clock.at(clock.now() + day, () => resolve()));
  clock.show({ now: clock.now() + 2 * day, frozen: false });
  await ran;
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});
