/** The key that a server of a test reads and hands on to where nobody looks at it: in an answer, to a function of a package. There it is what it was, without the scheme. */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { Compared } from '../../clients/testing/expected/compared.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Entry, TextPart } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { isOfOldScript } from '../../verdict/changes/old-scripts.ts';
import { nameFor } from '../../verdict/changes/spans.ts';

type Name = Extract<Expression, { readonly kind: 'string' }>;

/** @returns the header as it is read, with what takes the scheme off; undefined where it is compared elsewhere, too, or may be null */
export function handedKey(
  name: Expression,
  read: Node,
  key: TextPart | undefined,
  compared: readonly Compared[],
  module: SourceModule,
): Entry | undefined {
  if (
    !isHanded(compared, read, module) ||
    isKeptBeside(read, module) ||
    name.kind !== 'string' ||
    key?.source?.node !== name ||
    !isOfNode(read, name) ||
    isOfOldScript(module)
  )
    return undefined;
  const { start } = key.source;
  const entry: Entry = { name: v1Auth.field, key, node: name, module, valueNode: undefined, value: unset, isLookup: true };
  const taken = `?.replace(${name.quote}${v2Auth.scheme} ${name.quote}, ${name.quote}${name.quote})`;
  return {
    ...entry,
    rewrite: [
      { start, end: start + key.text.length, text: nameFor(key, entry) },
      { start: read.end, end: read.end, text: taken },
    ],
  };
}

const isOpen = ({ valueNode, value }: Compared): boolean => valueNode === undefined && value().type === 'unknown';

/** What else keeps it, as a list that a test looks at, has what other places read, too. */
function isHanded(compared: readonly Compared[], read: Node, module: SourceModule): boolean {
  const { start, end } = functionAround(read) ?? read;
  const isHere = (each: Compared): boolean =>
    each.module === module && each.valueNode !== undefined && start <= each.valueNode.start && each.valueNode.end <= end;
  return compared.some(isOpen) && compared.every((each) => isOpen(each) || isHere(each));
}

/** `log(req.headers['x-api-key'])` in the same function: what one of the test's own keeps has the scheme, and would have to be told. */
function isKeptBeside(read: Node, module: SourceModule): boolean {
  let isFound = false;
  walk(functionAround(read) ?? read, (node) => {
    isFound ||=
      node.kind === 'call' &&
      node.callee.kind === 'name' &&
      module.scopes.bindingOf(node.callee) !== undefined &&
      node.args.some(({ start, end }) => module.text.slice(start, end).toLowerCase().includes(v1Auth.field));
  });
  return isFound;
}

const unset: Entry['value'] = () => ({ type: 'literal', value: undefined });

/** `req.headers['x-api-key']`, `req.get('x-api-key')`: what Node and its servers have, and not `headers.get`, which gives null where there is none. */
function isOfNode(read: Node, name: Name): boolean {
  if (read.kind === 'member') return read.computed === name;
  if (read.kind !== 'call' || read.callee.kind !== 'member') return false;
  const { property, object } = read.callee;
  return property === 'header' || (property === 'get' && object.kind === 'name');
}
