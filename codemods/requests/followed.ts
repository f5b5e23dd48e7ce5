/** The call paths to a request, followed to where all that it hangs on is known. */
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { type HttpValue, optionsOf } from '../evaluate/values/values.ts';
import type { CallGraph } from './call-graph.ts';
import { type Frames, passedBy, type Owner, type Step } from './call-paths.ts';
import { described, isDescription } from './described.ts';
import { choosesRow, isExported, isOfRow } from './left-to-default.ts';
import { whoAsk } from './looked-at.ts';
import { beginOwner, decidesClientAlone, isConstructor, Makers, waysBy } from './makers.ts';
import { openOwner, ownMethod } from './open-owner.ts';
import type { Request } from './requests.ts';
import { madeBySink, type Sink } from './sinks.ts';
import { unasked } from './unasked-makers.ts';

/** More ways than this through one request are not followed, beside one for each call on them: only where several lead on to several are there more. */
const maxContexts = 400;
const maxPathDepth = 12;
/** Nor more than so many requests by one call: each way may choose between any number of addresses. */
const maxRequests = 2_000;
/** Nor when they take more steps than this, and than so many each: paths through wrappers take some dozens. */
const maxSteps = 5_000;
const maxStepsEach = 90;
/** Those who make a client are told apart while that takes no more than this. */
const maxStepsApart = 10_000;
/** Where those who make a client are not told apart, there are as many call paths as its methods have callers, and each may take more. */
const maxStepsEachJoined = 500;

interface Followed {
  readonly requests: Request[];
  /** Whether there are others. */
  readonly isCut: boolean;
  /** Whether it was left for those who make a client to be joined. */
  readonly isGivenUp?: boolean;
}

interface Path {
  readonly steps: Step[];
  /** Whether it is only asked where a client asks that somebody makes, and not what: see `unasked`. */
  readonly isOfMaker?: true;
}

