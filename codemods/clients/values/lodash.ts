/** lodash: https://lodash.com/docs. What only goes through it. */
import { boundTo } from '../../evaluate/language/builtins.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { foldedOverAny } from '../../evaluate/values/placeholders.ts';
import { optionsOf, unknown } from '../../evaluate/values/values.ts';
import { first } from '../pass-through.ts';

/** `bind(client.list, other)`; what is given beside that would come before the arguments of the calls: not followed. */
const bound: LibraryFunction = (_ev, [fn, self, ...more]) => (fn?.type === 'function' && more.length === 0 ? boundTo(fn, self) : undefined);

/** `reduce(params, (path, value, name) => path.replace(`:${name}`, value), template)`, whatever is gone through. */
const folded: LibraryFunction = (ev, [, fn, start], node, at) => {
  if (fn?.type !== 'function' || start === undefined || !optionsOf(start).every(({ type }) => type === 'text' || type === 'param'))
    return undefined;
  const any = unknown(node, at.module);
  return foldedOverAny(start, (made) => ev.apply(fn, [made, any, any], node, at));
};

const functions: Readonly<Record<string, LibraryFunction>> = {
  once: first,
  memoize: first,
  throttle: first,
  debounce: first,
  cloneDeep: first,
  bind: bound,
  reduce: folded,
};

export const lodashLibrary: ClientRule = {
  name: 'lodash',
  functions: Object.fromEntries(
    Object.entries(functions).flatMap(([name, made]) =>
      ['lodash', 'lodash-es', 'es-toolkit']
        .flatMap((from) => [`${from}:${name}`, `${from}:default.${name}`, `${from}/${name}:`, `${from}/${name}:default`])
        .concat(`lodash.${name}:`, `lodash.${name}:default`)
        .map((each) => [each, made] as const),
    ),
  ),
};
