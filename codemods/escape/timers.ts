/** What runs again and again by itself: timers, schedules, observables, hooks that ask anew, and loops that wait. By the syntax alone. */
import type { SourceModule } from '../evaluate/module.ts';
import { v2Windows } from '../../src/contract/limits.ts';
import { hourInMs, minuteInMs } from '../../src/contract/times.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { CallNode, Expression, MemberDeclaration, Node, PropertyNode } from '../syntax/tree.ts';
import { runsPerHour } from './cron.ts';
import { numberOf } from './numbers.ts';

export interface Timer {
  readonly node: Node;
  readonly module: SourceModule;
  /** What the timer belongs to as a whole. */
  readonly around: Node;
  /** Functions that it may run, by their names. */
  readonly given: readonly Expression[];
  readonly timesPerHour: number;
}

/** As TanStack Query, SWR, Apollo and RTK Query call the wait between two calls. */
const intervals = /^(?:refetch|refresh|poll|polling)Interval$/;
const mark =
  /setInterval|(?:refetch|refresh|poll|polling)Interval|\b(?:for|while|do)\b|\b(?:schedule\w*|Cron\w*|cronTime|Interval)\b|['"]rxjs['"]/;
/** What waits within a loop, by the names that such helpers have, and where the wait stands. */
const waits = /^(?:sleep|delay|wait|pause|setTimeout)$/;
/** `cron.schedule(when, run)`, `scheduleJob(when, run)`, `new CronJob(when, run)`, `Cron(when, run)`. */
const schedules = /^(?:schedule|scheduleJob|Cron|CronJob)$/;
const fewTries = 10;

export const timersIn = (module: SourceModule): Timer[] => {
  if (!mark.test(module.text)) return [];
  const { program } = module.tree;
  return [
    ...nodesOfKind(program, 'call').flatMap((node) => ofCall(node, module)),
    ...nodesOfKind(program, 'property').flatMap((node) => ofProperty(node, module)),
    ...nodesOfKind(program, 'classMember').flatMap((node) => ofMethod(node, module)),
  ];
};

/** By the wait between two, in milliseconds. */
const timesIn = (wait: Expression | undefined, module: SourceModule): number => {
  const milliseconds = wait === undefined ? undefined : numberOf(wait, module);
  return milliseconds === undefined || milliseconds <= 0 ? 0 : v2Windows.hour.length / milliseconds;
};

function ofCall(node: CallNode, module: SourceModule): Timer[] {
  const name = calledBy(node) ?? '';
  const args = argsOf(node);
  const timer = (around: Node, given: readonly Expression[], timesPerHour: number): Timer[] => [
    { node, module, around, given: given.filter(isReference), timesPerHour },
  ];
  if (name === 'setInterval') return timer(node, args.slice(0, 1), timesIn(args[1], module));
  if (schedules.test(name)) return timer(node, args, Math.max(0, ...args.map((arg) => timesBy(arg, module))));
  const everyOf = observables[name];
  if (everyOf !== undefined && node.callee.kind === 'name' && /['"]rxjs['"]/.test(module.text))
    return timer(chainOf(node), [], timesIn(args[everyOf], module));
  const loop = waits.test(name) ? loopAround(node, module) : undefined;
  // `setTimeout(resolve, 5000)`, and `sleep(5000)`, which may be the promise's own `setTimeout` by another name.
  const wait = args.find((arg) => numberOf(arg, module) !== undefined);
  return loop === undefined ? [] : timer(loop, [], timesIn(wait, module));
}

/** Which argument says how often they go on; `timer(5000)` does not. */
const observables: Readonly<Record<string, number>> = { interval: 0, timer: 1 };

/** The call with all that is called of it: `interval(5000).pipe(…)`. */
function chainOf(node: Node): Node {
  const { parent } = node;
  const isPart = (parent?.kind === 'member' && parent.object === node) || (parent?.kind === 'call' && parent.callee === node);
  return isPart ? chainOf(parent) : node;
}

function ofProperty(node: PropertyNode, module: SourceModule): Timer[] {
  const { name = '', value } = node;
  const isSchedule = name === 'cronTime';
  if (!isSchedule && !intervals.test(name)) return [];
  // Options by themselves are those of whoever is called in the same file.
  const around = callAround(node) ?? module.tree.program;
  const beside = node.parent?.kind === 'object' ? node.parent.properties : [];
  const given = [
    ...(around.kind === 'call' ? [around.callee, ...argsOf(around)] : []),
    ...beside.flatMap((each) => (each.kind === 'property' ? [each.value] : [])),
  ];
  const timesPerHour = isSchedule ? timesBy(value, module) : timesIn(value, module);
  return [{ node, module, around, given: given.filter(isReference), timesPerHour }];
}

/** `@Cron('* * * * *')`, `@Interval(10_000)`. */
const ofMethod = (member: MemberDeclaration, module: SourceModule): Timer[] =>
  member.decorators.flatMap((node): Timer[] => {
    const name = node.kind === 'call' ? calledBy(node) : undefined;
    if (node.kind !== 'call' || (name !== 'Cron' && name !== 'Interval')) return [];
    const times = argsOf(node).map((arg) => (name === 'Cron' ? timesBy(arg, module) : timesIn(arg, module)));
    return [{ node, module, around: member, given: [], timesPerHour: Math.max(0, ...times) }];
  });

/** By a schedule as cron has it, or as Nest calls it: `CronExpression.EVERY_10_SECONDS`. */
function timesBy(when: Expression, module: SourceModule): number {
  const owner = when.kind === 'name' ? module.scopes.bindingOf(when)?.owner : undefined;
  const written = owner?.kind === 'variable' ? owner.init : when;
  if (written?.kind === 'string') return runsPerHour(written.value);
  const [, count = '1', unit] = /^EVERY_(?:(\d+)_)?(SECOND|MINUTE)S?$/.exec((written?.kind === 'member' && written.property) || '') ?? [];
  return unit === undefined ? 0 : (unit === 'SECOND' ? hourInMs / 1000 : hourInMs / minuteInMs) / Number(count);
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

export const isReference = ({ kind }: Expression): boolean => kind === 'name' || kind === 'member';

const calledBy = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : undefined;

const argsOf = ({ args }: CallNode): Expression[] => args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg]));

/** The call that is given the options: within it, and in no function on the way. */
function callAround(node: Node): CallNode | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && at.kind !== 'call') at = at.kind === 'function' ? undefined : at.parent;
  return at;
}
