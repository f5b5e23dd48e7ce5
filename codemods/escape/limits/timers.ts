/** What runs again and again by itself: timers, schedules, observables, hooks that ask anew, and loops that wait. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { v2Windows } from '../../../src/contract/limits.ts';
import { namesStreams } from '../../clients/http/frameworks/rxjs-ajax.ts';
import { lastName } from '../../clients/names.ts';
import { hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import { nodesOfKind, walk } from '../../syntax/link.ts';
import type { CallNode, Expression, MemberDeclaration, Node, ObjectNode, PropertyNode } from '../../syntax/tree.ts';
import { arrivalsOf } from './arrivals.ts';
import { runsPerHour } from './cron.ts';
import { isAfterLimit, listLoopAround, loopAround, loopOfValues, returnsTo } from './loops.ts';
import { numberOf } from './numbers.ts';
import { chainOf, streamOf } from './streams.ts';
import { isPutBack, isRepeat, waitOfRetries, type Work, workOn } from './repeated-jobs.ts';
import { waitsOf } from './waits.ts';

export interface Timer {
  readonly node: Node;
  readonly module: SourceModule;
  /** What the timer belongs to as a whole, and where that stands, if elsewhere. */
  readonly around: Node;
  readonly runsIn?: SourceModule;
  /** Functions that it may run, by their names. */
  readonly given: readonly Expression[];
  /** undefined where nobody can tell. */
  readonly timesPerHour: number | undefined;
  /** Not to learn something new, but because there were too many calls. */
  readonly isRetry?: boolean;
  /** Nor that, but between parts of a list. */
  readonly isPause?: boolean;
  /** Whether it may as well try again what failed: what writes is no question. */
  readonly isReading?: boolean;
}

/** As TanStack Query, SWR, Apollo and RTK Query call the wait between two calls. */
const intervals = /^(?:refetch|refresh|poll|polling)Interval$/;
/** As helpers call it that are given what to ask: `pWaitFor(ask, { interval: 1500 })`. */
const givenIntervals = /^(?:interval|every|poll_?every|period)(?:_?ms|_?millis\w*)?$/i;
/** `useInterval(ask, 5000)`, `poll(ask, 2000)`, `setIntervalAsync(ask, 1000)`. */
const helpers = /(?:^|[a-z\d_])(?:interval|poll(?:ing)?|every)(?:Fn|Async|Until|While)?$/i;
const mark =
  /[iI]nterval|\btimer\b|[pP]oll|-arrival-rate|[eE]very|[pP]eriod|setTimeout|\b(?:for|while|do)\b|\b(?:schedule\w*|onSchedule|[cC]ron\w*|repeat|upsertJobScheduler|backoff|periodInMinutes)\b|\b(?:sleep|delay|wait|pause)\b/;
/** What waits within a loop, by the names that such helpers have, and where the wait stands. */
const waits = /^(?:sleep|delay|wait|pause|timer|setTimeout)$/;
/** `cron.schedule(when, run)`, `scheduleJob(when, run)`, `new CronJob(when, run)`, `Deno.cron(name, when, run)`, `onSchedule(when, run)`. */
const schedules = /^(?:schedule|scheduleJob|onSchedule|Cron|CronJob|cron)$/;
const scheduleNames = /^(?:cronTime|cron|schedule)$/;

export const timersIn = (ev: Evaluation, module: SourceModule): Timer[] => {
  if (!mark.test(module.text)) return [];
  const { program } = module.tree;
  const hasStreams = namesStreams.test(module.text);
  return [
    ...nodesOfKind(program, 'call').flatMap((node) => ofCall(ev, node, module, hasStreams)),
    ...nodesOfKind(program, 'property').flatMap((node) => ofProperty(ev, node, module)),
    ...nodesOfKind(program, 'classMember').flatMap((node) => ofMethod(ev, node, module)),
  ];
};

