/** What an expression is on every call path to it: what is a parameter here, its callers give. */
import { lastName } from '../../../clients/names.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript } from '../../../evaluate/module.ts';
import { isWithin } from '../../../evaluate/names/named.ts';
import type { Provenance } from '../../../evaluate/values/provenance.ts';
import { choiceOf, type FunctionValue, optionsOf, type ParamValue, type Value } from '../../../evaluate/values/values.ts';
import { Frames, type Owner, type Step } from '../../../requests/call-paths.ts';
import { decidesBeginAlone, isBegin, Makers } from '../../../requests/makers.ts';
import type { Callers } from '../../../requests/recursion.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { ByBeginning } from '../../../syntax/by-beginning.ts';
import type { ClassNode, Node } from '../../../syntax/tree.ts';

/** As many as a wrapper has callers; more are call paths that multiply, and are not followed. */
const maxPaths = 5_000;
const maxDepth = 10;

/**
 * Those who make a client are not told apart, unless what they give together is too much to tell.
 * @returns what it can be; the question that this is a part of is cut where not all call paths were followed
 */
export function valuesAt(ev: Evaluation, callers: Callers, place: Place): Value[] {
  const paths = known.get(callers) ?? { frames: new Frames(ev, callers), makers: new Makers(ev) };
  known.set(callers, paths);
  const joined = valuesBy(ev, place, paths);
  return joined.some(({ why }) => why === 'too many') ? valuesBy(ev, place, { frames: new Frames(ev, callers) }) : joined;
}

interface Paths {
  readonly frames: Frames;
  readonly makers?: Makers;
}

/** Where makers are joined call paths are few, and what was found out on them is asked for at the next place, too. */
const known = new WeakMap<Callers, Paths>();

/** A call path, and which end of an address is still asked for on it: what both ends are together is no matter where only the sum counts. */
interface Followed {
  readonly steps: Step[];
  readonly end?: 'begin' | 'rest';
}

function valuesBy(ev: Evaluation, { node, module }: Place, { frames, makers }: Paths): Value[] {
  const found: Value[] = [];
  const waiting: Followed[] = [{ steps: [] }];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { steps } = path;
    if (found.length >= maxPaths || ev.budget.isExhausted) {
      ev.budget.cut();
      break;
    }
    const value = ev.evaluate(node, { module, frame: frames.of(steps) });
    const owners = new Set<Owner>(paramsIn(value).map(({ owner }) => owner));
    found.push(...optionsOf(value));
    for (const { owner, caller } of steps) {
      if (!owners.delete(owner) || caller === undefined) continue;
      // What a name outside of the function has of it, no frame of that says.
      const args = caller.args(ev, undefined);
      const open = paramsIn(value).filter((param) => param.owner === owner);
      found.push(...open.flatMap((param) => optionsOf(takenOf(ev, param, args[param.index]))));
    }
    for (const { owner, end } of makers === undefined ? alone(owners) : byEnds(owners, value, path.end)) {
      const next = frames.callersOf(owner, steps);
      if (steps.length >= maxDepth) ev.budget.cut();
      else
        for (const caller of makers?.joined(next, decidesBeginAlone(owner, value)) ?? next)
          waiting.push({ steps: frames.withStep(steps, { owner, caller }), ...(end && { end }) });
    }
  }
  return found;
}

/** What is read of a parameter, of what a caller gives for it; all of that where it is not plain what was read. */
const takenOf = (ev: Evaluation, param: ParamValue, given: Value = param): Value =>
  takenBy(ev, param.provenance, given, new Map(), maxHops) ?? given;

/** Ways that are longer are not looked at. */
const maxHops = 80;

/** @param known a way may share what it is made of many times over */
function takenBy(
  ev: Evaluation,
  way: Provenance,
  given: Value,
  known: Map<Provenance, Value | undefined>,
  left: number,
): Value | undefined {
  if (way === undefined) return given;
  if (left === 0) return undefined;
  if (!known.has(way)) {
    const taken = (by: Provenance): Value | undefined => takenBy(ev, by, given, known, left - 1);
    known.set(
      way,
      'node' in way ? readBy(ev, way, taken) : way.isEither === true ? eitherOf(taken(way.first), taken(way.rest)) : undefined,
    );
  }
  return known.get(way);
}

