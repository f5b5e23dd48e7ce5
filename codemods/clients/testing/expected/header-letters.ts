/**
 * In which letters a test has the names of the headers that it captured: `Headers`, servers and mocks of whole requests hand them out in
 * small ones, and what keeps `init.headers` has them as the client wrote them.
 */
import { isKeyHeader, v1Auth } from '../../../../src/contract/auth.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { item, leavesOf, type Read } from '../../../evaluate/values/leaves.ts';
import { isSmallIn } from '../../../evaluate/values/small-letters.ts';
import { choiceOf, type Entry, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { given } from '../../../evaluate/libraries/spied.ts';
import { isKeyRead } from './list-items.ts';
import type { Expression, Node, SpreadNode } from '../../../syntax/tree.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';

/** Whether headers that a test reads have their names in small letters. */
export const isInSmallLetters = (node: Node, { ev, module }: At & { readonly ev: Evaluation }, path: readonly string[] = []): boolean =>
  leavesOf({ node, module, path }, ev).some((leaf) => isSmallIn(leaf, ev));

/**
 * How a name of headers has to be written where a test asks them for it as they are: what servers hand out knows it in small letters alone.
 * @param names those that lead to the headers, and places in lists
 */
export function lettersOf(headers: Node, at: At & { readonly ev: Evaluation }, names: readonly string[] = []): Letters {
  const path = names.map((name) => (/^\d+$/.test(name) ? item : name));
  if (isInSmallLetters(headers, at, path)) return { isLookup: true };
  return areLettersOpen(headers, at, path) ? { isLookup: true, isShared: true } : {};
}

/**
 * Whether the test has put the key of a request under that name itself: `seen.push({ headers: { 'x-api-key': req.headers['x-api-key'] } })`. There it stays, whatever is read.
 * @param path the names that lead to the object with the name
 */
export const isNameOfTest = (of: Node, { ev, module }: At & { readonly ev: Evaluation }, path: readonly string[] = []): boolean =>
  leavesOf({ node: of, module, path: [...path, v1Auth.field] }, ev).some(
    (leaf) => isKeyRead(leaf.node) || (leaf.path.at(-1) === item && leaf.path.at(-2) === 'headers'),
  );

type Letters = Pick<Entry, 'isLookup' | 'isShared'>;

/** Whether headers come from where nobody sees what keeps them: `this.server.requests[0].headers`, or of what a package gives that is not known. */
const areLettersOpen = (node: Node, { ev, module }: At & { readonly ev: Evaluation }, path: readonly string[]): boolean =>
  leavesOf({ node, module, path }, ev).some((leaf) => isOpen(leaf, ev));

function isOpen({ node, module, path }: Read, ev: Evaluation): boolean {
  if (path.length < 2 || path.at(-1) !== 'headers' || path.includes('mock')) return false;
  if (node.kind !== 'call') return node.kind === 'this';
  const callee = ev.evaluate(node.callee, { module, frame: undefined });
  return callee.type === 'external' && callee.source !== '' && !combined(ev.rules).modules.has(callee.source);
}

/** Whether an object that is expected stands where what a test looks at has the headers of a request, and nothing else. */
export const isOfHeaders = (expected: Value, actual: Node, at: At & { readonly ev: Evaluation }, args?: Args): boolean =>
  optionsOf(expected).every(
    (each) =>
      each.type === 'object' &&
      each.entries.some((entry) => isKeyHeader(entry.name) && isInSmallLetters(actual, at, pathTo(entry.node, args))),
  );

type Args = readonly (Expression | SpreadNode)[];

/**
 * Requests that a test expects, with the names of their headers as what it looks at has them.
 * @param actual what it looks at
 * @param args what that is expected to be called with, if it is a function
 */
export function inTheirLetters(requests: Value, actual: Node, at: At & { readonly ev: Evaluation }, args?: Args): Value {
  const written = (entry: Entry): Entry =>
    entry.node.kind === 'property' && isKeyHeader(entry.name) && isInSmallLetters(actual, at, pathTo(entry.node, args))
      ? { ...entry, isLookup: true }
      : entry;
  const isTheirs = (entry: Entry): boolean => entry.node.kind !== 'property' || !isNameOfTest(actual, at, pathTo(entry.node, args));
  const headers = (value: Value): Value =>
    choiceOf(
      optionsOf(value).map((each) => (each.type === 'object' ? { ...each, entries: each.entries.filter(isTheirs).map(written) } : each)),
    );
  return choiceOf(optionsOf(requests).map((each) => (each.type === 'http' ? { ...each, headers: each.headers.map(headers) } : each)));
}

/** Headers as a server of the tests has them. */
export const inSmallLetters = (headers: Value): Value =>
  choiceOf(
    optionsOf(headers).map((each) =>
      each.type === 'object' ? { ...each, entries: each.entries.map((entry) => ({ ...entry, isLookup: true })) } : each,
    ),
  );

/**
 * The names that lead to the object of a property from the whole of what is expected.
 * @param args what a function is expected to be called with, if that is it
 */
function pathTo(property: Node, args: Args = []): string[] {
  const path: string[] = [];
  let at = property.parent;
  for (; at?.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'property' && parent.name !== undefined) path.unshift(parent.name);
    else if (parent.kind === 'array') path.unshift(item);
    else if (parent.kind === 'call' && parent.callee.kind === 'member' && parent.callee !== at) {
      if (parent.callee.property === 'toContainEqual') path.unshift(item);
      if (!/^(?:(?:object|array)Containing|match)$/.test(parent.callee.property ?? '')) break;
    } else if (parent.kind !== 'object') break;
  }
  const index = args.findIndex((each) => each === at);
  return index === -1 ? path : [given(index), ...path];
}
