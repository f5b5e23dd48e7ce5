/**
 * Functions of the program that some give one of our clients, and others what nobody knows: `bus.on('client', (client) => sync(client))` beside `sync(ours)`.
 * What is asked for there would move whoever's client that is, and the header of that stays; so it stays until a person decides.
 */
import { lastName } from '../../clients/names.ts';
import { type Passed, passedOn } from '../../evaluate/calls/all-callers.ts';
import type { Caller } from '../../evaluate/calls/callers.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { moduleAround } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { followed } from '../../requests/escaping-callbacks.ts';
import { push } from '../../requests/mutations.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { isUnknown, type UnresolvedCall } from './unresolved-calls.ts';

export function unresolvedCallersOf(
  ev: Evaluation,
  { callers, escapingCallbacks }: Pick<CallGraph, 'callers' | 'escapingCallbacks'>,
  sites: readonly RequestSite[],
): UnresolvedCall[] {
  const seen = new Set<Node>(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  const ours = new Map<Node, RequestSite[]>();
  for (const site of sites) {
    if (site.verdict.kind !== 'ours' || site.request.isMock) continue;
    for (const { node } of site.request.callers) push(ours, node, site);
  }
  return [...callers].flatMap(([fn, calls]) => {
    const known = calls.filter(({ node }) => ours.has(node));
    if (known.length === 0) return [];
    const asked = [...new Set(known.flatMap(({ node }) => ours.get(node) ?? []))];
    const asking = askingIn(asked);
    const places = new Set([...known.flatMap((caller) => clientsGivenBy(ev, caller, asking)), ...clientsByDefault(ev, fn, asking)]);
    if (places.size === 0) return [];
    const others = calls.filter(
      ({ node, module }) => !seen.has(node) && !isTest(module) && isOpenTo(ev, { node, module }, places, callers),
    );
    const handed = fn.kind === 'function' && escapingCallbacks.has(fn) ? passedOn(ev, fn).flatMap(callerByHand) : [];
    return [...others, ...handed].map(({ node, module }) => ({ call: node, module, route: routeOf(asked), sites: asked }));
  });
}

/** What requests are made by: the classes that they stand in, and the clients that they go out by. */
interface Asking {
  readonly classes: ReadonlySet<Node>;
  readonly clients: ReadonlySet<Node | string>;
}

function askingIn(sites: readonly RequestSite[]): Asking {
  const classes = new Set<Node>();
  for (const call of new Set(sites.map(({ request }) => request.call)))
    for (let at: Node | undefined = call; at !== undefined; at = at.parent) if (at.kind === 'class') classes.add(at);
  return { classes, clients: new Set(sites.flatMap(({ request }) => request.origins)) };
}

type Called = Pick<Caller, 'node' | 'module'>;

/** Whether a call gives at one of some places what nobody knows. */
const isOpenTo = (ev: Evaluation, { node, module }: Called, places: ReadonlySet<number>, callers: CallGraph['callers']): boolean =>
  [...places].some((index) => {
    const arg = node.args[index];
    if (arg === undefined || node.args.slice(0, index + 1).some(({ kind }) => kind === 'spread')) return false;
    const given = ev.budget.question({ node: arg, module }, () => ev.evaluate(arg, { module, frame: undefined }));
    return optionsOf(given.value).some((value) => isGivenByNobody(value, callers));
  });

/** `bus.on('client', sync)`: whoever is handed a function calls it with something, but for a timer that is given nothing more. */
function callerByHand({ node, module }: Passed): readonly Called[] {
  const call = node.parent;
  if (call?.kind !== 'call' || call.callee === node || isTest(module)) return [];
  const name = lastName(call.callee);
  return followed.has(name) || (timers.test(name) && call.args.length <= (waiting.test(name) ? 2 : 1)) ? [] : [{ node: call, module }];
}

const timers = /^(?:set(?:Timeout|Interval|Immediate)|queueMicrotask|nextTick)$/;
const waiting = /^set(?:Timeout|Interval)$/;

/** The parameters of a function that are a client where nothing is given. */
const clientsByDefault = (ev: Evaluation, fn: Node, asking: Asking): number[] =>
  fn.kind !== 'function'
    ? []
    : fn.params.flatMap(({ default: node }, index) => {
        const module = node === undefined ? undefined : moduleAround(node);
        if (node === undefined || module === undefined) return [];
        return optionsOf(ev.evaluate(node, { module, frame: undefined })).some((value) => leads(value, asking)) ? [index] : [];
      });

/** A client, or the address of a host. */
const leads = (value: Value, asking: Asking): boolean =>
  asks(value, asking) || (value.type === 'text' && /^https?:\/\//.test(flat(value.parts)));

/** Which of the arguments are clients, or what asks by itself. */
const clientsGivenBy = (ev: Evaluation, caller: Caller, asking: Asking): number[] =>
  caller.args(ev, undefined).flatMap((arg, index) => (optionsOf(arg).some((value) => asks(value, asking)) ? [index] : []));

/** A client by which they go out, an instance of a class with such a call in it, or an object that holds one: `run({ client: ours })`. */
const asks = (value: Value, asking: Asking, isHeld = false): boolean =>
  (value.type === 'http' && value.stage === 'client' && [value.node, ...value.origins].some((each) => asking.clients.has(each))) ||
  (value.type === 'instance' && asking.classes.has(value.of.node)) ||
  (value.type === 'object' && !isHeld && value.entries.some((entry) => optionsOf(entry.value()).some((each) => asks(each, asking, true))));

/** What a function is given that is called by name from outside of these files, nobody sees; what it is given by code that takes it, somebody gives. */
function isGivenByNobody(value: Value, callers: CallGraph['callers']): boolean {
  if (value.type !== 'param') return isUnknown(value);
  const { owner } = value;
  return owner.parent?.kind === 'call' && owner.parent.callee !== owner && (callers.get(owner)?.length ?? 0) === 0;
}

const routeOf = ([site]: readonly RequestSite[]): string => /\/v1\/[^?#]*/.exec(flat(site?.request.url ?? []))?.[0] ?? '';
