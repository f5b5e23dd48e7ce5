/**
 * Functions that others may call, too. What stands there for what these leave out counts beside what is seen to be given, and any row of a table of which
 * they may choose one.
 */
import { isKeyHeader } from '../../src/contract/auth.ts';
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { moduleAround, type SourceModule } from '../evaluate/module.ts';
import { nodesOf, type Provenance } from '../evaluate/values/provenance.ts';
import type { World } from '../evaluate/program.ts';
import { flat, sliceParts, unknownPart } from '../evaluate/values/text.ts';
import { after, type Entry, type HttpValue, optionsOf, type Part, type Value } from '../evaluate/values/values.ts';
import { walk } from '../syntax/link.ts';
import { none } from '../syntax/lists.ts';
import type { CallNode, FunctionNode, Node } from '../syntax/tree.ts';
import type { CallGraph } from './call-graph.ts';
import type { Owner } from './call-paths.ts';
import type { Request } from './requests.ts';

/** Whether a function is exported, or handed out by what is, and has a default for something that it is given; of a class, whether anything in it has. */
function isLeftToDefaults(ev: Evaluation, owner: Owner): boolean {
  const declared = declaredWith(owner);
  return declared !== undefined && isHandedOut(ev.world, declared) && hasDefault(ev, declared);
}

function isHandedOut(world: World, declared: Node): boolean {
  const exported = exportedIn(world);
  let at: Node | undefined = declared;
  while (at !== undefined && !exported.has(at)) at = at.parent;
  return at !== undefined;
}

/**
 * The same graph without those who are seen to call what has defaults from outside. Where such functions call one another, once more without those alone
 * who call the first of them: what these hand on is not left to a default.
 * @param places calls on the way to a request
 */
export function withoutCallers(ev: Evaluation, found: CallGraph, places: Iterable<Node>): readonly CallGraph[] {
  const known = byOthers.get(found) ?? withoutCallersIn(ev, found);
  byOthers.set(found, known);
  const isLeft = (owner: FunctionNode): boolean => known.left.has(owner) || isLeftToDefaults(ev, owner);
  const left = new Set([...places].flatMap((place) => [...functionsAround(place)].filter(isLeft)));
  if (left.size === 0) return [];
  const inner = [...left].filter((owner) => known.inner.has(owner));
  return inner.length === 0 || inner.length === left.size ? [known.all] : [known.all, known.outer];
}

interface ByOthers {
  /** Those who are seen to be called. */
  readonly left: ReadonlySet<Node>;
  readonly all: CallGraph;
  readonly outer: CallGraph;
  /** Those that others with defaults lead to. */
  readonly inner: ReadonlySet<Node>;
}

const byOthers = new WeakMap<CallGraph, ByOthers>();

function withoutCallersIn(ev: Evaluation, found: CallGraph): ByOthers {
  const left = leftIn(ev, found);
  const inner = ledToBy((owner) => left.has(owner), found);
  const without = (isWithout: (owner: Node) => boolean): CallGraph => {
    const all = [...found.callers].map(([owner, calls]) => [owner, isWithout(owner) ? calls.filter(isOnItself) : calls] as const);
    return { ...found, callers: new Map(all) };
  };
  return { left, all: without((owner) => left.has(owner)), outer: without((owner) => left.has(owner) && !inner.has(owner)), inner };
}

/** Functions with defaults that others may call, and those that hand them what others may leave out. */
function leftIn(ev: Evaluation, { callers }: CallGraph): Set<Node> {
  const left = new Set([...callers.keys()].filter((owner) => owner.kind === 'function' && isLeftToDefaults(ev, owner)));
  // A set that grows while it is walked.
  for (const owner of left)
    for (const { node, module } of callers.get(owner) ?? [])
      for (const by of functionsAround(node)) if (isHandedOut(ev.world, by) && handsOn(by, node, module)) left.add(by);
  return left;
}

/** Whether a function gives a call what it is given itself. */
function handsOn(fn: FunctionNode, { args }: CallNode, { scopes }: SourceModule): boolean {
  let found = false;
  for (const arg of args)
    walk(arg, (node) => {
      const owner = node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined;
      found ||= owner?.kind === 'param' && owner.parent === fn;
      return !found && node.kind !== 'function';
    });
  return found;
}

