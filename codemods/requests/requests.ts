/** Every request of a component, once for each way through its callers, with URL, method and headers as far as they are known. */
import type { Node } from '../syntax/tree.ts';
import type { Caller } from '../evaluate/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Place } from '../evaluate/budget.ts';
import { isScript } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { besideArrivals } from './forwarded-headers.ts';
import { isPassedBy, isWithheld } from './guarded-headers.ts';
import { madeBySink, type Sink } from './sinks.ts';
import type { CallGraph } from './call-graph.ts';
import { concatenated, urlPart } from '../evaluate/text.ts';
import { isLeftToDefault } from '../evaluate/operators.ts';
import { isNotComeTo, methodsAt } from './asked-methods.ts';
import {
  type Entry,
  type Frame,
  type HttpValue,
  type Mock,
  type ObjectValue,
  optionsOf,
  type Part,
  partsOf,
  plainText,
  type Value,
  after,
} from '../evaluate/values.ts';
import { choosesRow, isExported, isOfRow, leftToDefaults, withoutCallers } from './left-to-default.ts';
import { Frames, passedBy, type Owner, type Step } from './call-paths.ts';
import { withMutations } from './additions.ts';
import { isRowTaken, mayMeet } from './items.ts';
import { areOfOneInstance } from './of-one-instance.ts';
import { areOfOneMaker, Makers, waysBy, withCallers } from './makers.ts';
import { whoAsk } from './looked-at.ts';
import { openOwner } from './open-owner.ts';
import { addressOf } from './addresses.ts';
import { headersOf } from '../evaluate/writes.ts';

/** More ways than this through one request are not followed. */
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

export interface Request {
  /** The call, or what describes the request. */
  readonly call: Node;
  readonly module: SourceText;
  readonly client: string;
  /** What its client was made from: see `HttpValue`. */
  readonly origins: HttpValue['origins'];
  readonly isMock: boolean;
  /** Whether a mock gets it that a test hands to the program: nothing is sent. */
  readonly isAnswered?: boolean;
  /** Whether those who are seen to call a wrapper do not come to it: they give another method. */
  readonly isPassed?: boolean;
  /** Whether it is what is left where nobody sets the variable that it begins with: nobody is asked. */
  readonly isUnset?: boolean;
  readonly expects: Mock['expects'];
  readonly isOfAll?: Mock['isOfAll'];
  readonly cacheKey?: Mock['cacheKey'];
  /** The text that an expectation repeats. */
  readonly echoes: readonly Part[];
  /** What the client was made from whose requests a mock recorded, where that is one. */
  readonly recordedOf: HttpValue['origins'];
  /** Which of the calls that a mock recorded an expectation is about. */
  readonly record?: Mock['record'];
  readonly kept?: Mock['kept'];
  /** One alternative of the URL; undefined where nothing says where it goes. */
  readonly url: readonly Part[] | undefined;
  /** Upper case; undefined where it is not known, or not given. */
  readonly method: string | undefined;
  /** Whether one is given that is only known at run time. */
  readonly hasOpenMethod: boolean;
  readonly headers: readonly Entry[];
  /** What takes a header away again, with those that are put in after that. */
  readonly takings: readonly { readonly entry: Entry; readonly after: readonly Entry[] }[];
  /** Beginnings of our URLs that have to move with it. */
  readonly prefixes: readonly (readonly Part[])[];
  /** Stands for all requests below its URL. */
  readonly isPrefix: boolean;
  /** The proxies that pass it on. */
  readonly through?: readonly Request[];
  /** What it asks of the program's own server, where these are. */
  readonly asked?: readonly Part[];
  /** What is asked of the program's own server below this path is passed on to the URL. */
  readonly mount: { readonly path: readonly Part[]; readonly isCut: boolean; readonly server?: Node | undefined } | undefined;
  /** Headers that are not known. */
  readonly unknownHeaders: readonly Value[];
  /** The calls that lead here, the nearest first. */
  readonly callers: readonly Caller[];
  /** Whether nobody was seen to call some function on the way. */
  readonly isOpen: boolean;
  /** Whether those who call some function on the way were too many to be followed: any of them may ask otherwise. */
  readonly isCut: boolean;
  /** Where most was spent, where it was too much to find out all that it may be. */
  readonly expensive?: Place;
  /** What nobody is seen to ask: others may, by a default or by another row of a table. It counts where it is ours, or another's whose host they choose, and not where the key is theirs to give. */
  readonly byOthers?: { readonly choosesHost: boolean; readonly givesHeaders: boolean };
  /** On a way that only tests are seen to go, and others may go, too: nobody sees what these hand in. */
  readonly isBesideTests?: boolean;
}

