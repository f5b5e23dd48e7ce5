/** Timers around calls of ours: v2 counts by the hour, and one that asks every few seconds may use up a plan alone. */
import { v2RequestsPerHour, v2Windows } from '../../src/contract/limits.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { optionsOf } from '../evaluate/values.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { Expression, Node } from '../syntax/tree.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { numberOf } from './numbers.ts';

/** As TanStack Query, SWR, Apollo and RTK Query call the wait between two calls. */
const intervals = /^(?:refetch|refresh|poll|polling)Interval$/;
const mark = /setInterval|(?:refetch|refresh|poll|polling)Interval|\b(?:for|while|do)\b/;
/** What waits within a loop, by the names that such helpers have, and where the wait stands. */
const waits = /^(?:sleep|delay|wait|pause|setTimeout)$/;
const fewTries = 10;
/** How many functions a timer's call may be away. */
const most = 2;
const smallest = Math.min(...Object.values(v2RequestsPerHour).filter((limit) => limit !== undefined));

export interface Poller {
  readonly node: Node;
  readonly module: SourceModule;
  readonly detail: { readonly calls: string; readonly limit: string };
}

/** @param sites calls of ours: a timer around anything else is nobody's matter */
export function pollersOf(ev: Evaluation, sites: readonly RequestSite[]): Poller[] {
  const timers = [...ev.world.modules.values()].flatMap((module) => (mark.test(module.text) ? timersIn(module) : []));
  if (timers.length === 0) return [];
  const places = new Map<SourceModule, Node[]>();
  for (const { request } of sites)
    for (const { node, module } of [{ node: request.call, module: request.module }, ...request.callers])
      if (isScript(module)) places.set(module, [...(places.get(module) ?? []), node]);
  const holds = (around: Node, module: SourceModule): boolean =>
    (places.get(module) ?? []).some(({ start, end }) => around.start <= start && end <= around.end);
  const runs = (given: Expression, module: SourceModule, steps: number): boolean =>
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
  return timers.flatMap(({ node, module, around, given, wait }): Poller[] => {
    const milliseconds = numberOf(wait, module);
    const calls = milliseconds === undefined || milliseconds <= 0 ? 0 : Math.round(v2Windows.hour.length / milliseconds);
    // What fits into the smallest plan by itself is for people to add up.
    if (calls <= smallest || !(asks(around, module) || given.some((each) => runs(each, module, most)))) return [];
    return [{ node, module, detail: { calls: String(calls), limit: String(smallest) } }];
  });
}

interface Timer {
  readonly node: Node;
  readonly module: SourceModule;
  /** What the timer belongs to as a whole. */
  readonly around: Node;
  /** Functions that it may run, by their names. */
  readonly given: readonly Expression[];
  readonly wait: Expression;
}

function timersIn(module: SourceModule): Timer[] {
  const calls = nodesOfKind(module.tree.program, 'call').flatMap((node): Timer[] => {
    const [run, wait] = node.args;
    const name = node.callee.kind === 'name' ? node.callee.name : node.callee.kind === 'member' ? node.callee.property : undefined;
    if (name !== 'setInterval' || run === undefined || run.kind === 'spread' || wait === undefined || wait.kind === 'spread') return [];
    return [{ node, module, around: node, given: isReference(run) ? [run] : [], wait }];
  });
  const properties = nodesOfKind(module.tree.program, 'property').flatMap((node): Timer[] => {
    const around = intervals.test(node.name ?? '') ? callAround(node) : undefined;
    if (around?.kind !== 'call') return [];
    const beside = node.parent?.kind === 'object' ? node.parent.properties : [];
    const given = [
      ...around.args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg])),
      ...beside.flatMap((each) => (each.kind === 'property' ? [each.value] : [])),
    ];
    return [{ node, module, around, given: given.filter(isReference), wait: node.value }];
  });
  const loopWaits = nodesOfKind(module.tree.program, 'call').flatMap((node): Timer[] => {
    const name = node.callee.kind === 'name' ? node.callee.name : node.callee.kind === 'member' ? node.callee.property : undefined;
    const around = waits.test(name ?? '') ? loopAround(node, module) : undefined;
    // `setTimeout(resolve, 5000)`, and `sleep(5000)`, which may be the promise's own `setTimeout` by another name.
    const wait = node.args.find((arg) => arg.kind !== 'spread' && numberOf(arg, module) !== undefined);
    return around === undefined || wait === undefined || wait.kind === 'spread' ? [] : [{ node, module, around, given: [], wait }];
  });
  return [...calls, ...properties, ...loopWaits];
}

/** The loop that a wait is part of: `while (true) { …; await new Promise((resolve) => setTimeout(resolve, 5000)); }`. */
function loopAround(node: Node, module: SourceModule): Node | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (at.kind === 'block' && at.role === 'loop') return at.body.some((each) => endsSoon(each, module)) ? undefined : at;
    const isExecutor = at.kind === 'function' && at.parent?.kind === 'call' && at.parent.isNew;
    if (at.kind === 'function' && !isExecutor) return undefined;
  }
  return undefined;
}

/** Whether what stands in the head of a loop says that it goes through a list, or tries a few times. */
function endsSoon(head: Node, module: SourceModule): boolean {
  if (head.kind === 'variable') return head.each !== undefined;
  if (head.kind === 'logical') return endsSoon(head.left, module) || endsSoon(head.right, module);
  if (head.kind !== 'binary' || !/^<=?$/.test(head.operator)) return false;
  return (numberOf(head.right, module) ?? Infinity) <= fewTries || /attempt|retr|tries/i.test(module.text.slice(head.start, head.end));
}
const isReference = ({ kind }: Expression): boolean => kind === 'name' || kind === 'member';

/** The call that is given the options: within it, and in no function on the way. */
function callAround(node: Node): Node | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && at.kind !== 'call') at = at.kind === 'function' ? undefined : at.parent;
  return at;
}
