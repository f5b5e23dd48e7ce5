/**
 * Hosts that stand where our base stands, and that nobody is seen to ask: `class Crm { base = 'https://crm.example.net'; contacts = api.contacts; }`. Somebody asks
 * them in a way that was not followed, through the code that asks ours as likely as not, and would then send v2's path and header there: a person has to look.
 */
import { functionsAround } from '../../requests/left-to-default.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, moduleAround, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, FunctionNode, Node, TaggedNode } from '../../syntax/tree.ts';
import { isLoopback } from '../../verdict/bases/hosts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { givingEach } from '../flow/functions/each-item.ts';
import { isOnlyShown } from '../flow/harmless-calls.ts';
import { type Readers, readersIn } from '../flow/readers.ts';
import type { Problem } from '../problems.ts';
import { isOfFollowedClient } from './followed-clients.ts';
import { relations } from './unresolved-calls.ts';

/** A base alone: an address with a path is rarely one that paths are put behind. */
const base = /^https?:\/\/([\w.-]+\.[a-z]+(?::\d+)?)(?:\/(?:v\d+|api))*\/?$/i;
/** A constant is followed to its readers through so many others. */
const maxNames = 3;

/** What a base is kept by: the name of a field or parameter, or the call that is given it. */
type Holder = string | CallNode | TaggedNode;

/**
 * @param all requests of any host
 * @param open ours that nothing speaks against
 * @returns for each such host the calls of ours that it may be asked by
 */
export function askedByNobody(
  ev: Evaluation,
  { callers, escapingCallbacks }: Pick<CallGraph, 'callers' | 'escapingCallbacks'>,
  all: readonly RequestSite[],
  open: readonly RequestSite[],
  { v1 }: Bases,
): Problem[][] {
  // A call that nobody else comes to asks what it says.
  const sent = open.filter(({ request }) => !request.isMock && !isTest(request.module));
  const shared = sent.filter(({ request }) => request.callers.length > 0 || takesThis(request.call));
  const made = sent.filter(({ request }) => makersOf(request).length > 0);
  if (shared.length + made.length === 0) return [];
  const asked = new Set([...all.flatMap(({ request }) => hostIn(flat(request.url ?? []))), ...v1.flatMap(hostIn)]);
  const related = relations(ev);
  // What a function has that nobody here calls, users of these files ask.
  const isCalled = (fn: FunctionNode): boolean =>
    (callers.get(fn)?.length ?? 0) > 0 || escapingCallbacks.has(fn) || fn.parent?.kind === 'classMember';
  const readers = readersIn(ev);
  return [...ev.world.modules.values()].flatMap((module) =>
    module.texts.flatMap((node): Problem[][] => {
      const host = node.kind === 'string' && !isTest(module) ? base.exec(node.value)?.[1]?.toLowerCase() : undefined;
      if (
        host === undefined ||
        asked.has(host) ||
        isLoopback(host) ||
        ![...functionsAround(node)].every(isCalled) ||
        isGivenAway(ev, node, module)
      )
        return [];
      const holders = holdersOf({ node, module }, readers);
      const bound = new Set(holders.flatMap((holder) => boundBy(ev, holder)));
      const isRelated = (site: RequestSite): boolean => related.of(site.request.module.file) === related.of(module.file);
      const by = [
        ...new Set([
          ...shared.filter((site) => isRelated(site) && isHeldBy(ev, site, holders, readers)),
          ...made.filter((site) => isRelated(site) && makersOf(site.request).some((maker) => bound.has(maker))),
        ]),
      ];
      const isThere = (text: string): boolean => hostIn(text).includes(host);
      const names = holders.filter((holder) => typeof holder === 'string');
      const isFollowed = (): boolean => names.length === holders.length && isOfFollowedClient(ev, isThere, names);
      return by.length === 0 || isFollowed()
        ? []
        : [by.map((site): Problem => ({ code: 'shared-with-other-host', node, module, detail: { host, how: 'unseen' }, site }))];
    }),
  );
}

/** The functions that make what it is asked by. */
const makersOf = ({ origins }: RequestSite['request']): readonly Node[] =>
  origins.flatMap((origin) => (typeof origin === 'string' ? [] : [...functionsAround(origin)]));

/**
 * The functions that the host is bound to: `createHttp.bind(null, host)`, `createHttp.apply(null, [host, key])`. What that makes is not followed. And those that
 * each host of a list is given: `const [api, crm] = hosts.map((host) => createHttp(host))`.
 */
const boundBy = (ev: Evaluation, holder: Holder): Node[] =>
  typeof holder === 'string' || holder.kind !== 'call'
    ? []
    : isOfEach(holder)
      ? calledBy(ev, holder)
      : valuesOf(ev, holder.callee).flatMap((value) =>
          value.type === 'method' && value.receiver.type === 'function' && /^(?:bind|apply)$/.test(value.path.join('.'))
            ? value.receiver.node
            : [],
        );

/** Whether a call gives each item of a list to a function. */
function isOfEach({ callee }: CallNode): boolean {
  const name = callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;
  return name === 'mapValues' || (callee.kind === 'member' && givingEach.has(name ?? ''));
}

/** A method that another object may borrow. */
function takesThis(call: Node): boolean {
  let isTaken = false;
  walk(call, ({ kind }) => !(isTaken ||= kind === 'this'));
  return isTaken;
}

