/**
 * A header whose name and value stand side by side elsewhere than where it is put together: `{ [auth.header]: auth.value }` of `{ header: 'x-api-key', value: key }`,
 * and `{ [name]: key }` in a function that is called with both. There they belong together, whoever else gives others.
 */
import { isKeyHeader } from '../../src/contract/auth.ts';
import type { Expression, Node } from '../syntax/tree.ts';
import type { Evaluation } from './evaluation.ts';
import { isScript } from './module.ts';
import { joinProvenance, type Provenance } from './provenance.ts';
import { isSame } from './same.ts';
import { type Entry, optionsOf, plainText, type TextPart, type Value } from './values.ts';

/**
 * A header as it is given there, if its name may be others' where it is put together.
 * @param computed what makes its name
 */
export function asGiven(ev: Evaluation, entry: Entry, computed: Expression): Entry {
  const { key, module, valueNode, isShared, name } = entry;
  if (isShared !== true || !isKeyHeader(name) || valueNode === undefined || !isScript(module)) return entry;
  const beside = key === undefined ? undefined : besideName(ev, key, entry.value());
  if (beside === undefined) return entry;
  const way: Provenance = { node: computed, module, rest: { node: entry.node, module, rest: undefined } };
  return { ...entry, ...beside, put: { node: valueNode, module }, isShared: false, provenance: joinProvenance(way, entry.provenance) };
}

/** @returns undefined where they do not stand together, or the value is made of more than what stands there */
function besideName(ev: Evaluation, { source }: TextPart, value: Value): Pick<Entry, 'node' | 'module' | 'valueNode'> | undefined {
  const options = optionsOf(value);
  if (source === undefined || !isScript(source.module) || options.length === 0) return undefined;
  // An empty key is put in elsewhere, without a scheme.
  if (options.some((option) => plainText(option) === '')) return undefined;
  const { module, node: name } = source;
  const found = besides(name).filter((each) => isSame(ev.evaluate(each, { module, frame: undefined }), value));
  const [valueNode, second] = found;
  const node = name.parent?.kind === 'property' ? name.parent.parent : name.parent;
  return valueNode === undefined || second !== undefined || node === undefined ? undefined : { node, module, valueNode };
}

/** What stands beside a text in one object, or is given by one call. */
function besides(name: Node): Expression[] {
  const { parent } = name;
  if (parent?.kind === 'call') {
    const others = parent.args.filter((arg) => arg !== name);
    return others.flatMap((arg) => (arg.kind === 'spread' ? [] : arg));
  }
  if (parent?.kind !== 'property' || parent.value !== name || parent.parent?.kind !== 'object') return [];
  return parent.parent.properties.flatMap((each) =>
    each.kind === 'property' && each !== parent && each.accessor === undefined ? each.value : [],
  );
}
