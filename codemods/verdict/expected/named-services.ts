/** Which of several services an expectation is about that names none: the test around it may name one, as the address that its stub answers at. */
import { answersAround } from '../../evaluate/language/guards.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import type { SaidOfAddress } from '../../evaluate/libraries/named-record.ts';
import { flat, isRest, unknownPart } from '../../evaluate/values/text.ts';
import type { Part } from '../../evaluate/values/values.ts';
import { once } from '../../once.ts';
import type { Node } from '../../syntax/tree.ts';
import { testAround } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';

/**
 * @param all requests that an expectation may be about
 * @param mocks what tests expect, and where
 * @returns those of the service whose address the test names, if it names one of theirs, of what the expectation is about
 */
export function namedAround(site: RequestSite, all: readonly RequestSite[], mocks: readonly RequestSite[]): readonly RequestSite[] {
  const fitting = all.filter((each) => mayBe(each, [...(site.request.record?.said ?? []), ...(site.request.kept ?? [])]));
  const found = fitting.length > 0 ? fitting : all;
  const { call, module, url, isWhole } = site.request;
  if (isWhole === true) return found;
  const origins = new Set(found.map(originOf));
  const isOpen = originOf(site) === undefined && (origins.size > 1 || origins.has(undefined));
  const test = isOpen ? (testAround(call) ?? outermost(call)) : undefined;
  if (test === undefined) return found;
  const path = url === undefined ? undefined : pathIn(flat(url));
  const isInTest = ({ request }: RequestSite): boolean =>
    (request.url ?? []).some((part) => {
      const source = 'text' in part ? part.source : undefined;
      return source?.module === module && test.start <= source.start && source.start < test.end;
    });
  const conditions = conditionsAt(call);
  const around = mocks
    .filter(isInTest)
    .filter(({ request }) => isOfSame(request, site.request))
    .map((mock) => ({ mock, is: isAnsweredAt(call, mock.request.call, conditions) }));
  const said = around.flatMap(({ mock, is }) => (is === true ? saidBeside(mock.request, site.request) : []));
  const left = found.filter((each) => !around.some(({ mock, is }) => is === false && isAskedBy(mock, each)) && mayBe(each, said));
  const named = new Set(
    around.flatMap(({ mock, is }) =>
      is === true && (path === undefined || pathIn(flat(mock.request.url ?? [])) === path) ? (originOf(mock) ?? []) : [],
    ),
  );
  const own = left.filter((each) => named.has(originOf(each) ?? ''));
  return own.length > 0 ? own : left.length > 0 ? left : found;
}

/** Whether what a test says elsewhere is said of the call that an expectation is about: an answer to an address is to all that ask for it. */
function isOfSame(other: RequestSite['request'], { record }: RequestSite['request']): boolean {
  if (other.expects === undefined) return true;
  const picked = record?.picked;
  if (picked !== undefined && picked.start <= other.call.start && other.call.end <= picked.end) return true;
  return record !== undefined && other.record?.name === record.name;
}

/**
 * What a test expects of the whole address of calls, and by these what else it expects of the same call cannot be about.
 * @param verdictsOf whose an expected address is, as far as that is known
 * @returns whether an expectation without an address is of a call that the test, in the same function, expects at another service's
 */
export function besideOtherAddresses(
  sites: readonly RequestSite[],
  verdictsOf: (mock: RequestSite) => readonly RequestSite[],
): (site: RequestSite) => boolean {
  const byRecord = once(() => Map.groupBy(sites, ({ request }) => request.record?.name));
  return ({ request }) => {
    const { record, call } = request;
    if (record === undefined || request.url !== undefined) return false;
    const conditions = conditionsAt(call);
    return (byRecord().get(record.name) ?? []).some(
      (mock) =>
        functionAround(mock.request.call) === functionAround(call) &&
        saidBeside(mock.request, request).length > 0 &&
        isAnsweredAt(call, mock.request.call, conditions) === true &&
        verdictsOf(mock).every(({ verdict }) => verdict.kind === 'foreign'),
    );
  };
}

/** `expect(sent.url).toBe('https://…')`: what is expected of the whole address of the same call holds where the test passes. */
function saidBeside({ url = [], expects, record: other }: RequestSite['request'], { record }: RequestSite['request']): SaidOfAddress[] {
  const text = flat(url);
  const isWhole = expects !== undefined && expects !== 'part' && originIn(text) !== undefined && !text.includes(unknownPart);
  return isWhole && record !== undefined && other?.name === record.name ? [{ verb: 'is', text, holds: true }] : [];
}

