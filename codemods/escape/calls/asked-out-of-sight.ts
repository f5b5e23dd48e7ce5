/**
 * Other services that may be asked by a client of the project's own, or a function that sends the key, where nobody can see that it is one: what it would ask
 * for, if it were. What they would share then stays as it is.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { Caller } from '../../evaluate/calls/callers.ts';
import { isWithin } from '../../evaluate/names/named.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { optionsOf, type Part, type Value } from '../../evaluate/values/values.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { described } from '../../requests/described.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { requestsOf } from '../../requests/requests.ts';
import { madeBySink, type Sink } from '../../requests/sinks.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, FunctionNode, Node } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import { alternativesOf, type RequestSite, siteOf, touchedBy } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { CallOutOfSight } from '../flow/holding.ts';
import { outOfSight } from '../flow/functions/out-of-sight.ts';
import type { Problem } from '../problems.ts';

/** A function that sends a key of ours, and others say where to. */
interface Wrapper {
  readonly fn: FunctionNode;
  readonly module: SourceModule;
  readonly sinks: Map<Node, Sink>;
  /** What is called on the way to these. */
  readonly functions: Map<FunctionNode, SourceModule>;
}

/** @returns for each call that may ask somebody else what it forbids */
export function askedOutOfSight(
  ev: Evaluation,
  found: CallGraph,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  bases: Bases,
): Problem[][] {
  const asked = new Set<Node>(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  const problems = [...wrappersIn(found, sites).values()].flatMap((wrapper) => {
    const mayGive = giversOf(ev, found, wrapper);
    return outOfSight(ev, found)
      .callsOf(wrapper.fn, wrapper.module)
      .filter(({ call }) => !asked.has(call) && mayGive(call))
      .flatMap((each) =>
        askedBy(ev, found, wrapper, each, bases).flatMap((site) =>
          touchedBy(site, changes).map((change): Problem => ({ ...aboutCall(site, each), change })),
        ),
      );
  });
  return [...Map.groupBy(problems, ({ code, module, node }) => `${code} ${module.file} ${node.start}`).values()];
}

function wrappersIn({ callers }: CallGraph, sites: readonly RequestSite[]): ReadonlyMap<FunctionNode, Wrapper> {
  const found = new Map<FunctionNode, Wrapper>();
  for (const { request, verdict, keys } of sites) {
    const { call, module: of } = request;
    if (verdict.kind !== 'ours' || request.isMock || keys.length === 0 || call.kind !== 'call' || !isScript(of)) continue;
    const calls = new Set<Node>(request.callers.map(({ node }) => node));
    const places = [{ node: call, module: of }, ...request.callers];
    const functions = new Map(places.flatMap(({ node, module }) => [...functionsAround(node)].map((fn) => [fn, module] as const)));
    for (const [fn, module] of functions) {
      const isCalled = !isConstructor(fn) && callers.get(fn)?.some((each) => calls.has(each.node)) === true;
      if (!isCalled) continue;
      const wrapper = found.get(fn) ?? { fn, module, sinks: new Map(), functions: new Map() };
      found.set(fn, wrapper);
      wrapper.sinks.set(call, { call, module: of });
      for (const [each, own] of functions) wrapper.functions.set(each, own);
    }
  }
  return found;
}

const isConstructor = ({ parent }: Node): boolean => parent?.kind === 'classMember' && parent.role === 'constructor';

/** The callers of a function, without all but one of another. */
class CallersBut extends Map<Node, readonly Caller[]> {
  readonly #all: CallGraph['callers'];
  readonly #fn: FunctionNode;
  readonly #caller: Caller;

  constructor(all: CallGraph['callers'], fn: FunctionNode, caller: Caller) {
    super();
    this.#all = all;
    this.#fn = fn;
    this.#caller = caller;
  }

  override get(fn: Node): readonly Caller[] | undefined {
    return fn === this.#fn ? [this.#caller] : this.#all.get(fn);
  }
}

/**
 * Tells the calls that may say themselves what an address begins with. Where all of it is written or given to who makes the instance, whoever calls, it is none
 * but those around what is written: what thousands would ask for need not be found out. A path that the caller gives may be a whole address: `new URL(path, base)`.
 */
function giversOf(ev: Evaluation, found: CallGraph, { sinks, functions }: Wrapper): (call: CallNode) => boolean {
  const isOfMaker = (value: Value): boolean =>
    value.type === 'param' &&
    isConstructor(value.owner) &&
    found.callers.get(value.owner)?.some(({ node }) => [...functions.keys()].some((fn) => isWithin(fn, node))) !== true;
  const parts = [...sinks.values()].flatMap((sink) => partsAt(ev, found, sink));
  const isWritten = parts.every((part) => part !== undefined && ('text' in part || isOfMaker(part.unknownPart)));
  if (!isWritten || ![...functions].every(([fn, module]) => isLeftOpen(ev, fn, module))) return () => true;
  const givers = new Set(parts.flatMap((part) => (part === undefined ? [] : sourcesOf(part).flatMap(callsAround))));
  // `Client.prototype.get.call({ base }, path)`
  return (call) => givers.has(call) || (call.callee.kind === 'member' && /^(?:call|apply)$/.test(call.callee.property ?? ''));
}

/** Whether what a function is given is left open where no call is meant: what a container or a type says of it instead, calls out of sight need not give. */
const isLeftOpen = (ev: Evaluation, fn: FunctionNode, module: SourceModule): boolean =>
  fn.params
    .flatMap(({ target }) => namesIn(target))
    .every((name) => {
      const binding = name.kind === 'patternName' ? module.scopes.declaredBy(name) : undefined;
      return binding !== undefined && optionsOf(ev.binding(binding, { module, frame: undefined })).some(({ type }) => type === 'param');
    });

/** The parts of addresses whoever calls; undefined where the caller decides what is asked. */
const partsAt = (ev: Evaluation, found: CallGraph, sink: Sink): (Part | undefined)[] =>
  optionsOf(madeBySink(ev, sink, undefined)).flatMap((made) => {
    if (made.type !== 'http') return [undefined];
    const requests = described(ev, found, made, sink, { steps: [], frame: undefined }, { isOpen: true, isCut: false });
    return requests.flatMap(({ url }): readonly (Part | undefined)[] => url ?? [undefined]);
  });

/** The calls that are given what a node stands in. */
function callsAround(node: Node): CallNode[] {
  const found: CallNode[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent)
    if (at.parent.kind === 'call' && at.parent.callee !== at) found.push(at.parent);
  return found;
}

/** What a call would ask somebody else for. */
function askedBy(
  ev: Evaluation,
  found: CallGraph,
  { fn, sinks }: Wrapper,
  { call, module, isGiven }: CallOutOfSight,
  bases: Bases,
): RequestSite[] {
  const caller: Caller = { node: call, module, isPlain: true, args: (evaluation, frame) => evaluation.args(call, { module, frame }) };
  const graph = { ...found, callers: new CallersBut(found.callers, fn, caller) };
  const requests = [...sinks.values()].flatMap((sink) => requestsOf(ev, graph, sink).finish());
  return alternativesOf(
    requests.filter(
      ({ callers, url = [] }) =>
        callers.some(({ node }) => node === call) && !isNoAddress(url[0]) && beginningOf(url).some((part) => isGivenAt(call, part)),
    ),
    bases,
  ).flatMap(({ request, verdict, bases: own, variable }) => {
    // A test has servers of its own.
    if (verdict.kind === 'foreign') return verdict.isMadeUp && isTest(module) ? [] : [siteOf(request, verdict, own, variable)];
    if (verdict.kind !== 'unproven' || verdict.route !== undefined) return [];
    const [first] = request.url ?? [];
    const isSaid = first !== undefined && 'text' in first && /^(?:\/|\w+:)/.test(first.text);
    // A server takes a path, too, and what answers it.
    return isGiven && (!isSaid || takesFunction(ev, call, module)) ? [] : [siteOf(request, verdict, own, variable)];
  });
}

/** `callback(null, body, { isLast: true })`: an object that has nothing of an address is none. */
function isNoAddress(first: Part | undefined): boolean {
  const value = first !== undefined && 'unknownPart' in first ? first.unknownPart : undefined;
  return (
    value?.type === 'object' && value.unknown.length === 0 && value.entries.every(({ name }) => name !== undefined && !ofAddress.test(name))
  );
}

const ofAddress = /^(?:href|ur[il]|base(?:ur[il])?|host(?:name)?|origin|path(?:name)?|toString)$/i;

/** The parts of an address that say whom it asks: more than the first where that is a scheme alone, or ends within the host. */
function beginningOf(url: readonly Part[]): readonly Part[] {
  let said = '';
  const end = url.findIndex((part) => {
    said += 'text' in part ? part.text : '?';
    return !/^\w+:(?:\/{0,2}|\/\/[^/]*\.)$/.test(said);
  });
  return end === -1 ? url : url.slice(0, end + 1);
}

/** Whether a call says itself what an address begins with: behind a base all that it asks for goes to that. */
const isGivenAt = ({ args }: CallNode, first: Part): boolean => sourcesOf(first).some((node) => args.some((arg) => isWithin(arg, node)));

/** Where a part stands, and all that it came through. */
function sourcesOf(part: Part): Node[] {
  const value = 'unknownPart' in part ? part.unknownPart : undefined;
  const own = 'text' in part ? part.source?.node : value !== undefined && 'node' in value ? value.node : undefined;
  const through = [part.provenance, value?.provenance].flatMap(nodesOf).map(({ node }) => node);
  return own === undefined ? through : [...through, own];
}

const takesFunction = (ev: Evaluation, { args }: CallNode, module: SourceModule): boolean =>
  args.some((arg) => optionsOf(ev.evaluate(arg, { module, frame: undefined })).some(({ type }) => type === 'function'));

function aboutCall({ verdict }: RequestSite, { call: node, module }: CallOutOfSight): Omit<Problem, 'change'> {
  if (verdict.kind === 'foreign') return { code: 'shared-with-other-host', node, module, detail: { host: verdict.host } };
  return { code: 'escapes', node, module, detail: { way: 'asked' } };
}
