/** An `Authorization` that a library makes of a part of the request which is no header, such as axios' `auth`, where a function of the program sets that. */
import { isAuthorization } from '../../src/contract/auth.ts';
import { isObjectAssign } from '../evaluate/writes/copies.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isNullish } from '../evaluate/language/or-default.ts';
import { returnsOf } from '../evaluate/calls/returns.ts';
import { type Entry, type FunctionValue, type ObjectValue, optionsOf, type Value } from '../evaluate/values/values.ts';
import { additionsAt } from '../evaluate/writes/writes.ts';
import { walk } from '../syntax/link.ts';
import type { FunctionNode, Node } from '../syntax/tree.ts';
import { headersWritten, placesGiven } from './callbacks.ts';
import { authorized } from './shapes.ts';

/**
 * `config.auth = …`, `Object.assign(config, { auth })`, `send({ ...config, auth })`: whether it is set on what the function is given or on a copy of it.
 * @param index which of its parameters holds what leads to the request; undefined for what it is called on
 * @param way the names that lead to the part
 */
export function signedBy(ev: Evaluation, fn: Value, index: number | undefined, way: readonly string[]): ObjectValue[] {
  if (fn.type !== 'function') return [];
  const path = way.slice(0, -1);
  const isSigning = (entries: readonly Entry[]): boolean => entries.some(({ name, value }) => name === way.at(-1) && isSet(value()));
  const places = index === undefined ? thisIn(fn.node).map((place) => ({ place, at: fn })) : placesGiven(ev, fn, index, path);
  const found = places.flatMap(({ place, at }): readonly ObjectValue[] => {
    const copy = copyOf(place);
    const entries = copy === undefined ? additionsAt(ev, place, at).entries : entriesOf(ev.evaluate(copy, at));
    return isSigning(entries) ? [authorized({ node: place, module: at.module })] : [];
  });
  // A copy that has a name, and that this is set on.
  const returned = path.length > 0 || found.length > 0 ? [] : returnsOf(fn.node);
  return [
    ...found,
    ...returned.flatMap((node) => (isSigning(entriesOf(ev.evaluate(node, fn))) ? [authorized({ node, module: fn.module })] : [])),
  ];
}

/** What of headers takes the place of v2's key. */
export const authorizationsIn = (headers: Value | undefined): ObjectValue[] =>
  (headers === undefined ? [] : optionsOf(headers)).flatMap((each) => {
    const entries = each.type === 'object' ? each.entries.filter(({ name }) => isAuthorization(name)) : [];
    return each.type === 'object' && entries.length > 0 ? [{ ...each, entries, unknown: [] }] : [];
  });

/** The same of those that a function writes into what it is given. */
export const authorizationsBy = (ev: Evaluation, fn: FunctionValue, index: number, path: readonly string[]): ObjectValue[] =>
  authorizationsIn({ type: 'object', node: fn.node, module: fn.module, ...headersWritten(ev, fn, index, path).end() });

/** Whether it is there, on one way at least. */
export const isSet = (value: Value): boolean => !optionsOf(value).every(isNullish);

const entriesOf = (value: Value): readonly Entry[] => optionsOf(value).flatMap((each) => (each.type === 'object' ? each.entries : []));

/** `{ ...config, auth }`, `Object.assign({}, config, { auth })` */
function copyOf(place: Node): Node | undefined {
  const { parent } = place;
  if (parent?.kind === 'spread') return parent.parent?.kind === 'object' ? parent.parent : undefined;
  return parent?.kind === 'call' && isObjectAssign(parent) && parent.args[0] !== place ? parent : undefined;
}

/** Where a function speaks of what it is called on. */
function thisIn({ body }: FunctionNode): readonly Node[] {
  const found: Node[] = [];
  if (body !== undefined)
    walk(body, (node) => {
      if (node.kind === 'this') found.push(node);
      return node.kind !== 'class' && (node.kind !== 'function' || node.isArrow);
    });
  return found;
}

/** The functions of an option that takes one or a list of them. */
export const functionsIn = (value: Value | undefined): readonly FunctionValue[] =>
  (value === undefined ? [] : optionsOf(value)).flatMap((each): readonly FunctionValue[] =>
    each.type === 'list' ? each.items.flatMap(functionsIn) : each.type === 'function' ? [each] : [],
  );
