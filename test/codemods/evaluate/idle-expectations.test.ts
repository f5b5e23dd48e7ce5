/** What a test runs is found out where it is compared with what may be an address or a key, and not otherwise. */
import { expect, test } from 'vitest';
import { stepsOf } from '../helpers/growth/steps.ts';

const length = 300;
const chain = Array.from({ length }, (_, index) => `const v${index + 1} = v${index};`);

/** @param wanted what something that takes many steps to be followed is compared with, by its name */
const stepsWith = (wanted: string): number =>
  stepsOf({
    'a.test.js': ["const v0 = read('file');", ...chain, `const wanted = ${wanted};`, `expect(v${length}).toBe(wanted);`].join('\n'),
  });

test.each([["'one'"], ['1'], ["read('other')"]])('compared with %s by a name, it is not followed', (wanted) => {
  expect(stepsWith(wanted)).toBeLessThan(length);
});

test.each([["'/v1/messages'"], ["'x-api-key'"], ["{ url: '/v1/messages' }"]])('compared with %s by a name, it is followed', (wanted) => {
  expect(stepsWith(wanted)).toBeGreaterThan(length);
});
