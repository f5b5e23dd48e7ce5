/** The call paths to a request, followed to where all that it hangs on is known. */
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
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

/** A path that was followed to the request, what may be asked there, and the functions whose callers say more of that. */
interface Reached extends Path {
  readonly frame: Frame | undefined;
  readonly made: readonly HttpValue[];
  readonly owners: ReadonlySet<Owner>;
}

/** @param makers those who make a client are not told apart; `few`: they are, where that is not too much */
export const followed = (ev: Evaluation, found: CallGraph, sink: Sink, frames: Frames, makers?: Makers | 'few'): Followed =>
  new Following(ev, found, sink, frames, makers).toTheEnd();

class Following {
  readonly #ev: Evaluation;
  readonly #found: CallGraph;
  readonly #sink: Sink;
  readonly #frames: Frames;
  readonly #makers: Makers | 'few' | undefined;
  readonly #isJoined: boolean;
  readonly #begin: number;
  readonly #requests: Request[] = [];
  /** On ways that only tests are seen to go, but that others may go, too. */
  readonly #besideTests: Request[] = [];
  readonly #ofMakers: Request[] = [];
  /** Functions that others may ask for any row of a table, beside those rows that are seen to be asked for. */
  readonly #choosing = new Set<Owner>();
  /** Constructors of which all that make an instance are asked for by themselves. */
  readonly #toMakers = new Set<Owner>();
  readonly #waiting: Path[] = [{ steps: [] }];
  #isCutShort = false;
  #isMultiplied = false;
  #isGivenUp = false;
  /** Paths that lead where they say, and those of them that come to their end. */
  #paths = 1;
  #ends = 0;
  readonly #called = new Set<Owner>();
  #calls = 0;

  constructor(ev: Evaluation, found: CallGraph, sink: Sink, frames: Frames, makers: Makers | 'few' | undefined) {
    this.#ev = ev;
    this.#found = found;
    this.#sink = sink;
    this.#frames = frames;
    this.#makers = makers;
    this.#isJoined = makers instanceof Makers;
    this.#begin = ev.budget.spent;
  }

