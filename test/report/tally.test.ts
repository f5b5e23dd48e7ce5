import { expect, test } from 'vitest';
import { successorOf, Tally, Uses } from '../../src/report/tally.ts';

const kind = { endpoint: 'GET /v1/messages', method: 'GET', status: 200, outcome: 'translated' } as const;
const counts = { calls: 10, v2Calls: 10, repeats: 0, duration: 50, longest: 9, first: 1, last: 2 };

test('a time before that is kept in whole days, and so is longer, is compared by calls for the same length of time', () => {
  const tally = new Tally();
  tally.add(kind, counts);
  tally.before = 40;
  expect(tally.usage({ lengths: { period: 1_000, before: 2_000 } }).change).toEqual({ calls: 40, ratio: -0.5 });
});

test('what never was is not new', () => {
  expect(new Tally().usage({ lengths: { period: 1_000, before: 1_000 } }).change).toEqual({ calls: 0, ratio: 0 });
});

test('a call that the client left before its answer is an error of neither side', () => {
  const tally = new Tally();
  tally.add({ ...kind, status: 0, outcome: 'failed' }, counts);
  expect(tally.usage(undefined).errors).toEqual({ client: 0, server: 0, aborted: 10 });
});

test('the uses of an endpoint are one, however they ended', () => {
  const uses = new Uses();
  uses.add(kind, counts);
  uses.add({ ...kind, status: 429 }, { ...counts, calls: 3, last: 5 });
  expect(uses.rows()).toEqual([
    {
      endpoint: 'GET /v1/messages',
      successor: 'GET /v2/messages',
      calls: 13,
      v2Calls: 20,
      repeats: 0,
      errors: 3,
      last: '1970-01-01T00:00:00.005Z',
    },
  ]);
});

test('what is no endpoint of v1 has no successor', () => {
  expect(successorOf('unlisted')).toBeNull();
});