/** The alternatives of one call on one way to it have it in common. */
export const wayOf = ({ call, module, callers }: Request): string =>
  [{ node: call, module }, ...callers].map(({ node, module: { file } }) => `${file} ${node.start}`).join();

/** A request of which no more is known than where it stands. */
export const bareRequest = (call: Node, module: SourceText, client: string): Request => ({
  call,
  module,
  client,
  origins: [],
  isMock: false,
  expects: undefined,
  echoes: [],
  recordedOf: [],
  url: undefined,
  method: undefined,
  hasOpenMethod: false,
  headers: [],
  takings: [],
  prefixes: [],
  isPrefix: false,
  mount: undefined,
  unknownHeaders: [],
  callers: [],
  isOpen: false,
  isCut: false,
});

/** What is asked at one place, of which the part that may take much is left to be done later. */
export interface Begun {
  /** What was found so far. */
  readonly requests: readonly Request[];
  /** Whether the rest takes much. */
  readonly isDear: boolean;
  finish(): Request[];
}

/** @param sink one request of the call graph */
export function requestsOf(ev: Evaluation, found: CallGraph, sink: Sink): Begun {
  const begun = seenAt(ev, found, sink);
  return {
    ...begun,
    finish: () => {
      const seen = begun.finish();
      const others = leftToDefaults(askedByOthers(ev, found, sink, seen), seen).filter(isSaid);
      return [
        ...seen,
        ...others.map((each) => ({ ...each, byOthers: { choosesHost: false, givesHeaders: each.unknownHeaders.length > 0 } })),
      ];
    },
  };
}

/** What those ask who take an exported function or class that has defaults: nobody else is seen to leave something to these. */
function askedByOthers(ev: Evaluation, found: CallGraph, sink: Sink, seen: readonly Request[]): Request[] {
  const calls = new Set([sink.call, ...seen.flatMap(({ callers }) => callers.map(({ node }) => node))]);
  return withoutCallers(ev, found, calls).flatMap((graph) => {
    const { cuts } = ev.budget;
    const asked = seenAt(ev, graph, sink).finish();
    if (ev.budget.cuts === cuts) return asked;
    ev.budget.restore(cuts);
    return [];
  });
}

/** On each call path; where these are too many, with one for all who make a client. */
function seenAt(ev: Evaluation, found: CallGraph, sink: Sink): Begun {
  const { cuts } = ev.budget;
  const few = followed(ev, found, sink, 'few');
  const isWhole = ev.budget.cuts === cuts;
  ev.budget.restore(cuts);
  const finish = (): Request[] => {
    const begin = ev.budget.cuts;
    const joined = few.isCut ? followed(ev, found, sink, new Makers(ev)) : few;
    if (few.isCut && !joined.isCut && ev.budget.cuts === begin) return joined.requests;
    if (!isWhole) ev.budget.cut();
    return few.isGivenUp === true ? followed(ev, found, sink).requests : few.requests;
  };
  return { requests: few.requests, isDear: few.isCut, finish };
}

interface Followed {
  readonly requests: Request[];
  /** Whether there are others. */
  readonly isCut: boolean;
  /** Whether it was left for those who make a client to be joined. */
  readonly isGivenUp?: boolean;
}