const eitherOf = (first: Value | undefined, rest: Value | undefined): Value | undefined =>
  first === undefined || rest === undefined ? undefined : choiceOf([first, rest]);

/** What a node reads by a name of what came by the way before it; or where it reads of what held that: `this.client`, `held.client`. */
function readBy(
  ev: Evaluation,
  { node, module, rest }: Extract<Provenance, { readonly node: Node }>,
  taken: (way: Provenance) => Value | undefined,
): Value | undefined {
  if (node.kind !== 'member') return taken(rest);
  if (node.property === undefined) return undefined;
  if (isAfter(rest, node.object)) {
    const value = taken(rest);
    return value && ev.member(value, node.property, node, { module, frame: undefined });
  }
  if (rest !== undefined && 'first' in rest && rest.isEither !== true && isAfter(rest.first, node.object)) return taken(rest.rest);
  return node.object.kind === 'this' ? taken(rest) : undefined;
}

const isAfter = (way: Provenance, object: Node): boolean => way !== undefined && 'node' in way && way.node === object;

interface Next {
  readonly owner: Owner;
  readonly end?: Followed['end'];
}

const alone = ([owner]: Iterable<Owner>): Next[] => (owner === undefined ? [] : [{ owner }]);

/** Whose callers are asked next: where others say how an address begins than what is asked there, each of them by itself. */
function byEnds(owners: ReadonlySet<Owner>, value: Value, end: Followed['end']): Next[] {
  const begin = [...owners].filter((owner) => isBegin(owner, value));
  const rest = [...owners].filter((owner) => !begin.includes(owner));
  if (end !== undefined) return alone(end === 'begin' ? begin : rest).map(({ owner }) => ({ owner, end }));
  if (begin.length === 0 || rest.length === 0) return alone(owners);
  return [
    ...alone(begin).map(({ owner }): Next => ({ owner, end: 'begin' })),
    ...alone(rest).map(({ owner }): Next => ({ owner, end: 'rest' })),
  ];
}

/**
 * Everything that a place may be on any call path: the values of all callers joined. This takes one
 * look at each caller, where following call paths takes one at each combination of them.
 */
export function joinedValuesAt(ev: Evaluation, callers: Callers, { node, module }: Place): Value[] {
  const found = [...optionsOf(ev.evaluate(node, { module, frame: undefined }))];

  const asked = new Map<Owner, Set<number>>();
  // A list that grows while it is walked.
  for (const value of found) {
    for (const { owner, index } of paramsIn(value)) {
      const known = asked.get(owner) ?? new Set<number>();
      asked.set(owner, known);
      if (known.size === known.add(index).size) continue;
      for (const caller of callers.get(owner) ?? []) {
        const args = caller.args(ev, undefined);
        // Behind a spread that is not known, any may be it.
        for (const given of index < args.length ? args.slice(index, index + 1) : args) found.push(...optionsOf(given));
      }
    }
  }
  return found;
}

/** Whether something at a place is what callers of another function gave that: `configure(version) { this.conf = { version }; }`. Requests are not followed to these. */
export function isOfOtherCallers(ev: Evaluation, { node, module }: Place): boolean {
  const value = ev.evaluate(node, { module, frame: undefined });
  const isGiven = paramsIn(value).some(({ owner }) => !isWithin(owner, node));
  return isGiven || optionsOf(value).some((each) => heldIn(ev, each, node).length > 0);
}

/**
 * What callers give that objects keep, and functions read there: `state = { headers }`, `const take = () => state.headers`.
 * @param valuesOf `valuesAt` of a place, which many objects have: each is the one before and a little more
 */
export function keptValues(
  ev: Evaluation,
  callers: Callers,
  values: readonly Value[],
  valuesOf: (place: Place) => readonly Value[],
): Value[] {
  return [...keptInAll(ev, values).flatMap(valuesOf), ...values.flatMap((value) => spreadInto(ev, callers, value))];
}

