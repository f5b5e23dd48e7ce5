import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Records } from '../../src/sandbox/store/records.ts';

/** Adds so many, or deletes the one at this place of those that are there; the oldest ones often. */
const step = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ remove: fc.oneof(fc.constant(0), fc.nat(500)), times: fc.integer({ min: 1, max: 80 }) }),
);

test('records are listed, newest first, whatever was deleted', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 70 }),
      (steps, page, limit) => {
        const records = new Records<{ readonly id: string }>();
        const expected: { readonly id: string }[] = [];
        let made = 0;
        for (const each of steps) {
          if ('add' in each) {
            for (let i = 0; i < each.add; i++) {
              const record = { id: `r${made++}` };
              expected.push(record);
              records.add(record.id, record);
            }
          } else {
            for (let i = 0; i < each.times; i++) {
              for (const { id } of expected.splice(each.remove % (expected.length || 1), 1)) records.delete(id);
            }
          }
        }
        expect([records.all(), records.size]).toEqual([expected, expected.length]);
        const newest = expected.toReversed();
        const cut = (all: readonly object[]) => ({ entries: all.slice((page - 1) * limit, page * limit), page, limit, total: all.length });
        expect(records.newestFirst({ page, limit })).toEqual(cut(newest));
        const isEven = ({ id }: { readonly id: string }): boolean => Number(id.slice(1)) % 2 === 0;
        expect(records.newestFirst({ page, limit }, isEven)).toEqual(cut(newest.filter(isEven)));
      },
    ),
    { numRuns: 300 },
  );
});
