/**
 * Places that may put another host where a base is kept, in ways that the evaluation does not follow: patterns, `+=`, another name
 * for the same object, a function that it is given to. What is followed is part of some request; of the rest any that may be about
 * the base keeps its calls as they are, unless it only puts our own base there.
 */
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { allOf } from '../../evaluate/calls/callers.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { type Followed, type Way, waysTo } from '../../requests/call-paths.ts';
import { madeAt, push } from '../../requests/mutations.ts';
import { type ExternalValue, optionsOf, partsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import { isForeign, isOwnThis } from '../../evaluate/writes/loose-writes.ts';
import { isBoundInPlace, type WrittenPlace, writtenPlaces } from '../../evaluate/writes/written-places.ts';
import { walk } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { isMending } from '../../evaluate/writes/mended-fields.ts';
import { type BaseHolder, baseHolderOf, mayHoldAnyBase, reckonedIn } from '../flow/holders/base-holders.ts';
import { givenInPlace } from '../flow/functions/given-in-place.ts';
import { isError } from './errors.ts';
import { isPutOverByHeirs } from './put-over-by-heirs.ts';
import { isServersAnswer } from '../servers/handler-parameters.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { asksByClient, mayAskElsewhere } from '../flow/functions/substitutes.ts';
import { flat } from '../../evaluate/values/text.ts';
import { once } from '../../once.ts';
import { verdictOf } from '../../verdict/verdicts.ts';
import { combined } from '../../evaluate/libraries/combined.ts';

/** Our request, and what keeps its base. */
interface Held {
  readonly site: RequestSite;
  readonly baseHolder: BaseHolder;
}

export interface Overwrite {
  readonly place: WrittenPlace;
  /** What is written to, as far as it has a name. */
  readonly name: string | undefined;
  /** Our request that may go elsewhere. */
  readonly site: RequestSite;
}

/**
 * @param all requests: a write that one of them comes through is reckoned with already
 * @param ours those that would be moved
 * @returns for each place one request that it may move, and such that no place before may: all with all would be the square of the component
 */
export function overwritesOf(
  ev: Evaluation,
  { callers }: CallGraph,
  all: readonly RequestSite[],
  ours: readonly RequestSite[],
  bases: Bases,
): Overwrite[] {
  const baseHolders = ours.flatMap((site): Held[] => (site.request.isMock ? [] : [{ site, baseHolder: baseHolderOf(ev, site) }]));
  if (baseHolders.length === 0) return [];
  const byName = new Map<string, Held[]>();
  for (const held of baseHolders) for (const name of held.baseHolder.names) push(byName, name, held);
  const reckoned = reckonedIn(all);
  const isReckoned = ({ node }: WrittenPlace): boolean => {
    let isFound = false;
    walk(node, (each) => {
      isFound ||= reckoned.has(each);
      // What a function asks when it is called is nothing that is written.
      return !isFound && each.kind !== 'function';
    });
    return isFound;
  };
  const asking = once(() => askingOurs(all));
  const moved = new Set<RequestSite>();
  return [...ev.world.modules.values()].flatMap((module) =>
    writtenPlaces(module).flatMap((place): Overwrite[] => {
      const name = nameOf(ev, place);
      const about = name === undefined || mayHoldAnyBase(ev, name) ? baseHolders : (byName.get(name) ?? []);
      if (about.length === 0 || isReckoned(place) || givesMethods(place.value) || isBoundInPlace(place.node, module)) return [];
      if (isPutOverByHeirs(ev, place) || (name !== undefined && isMending(place.node, name))) return [];
      const followed: Followed = { isCut: false, owners: new Set() };
      const ways = [...waysTo(ev, callers, place.object, module, followed)];
      // Callers that were not followed to the end may give what is not known, as those that are not seen; far from every base nothing of ours. What `this` is in a class, no caller says.
      const isOfClass = place.object.kind === 'this' && isOwnThis(place.object, module);
      if (followed.isCut && !ev.budget.isFar({ node: place.object, module }))
        ways.push({
          frame: undefined,
          value: isOfClass ? ev.evaluate(place.object, { module, frame: undefined }) : unknown(place.object, module),
        });
      const given = once(() =>
        place.value === undefined ? undefined : givenInPlace(ev, callers, { node: place.value, module }, place.node),
      );
      const written = ways.flatMap((way) => optionsOf(way.value).map((into) => ({ into, way, isOthers: isOfPackage(ev, into) })));
      // What is called in the place of a method, and asks by that, is followed as whoever calls it.
      const isReplaced = (into: Value): boolean => {
        const client = into.type === 'http' ? madeAt(into)?.origin : undefined;
        return (
          client !== undefined &&
          place.value?.kind === 'function' &&
          callers.has(place.value) &&
          asksByClient(ev, place.value, module, client)
        );
      };
      const isAnswering = once(() => place.value !== undefined && isAsking(ev, place.value, module, asking()));
      // What may be about any base, a package may take for its own address.
      const isNameOfAny = name === undefined || mayHoldAnyBase(ev, name);
      const isNoClient = isServersAnswer(ev, place.object, module) || (!isNameOfAny && isError(place.object, module));
      const mayBeMoved = ({ baseHolder }: Held): boolean =>
        written.some(
          ({ into, way, isOthers }) =>
            !(isNoClient && (into.type === 'param' || into.type === 'unknown')) &&
            !(isOthers && (baseHolder.isMethod(name) || !isNameOfAny)) &&
            !(isReplaced(into) && baseHolder.isMethod(name)) &&
            !(baseHolder.isGiver(name) && isAnswering()) &&
            mayMove(ev, { ...place, name, given }, into, way, baseHolder, bases),
        );
      const first = about.find(mayBeMoved);
      if (first === undefined) return [];
      const others = about.filter((held) => held !== first && !moved.has(held.site) && mayBeMoved(held));
      return [first, ...others].map(({ site }) => {
        moved.add(site);
        return { place, name, site };
      });
    }),
  );
}

/** The calls on the way to our requests, and to no others. */
function askingOurs(all: readonly RequestSite[]): ReadonlySet<Node> {
  const [ours, others] = [new Set<Node>(), new Set<Node>()];
  for (const { request, verdict } of all)
    for (const { node } of [{ node: request.call }, ...request.callers.flatMap(allOf)]) (verdict.kind === 'ours' ? ours : others).add(node);
  return new Set([...ours].filter((node) => !others.has(node)));
}

/** Whether it is a method that gives the answer to a request of ours, and no base: `this.send = this.texts.send.bind(this.texts)`. */
const isAsking = (ev: Evaluation, node: Node, module: SourceModule, asking: ReadonlySet<Node>): boolean =>
  optionsOf(ev.evaluate(node, { module, frame: undefined })).every((value) => {
    const given = value.type === 'function' ? returnsOf(value.node) : [];
    return given.length > 0 && given.every((each) => asking.has(each.kind === 'await' ? each.argument : each));
  });

/** What a prototype is given are methods as a class declares them: `Client.prototype.request = function …`. Each is asked for where one is called. By the names of a table it may be any. */
const givesMethods = (value: Node | undefined): boolean =>
  value?.kind === 'function'
    ? value.parent?.kind === 'classMember' && value.parent.name !== undefined
    : value?.kind === 'object' && value.properties.every((each) => each.kind === 'property' && givesMethods(each.value));

function nameOf(ev: Evaluation, { property, module }: WrittenPlace): string | undefined {
  if (property === undefined || typeof property === 'string') return property;
  return plainText(ev.evaluate(property, { module, frame: undefined }));
}

/** A place, with what is asked of it for each way to it. */
interface Written extends WrittenPlace {
  readonly name: string | undefined;
  /** What all give for a parameter that is copied, where that is seen. */
  readonly given: () => readonly Value[] | undefined;
}

/** Whether on one way to it a place may put another host into what keeps a base. */
function mayMove(ev: Evaluation, place: Written, into: Value, { frame }: Way, baseHolder: BaseHolder, bases: Bases): boolean {
  if (isElement(into)) return false;
  const { name } = place;
  const kept = baseHolder.isKept(into, name);
  if (kept === 'no' || (kept === 'maybe' && name === undefined && place.how !== 'copied')) return false;
  if (place.how === 'appended' || place.value === undefined) return kept === 'yes' || name !== undefined;
  const options = optionsOf(ev.evaluate(place.value, { module: place.module, frame }));
  const isMoving = (option: Value): boolean =>
    moves(ev, option, place.how === 'copied' ? undefined : (name ?? ''), kept, baseHolder, bases);
  return options.some((option) => isMoving(option) && (option.type !== 'param' || place.given()?.some(isMoving) !== false));
}

/** `document.createElement('a')`: what a page is made of keeps no base for calls. */
function isElement(value: Value): boolean {
  if (value.type !== 'unknown' || value.node?.kind !== 'call' || value.node.callee.kind !== 'member') return false;
  const { object, property = '' } = value.node.callee;
  if (object.kind !== 'name' || object.name !== 'document' || !/^(?:createElement|getElementById|querySelector)$/.test(property))
    return false;
  return value.module !== undefined && isScript(value.module) && value.module.scopes.bindingOf(object) === undefined;
}

/** `redis.createClient()`: what a package that is no client makes of nothing but its own, texts and the language is none of the program's clients either. */
function isOfPackage(ev: Evaluation, value: Value, depth = 3): boolean {
  if (value.type !== 'unknown' || value.node?.kind !== 'call' || value.module === undefined || !isScript(value.module)) return false;
  const { module, node } = value;
  const names: Node[] = [];
  walk(node, (each) => void (each.kind === 'name' && names.push(each)));
  const [name, ...given] = names;
  if (depth === 0 || name === undefined || !isForeign(name, module, ev.world)) return false;
  const isNoClient = (each: Value): boolean =>
    each.type === 'text' || (each.type === 'external' ? !isOfRule(ev, each) : isOfPackage(ev, each, depth - 1));
  const made = ev.evaluate(name, { module, frame: undefined });
  return (
    made.type === 'external' &&
    made.source !== '' &&
    !isOfRule(ev, made) &&
    given.every((each) => optionsOf(ev.evaluate(each, { module, frame: undefined })).every(isNoClient))
  );
}

const isOfRule = (ev: Evaluation, { source, path: [name = ''] }: ExternalValue): boolean =>
  source === '' ? combined(ev.rules).globals.has(name) : combined(ev.rules).modules.has(source);

/** @param name of what the value is put in the place of; undefined where it is the value's own properties that are put there */
export function moves(
  ev: Evaluation,
  value: Value,
  name: string | undefined,
  kept: 'yes' | 'maybe',
  baseHolder: BaseHolder,
  bases: Bases,
): boolean {
  if (baseHolder.isMethod(name)) return mayAskElsewhere(ev, value);
  if (value.type === 'object') {
    if (value.unknown.length > 0 && kept === 'yes') return true;
    const meant = value.entries.filter((entry) => baseHolder.mayBeNamed(entry.name) && (entry.name !== undefined || kept === 'yes'));
    return meant.some((entry) => optionsOf(entry.value()).some((option) => moves(ev, option, entry.name ?? '', kept, baseHolder, bases)));
  }
  if (value.type === 'function' && baseHolder.isGiver(name)) {
    const given = returnsOf(value.node).flatMap((each) => optionsOf(ev.evaluate(each, { module: value.module, frame: value.frame })));
    return given.some((each) => moves(ev, each, name, kept, baseHolder, bases));
  }
  if (value.type === 'literal' || value.type === 'function') return false;
  if (value.type === 'instance' && name !== undefined && baseHolder.isReadAs(value, name)) return false;
  if (name === undefined) return kept === 'yes' && !isOurBase(value, bases);
  const text = plainText(value);
  // What may be about anything, and is no address, is about something else.
  if (kept === 'maybe' && ofNoHost.test(flat(partsOf(value)))) return false;
  if (kept === 'maybe' && text !== undefined && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text)) return false;
  return !isOurBase(value, bases);
}

/** `data:image/png;base64,…`, `mailto:…`, `redis://…`: nothing is asked there over HTTP. */
const ofNoHost = /^(?:data|mailto|tel|sms|blob|javascript|about|rediss?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|amqps?):/i;

function isOurBase(value: Value, bases: Bases): boolean {
  const { kind } = verdictOf({ url: partsOf(value), method: undefined, isPrefix: true }, bases);
  return kind === 'ours' || kind === 'passes-on' || kind === 'unknown-route';
}
