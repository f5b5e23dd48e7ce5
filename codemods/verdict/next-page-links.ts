/**
 * Addresses that an answer gives, such as the next page: what is asked of v2 answers with links into v2, so what follows them goes where
 * the request goes that was answered, with the same key.
 */
import type { Place } from '../evaluate/budget.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { returnsOf } from '../evaluate/calls/returns.ts';
import { flat, literalText, unknownPart } from '../evaluate/values/text.ts';
import { nodesOf } from '../evaluate/values/provenance.ts';
import { optionsOf, partsOf, plainText, type UnknownValue, type Value } from '../evaluate/values/values.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import { envOf } from './bases/environment.ts';
import { type RequestSite, siteOf } from './request-sites.ts';
import { type Bases, matchUrl } from './bases/routes.ts';
import { type Change, urlChanges } from './changes/spans.ts';
import { prefixVerdict } from './verdicts.ts';
import { type Verdict } from './verdict.ts';

/** What goes where an answer says: the request is ours as those are that were answered. */
interface Link {
  readonly target: Pick<Extract<Verdict, { kind: 'ours' }>, 'version' | 'base'>;
  /** The calls that were answered. */
  readonly answered: ReadonlySet<Node>;
}

/** @returns the sites, those that follow a link with the verdict of the requests whose answers give it */
export function withLinks(ev: Evaluation, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const links = new Map<RequestSite, Link>();
  for (const site of sites) {
    const link = linkIn(ev, site, bases);
    if (link !== undefined) links.set(site, link);
  }
  if (links.size === 0) return sites;
  const byCall = Map.groupBy(
    sites.filter(({ request }) => !request.isMock),
    ({ request }) => request.call,
  );
  const answering = (calls: Iterable<Node>): readonly RequestSite[] => {
    const all = new Set(calls);
    // A set that grows while it is walked: the second page is the answer of a call that followed a link itself.
    for (const call of all)
      for (const site of byCall.get(call) ?? []) for (const before of links.get(site)?.answered ?? []) all.add(before);
    return [...all].flatMap((call) => (byCall.get(call) ?? []).filter((site) => !links.has(site) && !isNowhere(site)));
  };
  const inTests = linksInTests(ev, bases);
  return sites.flatMap((site) => {
    const link = links.get(site);
    if (link === undefined) return isNowhere(site) && answering([site.request.call]).length > 0 ? [] : [site];
    const follows = answering(link.answered);
    const [first] = follows;
    if (first !== undefined && follows.every(({ verdict }) => verdict.kind === 'v2')) return [{ ...site, verdict: first.verdict, follows }];
    if (first?.verdict.kind !== 'ours' || !follows.every(({ verdict }) => verdict.kind === 'ours')) return [site];
    const { configured } = first.verdict;
    const found = siteOf(site.request, { kind: 'ours', endpoint: undefined, configured, ...link.target }, bases, undefined);
    return [{ ...found, changes: [...found.changes, ...inTests], follows }];
  });
}

/** The same in what tests have the service answer: `{ data: […], next: 'https://…/v1/contacts?page=2' }`. */
const linksInTests = ({ world }: Evaluation, bases: Bases): Change[] =>
  [...world.modules.values()].filter(isTest).flatMap((module) =>
    module.texts.flatMap((node): readonly Change[] => {
      if (node.kind !== 'string' || !isNamedNext(node)) return [];
      const url = partsOf(literalText(node, module));
      const verdict = prefixVerdict(url, bases);
      return verdict.kind === 'ours' ? urlChanges(url, verdict, bases).changes : [];
    }),
  );

const isNamedNext = ({ parent }: Node): boolean => parent?.kind === 'property' && parent.name !== undefined && next.test(parent.name);

/** An address that an answer gives as a whole, or behind a base of ours. */
function linkIn(ev: Evaluation, { request: { url = [], isMock, call }, verdict }: RequestSite, bases: Bases): Link | undefined {
  const last = url.at(-1);
  if (isMock || last === undefined || !('unknownPart' in last)) return undefined;
  const isWhole = verdict.kind === 'unproven' && url.length === 1;
  const isOpen = verdict.kind === 'dynamic-path' || verdict.kind === 'v2';
  const target = isWhole ? {} : isOpen ? baseOf(url.slice(0, -1), bases) : undefined;
  const answered = target && isNext(last.unknownPart) ? answeredBy(ev, last.unknownPart) : undefined;
  if (target === undefined || answered === undefined) return undefined;
  // What hangs on nothing but itself is of the call's own answers.
  return { target: { version: undefined, base: undefined, ...target }, answered: answered.size === 0 ? new Set([call]) : answered };
}

const next = /next|prev/i;

/** Whether a value is called the next of something, or the one before: an answer also gives addresses of pictures and the like. */
const isNext = (value: Value): boolean =>
  optionsOf(value).every((option) => option.type === 'literal' || option.why === 'cycle' || next.test(wordsOf(option)));

function wordsOf(value: Value): string {
  if (value.type === 'method') return `${wordsOf(value.receiver)} ${value.path.join(' ')}`;
  return value.type === 'unknown' && value.node !== undefined && value.module !== undefined ? textOf(value.node, value.module) : '';
}

const textOf = ({ start, end }: Node, { text }: SourceText): string => text.slice(start, end);

