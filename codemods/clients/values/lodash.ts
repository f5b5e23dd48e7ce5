/** lodash: https://lodash.com/docs. What only goes through it, and tables that it makes. */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import type { At } from '../../evaluate/evaluation.ts';
import { nameOf } from '../../evaluate/listings.ts';
import { type Entry, plainText, type Value } from '../../evaluate/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { first } from '../pass-through.ts';

const passing = ['once', 'memoize', 'throttle', 'debounce', 'cloneDeep'];

/** `mapValues(tenants, (tenant) => axios.create(…))`: what the function makes of each, under the same names. */
const mapValues: LibraryFunction = (ev, [object, fn], node, at) => {
  if (object?.type !== 'object' || object.unknown.length > 0 || fn?.type !== 'function') return undefined;
  const entries = object.entries.map((entry) => madeEntry(entry, node, at, ev.apply(fn, [entry.value(), nameOf(entry)], node, at)));
  return { ...object, node, module: at.module, entries };
};

/** `keyBy(tenants, 'name')`: each row under what it says itself. */
const keyBy: LibraryFunction = (ev, [list, by], node, at) => {
  if (list?.type !== 'list' || list.isOpen || by === undefined) return undefined;
  const property = plainText(by);
  const entries = list.items.map((item) => {
    const name =
      property === undefined ? (by.type === 'function' ? ev.apply(by, [item], node, at) : by) : ev.member(item, property, node, at);
    return madeEntry({ name: plainText(name) }, node, at, item);
  });
  return { type: 'object', node, module: at.module, entries, unknown: [] };
};

const madeEntry = ({ name }: Pick<Entry, 'name'>, node: Node, { module }: At, value: Value): Entry => ({
  name,
  key: undefined,
  node,
  module,
  valueNode: undefined,
  value: () => value,
});

const functions: Readonly<Record<string, LibraryFunction>> = {
  ...Object.fromEntries(passing.map((name) => [name, first])),
  mapValues,
  keyBy,
};

export const lodashLibrary: ClientRule = {
  name: 'lodash',
  functions: Object.fromEntries(
    Object.entries(functions).flatMap(([name, made]) =>
      ['lodash', 'lodash-es', 'es-toolkit', 'es-toolkit/compat']
        .flatMap((from) => [`${from}:${name}`, `${from}:default.${name}`, `${from}/${name}:`, `${from}/${name}:default`])
        .concat(`lodash.${name}:`, `lodash.${name}:default`)
        .map((each) => [each, made] as const),
    ),
  ),
};
