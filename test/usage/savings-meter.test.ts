import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reuseTimes } from '../../src/usage/model.ts';
import { resourceHash } from '../../src/usage/resource-hash.ts';
import { SavingsMeter } from '../../src/usage/savings-meter.ts';

interface Call {
  readonly begun: number;
  readonly ended: number;
  readonly key?: number;
  readonly account?: number;
  /** Undefined for a write. */
  readonly resource?: string;
}

const read = (begun: number, ended: number, more: Partial<Call> = {}): Call => ({ begun, ended, resource: '/v1/messages/1', ...more });
const write = (begun: number, ended: number, more: Partial<Call> = {}): Call => ({ begun, ended, ...more });

const base = Date.parse('2026-11-02T00:00:00Z');

/** How many reads each setting saves; calls come to the meter as they end. */
function savedBy(calls: readonly Call[], meter = new SavingsMeter()): readonly number[] {
  const saved = reuseTimes.map(() => 0);
  for (const { begun, ended, key = 1, account = key, resource } of calls.toSorted((a, b) => a.ended - b.ended)) {
    if (resource === undefined) meter.write(account, base + begun, base + ended);
    else {
      const bits = meter.read(account, key, resourceHash(resource), base + begun, base + ended);
      for (const index of reuseTimes.keys()) if ((bits & (1 << index)) !== 0) saved[index] = (saved[index] ?? 0) + 1;
    }
  }
  return saved;
}

/** The same by definition: savers that see each call as it begins. */
function bySavers(calls: readonly Call[], reuse: number): number {
  const sent = new Map<string, Call>();
  const writes = calls.filter(({ resource }) => resource === undefined);
  let saved = 0;
  for (const call of calls.toSorted((a, b) => a.begun - b.begun)) {
    if (call.resource === undefined) continue;
    const { key = 1, account = key, resource, begun } = call;
    const last = sent.get(`${key} ${resource}`);
    const isTouched = (asked: Call) =>
      writes.some((each) => (each.account ?? each.key ?? 1) === account && each.begun <= begun && each.ended > asked.begun);
    const serves = last !== undefined && !isTouched(last) && (begun < last.ended || (reuse > 0 && begun - last.begun <= reuse));
    if (serves) saved++;
    else sent.set(`${key} ${resource}`, call);
  }
  return saved;
}

