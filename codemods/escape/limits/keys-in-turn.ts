/** Keys that are taken in turn, `keys[n++ % keys.length]`: each had calls of its own on v1, and all of a plan share those of v2. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { type Entry, optionsOf, type Value } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { MemberNode, Node } from '../../syntax/tree.ts';

/** @returns where the next key is taken */
export function takenInTurn({ value, valueNode, module }: Entry): Place | undefined {
  const own = valueNode === undefined ? [] : [{ node: valueNode, module }];
  return [...own, ...optionsOf(value()).flatMap(placesOf)].find(({ node }) => node.kind === 'member' && isInTurn(node));
}

interface Place {
  readonly node: Node;
  readonly module: SourceText;
}

/** What a value came through; of a text, what its parts did: `Bearer ${nextKey()}`. */
function placesOf(value: Value): Place[] {
  if (value.type === 'text') return value.parts.flatMap((part) => ('unknownPart' in part ? placesOf(part.unknownPart) : []));
  const { node, module } = value.type === 'unknown' ? value : { node: undefined, module: undefined };
  return [...nodesOf(value.provenance), ...(node === undefined || module === undefined ? [] : [{ node, module }])];
}

function isInTurn({ computed }: MemberNode): boolean {
  let found = false;
  if (computed !== undefined)
    walk(computed, (each) => {
      found ||= each.kind === 'binary' && each.operator === '%';
      return !found;
    });
  return found;
}