const keptByAll = new ByBeginning<readonly Place[]>();

/** What some objects keep: a state that a hundred functions set is a hundred objects wherever it is named. */
function keptInAll(ev: Evaluation, values: readonly Value[]): readonly Place[] {
  const keepers = values.flatMap((value) => keeperOf(value) ?? []);
  const { known, length } = keptByAll.longest(keepers);
  if (known !== undefined && length === keepers.length) return known;
  const places = [...new Map(values.flatMap((value) => keptIn(ev, value)).map((place) => [place.node, place])).values()];
  keptByAll.set(keepers, places);
  return places;
}

/** What callers give that is spread into an object: `state = { ...options }`. */
const spreadInto = (ev: Evaluation, callers: Callers, value: Value): Value[] =>
  (value.type === 'object' ? value.unknown : []).flatMap((each) =>
    paramsIn(each).flatMap(({ owner, index }) =>
      (callers.get(owner) ?? []).flatMap((caller) => optionsOf(caller.args(ev, undefined)[index] ?? each)),
    ),
  );

/** Objects within objects deeper than this are data. */
const maxNested = 3;

/** By the entries of an object and by the function: a table is named wherever something is taken out of it. */
const keptBy = new WeakMap<object, readonly Place[]>();

const keeperOf = (value: Value): object | undefined =>
  value.type === 'object' ? value.entries : value.type === 'function' ? value.node : undefined;

/** Where a value that is made of parameters is written. */
function keptIn(ev: Evaluation, value: Value, depth = maxNested): readonly Place[] {
  const key = keeperOf(value);
  if (key === undefined || depth === 0) return [];
  const before = keptBy.get(key);
  if (before !== undefined) return before;
  // A method that gives back its object comes to itself again.
  keptBy.set(key, []);
  const found = value.type === 'function' ? keptByFunction(ev, value) : heldIn(ev, value, undefined, depth);
  keptBy.set(key, found);
  return found;
}

/** Of its own parameters, and of those around it, each call says what it is given. */
const keptByFunction = (ev: Evaluation, { node: fn, module, frame }: FunctionValue): Place[] =>
  returnsOf(fn).flatMap((node) => {
    const given = optionsOf(ev.evaluate(node, { module, frame }));
    const isGiven = given.some((each) => each.type === 'param' && !isWithin(each.owner, fn));
    return isGiven ? [{ node, module }] : given.flatMap((each) => heldIn(ev, each, fn));
  });

/** Where an object is given parameters, or a function in it. @param but those of the functions around it are not meant */
function heldIn(ev: Evaluation, value: Value, but?: Node, depth = maxNested): Place[] {
  if (value.type !== 'object' || depth === 0) return [];
  return value.entries.flatMap(({ value: held, valueNode: node, module }) =>
    optionsOf(held()).flatMap((each): readonly Place[] => {
      if (each.type === 'function') return keptIn(ev, each, depth - 1);
      if (each.type !== 'param') return heldIn(ev, each, but, depth - 1);
      const isMeant = but === undefined || !isWithin(each.owner, but);
      return isMeant && node !== undefined && isScript(module) ? [{ node, module }] : [];
    }),
  );
}

/** The parameters that decide a value. */
const isError = ({ name, superclass }: ClassNode): boolean =>
  [name?.name, superclass === undefined ? undefined : lastName(superclass)].some((each) => /(?:Error|Exception)$/.test(each ?? ''));

function paramsIn(value: Value): ParamValue[] {
  return optionsOf(value).flatMap((option) => {
    if (option.type === 'param') return [option];
    if (option.type === 'list') return option.given === undefined ? [] : [option.given];
    // What an error keeps comes out where it is caught: `throw new ApiError(path)`.
    if (option.type === 'instance') return isError(option.of.node) ? (option.args ?? []).flatMap(paramsIn) : [];
    return option.type === 'text' ? option.parts.flatMap((part) => ('unknownPart' in part ? paramsIn(part.unknownPart) : [])) : [];
  });
}
