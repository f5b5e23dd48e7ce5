/** What a function is expected to be called with: a client's, one that stands for it in tests, or one of which nobody knows. */
import { flat, isAbsolute } from '../../../evaluate/values/text.ts';
import {
  choiceOf,
  type HttpValue,
  type ListValue,
  optionsOf,
  partsOf,
  plainText,
  unknown,
  type Value,
} from '../../../evaluate/values/values.ts';
import type { Expression, SpreadNode } from '../../../syntax/tree.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { expectedHeaders, matcherIn, withoutMatchers } from './expected-headers.ts';
import { type About, isVersioned, request } from './expected-request.ts';
import { inTheirLetters, isOfHeaders } from './header-letters.ts';
import { recordNamed } from './record-names.ts';
import { recordIn, recordOf } from './recorded.ts';
import { option, verbs } from '../../shapes.ts';

export const baseNames = ['baseURL', 'baseUrl', 'prefixUrl'];
const addressNames = new Set(['url', 'uri', 'href', 'path', 'pathname']);
const answerNames = /^(?:body|data|json|res|response|result)$/;

/** What a call is expected to be given, with the names of headers as they are there. */
export function ofCall(about: About): Value | undefined {
  const { actualNode, call, nodes } = about;
  const found = ofArguments(about);
  return found === undefined || actualNode === undefined ? found : inTheirLetters(found, actualNode, call, nodes);
}

/** `toHaveBeenCalledWith(url, init)`, of a client's method as the client takes it. */
function ofArguments(about: About): Value | undefined {
  const { call, actual, expected, nodes } = about;
  // `toHaveBeenCalledWith('POST', url, options)`, of a function of the program.
  const first = Math.max(
    0,
    expected.findIndex((each) => !isVerb(each)),
  );
  const expects = isMatcher(nodes[first]) ? 'part' : 'call';
  const target = standsFor(actual);
  // `toHaveBeenCalledWith(expect.any(String), { headers })` says nothing of the address.
  if (isAnything(nodes[first])) {
    const said = target === undefined ? [] : headersAmongOptions(about);
    return said.length > 0 ? request(about, { headers: said, expects: 'part' }) : undefined;
  }
  const asked = target === undefined ? undefined : call.ev.ask(target, expected, call.node, call);
  if (asked?.type === 'http' && asked.stage === 'request') {
    const { base, url } = asked;
    const isText = url !== undefined && optionsOf(url).every(({ type }) => type === 'text' || type === 'choice');
    return isText || base === undefined
      ? {
          ...(nodes[0]?.kind === 'call' ? withoutOpenHost(asked) : asked),
          mock: { expects, record: recordNamed(about.actualNode, call, call.node) },
          headers: asked.headers.map((each) => withoutMatchers(each)),
          ...(isPartial(about) ? methodOf(target, asked, call) : {}),
        }
      : undefined;
  }
  const url = expected[first];
  const headers = headersAmongOptions(about);
  // `expect(axios.create).toHaveBeenCalledWith({ baseURL: '…' })`
  if (asked?.type === 'http' && asked.base !== undefined && (isVersioned(asked.base) || (headers.length > 0 && isAddress(asked.base))))
    return request(about, { url: asked.base, headers, expects: 'part' });
  // Each row of a table may say another: `it.each([['/v1/contacts'], ['/v1/messages']])`.
  if (url !== undefined && optionsOf(url).every(({ type }) => type === 'text') && !(headers.length === 0 && isForOptions(about, url)))
    // A client that is made with a base is asked below the version, with a key of the call's own.
    return isVersioned(url) || headers.length > 0
      ? request(about, { url, expects, headers: headers.length > 0 ? headers : headersAmong(expected) })
      : undefined;
  return ofOptions(about, headers, expects);
}

const headersAmongOptions = (about: About): Value[] =>
  about.expected.flatMap((each) => (each.type === 'object' ? [...headersIn(about.call, each), ...headersAlone(about, each)] : []));

