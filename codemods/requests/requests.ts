/** Every request of a component, once for each way through its callers, with URL, method and headers as far as they are known. */
import type { Node } from '../syntax/tree.ts';
import type { Caller } from '../evaluate/calls/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Place } from '../evaluate/budget.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Sink } from './sinks.ts';
import type { CallGraph } from './call-graph.ts';
import type { Entry, HttpValue, Mock, Part, Value } from '../evaluate/values/values.ts';
import { followed, isSaid } from './followed.ts';
import { leftToDefaults, withoutCallers } from './left-to-default.ts';
import { Frames } from './call-paths.ts';
import { Makers } from './makers.ts';

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
  readonly isWhole?: Mock['isWhole'];
  readonly cacheKey?: Mock['cacheKey'];
  /** The text that an expectation repeats. */
  readonly echoes: readonly Part[];
  /** What the client was made from whose requests a mock recorded, where that is one. */
  readonly recordedOf?: Mock['recordedOf'];
  readonly recordedBy?: Mock['recordedBy'];
  /** Which of the calls that a mock recorded an expectation is about. */
  readonly record?: Mock['record'];
  readonly kept?: Mock['kept'];
  readonly denies?: Mock['denies'];
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
  // What was found out on the way to the end of a call path is known again, however far they are followed.
  const frames = new Frames(ev, found.callers);
  const few = followed(ev, found, sink, frames, 'few');
  const isWhole = ev.budget.cuts === cuts;
  ev.budget.restore(cuts);
  const finish = (): Request[] => {
    const begin = ev.budget.cuts;
    const joined = few.isCut ? followed(ev, found, sink, frames, new Makers(ev)) : few;
    if (few.isCut && !joined.isCut && ev.budget.cuts === begin) return joined.requests;
    if (!isWhole) ev.budget.cut();
    return few.isGivenUp === true ? followed(ev, found, sink, frames).requests : few.requests;
  };
  return { requests: few.requests, isDear: few.isCut, finish };
}
