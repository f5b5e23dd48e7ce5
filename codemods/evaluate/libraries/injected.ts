/** What libraries hand to the functions that they are given: `test('…', ({ request }) => …)`, `endpoints: (build) => …`. */
import { perItem } from '../../syntax/item-methods.ts';
import type { CallNode, FunctionNode, Node, ParamNode } from '../../syntax/tree.ts';
import { aliasesOf } from '../names/aliases.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import { functionAround, nameOf } from '../calls/callees.ts';
import type { ClientRule } from './client-rule.ts';
import { combined, firstOf } from './combined.ts';
import type { At, Evaluation } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import { isUsed, isWithin } from '../names/named.ts';
import { choiceOf, optionsOf, type Value } from '../values/values.ts';
import { ruleNamed, rulesWith } from './rules.ts';

/** @returns undefined where no rule knows what calls the function that the parameter belongs to */
export function givenValue(ev: Evaluation, param: ParamNode, { module, frame }: At): Value | undefined {
  const { parent: fn } = param;
  if (fn?.kind !== 'function') return undefined;
  const index = fn.params.indexOf(param);
  const at: At = { module, frame: undefined };
  const standIn = combined(ev.rules).standIn(fn, module);
  if (standIn !== undefined) return standIn.given(index, param);
  const typeName = fn.parent?.kind === 'variable' ? fn.parent.typeName : undefined;
  const byType =
    typeName === undefined
      ? undefined
      : firstOf(rulesWith(ev.rules, 'givenByType'), (rule) => rule.givenByType?.({ ...at, node: param, index, typeName, ev }));
  if (byType !== undefined) return byType;
  if (fn.parent?.kind === 'assign' && fn.parent.value === fn) {
    const target = ev.evaluate(fn.parent.target, at);
    return firstOf(rulesWith(ev.rules, 'givenInPlaceOf'), (rule) => rule.givenInPlaceOf?.(target, index, { ...at, node: param }));
  }
  const places = knownPlaces(ev, fn, module);
  // Where it is written, what whoever calls the functions around gives is known: `const secured = (path) => http.get(path, ({ request }) => …)`.
  const isWritten = (place: Place): boolean => isWithin(place.call, fn);
  const values = places.map((place) => givenAt(ev, place, param, index, isWritten(place) ? frame : undefined));
  return values.length > 0 && values.every((value) => value !== undefined) ? choiceOf(values) : undefined;
}

/** What whoever calls the function that is written into a call, as it stands there, hands to it. */
function givenAt(
  ev: Evaluation,
  { call, argument, within, module }: Place,
  param: ParamNode,
  index: number,
  frame: At['frame'],
): Value | undefined {
  // No library gives more than the items there: who calls the functions around need not be asked for the list.
  if (within.length === 0 && call.callee.kind === 'member' && perItem.has(call.callee.property ?? '')) return undefined;
  const at: At = { module, frame };
  const calleeIn = (inside: At['frame']): Value => ev.evaluate(call.callee, { module, frame: inside });
  // `const stubFetch = (t) => t.mock.method(globalThis, 'fetch', (url) => …)`: a helper of tests gets their context from them.
  for (const callee of optionsOf(forAllCallers(ev, frame, calleeIn))) {
    const on = callee.type === 'http' ? callee : callee.type === 'method' && callee.receiver.type === 'http' ? callee.receiver : undefined;
    const path = callee.type === 'method' || callee.type === 'external' ? callee.path : [];
    const adding = rulesWith(ev.rules, 'adds').find(({ adds }) => adds?.test(path.at(-1) ?? ''));
    const rule = adding ?? (on === undefined ? ruleOf(ev, callee) : ruleNamed(ev.rules, on.client));
    const value = rule?.given?.({ ...at, node: param, index, call, path, on, argument, within, ev });
    if (value !== undefined) return value;
  }
  return undefined;
}

const ruleOf = (ev: Evaluation, callee: Value): ClientRule | undefined =>
  callee.type === 'external'
    ? ev.rules.find(({ modules, globals }) =>
        callee.source === '' ? globals?.includes(callee.path[0] ?? '') : modules?.includes(callee.source),
      )
    : undefined;

/** What is given to more calls than this is no handler of a test. */
const maxPlaces = 50;

interface Place {
  readonly call: CallNode;
  /** Where in its arguments: `createApi({ endpoints: … })` is 0, `['endpoints']`. */
  readonly argument: number;
  readonly within: readonly string[];
  readonly module: SourceModule;
}

const known = new WeakMap<Evaluation, WeakMap<FunctionNode, readonly Place[]>>();

/** Each parameter is asked for on every way to its function. */
function knownPlaces(ev: Evaluation, fn: FunctionNode, module: SourceModule): readonly Place[] {
  const ofAll = known.get(ev) ?? new WeakMap<FunctionNode, readonly Place[]>();
  known.set(ev, ofAll);
  const places = ofAll.get(fn) ?? placesOf(ev, fn, module);
  ofAll.set(fn, places);
  return places;
}

/**
 * The calls that a function is written into: itself, by its name, or made by a function that is called there: `http.get(url, withKey(…))`.
 * @returns none where it is called or kept anywhere else: what it is given there is found with its callers
 */
function placesOf(ev: Evaluation, fn: FunctionNode, module: SourceModule): readonly Place[] {
  const inline = placeOf(fn, module);
  if (inline !== undefined) return [inline];
  const maker = fn.parent?.kind === 'return' || (fn.parent?.kind === 'function' && fn.parent.body === fn) ? functionAround(fn) : undefined;
  const name = nameOf(maker ?? fn);
  const binding = name === undefined ? undefined : module.scopes.declaredBy(name);
  if (binding === undefined) return [];
  const places: Place[] = [];
  for (const { binding: of, module: from } of [{ binding, module }, ...aliasesOf(ev.world, binding)]) {
    for (const reference of of.references) {
      const { parent } = reference;
      if (!isUsed(reference)) continue;
      const isMade = parent?.kind === 'call' && parent.callee === reference;
      const place = maker === undefined ? placeOf(reference, from) : isMade ? placeOf(parent, from) : undefined;
      if (place === undefined || places.length >= maxPlaces) return [];
      places.push(place);
    }
  }
  return places;
}

function placeOf(node: Node, module: SourceModule): Place | undefined {
  const within: string[] = [];
  let at = node;
  for (let around = at.parent; around !== undefined; at = around, around = around.parent) {
    if (around.kind === 'call') {
      const argument = around.args.findIndex((arg) => arg === at);
      return argument === -1 ? undefined : { call: around, argument, within, module };
    }
    if (around.kind === 'property' && around.name !== undefined) within.unshift(around.name);
    else if (around.kind !== 'object') return undefined;
  }
  return undefined;
}