const isAnything = (node: Expression | SpreadNode | undefined): boolean =>
  node?.kind === 'call' && /^any(?:thing)?$/.test(matcherIn(node) ?? '');

/** `expect(httpRequestWithAuthentication).toHaveBeenCalledWith('messagingApi', { url })`: a word before options, of what asks by its name. What else is told a word may keep the options. */
const isForOptions = ({ actualNode }: About, value: Value): boolean =>
  /^[a-z][\w-]*$/i.test(plainText(value) ?? '') && /request|fetch|http/i.test(lastName(actualNode));

const lastName = (node: Expression | SpreadNode | undefined): string =>
  node?.kind === 'name' ? node.name : node?.kind === 'member' ? (node.property ?? '') : '';

const isVerb = (value: Value): boolean => optionsOf(value).every((each) => verbs.has((plainText(each) ?? '').toLowerCase()));

/** `calledWith({ uri: '…', headers: { … } })`, of a function of which nobody knows what it stands for: all that is said of the request, or nothing. */
function ofOptions(about: About, headers: readonly Value[], expects: 'call' | 'part'): Value | undefined {
  const { call, expected } = about;
  const texts = expected.flatMap((each) => (each.type === 'object' ? each.entries : [])).filter((entry) => isVersioned(entry.value()));
  const [first, ...more] = texts;
  const isAsked = first?.name !== undefined && (addressNames.has(first.name) || baseNames.includes(first.name));
  if (first === undefined) return headers.length > 0 ? request(about, { headers, expects }) : undefined;
  if (!isAsked || more.length > 0) return undefined;
  const url = option(
    call,
    expected.find(({ type }) => type === 'object'),
    first.name,
  );
  return url && request(about, { url, headers, expects: baseNames.includes(first.name) ? 'part' : expects });
}

/** `stub.withArgs({ uri: '…' })`: what a call has to be given for what is said behind it. */
export const calledWithArgs = (call: RuleCall, actual: HttpValue): Value | undefined =>
  ofCall({ call, actual, actualNode: undefined, expected: call.args, nodes: call.node.args, isBegun: true });

/** Sinon compares the arguments that are given, and of each with `Match` what is given of it: a call may have had more. */
export const isBegun = (verb: string): boolean => /^(?:always)?called(?:Once)?With(?:Match)?$/.test(verb);

const spied = /^(?:always)?called(?:Once)?With(?:Exactly|Match)?$/;

/** `expect(stub.calledWith('…')).to.be.true`, `assert(stub.firstCall.calledWithExactly('…'))`: what a function of Sinon is asked about its calls. */
export function askedOfSpy(call: RuleCall): Value | undefined {
  const [asked] = call.node.args;
  if (asked?.kind !== 'call' || asked.callee.kind !== 'member' || !spied.test(asked.callee.property ?? '')) return undefined;
  const { object: actualNode, property = '' } = asked.callee;
  const actual = call.ev.evaluate(actualNode, call);
  const of = recordOf(actual) ?? recordIn(actualNode, call) ?? actual;
  const found = ofCall({
    call,
    actual: of,
    actualNode,
    expected: call.ev.args(asked, call),
    nodes: asked.args,
    isBegun: isBegun(property),
  });
  if (found === undefined || !property.endsWith('Match') || asked.args[0]?.kind !== 'string') return found;
  return choiceOf(
    optionsOf(found).map((each) => (each.type === 'http' ? { ...each, mock: { ...each.mock, expects: 'part' as const } } : each)),
  );
}

const isAddress = (value: Value): boolean => optionsOf(value).every((each) => isAbsolute(flat(partsOf(each))));