const hostIn = (url: string): string[] =>
  /^https?:\/\/([^/?#]+)/i
    .exec(url)
    ?.slice(1)
    .map((host) => host.toLowerCase()) ?? [];

/** Whether our base is kept by the same name, or what is given the host is what our call is made in. */
const isHeldBy = (ev: Evaluation, { request }: RequestSite, holders: readonly Holder[], readers: Readers): boolean => {
  const source = request.url?.map((part) => ('text' in part ? part.source : undefined)).find((each) => each !== undefined);
  const names = new Set(source && isScript(source.module) ? holdersOf({ node: source.node, module: source.module }, readers) : []);
  const around = new Set<Node>([request.call, ...request.callers.map(({ node }) => node)].flatMap((node) => [...functionsAround(node)]));
  return holders.some((holder) => (typeof holder === 'string' ? names.has(holder) : calledBy(ev, holder).some((each) => around.has(each))));
};

function holdersOf({ node, module }: Place, readers: Readers, depth = 0): Holder[] {
  let at: Node = node;
  const asked: string[] = [];
  for (let around = at.parent; around !== undefined; at = around, around = around.parent) {
    switch (around.kind) {
      case 'logical':
        // `options.base ?? 'https://…'`
        if (around.right === at && around.left.kind === 'member' && around.left.property !== undefined) asked.push(around.left.property);
        break;
      case 'conditional':
      case 'await':
      case 'array':
        break;
      case 'call':
        if (around.isNew && around.callee.kind === 'name' && around.callee.name === 'URL') break;
        return around.callee === at ? asked : [...asked, around];
      case 'tagged':
        return [...asked, around];
      case 'property':
        return [...asked, ...(around.name === undefined ? [] : [around.name]), ...walksOf({ node: around, module }, readers)];
      case 'classMember':
      case 'patternProperty':
        return around.name === undefined ? asked : [...asked, around.name];
      case 'member':
        // `hosts.map((host) => …)`
        return around.object === at && around.parent?.kind === 'call' && around.parent.callee === around && isOfEach(around.parent)
          ? [...asked, around.parent]
          : asked;
      case 'param':
        return around.target.kind === 'patternName' ? [...asked, around.target.name] : asked;
      case 'assign':
        return around.target.kind === 'member' && around.target.property !== undefined ? [...asked, around.target.property] : asked;
      case 'variable': {
        const binding = around.target.kind === 'patternName' ? module.scopes.declaredBy(around.target) : undefined;
        if (binding === undefined || depth === maxNames) return asked;
        return [...asked, ...readers.of(binding, module).flatMap((place) => holdersOf(place, readers, depth + 1))];
      }
      default:
        return asked;
    }
  }
  return asked;
}

/** Where a function is given each of what an object has: `Object.values(hosts).map((host) => …)`, `mapValues(hosts, (host) => …)`. */
function walksOf({ node, module }: Place, readers: Readers, depth = 0): CallNode[] {
  let at: Node = node;
  while (at.parent !== undefined && /^(?:object|property|array|logical|conditional|unary)$/.test(at.parent.kind)) at = at.parent;
  const { parent: around } = at;
  if (around?.kind === 'variable') {
    const binding = around.target.kind === 'patternName' ? module.scopes.declaredBy(around.target) : undefined;
    return binding === undefined || depth === maxNames
      ? []
      : readers.of(binding, module).flatMap((place) => walksOf(place, readers, depth + 1));
  }
  const list = around?.kind === 'call' && around.callee !== at ? around : at;
  return list.kind === 'call' && isOfEach(list) ? [list] : chainedTo(list);
}

/** `list.filter(…).map(…)` */
function chainedTo(list: Node): CallNode[] {
  const found: CallNode[] = [];
  for (let at = list; at.parent?.kind === 'member' && at.parent.object === at && at.parent.parent?.kind === 'call'; at = at.parent.parent)
    if (isOfEach(at.parent.parent)) found.push(at.parent.parent);
  return found;
}

/** The functions of the program that a call may be of, or hands it to: `Reflect.apply(ask, null, [host])`. */
const calledBy = (ev: Evaluation, call: CallNode | TaggedNode): Node[] =>
  (call.kind === 'call' ? [call.callee, ...call.args] : [call.tag]).flatMap((node) =>
    valuesOf(ev, node).flatMap((value) => (value.type === 'function' ? value.node : [])),
  );

/** `new Crm({ base: 'https://…' })` of a package that was not read: it asks by itself. And what is only shown is not asked. */
function isGivenAway(ev: Evaluation, node: Node, module: SourceModule): boolean {
  let at = node;
  while (at.parent !== undefined && /^(?:object|property|array|logical|conditional)$/.test(at.parent.kind)) at = at.parent;
  const call = at.parent;
  if (call?.kind !== 'call' || call.callee === at) return false;
  if (isOnlyShown(node, module)) return true;
  const isForeign = valuesOf(ev, call.callee).some((value) => value.type === 'external' && value.source !== '');
  return isForeign && !valuesOf(ev, call).some(({ type }) => type === 'http');
}

function valuesOf(ev: Evaluation, node: Node): readonly Value[] {
  const module = moduleAround(node);
  return module === undefined
    ? []
    : optionsOf(ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined })).value);
}
