/** lodash: https://lodash.com/docs. What only goes through it. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { first } from '../pass-through.ts';

const passing = ['once', 'memoize', 'throttle', 'debounce', 'cloneDeep'];

export const lodashLibrary: ClientRule = {
  name: 'lodash',
  functions: Object.fromEntries(
    passing.flatMap((name) =>
      ['lodash', 'lodash-es', 'es-toolkit']
        .flatMap((from) => [`${from}:${name}`, `${from}:default.${name}`, `${from}/${name}:`, `${from}/${name}:default`])
        .concat(`lodash.${name}:`, `lodash.${name}:default`)
        .map((each) => [each, first] as const),
    ),
  ),
};
