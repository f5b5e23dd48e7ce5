/** Timers around calls of ours: v2 counts by the hour, and one that asks every few seconds may use up a plan alone. */
import { v2RequestsPerHour } from '../../../src/contract/limits.ts';
import { lastName } from '../../clients/names.ts';
import { readsOf } from '../../evaluate/calls/by-name.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { Finding, FindingCode } from '../../model.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { waysTo } from '../../requests/call-paths.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { argsOf, type Timer, timersIn } from './timers.ts';

/** How many functions a timer's call may be away. */
const most = 2;
const smallest = Math.min(...Object.values(v2RequestsPerHour).filter((limit) => limit !== undefined));

export interface Poller {
  readonly code: Extract<FindingCode, 'polls' | 'retry-per-minute' | 'minute-limit'>;
  readonly node: Node;
  readonly module: SourceModule;
  readonly detail: Finding['detail'];
}

/**
 * @param timesPerHour undefined where nobody can tell
 * @returns undefined for what leaves half of the smallest plan to others: what fits together is for people to add up
 */
export function pollingDetail(timesPerHour: number | undefined): Finding['detail'] | undefined {
  if (timesPerHour === undefined) return { limit: String(smallest) };
  const calls = Math.round(timesPerHour);
  return calls * 2 <= smallest ? undefined : { calls: String(calls), limit: String(smallest) };
}

/** @param sites calls of ours: a timer around anything else is nobody's matter */
export function pollersOf(ev: Evaluation, callers: CallGraph['callers'], sites: readonly RequestSite[]): Poller[] {
  // A test ends, whatever it makes of an hour.
  const timers = [...ev.world.modules.values()].flatMap((module) => (isTest(module) ? [] : timersIn(ev, module)));
  if (timers.length === 0) return [];
  const isAsking = askingBy(ev, callers, sites);
  const isReading = askingBy(
    ev,
    callers,
    sites.filter(({ request }) => request.method === 'GET'),
  );
  return timers.flatMap((timer): Poller[] => {
    const { node, module, timesPerHour, isRetry, isPause } = timer;
    const detail = pollingDetail(timesPerHour);
    // Through a list it goes once: a pause is nothing but one, unless it is made for v1's window.
    if (isPause && !isOfMinute(timesPerHour)) return [];
    if (detail === undefined || !(timer.isReading === true ? isReading(timer) : isAsking(timer))) return [];
    if (isPause) return [{ code: 'minute-limit', node, module, detail: { name: module.text.slice(node.start, node.end) } }];
    return [isRetry ? { code: 'retry-per-minute', node, module, detail: {} } : { code: 'polls', node, module, detail }];
  });
}

/** A minute, or a little more to be sure. */
const isOfMinute = (timesPerHour = 0): boolean => timesPerHour <= 60 && timesPerHour >= 50;

/** Whether a timer makes some calls, itself or by functions that it runs. */
function askingBy(ev: Evaluation, callers: CallGraph['callers'], sites: readonly RequestSite[]): (timer: Timer) => boolean {
  const endpoints = new Set(sites.flatMap(({ request }) => endpointOf(request.call) ?? []));
  const asking = aroundAll(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]));
  for (let steps = 0; steps < most; steps++)
    for (const node of aroundAll([...asking].flatMap((fn) => (fn.kind === 'function' ? callsOf(ev, callers, fn) : [])))) asking.add(node);
  for (const node of aroundAll(emitsTo(ev, asking))) asking.add(node);
  const runs = (given: Expression, module: SourceModule): boolean =>
    endpointsBy(given).some((name) => endpoints.has(name)) ||
    optionsOf(ev.evaluate(given, { module, frame: undefined })).some((fn) => fn.type === 'function' && asking.has(fn.node));
  // What waits in one loop shares what the loop gives to others.
  const known = new Map<readonly Expression[], boolean>();
  return ({ around, given, module, runsIn = module }) => {
    if (asking.has(around)) return true;
    const isRun = known.get(given) ?? given.some((each) => runs(each, runsIn));
    known.set(given, isRun);
    return isRun;
  };
}

/** Who calls a function, also by its name in an object that is handed to them: `watch({ message: (id) => … })`. */
function callsOf(ev: Evaluation, callers: CallGraph['callers'], fn: FunctionNode): Node[] {
  const name = fn.parent?.kind === 'property' || fn.parent?.kind === 'classMember' ? fn.parent.name : undefined;
  const passed = (name === undefined ? [] : (readsOf(ev.world, name) ?? [])).filter(
    ({ node, module }) =>
      node.parent?.kind === 'call' &&
      node.parent.callee === node &&
      [...waysTo(ev, callers, node, module)].some(({ value }) =>
        optionsOf(value).some((each) => each.type === 'function' && each.node === fn),
      ),
  );
  return [...(callers.get(fn) ?? []), ...passed].map(({ node }) => node);
}

/** What has listeners run that ask: `bus.emit('refresh')`, of those that `bus.on('refresh', ask)` names. */
function emitsTo(ev: Evaluation, asking: ReadonlySet<Node>): Node[] {
  const modules = [...ev.world.modules.values()].filter(({ text }) => listening.test(text) || emitting.test(text));
  const isAsking = (given: Expression, module: SourceModule): boolean =>
    asking.has(given) ||
    optionsOf(ev.evaluate(given, { module, frame: undefined })).some((fn) => fn.type === 'function' && asking.has(fn.node));
  const heard = new Set(
    modules.flatMap((module) =>
      module.calls.flatMap((call) => {
        const listener = argsOf(call)[1];
        const event = eventOf(call, /^(?:on|once|addListener|prependListener)$/);
        return event !== undefined && listener !== undefined && isAsking(listener, module) ? event : [];
      }),
    ),
  );
  if (heard.size === 0) return [];
  return modules.flatMap(({ calls }) => calls.filter((call) => heard.has(eventOf(call, /^emit(?:Async)?$/) ?? '')));
}

const emitting = /\.\s*emit(?:Async)?\(/;
const listening = /\.\s*(?:on|once|addListener|prependListener)\(/;

/** An event by its name and that of what it happens to: others have events that are called the same. */
function eventOf({ callee, args: [event] }: CallNode, method: RegExp): string | undefined {
  if (callee.kind !== 'member' || !method.test(callee.property ?? '') || event?.kind !== 'string') return undefined;
  return `${lastName(callee.object)} ${event.value}`;
}

/** Nodes, with all that they stand in. */
function aroundAll(nodes: readonly Node[]): Set<Node> {
  const found = new Set<Node>();
  for (const node of nodes) for (let at: Node | undefined = node; at !== undefined && !found.has(at); at = at.parent) found.add(at);
  return found;
}

/** What RTK Query's hooks are called after: `text: build.query(…)`. */
const endpointOf = ({ parent }: Node): string | undefined => (parent?.kind === 'property' ? parent.name : undefined);

/** `useTextQuery(…)`, `api.endpoints.text.useQuery(…)`, `api.endpoints.text.initiate(…)`. */
function endpointsBy(hook: Expression): string[] {
  const name = hook.kind === 'name' ? hook.name : hook.kind === 'member' ? hook.property : undefined;
  const [, endpoint] = /^use(?:Lazy)?(\w*?)Query(?:Subscription)?$/.exec(name === 'initiate' ? 'useQuery' : (name ?? '')) ?? [];
  if (endpoint === '' && hook.kind === 'member' && hook.object.kind === 'member') return [hook.object.property ?? ''];
  return endpoint === undefined ? [] : [endpoint.slice(0, 1).toLowerCase() + endpoint.slice(1)];
}