/** Without what is not expected: of `expect.objectContaining({ path })`, what goes to `localhost` does so only if nothing else is said. */
function withoutOpenHost({ url, ...asked }: HttpValue): HttpValue {
  const said = url?.type === 'text' ? url.parts.filter((part) => 'unknownPart' in part || part.source !== undefined) : [];
  const isSaid = said.some((part) => 'text' in part && part.text === 'localhost');
  if (url?.type !== 'text' || isSaid || !/^https?:\/\/localhost(?=[/?#]|$)/.test(flat(url.parts))) return { ...asked, ...(url && { url }) };
  return said.length === 0 ? asked : { ...asked, url: { ...url, parts: said } };
}

/** Whether an expectation leaves open what else the call was given: `expect.objectContaining({ headers })`, and no method in it. */
const isPartial = ({ call, expected, nodes, isBegun = false }: About): boolean =>
  (isBegun || nodes.some((node) => node.kind === 'call')) &&
  expected.every((each) => each.type !== 'object' || option(call, each, 'method') === undefined);

/** The method that the function is named by; another is not known where only a part of the arguments is. */
export const methodOf = (fn: Value | undefined, asked: HttpValue, { node, module }: RuleCall): Pick<HttpValue, 'method'> =>
  fn !== undefined && 'path' in fn && fn.path.at(-1) === asked.method ? {} : { method: unknown(node, module) };

/** What is called in truth, where a mock or spy stands for it. */
function standsFor(actual: Value): Value | undefined {
  for (const each of optionsOf(actual)) {
    if (each.type === 'external' || each.type === 'method') return each;
    if (each.type === 'http') return each.notes?.['of'] ?? (each.mock === undefined ? each : undefined);
  }
  return undefined;
}

/** Of options, or of what a test kept together with the address: `{ url: '…', init: { headers: { … } } }`. */
export function headersIn(call: RuleCall, object: Value): Value[] {
  const headers = option(call, object, 'headers');
  if (headers !== undefined) return expectedHeaders(headers);
  const kept = optionsOf(object).flatMap((each) => (each.type === 'object' ? each.entries : []));
  return kept.flatMap(({ name = 'body', value }) => {
    const options = answerNames.test(name) ? undefined : value();
    const inside = options?.type === 'object' ? option(call, options, 'headers') : undefined;
    return inside === undefined ? [] : expectedHeaders(inside);
  });
}

/** `expect(calls).toEqual([[url, { 'x-api-key': key }]])`: an object that is headers itself, as what a test made of `Headers` is. */
const headersAlone = ({ call, actualNode, nodes }: About, object: Value): Value[] =>
  actualNode === undefined ? [] : expectedHeaders(object).filter((each) => isOfHeaders(each, actualNode, call, nodes));

/** `toHaveBeenCalledWith(url, body, { 'x-api-key': key })`, of a function of the program that is given headers as they are. */
const headersAmong = ([, ...more]: readonly Value[]): Value[] =>
  more.flatMap((each) => (optionsOf(each).every(({ type }) => type === 'object') ? expectedHeaders(each) : []));

/** `expect.stringContaining('…')`, `expect.stringMatching(/…/)`, `sinon.match('…')`. */
export const isMatcher = (node: Expression | SpreadNode | undefined): boolean =>
  node?.kind === 'call' &&
  node.callee.kind === 'member' &&
  (/^string(?:Containing|Matching)$/.test(node.callee.property ?? '') ||
    (node.callee.property === 'match' && (node.args[0]?.kind === 'string' || node.args[0]?.kind === 'literal')));

/** `expect(client.get.mock.calls).toEqual([['/v1/contacts'], ['/v1/messages', { … }]])`: several calls of a function, each with what it was given. */
export const ofCalls = (about: About, { items }: ListValue): Value[] =>
  items.every((item) => item.type === 'list' && !item.isOpen)
    ? items.flatMap((item) =>
        // What is only a method and an address is a row of requests that a test kept.
        item.type === 'list' && (item.items.length > 2 || !item.items.slice(0, 1).every(isVerb))
          ? (ofCall({ ...about, expected: item.items, nodes: item.nodes.filter((node) => node !== undefined) }) ?? [])
          : [],
      )
    : [];