/** What is called on any way from some functions. */
function ledToBy(isOne: (owner: Node) => boolean, { callers }: CallGraph): Set<Node> {
  const called = new Map<Node, Node[]>();
  for (const [owner, calls] of callers)
    for (const { node } of calls)
      for (const by of functionsAround(node)) {
        const known = called.get(by);
        if (known === undefined) called.set(by, [owner]);
        else known.push(owner);
      }
  const waiting = [...called.keys()].filter(isOne).flatMap((owner) => called.get(owner) ?? []);
  const found = new Set<Node>();
  for (let owner = waiting.pop(); owner !== undefined; owner = waiting.pop()) {
    if (found.has(owner)) continue;
    found.add(owner);
    waiting.push(...(called.get(owner) ?? []));
  }
  return found;
}

/** From the innermost on. */
export function* functionsAround(node: Node): Generator<FunctionNode> {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'function') yield at;
}

/**
 * Those of what others ask that go by a literal of which nobody is seen to ask the host or the version, or not with the same key. What they give themselves
 * there is as those give it who are seen to: `new Client()` asks for the same paths as `new Client('v1')`.
 */
export function leftToDefaults(others: readonly Request[], seen: readonly Request[]): Request[] {
  const known = new Map<Node, Set<Node>>();
  for (const { url = [], headers } of seen)
    for (const literal of literalsIn(url)) {
      const keys = known.get(literal) ?? new Set();
      known.set(literal, keys);
      for (const key of keysIn(headers)) keys.add(key);
    }
  const isNew = (url: readonly Part[], { headers }: Request): boolean =>
    literalsIn(url).some((literal) => {
      const keys = known.get(literal);
      return keys === undefined || keysIn(headers).some((key) => !keys.has(key));
    });
  const asked = others.filter((other) => isNew(other.url ?? [], other));
  const all = [...new Map(seen.map((each) => [flat(each.url ?? []), each])).values()];
  const given = asked.length * all.length > maxFilled ? [] : all;
  return asked
    .flatMap((other) => {
      const filled = given.flatMap((each) => givenAs(other, each) ?? []);
      return filled.length === 0 ? [other] : filled;
    })
    .filter((other) => isNew(leadingIn(other.url ?? []), other));
}

/** More than this are not put together for one call. */
const maxFilled = 2_000;

/** Where headers with the key are written. */
const keysIn = (headers: readonly Entry[]): Node[] => headers.flatMap(({ name, node }) => (isKeyHeader(name) ? [node] : []));

export const literalsIn = (url: readonly Part[]): Node[] => url.flatMap((part) => ('text' in part ? (part.source?.node ?? []) : []));

