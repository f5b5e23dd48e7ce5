/** What is asked at the end of a call path: each alternative of the address, with the headers and the method that go with it. */
import { isAuthorization, isKeyHeader } from '../../src/contract/auth.ts';
import type { Node } from '../syntax/tree.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { isScript } from '../evaluate/module.ts';
import { concatenated, urlPart } from '../evaluate/values/text.ts';
import { isLeftToDefault } from '../evaluate/language/or-default.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import {
  type Entry,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  partsOf,
  plainText,
  type Value,
  after,
} from '../evaluate/values/values.ts';
import { headersOf } from '../evaluate/writes/writes.ts';
import { withMutations } from './additions.ts';
import { addressOf } from './addresses.ts';
import { isPassedBeside, methodsAt } from './asked-methods.ts';
import type { CallGraph } from './call-graph.ts';
import type { Step } from './call-paths.ts';
import { besideArrivals } from './forwarded-headers.ts';
import { isPassedBy, isWithheld } from './guarded-headers.ts';
import { isRowTaken, mayMeet } from './items.ts';
import { isLeftOut } from './left-out.ts';
import { areOfOneMaker, withCallers } from './makers.ts';
import { areOfOneInstance } from './of-one-instance.ts';
import type { Request } from './requests.ts';
import type { Sink } from './sinks.ts';

/** Describes any number of requests, each at its own place. */
export const isDescription = ({ kind }: Node): boolean => kind === 'property' || kind === 'program';

type Url = Request['url'];

export function described(
  ev: Evaluation,
  found: CallGraph,
  http: HttpValue,
  { call, module }: Sink,
  { steps, frame }: { readonly steps: readonly Step[]; readonly frame: Frame | undefined },
  ends: Pick<Request, 'isOpen' | 'isCut'>,
): Request[] {
  const isPassed = frame !== undefined && isScript(module) && isPassedBeside(ev, call, { module, frame });
  const { base, headers, moved, prefixes } = withMutations(ev, found, http, frame);
  const urls = urlsOf(addressOf(base, http), moved);
  const { entries, givenBy, objects, unknownHeaders } = givenHeaders(ev, headers, http, frame);
  const methods = methodsOf(ev, http, call, { module, frame });
  const mayHave = (url: Url, other: Parameters<typeof mayMeet>[1]): boolean =>
    urls.length === 1 || url === undefined || mayMeet(url, other);
  const { isElsewhere = () => false } = found;
  const isGiven = (url: Url, entry: Entry): boolean =>
    url === undefined || !isElsewhere(url) || !isWithheld({ ev, url, frame }, { entry, by: givenBy.get(entry) ?? call });
  const isSent = (url: Url, entry: Entry): boolean =>
    (mayHave(url, entry) || isRowTaken(ev, entry)) &&
    areOfOneInstance(ev, url ?? [], entry) &&
    areOfOneMaker(steps, url ?? [], entry) &&
    isGiven(url, entry);
  const isAsked = (url: Url): boolean => url === undefined || !isScript(module) || !isPassedBy({ ev, url, frame }, call, module);
  const asked = withCallers(steps, http, urls)
    .map((each) => ({ ...each, url: each.url?.map((part) => after(part, http.provenance)) }))
    .filter(({ url }) => isAsked(url));
  return asked.flatMap(({ url, callers }) =>
    methods
      .filter(({ value }) => value === undefined || mayHave(url, value.type === 'text' ? partsOf(value) : value))
      .map(({ method, hasOpenMethod }) => ({
        call: isDescription(call) ? http.node : call,
        module,
        ...madeBy(http, prefixes),
        ...(isPassed && { isPassed }),
        url,
        method,
        hasOpenMethod,
        headers: entries.filter((entry) => isSent(url, entry)),
        takings: takingsOf(objects),
        unknownHeaders,
        callers,
        ...ends,
      })),
  );
}

/** All that may be asked for; one that nobody knows where nothing says what. */
function urlsOf(joined: Value | undefined, moved: Value | undefined): readonly Url[] {
  const whole = moved === undefined || joined === undefined ? joined : concatenated([moved, urlPart(joined, 'path') ?? joined]);
  // Where an address is missing, nothing is asked of anybody.
  const addresses = whole === undefined ? [] : optionsOf(whole).filter(({ why }) => why !== 'absent');
  return addresses.length === 0 ? [whole && partsOf(whole)] : addresses.map(partsOf);
}

/** What stands in headers, with what each of them is given by. */
function givenHeaders(ev: Evaluation, headers: readonly Value[], http: HttpValue, frame: Frame | undefined) {
  const entries: Entry[] = [];
  const objects: ObjectValue[] = [];
  const givenBy = new Map<Entry, Node>();
  const unknownHeaders: Value[] = [];
  const asPut = besideArrivals(headers, ev);
  const isPut = ({ name, node, module: own }: Entry): boolean =>
    name === undefined || !(isKeyHeader(name) || isAuthorization(name)) || !isScript(own) || !isLeftOut(ev, node, own, http, frame);
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
        if (http.mock === undefined && !isPut(entry)) continue;
        const own = after(http.mock === undefined ? asPut(entry, value, object) : entry, object.provenance);
        entries.push(own);
        givenBy.set(own, object.node);
      }
      unknownHeaders.push(...object.unknown);
    }
  }
  return { entries, givenBy, objects, unknownHeaders };
}

/** The methods that a request may have, each with what it is read from. */
function methodsOf(ev: Evaluation, { method: all }: HttpValue, call: Node, at: At) {
  const given: readonly (Value | string | undefined)[] = typeof all === 'object' ? optionsOf(all) : [all];
  return given.flatMap((method) => {
    const name = typeof method === 'object' ? plainText(method) : method;
    const hasOpenMethod = typeof method === 'object' && name === undefined && isOpenMethod(method, given);
    const value = typeof method === 'object' ? method : undefined;
    const asked = hasOpenMethod && value !== undefined ? methodsAt(ev, call, value, at) : undefined;
    return (asked ?? [name]).map((each) => ({ method: each?.toUpperCase(), hasOpenMethod: hasOpenMethod && asked === undefined, value }));
  });
}

/** What is the same of a request whatever it asks for: its client, and what a mock or a proxy has beside. */
const madeBy = ({ client, origins, isAnswered, mock, proxy }: HttpValue, prefixes: readonly Value[]) => ({
  client,
  origins,
  isMock: mock !== undefined,
  ...(isAnswered === true && { isAnswered: true }),
  expects: mock?.expects,
  ...(mock?.isOfAll === true && { isOfAll: true }),
  ...(mock?.isWhole === true && { isWhole: true }),
  ...(mock?.cacheKey !== undefined && { cacheKey: mock.cacheKey }),
  echoes: mock?.echoes === undefined ? [] : partsOf(mock.echoes),
  ...(mock?.recordedOf !== undefined && { recordedOf: mock.recordedOf }),
  ...(mock?.recordedBy !== undefined && { recordedBy: mock.recordedBy }),
  ...(mock?.record !== undefined && { record: mock.record }),
  ...(mock?.kept !== undefined && { kept: mock.kept }),
  ...(mock?.denies !== undefined && { denies: mock.denies }),
  prefixes: [...prefixes, ...(proxy?.hosts ?? [])].flatMap((value) => optionsOf(value).map(partsOf)),
  isPrefix: proxy !== undefined,
  mount: proxy?.mount === undefined ? undefined : { ...proxy, path: partsOf(proxy.mount) },
});

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