/** @param makers those who make a client are not told apart; `few`: they are, where that is not too much */
export function followed(ev: Evaluation, found: CallGraph, sink: Sink, frames: Frames, makers?: Makers | 'few'): Followed {
  const requests: Request[] = [];
  // On ways that only tests are seen to go, but that others may go, too.
  const besideTests: Request[] = [];
  const ofMakers: Request[] = [];
  // Functions that others may ask for any row of a table, beside those rows that are seen to be asked for.
  const choosing = new Set<Owner>();
  // Constructors of which all that make an instance are asked for by themselves.
  const toMakers = new Set<Owner>();
  const isOfSeveralMakers = (owner: Owner): boolean => isConstructor(owner) && (found.callers.get(owner)?.length ?? 0) > 1;
  const waiting: Path[] = [{ steps: [] }];
  const begin = ev.budget.spent;
  const isJoined = makers instanceof Makers;
  const stepsEach = isJoined ? maxStepsEachJoined : maxStepsEach;
  let isCutShort = false;
  let isMultiplied = false;
  let isGivenUp = false;
  // Those that lead where they say, and those of them that come to their end.
  let [paths, ends] = [1, 0];
  const called = new Set<Owner>();
  let calls = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { steps, isOfMaker } = path;
    const isTooMuch = ev.budget.spent - begin > maxSteps + paths * stepsEach || requests.length > maxRequests + calls;
    // Between what stands for all who make a client and its methods there is many a call.
    const isLast =
      (isJoined ? ends : paths) > maxContexts + calls || isTooMuch || ev.budget.isSpent({ node: sink.call, module: sink.module });
    if (isMultiplied && ev.budget.spent - begin > maxStepsApart) return { requests, isCut: true, isGivenUp: true };
    if (isTooMuch) {
      // Of what is found this one is the last, and with it all say that there are others.
      ev.budget.cut();
      waiting.length = 0;
    }
    const handed = passedBy(ev, steps, frames);
    if (handed === undefined) continue;
    paths++;
    const frame = frames.of(steps);
    const values = optionsOf(madeBySink(ev, sink, frame));
    const made = values.filter(
      (value): value is HttpValue => value.type === 'http' && (value.node === sink.call || isDescription(sink.call)),
    );
    const owners = new Set(handed);
    for (const value of values) if (value.type === 'param') owners.add(value.owner);
    const nearest = openOwner(ev, found, made, sink, { steps, frame, frames }, owners);
    const open = isOfMaker === true ? beginOwner(made, steps) : nearest;
    const isCut = open !== undefined && (isLast || steps.length >= maxPathDepth);
    isCutShort ||= isTooMuch || (isCut && isLast) || (isJoined && values.some(({ why }) => why === 'too many'));
    if (open === undefined || isCut) {
      ends++;
      // What a function was made by may only be known with who calls it.
      if (!steps.every(({ owner, caller }) => frames.isMadeBy(owner, caller, steps))) continue;
      const isOpen =
        isCut ||
        steps.some(({ owner, caller }) => caller === undefined && !found.escapingCallbacks.has(owner) && !frames.isRunByContainer(owner));
      const isBeside = steps.some(({ owner, caller }) => caller === undefined && frames.isOnlyTested(owner));
      const into = isOfMaker === true ? ofMakers : isBeside ? besideTests : requests;
      const isByOthers = steps.some(({ owner, caller }) => caller === undefined && choosing.has(owner));
      const asked = made.flatMap((each) => described(ev, found, each, sink, { steps, frame }, { isOpen, isCut }));
      into.push(...(isByOthers ? asked.filter(isSaid).map(chosen) : asked));
      continue;
    }
    const callersAt = (owner: Owner): Set<Caller | undefined> => {
      const callers = new Set(frames.callersOf(owner, steps));
      if (!called.has(owner)) calls += callers.size;
      called.add(owner);
      const isFirst = !steps.some((step) => step.owner === owner);
      if (isFirst && (found.escapingCallbacks.has(owner) || frames.isOnlyTested(owner))) callers.add(undefined);
      else if (isFirst && !callers.has(undefined) && isExported(ev.world, owner) && made.some(choosesRow(owner))) {
        choosing.add(owner);
        callers.add(undefined);
      }
      return callers;
    };
    const goOn = (owner: Owner, isToMaker = isOfMaker): void => {
      const asking = whoAsk(ev, callersAt(owner), owner, sink.call, steps);
      const isMade = makers !== undefined && decidesClientAlone(owner, made);
      const ways = makers === 'few' ? waysBy(asking, steps, found.callers, isMade) : 0;
      isMultiplied ||= ways > 1;
      isGivenUp ||= ways > maxContexts;
      // Who alone calls another one that is open need not be found out with each of these.
      const alone = [...owners].flatMap((other): Step[] => {
        const all = isToMaker === true || other === owner || isConstructor(other) ? [] : [...callersAt(other)];
        return all.length === 1 ? [{ owner: other, caller: all[0] }] : [];
      });
      for (const caller of isJoined ? makers.joined(asking, isMade) : asking) {
        const next = [{ owner, caller }, ...alone].reduce((all, step) => frames.withStep(all, step), steps);
        waiting.push({ steps: next, ...(isToMaker && { isOfMaker: isToMaker }) });
      }
    };
    const method = isJoined && isOfMaker !== true && isOfSeveralMakers(open) ? ownMethod(found, steps, open) : undefined;
    goOn(method ?? open);
    if (method !== undefined && !toMakers.has(open)) {
      toMakers.add(open);
      goOn(open, true);
    }
    if (isGivenUp) return { requests, isCut: true, isGivenUp };
  }
  const beside = besideTests.map((each) => (requests.length === 0 || isSaid(each) ? each : { ...each, isBesideTests: true }));
  return { requests: [...requests, ...beside, ...unasked(ofMakers, [...requests, ...beside])], isCut: isCutShort };
}

/** What whoever chooses another row of a table may ask. */
const chosen = (each: Request): Request => ({
  ...each,
  hasOpenMethod: false,
  byOthers: { choosesHost: isOfRow(each.url?.[0]?.provenance), givesHeaders: false },
});

/** Whether something says where a request goes: a default, as a rule. */
export const isSaid = ({ url: [first] = [] }: Request): boolean => first !== undefined && 'text' in first;
