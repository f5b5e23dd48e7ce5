/** Timers around calls of ours: v2 counts by the hour, and one that asks every few seconds may use up a plan alone. */
import { v2RequestsPerHour } from '../../src/contract/limits.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { optionsOf } from '../evaluate/values.ts';
import type { Finding, FindingCode } from '../model.ts';
import type { Expression, Node } from '../syntax/tree.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { isReference, type Timer, timersIn } from './timers.ts';

/** How many functions a timer's call may be away. */
const most = 2;
const smallest = Math.min(...Object.values(v2RequestsPerHour).filter((limit) => limit !== undefined));

export interface Poller {
  readonly code: Extract<FindingCode, 'polls' | 'retry-per-minute'>;
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
export function pollersOf(ev: Evaluation, sites: readonly RequestSite[]): Poller[] {
  const timers = [...ev.world.modules.values()].flatMap((module) => timersIn(ev, module));
  if (timers.length === 0) return [];
  const isAsking = askingBy(ev, sites);
  const isReading = askingBy(
    ev,
    sites.filter(({ request }) => request.method === 'GET'),
  );
  return timers.flatMap((timer): Poller[] => {
    const { node, module, timesPerHour, isRetry } = timer;
    const detail = pollingDetail(timesPerHour);
    if (detail === undefined || !(timer.isReading === true ? isReading(timer) : isAsking(timer))) return [];
    return [isRetry ? { code: 'retry-per-minute', node, module, detail: {} } : { code: 'polls', node, module, detail }];
  });
}

/** Whether a timer makes some calls, itself or by functions that it runs. */
function askingBy(ev: Evaluation, sites: readonly RequestSite[]): (timer: Timer) => boolean {
  const places = new Map<SourceModule, Node[]>();
  for (const { request } of sites)
    for (const { node, module } of [{ node: request.call, module: request.module }, ...request.callers])
      if (isScript(module)) places.set(module, [...(places.get(module) ?? []), node]);
  const endpoints = new Set(sites.flatMap(({ request }) => endpointOf(request.call) ?? []));
  const holds = (around: Node, module: SourceModule): boolean =>
    (places.get(module) ?? []).some(({ start, end }) => around.start <= start && end <= around.end);
  const runs = (given: Expression, module: SourceModule, steps: number): boolean =>
    endpointsBy(given).some((name) => endpoints.has(name)) ||
    optionsOf(ev.evaluate(given, { module, frame: undefined })).some((fn) => fn.type === 'function' && asks(fn.node, fn.module, steps));
  /** Whether what stands there asks us, itself or by functions that it calls. */
  const asks = (around: Node, module: SourceModule, steps = most): boolean =>
    holds(around, module) ||
    (steps > 0 &&
      module.calls.some(
        ({ start, end, callee }) =>
          around.start <= start &&
          end <= around.end &&
          isReference(callee) &&
          callee.start !== around.start &&
          runs(callee, module, steps - 1),
      ));
  return ({ module, around, runsIn = module, given }) => asks(around, runsIn) || given.some((each) => runs(each, runsIn, most));
}

/** What RTK Query's hooks are called after: `text: build.query(…)`. */
const endpointOf = ({ parent }: Node): string | undefined => (parent?.kind === 'property' ? parent.name : undefined);

/** `useTextQuery(…)`, `api.endpoints.text.useQuery(…)`. */
function endpointsBy(hook: Expression): string[] {
  const name = hook.kind === 'name' ? hook.name : hook.kind === 'member' ? hook.property : undefined;
  const [, endpoint] = /^use(?:Lazy)?(\w*?)Query(?:Subscription)?$/.exec(name ?? '') ?? [];
  if (endpoint === '' && hook.kind === 'member' && hook.object.kind === 'member') return [hook.object.property ?? ''];
  return endpoint === undefined ? [] : [endpoint.slice(0, 1).toLowerCase() + endpoint.slice(1)];
}