/** Whether a request may have such an address; what is not known of it may be anything. */
function mayBe({ request: { url = [] } }: RequestSite, said: readonly SaidOfAddress[]): boolean {
  const text = flat(url);
  const isKnown = !text.includes(unknownPart);
  return said.every(({ verb, text: sought, holds }) => {
    if (!isKnown && verb === 'endsWith') return (endsIn(url, sought) ?? holds) === holds;
    if (!isKnown && verb === 'includes') return holds || !text.includes(sought);
    if (!isKnown && verb === 'is' && holds && !mayEndIn(url, sought)) return false;
    const origin = originIn(text);
    if (!isKnown && (origin === undefined || originIn(sought) === origin)) return true;
    return (verb === 'is' ? text === sought : text[verb](sought)) === holds;
  });
}

/**
 * Whether an address of which a part is not known ends in a text.
 * @returns undefined where that part may say so: it is more than a segment behind others, or the text is no more than the end of one
 */
function endsIn(url: readonly Part[], sought: string): boolean | undefined {
  const at = url.findLastIndex((part) => 'unknownPart' in part);
  const end = flat(url.slice(at + 1));
  if (end.length >= sought.length) return end.endsWith(sought);
  if (!sought.endsWith(end)) return false;
  const rest = sought.slice(0, sought.length - end.length);
  return isSegment(url, at) && /[^/]\//.test(rest) ? false : undefined;
}

/** Whether the last of what is written of an address may be the end of a whole one; `URL` writes other characters in a way of its own. */
function mayEndIn(url: readonly Part[], whole: string): boolean {
  const end = flat(url.slice(url.findLastIndex((part) => 'unknownPart' in part) + 1));
  return whole.endsWith(end) || !/^[\w./?=&-]*$/.test(end);
}

/** Whether what is not known is one segment, as an id is: it stands right behind what is written of its path, which is no base of others. */
function isSegment(url: readonly Part[], at: number): boolean {
  const [before, open] = [url[at - 1], url[at]];
  const isWritten = before !== undefined && 'text' in before && /^\/(?:[\w/-]+\/)?(?!(?:api|rest|proxy|v\d+)\/)[\w-]+\/$/.test(before.text);
  return isWritten && open !== undefined && !isRest(open);
}

/** The function farthest out around a place that is in no test. */
function outermost(place: Node): Node | undefined {
  let found: Node | undefined;
  for (let at = place.parent; at !== undefined; at = at.parent) if (at.kind === 'function') found = at;
  return found;
}

/** Whether a comparison with an address holds for a request. */
function isAskedBy({ request }: RequestSite, other: RequestSite): boolean {
  const [text, url] = [flat(request.url ?? []), flat(other.request.url ?? [])];
  return text !== '' && (request.expects === 'part' ? url.startsWith(text) : url === text);
}

/** The questions that a place is behind, and the answers there. */
const conditionsAt = (place: Node): ReadonlyMap<Node, boolean> => new Map(answersAround(place).map(({ test, holds }) => [test, holds]));

/**
 * Whether a comparison holds at a place of its test: a mock beside it, and a comparison that is none of a condition, count as such.
 * @returns undefined where that is not known
 */
function isAnsweredAt(place: Node, comparison: Node, conditions: ReadonlyMap<Node, boolean>): boolean | undefined {
  let holds = comparison.kind === 'binary' ? comparison.operator.startsWith('=') : true;
  const by = new Set<string>();
  for (let at = comparison; at.parent !== undefined; at = at.parent) {
    const answer = conditions.get(at);
    // All of what `&&` joins holds where the whole does, and none of what `||` joins where it does not.
    if (answer !== undefined) return by.size === 0 || (by.size === 1 && by.has(answer ? '&&' : '||')) ? holds === answer : undefined;
    const { parent } = at;
    if (parent.kind === 'unary' && parent.operator === '!') holds = !holds;
    else if (parent.kind === 'logical') by.add(parent.operator);
    else if (functionAround(parent) !== functionAround(place)) return true;
    else return isCondition(parent, at) || isBehindOther(comparison, conditions) ? undefined : true;
  }
  return true;
}

/** Whether it is behind a question that the place is not behind, or has another answer to. */
const isBehindOther = (node: Node, conditions: ReadonlyMap<Node, boolean>): boolean =>
  [...conditionsAt(node)].some(([test, answer]) => conditions.get(test) !== answer);

const isCondition = (node: Node, test: Node): boolean =>
  node.kind === 'conditional' ? node.test === test : node.kind === 'other' && node.what === 'IfStatement' && node.children[0] === test;

export const originOf = ({ request: { url = [] } }: RequestSite): string | undefined => originIn(flat(url));

const originIn = (text: string): string | undefined => /^https?:\/\/[^/?#]*/i.exec(text)?.[0].toLowerCase();

/** From its version on, without a query. */
const pathIn = (text: string): string | undefined => /\/v1(?=\/|$)[^?#]*/.exec(text)?.[0];
