/**
 * A header whose name and value stand side by side elsewhere than where it is put together: `{ [auth.header]: auth.value }` of `{ header: 'x-api-key', value: key }`,
 * and `{ [name]: key }` in a function that is called with both. There they belong together, whoever else gives others.
 */
import { isKeyHeader } from '../../src/contract/auth.ts';
import type { Expression, Node } from '../syntax/tree.ts';
import { readsOf } from './by-name.ts';
import type { Evaluation } from './evaluation.ts';
import { isScript } from './module.ts';
import { joinProvenance, type Provenance } from './provenance.ts';
import { isSame } from './same.ts';
import { choiceOf, type Entry, optionsOf, partsOf, plainText, type TextPart, type Value } from './values.ts';

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
function besideName(ev: Evaluation, { source }: TextPart, value: Value): Partial<Entry> | undefined {
  const options = optionsOf(value);
  if (source === undefined || !isScript(source.module) || options.length === 0) return undefined;
  // An empty key is put in elsewhere, without a scheme.
  if (options.some((option) => plainText(option) === '')) return undefined;
  const { module, node: name } = source;
  const key = choiceOf(options.map(withoutEmpty));
  const beside = besides(name);
  const scheme = emptySchemeOf(ev, options, beside);
  const found = scheme === undefined ? beside.filter((each) => isSame(ev.evaluate(each, { module, frame: undefined }), key)) : [scheme];
  const [valueNode, second] = found;
  const node = name.parent?.kind === 'property' ? name.parent.parent : name.parent;
  if (valueNode === undefined || second !== undefined || node === undefined) return undefined;
  return { node, module, valueNode, ...(scheme === undefined && !isSame(key, value) && { value: () => key }) };
}

/** `{ header: 'x-api-key', prefix: '', key }`: the text that is put before the key in each case, and that is read nowhere else. */
function emptySchemeOf(ev: Evaluation, options: readonly Value[], beside: readonly Expression[]): Expression | undefined {
  const [first, ...more] = options.map((option) => {
    const [part, rest] = partsOf(option);
    return rest !== undefined && part !== undefined && 'text' in part && part.text === '' ? part.source?.node : undefined;
  });
  const name = first?.parent?.kind === 'property' ? first.parent.name : undefined;
  const isAlone = more.every((each) => each === first) && name !== undefined && isReadOnce(ev, name);
  return isAlone ? beside.find((each) => each.kind === 'string' && each === first) : undefined;
}

/** Whether one place reads what has a name, be it by a pattern that it is then used from. */
function isReadOnce({ world }: Evaluation, name: string): boolean {
  const [read, second] = readsOf(world, name) ?? [];
  if (read === undefined || second !== undefined) return false;
  const { node, module } = read;
  const taken = node.kind === 'patternProperty' && node.target.kind === 'patternName' ? module.scopes.declaredBy(node.target) : undefined;
  return node.kind === 'member' || taken?.references.length === 1;
}

/** What a key is beside the empty texts that it is put together with: `(auth.prefix ?? '') + auth.key`. */
function withoutEmpty(option: Value): Value {
  const parts = partsOf(option);
  const [only, ...more] = parts.filter((part) => !('text' in part) || part.text !== '');
  if (only === undefined || more.length + 1 === parts.length) return option;
  return more.length === 0 && 'unknownPart' in only ? only.unknownPart : { type: 'text', parts: [only, ...more] };
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
