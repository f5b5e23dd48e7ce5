/** What is put together on both sides of a comparison: `deepStrictEqual({ path: asked.path }, { path: '/v1/contacts' })`. */
import { choiceOf, type Value } from '../evaluate/values.ts';
import type { Expression, Node } from '../syntax/tree.ts';
import type { About } from './expected-request.ts';

/** @returns what is expected of the pieces, each compared with that in its place */
export function inPieces(about: About, ofPiece: (piece: About) => Value | undefined): Value | undefined {
  const { call, actualNode, nodes } = about;
  const found = pairsOf(actualNode, nodes[0]).flatMap(([actual, expected]) => {
    const piece = { call, actual: call.ev.evaluate(actual, call), actualNode: actual };
    return ofPiece({ ...piece, expected: [call.ev.evaluate(expected, call)], nodes: [expected] }) ?? [];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/** The properties of one name, or the items in one place; none where others may come in between. */
function pairsOf(one: Node | undefined, other: Node | undefined): (readonly [Expression, Expression])[] {
  if (one?.kind === 'object' && other?.kind === 'object') {
    const [values, expected] = [one, other].map(
      ({ properties }) => new Map(properties.flatMap((each) => (each.kind === 'property' ? [[each.name, each.value] as const] : []))),
    );
    if ([one, other].some(({ properties }) => properties.some(({ kind }) => kind === 'spread'))) return [];
    return [...(values ?? [])].flatMap(([name, value]) => {
      const beside = name === undefined ? undefined : expected?.get(name);
      return beside === undefined ? [] : [[value, beside] as const];
    });
  }
  if (one?.kind !== 'array' || other?.kind !== 'array') return [];
  if ([one, other].some(({ elements }) => elements.some((each) => each?.kind === 'spread'))) return [];
  return one.elements.flatMap((value, index) => {
    const beside = other.elements[index];
    return value === undefined || value.kind === 'spread' || beside === undefined || beside.kind === 'spread'
      ? []
      : [[value, beside] as const];
  });
}
