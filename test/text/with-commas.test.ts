import { expect, it } from 'vitest';
import { withCommas } from '../../src/text/with-commas.ts';

it.each([0, 7, 999, 1_000, 17_670, 100_000, 1_234_567, Number.MAX_SAFE_INTEGER])('writes %d as Intl does', (count) => {
  expect(withCommas(count)).toBe(count.toLocaleString('en'));
});