describe('the meter of what savers would save', () => {
  it.each<[string, readonly Call[], readonly number[]]>([
    ['a read by itself', [read(0, 100)], [0, 0, 0, 0, 0]],
    ['one that begins while the other is in flight', [read(0, 100), read(50, 100)], [1, 1, 1, 1, 1]],
    ['one that ends before the one that it would have joined', [read(0, 100), read(20, 50)], [1, 1, 1, 1, 1]],
    ['one that begins as the other ends', [read(0, 100), read(100, 200)], [0, 1, 1, 1, 1]],
    ['one exactly as old as it may be', [read(0, 100), read(5_000, 5_100)], [0, 1, 1, 1, 1]],
    ['one a little older', [read(0, 100), read(5_001, 5_100)], [0, 0, 1, 1, 1]],
    ['reads of other resources', [read(0, 100), read(50, 150, { resource: '/v1/messages/1?page=2' })], [0, 0, 0, 0, 0]],
    ['reads with other keys', [read(0, 100), read(50, 150, { key: 2, account: 1 })], [0, 0, 0, 0, 0]],
    ['a read after a write', [read(0, 100), write(200, 300), read(400, 500)], [0, 0, 0, 0, 0]],
    ['a read that was asked while a write was under way', [write(0, 300), read(200, 400), read(500, 600)], [0, 0, 0, 0, 0]],
    ['a read after the write of another account', [read(0, 100), write(200, 300, { key: 2 }), read(400, 500)], [0, 1, 1, 1, 1]],
    ['reads asked after the write', [write(0, 50), read(60, 100), read(400, 500)], [0, 1, 1, 1, 1]],
    ['one that follows in no time', [read(0, 0), read(0, 0)], [0, 1, 1, 1, 1]],
    [
      'a read asked after a write that another read has outlived',
      [read(0, 5_000), write(1_000, 2_000), read(3_000, 3_100), read(6_000, 6_100)],
      [0, 1, 1, 1, 1],
    ],
    ['one whose clock was put back', [read(100_000, 100_100), read(50, 60), read(70, 80)], [0, 1, 1, 1, 1]],
  ])('of %s', (_, calls, expected) => {
    expect(savedBy(calls)).toEqual(expected);
  });

  it('counts the age from the call that was sent: using an answer does not make it younger', () => {
    const polls = Array.from({ length: 61 }, (_, second) => read(second * 1_000, second * 1_000 + 10));
    // One call is sent for every 6, 11, 31 and 61 polls.
    expect(savedBy(polls)).toEqual([0, 61 - 11, 61 - 6, 61 - 2, 61 - 1]);
  });

  it('takes back what it said of reads during a write that it did not know of', () => {
    const during = [read(0, 100), write(1_000, 3_000), read(1_500, 1_600), read(2_500, 2_600)];
    expect(savedBy(during)).toEqual([0, 2, 2, 2, 2]);
    // Those who ask after the write pay for it.
    expect(savedBy([...during, read(4_000, 4_010), read(4_100, 4_110), read(4_200, 4_210), read(4_300, 4_310)])).toEqual([0, 3, 3, 3, 3]);
  });

  it('misses savings where there are too many resources, and hardly takes a new one for a saved one', () => {
    const many = Array.from({ length: 60_000 }, (_, index) => read(index, index, { resource: `/v1/messages/${index}` }));
    expect(savedBy(many)[4]).toBeLessThan(10);
    const savedAgain = (some: readonly Call[]) => savedBy([...many, ...some.map((each) => ({ ...each, begun: 60_000, ended: 60_000 }))])[4];
    // Those that were asked last are known best.
    expect(savedAgain(many.slice(-5_000))).toBeGreaterThan(4_800);
    expect(savedAgain(many)).toBeLessThan(40_000);
  });

  const call = (longest: number, isRead: fc.Arbitrary<boolean>) =>
    fc
      .tuple(
        fc.integer({ min: 1, max: 30_000 }),
        fc.integer({ min: 1, max: longest }),
        fc.constantFrom('a', 'b'),
        fc.constantFrom(1, 2),
        isRead,
      )
      .map(([pause, length, resource, key, reads]) => ({ pause, length, key, resource: reads ? resource : undefined }));
  const mostlyReads = fc.nat(9).map((chance) => chance > 0);

  it('says what savers do of calls that follow each other', () => {
    fc.assert(
      fc.property(fc.array(call(20_000, mostlyReads), { maxLength: 40 }), (steps) => {
        let now = 0;
        const calls = steps.map(({ pause, length, ...what }) => {
          // Savings are taken back by the second.
          const begun = now + 1_000 + pause;
          return { ...what, begun, ended: (now = begun + length) };
        });
        expect(savedBy(calls)).toEqual(reuseTimes.map((reuse) => bySavers(calls, reuse)));
      }),
    );
  });

  it('never says more than savers do of calls that overlap in any way, but for reads during a write that is not over', () => {
    fc.assert(
      fc.property(fc.array(call(40_000, mostlyReads), { maxLength: 40 }), (steps) => {
        let now = 0;
        const calls = steps.map(({ pause, length, ...what }) => {
          now += pause / 4;
          return { ...what, begun: now, ended: now + length };
        });
        const writes = calls.filter(({ resource }) => resource === undefined);
        const during = calls.filter(
          ({ resource, key, begun }) =>
            resource !== undefined && writes.some((each) => each.key === key && each.begun <= begun && begun < each.ended),
        );
        for (const [index, saved] of savedBy(calls).entries())
          expect(saved).toBeLessThanOrEqual(bySavers(calls, reuseTimes[index] ?? 0) + during.length);
      }),
      { numRuns: 150 },
    );
  });
});