/** What says where a request goes, up to its version. */
function leadingIn(url: readonly Part[]): Part[] {
  const [leading = ''] = /^.*?\/v\d+(?![^/?#])/s.exec(flat(url)) ?? [];
  return sliceParts(url, 0, Math.max(leading.length, 1));
}

/** A request with what another has in the place of what is not known of it, where both are the same in all else. */
function givenAs(open: Request, { url = [], method }: Request): Request | undefined {
  const [text, parts] = [flat(url), open.url ?? []];
  const [first = '', ...pieces] = flat(parts).split(unknownPart);
  const last = pieces.pop();
  if (last === undefined || !text.startsWith(first) || !text.endsWith(last)) return undefined;
  let at = first.length;
  const found: Part[][] = [];
  for (const piece of [...pieces, last]) {
    const end = found.length === pieces.length ? text.length - last.length : text.indexOf(piece, at);
    if (end < at) return undefined;
    found.push(sliceParts(url, at, end));
    at = end + piece.length;
  }
  return { ...open, url: parts.flatMap((part) => ('unknownPart' in part ? (found.shift() ?? []) : [part])), method: open.method ?? method };
}

const isOnItself = ({ node: { callee } }: Caller): boolean => callee.kind === 'member' && callee.object.kind === 'this';

/** Whether code outside of these files may call a function, as it or its class is exported. */
export function isExported(world: World, owner: Owner): boolean {
  const { parent } = owner;
  const isPrivate = parent?.kind === 'classMember' && parent.name?.startsWith('#') === true;
  const declared = declaredWith(owner);
  return !isPrivate && declared !== undefined && exportedIn(world).has(declared);
}

const declaredWith = (owner: Owner): Node | undefined => (owner.parent?.kind === 'classMember' ? owner.parent.parent : owner);

/** Whether what a function is given says which row of a table an address is: `paths[name]`. */
export function choosesRow(owner: Owner): (request: HttpValue) => boolean {
  const isChosen = (value: Value): boolean =>
    optionsOf(value).some((option) => {
      if (option.type === 'param') return option.owner === owner && isOfRow(option.provenance);
      if (option.type !== 'text') return false;
      return option.parts.some((part) => 'unknownPart' in part && isChosen(after(part.unknownPart, part.provenance)));
    });
  return ({ base, url }) => [base, url].some((value) => value !== undefined && isChosen(value));
}

/** Whether something came out of a table by a name that is not written there. */
export const isOfRow = (provenance: Provenance): boolean =>
  nodesOf(provenance).some(({ node }) => node.kind === 'member' && node.computed !== undefined);

const exported = new WeakMap<World, ReadonlySet<Node>>();

function exportedIn(world: World): ReadonlySet<Node> {
  const known = exported.get(world) ?? new Set([...world.modules.values()].flatMap(exportsOf));
  exported.set(world, known);
  return known;
}

function exportsOf(module: SourceModule): Node[] {
  const { scopes, whole } = module;
  const named = [...module.exports.values()].flatMap((each): (Node | undefined)[] => {
    if ('node' in each) return [each.node];
    if ('declared' in each) return [scopes.declaredBy(each.declared)?.owner];
    return 'reference' in each ? [each.reference] : [];
  });
  const members = whole?.kind === 'object' ? whole.properties.flatMap((each) => (each.kind === 'property' ? [each.value] : [])) : [whole];
  return [...named, ...members].flatMap((node) => (node === undefined ? [] : [meantBy(node, module)]));
}

/** The function or class that is exported by a name or as a constant. */
function meantBy(node: Node, { scopes }: SourceModule): Node {
  const owner = node.kind === 'name' ? (scopes.bindingOf(node)?.owner ?? node) : node;
  return owner.kind === 'variable' && owner.init !== undefined ? owner.init : owner;
}

const withDefault = new WeakMap<Node, boolean>();

function hasDefault(ev: Evaluation, declared: Node): boolean {
  const known = withDefault.get(declared);
  if (known !== undefined) return known;
  const module = moduleAround(declared);
  let found = false;
  walk(declared, (node) => {
    found ||= defaultsIn(node).some((each) => mayLead(each) && !(module !== undefined && isMadeToCall(ev, each, module)));
    return !found;
  });
  withDefault.set(declared, found);
  return found;
}

/** `(base = '…')`, `({ base = '…' })`, `options.base || '…'` and `{ base: '…', ...options }`. */
function defaultsIn(node: Node): readonly Node[] {
  if (node.kind === 'param' || node.kind === 'patternProperty') return node.default === undefined ? none : [node.default];
  if (node.kind === 'logical') return node.operator === '&&' ? none : [node.right];
  if (node.kind !== 'spread' || node.parent?.kind !== 'object') return none;
  const { properties } = node.parent;
  return properties.slice(0, properties.indexOf(node)).flatMap((before) => (before.kind === 'property' ? [before.value] : []));
}

/** Whether it may be part of what says where a request goes; `method = 'GET'` and `options = {}` say nothing of that. */
function mayLead(node: Node): boolean {
  if (node.kind === 'string') return /[/.1]/.test(node.value);
  if (node.kind === 'literal') return node.value === 1;
  return node.kind === 'object' ? node.properties.length > 0 : node.kind !== 'array' && node.kind !== 'function';
}

/** `auth = noAuth`, `auth = noAuth()`: a function is called, and no part of an address. */
const isMadeToCall = (ev: Evaluation, node: Node, module: SourceModule): boolean =>
  (node.kind === 'name' || node.kind === 'call') &&
  optionsOf(ev.evaluate(node, { module, frame: undefined })).every(({ type }) => type === 'function');