/** What of an address stands before a link; undefined where that is no base alone. */
function baseOf(before: NonNullable<RequestSite['request']['url']>, bases: Bases): Partial<Link['target']> | undefined {
  if (before.length === 1 && envOf(before[0]) !== undefined) return {};
  const text = flat(before);
  const match = text.includes(unknownPart) ? undefined : matchUrl(text, bases);
  if (match?.kind !== 'ours' || !/^(?:\/v[12])?\/?$/.test(match.path)) return undefined;
  const { baseEnd, versionStart: start, versionEnd: end } = match;
  return { base: { start: 0, end: baseEnd }, ...(start !== undefined && end !== undefined && { version: { start, end } }) };
}

/** Whether nobody is asked: `while (url)` stands around it. */
const isNowhere = ({ request: { url } }: RequestSite): boolean => {
  const [part, more] = url ?? [];
  if (part === undefined || more !== undefined) return false;
  return 'text' in part ? part.source === undefined && /^(?:null|undefined)$/.test(part.text) : part.unknownPart.type === 'literal';
};

/** Where a request takes such an address from, and what that is called; undefined of any other request. */
export function linkOf({
  request: { url = [], isMock },
  follows,
}: RequestSite): { readonly place: Place; readonly name: string } | undefined {
  const last = url.at(-1);
  if (follows === undefined || isMock || last === undefined || !('unknownPart' in last)) return undefined;
  const options = optionsOf(last.unknownPart);
  const places = [last, ...options].flatMap(({ provenance }) => nodesOf(provenance));
  const place =
    places.find(({ node }) => node.kind === 'member' && next.test(node.property ?? '')) ??
    places.find(({ node }) => node.kind === 'name' && next.test(node.name));
  const name = options.flatMap((option) => (option.type === 'method' ? option.path : [])).findLast((each) => next.test(each));
  return place && { place, name: name ?? 'next' };
}

/** @returns the calls whose answers a value is taken from; undefined where it comes from elsewhere, too */
export function answeredBy(ev: Evaluation, value: Value, seen = new Set<Value>()): ReadonlySet<Node> | undefined {
  const found = new Set<Node>();
  for (const option of optionsOf(value)) {
    if (seen.has(option) || option.type === 'literal' || plainText(option) === '') continue;
    seen.add(option);
    const calls = option.type === 'method' ? answeredBy(ev, option.receiver, seen) : answeredIn(ev, option, seen);
    if (calls === undefined) return undefined;
    for (const call of calls) found.add(call);
  }
  return found;
}

function answeredIn(ev: Evaluation, value: Value, seen: Set<Value>): ReadonlySet<Node> | undefined {
  if (value.type === 'http') return value.stage === 'request' && value.mock === undefined ? new Set([value.node]) : undefined;
  if (value.type !== 'unknown') return undefined;
  // What hangs on itself is what else it may be.
  return value.why === 'cycle' ? new Set() : answeredByCall(ev, value, seen);
}

/** `response.json()`, `parse(response.headers.link)`: made of an answer. */
function answeredByCall(ev: Evaluation, { node, module, why }: UnknownValue, seen: Set<Value>): ReadonlySet<Node> | undefined {
  if (node?.kind !== 'call' || module === undefined || !isScript(module)) return undefined;
  const { callee, args } = node;
  const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';
  const made = [
    ...(why === 'assigned' ? [node] : []),
    ...(callee.kind === 'member' ? [callee.object] : []),
    // `text.match(pattern)` takes it out of the text.
    ...(taking.test(name) && (name !== 'match' || callee.kind === 'name') ? args : []),
  ];
  for (const each of made) {
    const calls = each.kind === 'spread' ? undefined : answeredBy(ev, ev.evaluate(each, { module, frame: undefined }), seen);
    if (calls === undefined || calls.size === 0) continue;
    const others = args.map((arg) => askedInPlace(ev, arg, module, seen));
    return others.every((other) => other !== undefined) ? new Set([...calls, ...others.flat()]) : undefined;
  }
  return undefined;
}

/** `.otherwise(() => fetch(MIRROR))`: what a function asks that gives another answer; undefined where that is none. */
function askedInPlace(ev: Evaluation, arg: CallNode['args'][number], module: SourceModule, seen: Set<Value>): readonly Node[] | undefined {
  if (arg.kind === 'spread') return undefined;
  const found: Node[] = [];
  for (const given of optionsOf(ev.evaluate(arg, { module, frame: undefined }))) {
    const results =
      given.type === 'function'
        ? returnsOf(given.node).flatMap((each) => optionsOf(ev.evaluate(each, { module: given.module, frame: given.frame })))
        : isPattern(given)
          ? []
          : [given];
    for (const result of results) {
      // What the function is given is of the answer.
      if (given.type === 'function' && isOwnParam(result, given.node)) continue;
      const calls = answeredBy(ev, result, seen);
      if (calls === undefined) return undefined;
      found.push(...calls);
    }
  }
  return found;
}

/** What something is looked for by: a shape, a text, `P.string` of ts-pattern. */
const isPattern = (value: Value): boolean =>
  value.type === 'object' || value.type === 'text' || value.type === 'list' || (value.type === 'external' && value.source === 'ts-pattern');

const isOwnParam = (value: Value, fn: Node): boolean =>
  value.type === 'method' ? isOwnParam(value.receiver, fn) : value.type === 'param' && value.owner === fn;

/** Functions that take something out of what they are given: of a text, or of an answer by what it looks like, as ts-pattern's. */
const taking = /^exec$|^match$|parse|link/i;