/** `setTimeout(() => controller.abort(), 10_000)`, `setTimeout(reject, 5000, late)`: what ends a call that takes too long is nothing that is waited for. */
function givesUp(given: Expression, { text }: SourceModule): boolean {
  let isAll = /\babort\b|\breject\b|\bdestroy\(/.test(text.slice(given.start, given.end));
  walk(given, (node) => {
    const name = node.kind === 'call' ? lastName(node.callee) : undefined;
    isAll &&= name === undefined || ending.test(name);
    return isAll;
  });
  return isAll;
}

const ending = /^(?:abort|reject|destroy|bind|clear(?:Timeout|Interval)|DOMException|\w*Error)$/;

const timesIn = (milliseconds: number): number => v2Windows.hour.length / milliseconds;

/** One for each who says how long it waits: a call that does is what is told, with what is given to it. */
function everyWait(ev: Evaluation, wait: Expression | undefined, timer: Omit<Timer, 'timesPerHour'>): Timer[] {
  if (wait === undefined) return [];
  return waitsOf(ev, wait, timer.module).map(({ milliseconds, by }) => ({
    ...timer,
    ...(by !== undefined && { ...by, around: by.node, given: [by.node.callee, ...argsOf(by.node)].filter(isReference) }),
    timesPerHour: milliseconds === undefined ? undefined : timesIn(milliseconds),
  }));
}

/** Of what else goes on for good than `setInterval`, a wait that nobody can tell may be none: `refetchInterval: options.every`. */
const everyKnownWait: typeof everyWait = (...args) => everyWait(...args).filter(({ timesPerHour }) => timesPerHour !== undefined);

function ofCall(ev: Evaluation, node: CallNode, module: SourceModule, hasStreams: boolean): Timer[] {
  const name = calledBy(node) ?? '';
  const args = argsOf(node);
  const timer = (around: Node, given: readonly Expression[] = []): Omit<Timer, 'timesPerHour'> => ({
    node,
    module,
    around,
    given: given.filter(isReference),
  });
  const [first, second] = args;
  if (name === 'setInterval') {
    const loop = loopOfValues(node);
    return loop === undefined ? everyWait(ev, second, timer(node, args.slice(0, 1))) : everyWait(ev, first, timer(loop));
  }
  if (schedules.test(name)) {
    const chain = chainOf(node);
    const given = [...args, ...(chain.kind === 'call' ? argsOf(chain) : [])];
    return [{ ...timer(chain, given), timesPerHour: Math.max(0, ...args.map((arg) => timesBy(arg, module))) }];
  }
  if (name === 'create' && isOfAlarms(node)) return ofAlarm(ev, node, module);
  if (hasStreams) {
    const stream = streamOf(node, module);
    if (stream !== undefined) return stream.pipes.flatMap((pipe) => everyKnownWait(ev, stream.wait, timer(pipe)));
  }
  if (waits.test(name) && !(first !== undefined && givesUp(first, module))) {
    const list = listLoopAround(node, module);
    const around = list ?? loopAround(node, module) ?? returnsTo(node, module);
    if (around === undefined) return [];
    const isRetry = isAfterLimit(node, around, module);
    if (isRetry && list !== undefined) return [];
    // `setTimeout(resolve, 5000)`, and `sleep(5000)`, which may be the promise's own `setTimeout` by another name.
    return everyKnownWait(ev, second ?? first, { ...timer(around), given: passedIn(around), isRetry, isPause: list !== undefined });
  }
  return helpers.test(name) ? everyKnownWait(ev, first?.kind === 'function' ? second : args.find(isCounted), timer(node, args)) : [];
}

/** Of all that wait in the same loop. */
const passed = new WeakMap<Node, readonly Expression[]>();

/** `await Promise.all(list.map(send))`: what is given to others to be called. */
function passedIn(around: Node): readonly Expression[] {
  const known = passed.get(around);
  if (known !== undefined) return known;
  const found: Expression[] = [];
  walk(around, (each) => void (each.kind === 'call' && found.push(...argsOf(each).filter(isReference))));
  passed.set(around, found);
  return found;
}

const isCounted = ({ kind }: Expression): boolean => kind === 'literal' || kind === 'binary' || kind === 'name';

const isOfAlarms = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && (callee.object.kind === 'member' ? callee.object.property : calledAs(callee.object)) === 'alarms';

const calledAs = (node: Expression): string | undefined => (node.kind === 'name' ? node.name : undefined);

/** `chrome.alarms.create('texts', { periodInMinutes: 1 })` of extensions, and each function that listens for alarms. */
function ofAlarm(ev: Evaluation, node: CallNode, module: SourceModule): Timer[] {
  const options = argsOf(node).find((arg) => arg.kind === 'object');
  const period = options?.properties.find((each) => each.kind === 'property' && each.name === 'periodInMinutes');
  const minutes = period?.kind === 'property' ? numberOf(period.value, module) : undefined;
  if (minutes === undefined) return [];
  return [...ev.world.modules.values()].flatMap((each) =>
    each.calls
      .filter(({ callee }) => /\bonAlarm\s*\.\s*addListener$/.test(each.text.slice(callee.start, callee.end)))
      .map((listener) => ({
        node,
        module,
        around: listener,
        runsIn: each,
        given: argsOf(listener).filter(isReference),
        timesPerHour: timesIn(minutes * minuteInMs),
      })),
  );
}

function ofProperty(ev: Evaluation, node: PropertyNode, module: SourceModule): Timer[] {
  const { name = '', value, parent } = node;
  const arrivals = arrivalsOf(node, module);
  if (arrivals !== undefined) return [{ node, module, given: [], ...arrivals }];
  if (isRepeat(node)) return workOn(ev, module).flatMap((work) => everyTime(ev, node, module, work));
  if (name === 'backoff' || name === 'delay') return again(ev, node, module);
  const isSchedule = scheduleNames.test(name);
  const isGiven = givenIntervals.test(name);
  if (!isSchedule && !isGiven && !intervals.test(name)) return [];
  const call = callAround(node);
  const beside = parent?.kind === 'object' ? parent.properties.flatMap((each) => (each.kind === 'property' ? each : [])) : [];
  // What is called an interval may be anything, but for what is given functions to ask with, more than a few times: in options of options it is sent, as in a query.
  const isOption = call?.args.some((arg) => arg === parent) === true;
  if (isGiven && (!isOption || beside.some((each) => tries.test(each.name ?? '')))) return [];
  const given = [...(call === undefined ? [] : [...(isGiven ? [] : [call.callee]), ...argsOf(call)]), ...beside.map((each) => each.value)];
  // Options by themselves are those of whoever is called in the same file.
  const timer = { node, module, around: call ?? module.tree.program, given: given.filter(isReference) };
  return isSchedule ? [{ ...timer, timesPerHour: timesBy(value, module) }] : everyKnownWait(ev, value, timer);
}

/** By a job's repeat: a wait, or a schedule. */
function everyTime(ev: Evaluation, node: PropertyNode, module: SourceModule, work: Work): Timer[] {
  const timer = { node, module, around: work.node, runsIn: work.module, given: work.given };
  return node.name === 'every' ? everyKnownWait(ev, node.value, timer) : [{ ...timer, timesPerHour: timesBy(node.value, module) }];
}

/** By jobs that are tried again after a while, or put back for later: each time they ask whether something is so. */
const again = (ev: Evaluation, node: PropertyNode, module: SourceModule): Timer[] =>
  workOn(ev, module).flatMap((work) => {
    const wait = isPutBack(node, work, module) ? node.value : waitOfRetries(node, module);
    return everyKnownWait(ev, wait, { node, module, around: work.node, runsIn: work.module, given: work.given, isReading: true });
  });

const tries = /^(?:times|tries|retries|attempts|max\w*(?:tries|attempts))$/i;

/** `@Cron('* * * * *')`, `@Interval(10_000)`. */
const ofMethod = (ev: Evaluation, member: MemberDeclaration, module: SourceModule): Timer[] =>
  member.decorators.flatMap((node): Timer[] => {
    const name = node.kind === 'call' ? calledBy(node) : undefined;
    if (node.kind !== 'call') return [];
    const timer = { node, module, around: member, given: [] };
    if (name === 'Cron') return [{ ...timer, timesPerHour: Math.max(0, ...argsOf(node).map((arg) => timesBy(arg, module))) }];
    return name === 'Interval' ? everyKnownWait(ev, argsOf(node).at(-1), timer) : [];
  });

/** By a schedule as cron has it, or as Nest calls it: `CronExpression.EVERY_10_SECONDS`. */
function timesBy(when: Expression, module: SourceModule): number {
  const owner = when.kind === 'name' ? module.scopes.bindingOf(when)?.owner : undefined;
  const written = owner?.kind === 'variable' ? owner.init : when;
  if (written?.kind === 'string') return runsPerHour(written.value);
  if (written?.kind === 'object') return timesByFields(written);
  const [, count = '1', unit] = /^EVERY_(?:(\d+)_)?(SECOND|MINUTE)S?$/.exec((written?.kind === 'member' && written.property) || '') ?? [];
  return unit === undefined ? 0 : (unit === 'SECOND' ? hourInMs / 1000 : hourInMs / minuteInMs) / Number(count);
}

/** `Deno.cron(name, { minute: { every: 5 } }, run)`: a number, a list of these, or steps; without it once in each hour that is said, or any minute. */
function timesByFields(when: ObjectNode): number {
  const minute = when.properties.find((each) => each.kind === 'property' && each.name === 'minute');
  if (minute?.kind !== 'property') return when.properties.length === 0 ? hourInMs / minuteInMs : 0;
  const { value } = minute;
  if (value.kind === 'literal') return 1;
  if (value.kind === 'array') return value.elements.length;
  const every = value.kind === 'object' ? value.properties.find((each) => each.kind === 'property' && each.name === 'every') : undefined;
  const step = every?.kind === 'property' && every.value.kind === 'literal' ? Number(every.value.value) : 0;
  return step > 0 ? Math.ceil(hourInMs / minuteInMs / step) : 0;
}

export const isReference = ({ kind }: Expression): boolean => kind === 'name' || kind === 'member';

export const calledBy = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : undefined;

export const argsOf = ({ args }: CallNode): Expression[] => args.flatMap((arg) => (arg.kind === 'spread' ? [] : [arg]));

/** The call that is given the options: within it, and in no function on the way. */
function callAround(node: Node): CallNode | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && at.kind !== 'call') at = at.kind === 'function' ? undefined : at.parent;
  return at;
}