  toTheEnd(): Followed {
    const requests = this.#requests;
    for (let path = this.#waiting.pop(); path !== undefined; path = this.#waiting.pop()) {
      const isTooMuch = this.#isTooMuch();
      const isLast = isTooMuch || this.#isLast();
      this.#isGivenUp = this.#isMultiplied && this.#spent() > maxStepsApart;
      if (!this.#isGivenUp) this.#follow(path, isTooMuch, isLast);
      if (this.#isGivenUp) return { requests, isCut: true, isGivenUp: true };
    }
    const beside = this.#besideTests.map((each) => (requests.length === 0 || isSaid(each) ? each : { ...each, isBesideTests: true }));
    return { requests: [...requests, ...beside, ...unasked(this.#ofMakers, [...requests, ...beside])], isCut: this.#isCutShort };
  }

  #spent(): number {
    return this.#ev.budget.spent - this.#begin;
  }

  #isTooMuch(): boolean {
    const stepsEach = this.#isJoined ? maxStepsEachJoined : maxStepsEach;
    return this.#spent() > maxSteps + this.#paths * stepsEach || this.#requests.length > maxRequests + this.#calls;
  }

  #isLast(): boolean {
    // Between what stands for all who make a client and its methods there is many a call.
    const ways = this.#isJoined ? this.#ends : this.#paths;
    return ways > maxContexts + this.#calls || this.#ev.budget.isSpent({ node: this.#sink.call, module: this.#sink.module });
  }

  #follow(path: Path, isTooMuch: boolean, isLast: boolean): void {
    const [ev, found, sink, frames, { steps }] = [this.#ev, this.#found, this.#sink, this.#frames, path];
    if (isTooMuch) {
      // Of what is found this one is the last, and with it all say that there are others.
      ev.budget.cut();
      this.#waiting.length = 0;
    }
    const handed = passedBy(ev, steps, frames);
    if (handed === undefined) return;
    this.#paths++;
    const frame = frames.of(steps);
    const values = optionsOf(madeBySink(ev, sink, frame));
    const made = values.filter(
      (value): value is HttpValue => value.type === 'http' && (value.node === sink.call || isDescription(sink.call)),
    );
    const owners = new Set(handed);
    for (const value of values) if (value.type === 'param') owners.add(value.owner);
    const nearest = openOwner(ev, found, made, sink, { steps, frame, frames }, owners);
    const open = path.isOfMaker === true ? beginOwner(made, steps) : nearest;
    const isCut = open !== undefined && (isLast || steps.length >= maxPathDepth);
    this.#isCutShort ||= isTooMuch || (isCut && isLast) || (this.#isJoined && values.some(({ why }) => why === 'too many'));
    const reached = { ...path, frame, made, owners };
    if (open === undefined || isCut) this.#end(reached, isCut);
    else this.#lead(open, reached);
  }

  #end({ steps, isOfMaker, frame, made }: Reached, isCut: boolean): void {
    const [found, frames] = [this.#found, this.#frames];
    this.#ends++;
    // What a function was made by may only be known with who calls it.
    if (!steps.every(({ owner, caller }) => frames.isMadeBy(owner, caller, steps))) return;
    const uncalled = steps.flatMap(({ owner, caller }) => (caller === undefined ? owner : []));
    const isOpen = isCut || uncalled.some((owner) => !found.escapingCallbacks.has(owner) && !frames.isRunByContainer(owner));
    const isBeside = uncalled.some((owner) => frames.isOnlyTested(owner));
    const into = isOfMaker === true ? this.#ofMakers : isBeside ? this.#besideTests : this.#requests;
    const isByOthers = uncalled.some((owner) => this.#choosing.has(owner));
    const asked = made.flatMap((each) => described(this.#ev, found, each, this.#sink, { steps, frame }, { isOpen, isCut }));
    into.push(...(isByOthers ? asked.filter(isSaid).map(chosen) : asked));
  }

  /** Leads on to those who call a function, and of a constructor, where those who make an instance are joined, to these by themselves. */
  #lead(open: Owner, reached: Reached): void {
    const found = this.#found;
    const isOfSeveralMakers = isConstructor(open) && (found.callers.get(open)?.length ?? 0) > 1;
    const method = this.#isJoined && reached.isOfMaker !== true && isOfSeveralMakers ? ownMethod(found, reached.steps, open) : undefined;
    this.#goOn(method ?? open, reached);
    if (method === undefined || this.#toMakers.has(open)) return;
    this.#toMakers.add(open);
    this.#goOn(open, { ...reached, isOfMaker: true });
  }

  #goOn(owner: Owner, reached: Reached): void {
    const { steps, isOfMaker, made, owners } = reached;
    const makers = this.#makers;
    const asking = whoAsk(this.#ev, this.#callersAt(owner, reached), owner, this.#sink.call, steps);
    const isMade = makers !== undefined && decidesClientAlone(owner, made);
    const ways = makers === 'few' ? waysBy(asking, steps, this.#found.callers, isMade) : 0;
    this.#isMultiplied ||= ways > 1;
    this.#isGivenUp ||= ways > maxContexts;
    // Who alone calls another one that is open need not be found out with each of these.
    const alone = [...owners].flatMap((other): Step[] => {
      const all = isOfMaker === true || other === owner || isConstructor(other) ? [] : [...this.#callersAt(other, reached)];
      return all.length === 1 ? [{ owner: other, caller: all[0] }] : [];
    });
    for (const caller of makers instanceof Makers ? makers.joined(asking, isMade) : asking) {
      const next = [{ owner, caller }, ...alone].reduce((all, step) => this.#frames.withStep(all, step), steps);
      this.#waiting.push({ steps: next, ...(isOfMaker && { isOfMaker }) });
    }
  }

  #callersAt(owner: Owner, { steps, made }: Reached): Set<Caller | undefined> {
    const callers = new Set(this.#frames.callersOf(owner, steps));
    if (!this.#called.has(owner)) this.#calls += callers.size;
    this.#called.add(owner);
    const isFirst = !steps.some((step) => step.owner === owner);
    if (isFirst && (this.#found.escapingCallbacks.has(owner) || this.#frames.isOnlyTested(owner))) callers.add(undefined);
    else if (isFirst && !callers.has(undefined) && isExported(this.#ev.world, owner) && made.some(choosesRow(owner))) {
      this.#choosing.add(owner);
      callers.add(undefined);
    }
    return callers;
  }
}

/** What whoever chooses another row of a table may ask. */
const chosen = (each: Request): Request => ({
  ...each,
  hasOpenMethod: false,
  byOthers: { choosesHost: isOfRow(each.url?.[0]?.provenance), givesHeaders: false },
});

/** Whether something says where a request goes: a default, as a rule. */
export const isSaid = ({ url: [first] = [] }: Request): boolean => first !== undefined && 'text' in first;
