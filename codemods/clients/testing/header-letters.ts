/**
 * In which letters a test has the names of the headers that it captured: `Headers`, servers and mocks of whole requests hand them out in
 * small ones, and what keeps `init.headers` has them as the client wrote them.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { item, leavesOf, type Read } from '../../evaluate/leaves.ts';
import { isSmallIn } from '../../evaluate/small-letters.ts';
import { choiceOf, type Entry, optionsOf, type Value } from '../../evaluate/values.ts';
import type { Node } from '../../syntax/tree.ts';

/** Whether headers that a test reads have their names in small letters. */
export const isInSmallLetters = (node: Node, { ev, module }: At & { readonly ev: Evaluation }, path: readonly string[] = []): boolean =>
  leavesOf({ node, module, path }, ev).some((leaf) => isSmallIn(leaf, ev));

/** Whether headers come from where nobody sees what keeps them: `this.server.requests[0].headers`, or of what a package gives that is not known. */
export const areLettersOpen = (node: Node, { ev, module }: At & { readonly ev: Evaluation }): boolean =>
  leavesOf({ node, module, path: [] }, ev).some((leaf) => isOpen(leaf, ev));

function isOpen({ node, module, path }: Read, ev: Evaluation): boolean {
  if (path.length < 2 || path.at(-1) !== 'headers' || path.includes('mock')) return false;
  if (node.kind !== 'call') return node.kind === 'this';
  const callee = ev.evaluate(node.callee, { module, frame: undefined });
  return callee.type === 'external' && callee.source !== '' && !ev.rules.some(({ modules }) => modules?.includes(callee.source));
}

/** Whether an object that is expected stands where what a test looks at has the headers of a request, and nothing else. */
export const isOfHeaders = (expected: Value, actual: Node, at: At & { readonly ev: Evaluation }): boolean =>
  optionsOf(expected).every(
    (each) => each.type === 'object' && each.entries.some((entry) => isKey(entry) && isInSmallLetters(actual, at, pathTo(entry.node))),
  );

/**
 * Requests that a test expects, with the names of their headers as what it looks at has them.
 * @param actual what it looks at
 */
export function inTheirLetters(requests: Value, actual: Node, at: At & { readonly ev: Evaluation }): Value {
  const written = (entry: Entry): Entry =>
    entry.node.kind === 'property' && isKey(entry) && isInSmallLetters(actual, at, pathTo(entry.node))
      ? { ...entry, isLookup: true }
      : entry;
  const headers = (value: Value): Value =>
    choiceOf(optionsOf(value).map((each) => (each.type === 'object' ? { ...each, entries: each.entries.map(written) } : each)));
  return choiceOf(optionsOf(requests).map((each) => (each.type === 'http' ? { ...each, headers: each.headers.map(headers) } : each)));
}

/** Headers as a server of the tests has them. */
export const inSmallLetters = (headers: Value): Value =>
  choiceOf(
    optionsOf(headers).map((each) =>
      each.type === 'object' ? { ...each, entries: each.entries.map((entry) => ({ ...entry, isLookup: true })) } : each,
    ),
  );

const isKey = ({ name }: Entry): boolean => name?.toLowerCase() === v1Auth.field;

/** The names that lead to the object of a property from the whole of what is expected. */
function pathTo(property: Node): string[] {
  const path: string[] = [];
  for (let at = property.parent; at?.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'property' && parent.name !== undefined) path.unshift(parent.name);
    else if (parent.kind === 'array') path.unshift(item);
    else if (parent.kind === 'call' && parent.callee.kind === 'member' && parent.callee !== at) {
      if (parent.callee.property === 'toContainEqual') path.unshift(item);
      if (!/^(?:object|array)Containing$/.test(parent.callee.property ?? '')) return path;
    } else if (parent.kind !== 'object') return path;
  }
  return path;
}