/** @param makers those who make a client are not told apart; `few`: they are, where that is not too much */
function followed(ev: Evaluation, found: CallGraph, sink: Sink, makers?: Makers | 'few'): Followed {
  const requests: Request[] = [];
  // On ways that only tests are seen to go, but that others may go, too.
  const besideTests: Request[] = [];
  const frames = new Frames(ev, found.callers);
  // Functions that others may ask for any row of a table, beside those rows that are seen to be asked for.
  const choosing = new Set<Owner>();
  const waiting: Step[][] = [[]];
  const begin = ev.budget.spent;
  const stepsEach = makers instanceof Makers ? maxStepsEachJoined : maxStepsEach;
  let isCutShort = false;
  let isMultiplied = false;
  let paths = 0;
  for (let steps = waiting.pop(); steps !== undefined; steps = waiting.pop()) {
    const isTooMuch = ev.budget.spent - begin > maxSteps + ++paths * stepsEach || requests.length > maxRequests;
    const isLast = paths > maxContexts || isTooMuch || ev.budget.isSpent({ node: sink.call, module: sink.module });
    if (isMultiplied && ev.budget.spent - begin > maxStepsApart) return { requests, isCut: true, isGivenUp: true };
    if (isTooMuch) {
      // Of what is found this one is the last, and with it all say that there are others.
      ev.budget.cut();
      waiting.length = 0;
    }
    const handed = passedBy(ev, steps, frames);
    if (handed === undefined) continue;
    const frame = frames.of(steps);
    const values = optionsOf(madeBySink(ev, sink, frame));
    const made = values.filter(
      (value): value is HttpValue => value.type === 'http' && (value.node === sink.call || isDescription(sink.call)),
    );
    const owners = new Set(handed);
    for (const value of values) if (value.type === 'param') owners.add(value.owner);
    const open = openOwner(ev, found, made, sink, { steps, frame, frames }, owners);
    const isCut = open !== undefined && (isLast || steps.length >= maxPathDepth);
    isCutShort ||= isTooMuch || (isCut && isLast) || (makers instanceof Makers && values.some(({ why }) => why === 'too many'));
    if (open === undefined || isCut) {
      // What a function was made by may only be known with who calls it.
      if (!steps.every(({ owner, caller }) => frames.isMadeBy(owner, caller, steps))) continue;
      const isOpen =
        isCut ||
        steps.some(({ owner, caller }) => caller === undefined && !found.escapingCallbacks.has(owner) && !frames.isRunByContainer(owner));
      const isBeside = steps.some(({ owner, caller }) => caller === undefined && frames.isOnlyTested(owner));
      const into = isBeside ? besideTests : requests;
      const isByOthers = steps.some(({ owner, caller }) => caller === undefined && choosing.has(owner));
      const asked = made.flatMap((each) => described(ev, found, each, sink, { steps, frame }, { isOpen, isCut }));
      const chosen = (each: Request): Request => ({
        ...each,
        hasOpenMethod: false,
        byOthers: { choosesHost: isOfRow(each.url?.[0]?.provenance), givesHeaders: false },
      });
      into.push(...(isByOthers ? asked.filter(isSaid).map(chosen) : asked));
      continue;
    }
    const callers = new Set(frames.callersOf(open, steps));
    const isFirst = !steps.some(({ owner }) => owner === open);
    if (isFirst && (found.escapingCallbacks.has(open) || frames.isOnlyTested(open))) callers.add(undefined);
    else if (isFirst && !callers.has(undefined) && isExported(ev.world, open) && made.some(choosesRow(open))) {
      choosing.add(open);
      callers.add(undefined);
    }
    const asking = whoAsk(callers, open, sink.call, steps);
    const ways = makers === 'few' ? waysBy(asking, steps, found.callers) : 0;
    if (ways > maxContexts) return { requests, isCut: true, isGivenUp: true };
    isMultiplied ||= ways > 1;
    const next = makers instanceof Makers ? makers.joined(asking) : asking;
    for (const caller of next) waiting.push(frames.withStep(steps, { owner: open, caller }));
  }
  const beside = besideTests.map((each) => (requests.length === 0 || isSaid(each) ? each : { ...each, isBesideTests: true }));
  return { requests: [...requests, ...beside], isCut: isCutShort };
}

/** Whether something says where a request goes: a default, as a rule. */
const isSaid = ({ url: [first] = [] }: Request): boolean => first !== undefined && 'text' in first;

/** Describes any number of requests, each at its own place. */
const isDescription = ({ kind }: Node): boolean => kind === 'property' || kind === 'program';

