/** lodash: https://lodash.com/docs. What only goes through it. */
import type { ClientRule } from '../evaluate/client-rule.ts';
import { first } from './pass-through.ts';

const passing = ['once', 'memoize', 'cloneDeep'];

export const lodashLibrary: ClientRule = {
  name: 'lodash',
  functions: Object.fromEntries(
    passing.flatMap((name) => [`lodash:${name}`, `lodash/${name}:`, `lodash.${name}:`].map((each) => [each, first] as const)),
  ),
};