function described(
  ev: Evaluation,
  found: CallGraph,
  http: HttpValue,
  { call, module }: Sink,
  { steps, frame }: { readonly steps: readonly Step[]; readonly frame: Frame | undefined },
  ends: Pick<Request, 'isOpen' | 'isCut'>,
): Request[] {
  const isPassed = frame !== undefined && isScript(module) && isNotComeTo(ev, call, { module, frame });
  const { base, headers, moved, prefixes } = withMutations(ev, found, http, frame);
  const joined = addressOf(base, http);
  const whole = moved === undefined || joined === undefined ? joined : concatenated([moved, urlPart(joined, 'path') ?? joined]);
  const urls = whole === undefined ? [undefined] : optionsOf(whole).map(partsOf);
  const entries: Entry[] = [];
  const objects: ObjectValue[] = [];
  const givenBy = new Map<Entry, Node>();
  const unknownHeaders: Value[] = [];
  const asPut = besideArrivals(headers, ev);
  for (const value of headers) {
    for (const option of optionsOf(value)) {
      const object = headersOf(option);
      if (object === undefined) {
        if (option.type !== 'literal') unknownHeaders.push(option);
        continue;
      }
      objects.push(object);
      const given = object.entries.filter(({ isGone }) => isGone !== true);
      for (const entry of given) {
        const own = after(http.mock === undefined ? asPut(entry, value, object) : entry, object.provenance);
        entries.push(own);
        givenBy.set(own, object.node);
      }
      unknownHeaders.push(...object.unknown);
    }
  }
  const mayHave = (url: readonly Part[] | undefined, other: Parameters<typeof mayMeet>[1]): boolean =>
    urls.length === 1 || url === undefined || mayMeet(url, other);
  const { isElsewhere = () => false } = found;
  const isGiven = (url: readonly Part[] | undefined, entry: Entry): boolean =>
    url === undefined || !isElsewhere(url) || !isWithheld({ ev, url, frame }, { entry, by: givenBy.get(entry) ?? call });
  const given: readonly (Value | string | undefined)[] = typeof http.method === 'object' ? optionsOf(http.method) : [http.method];
  const methods = given.flatMap((method) => {
    const name = typeof method === 'object' ? plainText(method) : method;
    const hasOpenMethod = typeof method === 'object' && name === undefined && isOpenMethod(method, given);
    const value = typeof method === 'object' ? method : undefined;
    const asked = hasOpenMethod && value !== undefined ? methodsAt(ev, call, value, { module, frame }) : undefined;
    return (asked ?? [name]).map((each) => ({ method: each?.toUpperCase(), hasOpenMethod: hasOpenMethod && asked === undefined, value }));
  });
  const isAsked = (url: readonly Part[] | undefined): boolean =>
    url === undefined || !isScript(module) || !isPassedBy({ ev, url, frame }, call, module);
  const asked = withCallers(steps, http, urls)
    .map((each) => ({ ...each, url: each.url?.map((part) => after(part, http.provenance)) }))
    .filter(({ url }) => isAsked(url));
  return asked.flatMap(({ url, callers }) =>
    methods
      .filter(({ value }) => value === undefined || mayHave(url, value.type === 'text' ? partsOf(value) : value))
      .map(({ method, hasOpenMethod }) => ({
        call: isDescription(call) ? http.node : call,
        module,
        client: http.client,
        origins: http.origins,
        isMock: http.mock !== undefined,
        ...(http.isAnswered === true && { isAnswered: true }),
        ...(isPassed && { isPassed }),
        expects: http.mock?.expects,
        ...(http.mock?.isOfAll === true && { isOfAll: true }),
        ...(http.mock?.cacheKey !== undefined && { cacheKey: http.mock.cacheKey }),
        echoes: http.mock?.echoes === undefined ? [] : partsOf(http.mock.echoes),
        recordedOf: http.mock?.recordedOf ?? [],
        ...(http.mock?.record !== undefined && { record: http.mock.record }),
        ...(http.mock?.kept !== undefined && { kept: http.mock.kept }),
        url,
        method,
        hasOpenMethod,
        headers: entries.filter(
          (entry) =>
            (mayHave(url, entry) || isRowTaken(ev, entry)) &&
            areOfOneInstance(ev, url ?? [], entry) &&
            areOfOneMaker(steps, url ?? [], entry) &&
            isGiven(url, entry),
        ),
        takings: takingsOf(objects),
        prefixes: [...prefixes, ...(http.proxy?.hosts ?? [])].flatMap((value) => optionsOf(value).map(partsOf)),
        isPrefix: http.proxy !== undefined,
        mount: http.proxy?.mount === undefined ? undefined : { ...http.proxy, path: partsOf(http.proxy.mount) },
        unknownHeaders,
        callers,
        ...ends,
      })),
  );
}

/** What a hook does comes after all headers that are given elsewhere. */
function takingsOf(objects: readonly ObjectValue[]): Request['takings'] {
  return objects.flatMap(({ node, entries }, index) =>
    entries.flatMap((entry, at) => {
      if (entry.isGone !== true) return [];
      const later = node.kind === 'function' ? [] : objects.slice(index + 1).flatMap((object) => object.entries);
      return { entry, after: [...entries.slice(at + 1), ...later] };
    }),
  );
}

/** Whether a method is given that nobody can tell, and no default speaks for it. */
function isOpenMethod(method: Value, all: readonly (Value | string | undefined)[]): boolean {
  if (method.why === 'absent' || method.type === 'literal') return false;
  return !isLeftToDefault(method) || !all.some((each) => typeof each === 'object' && plainText(each) !== undefined);
}
