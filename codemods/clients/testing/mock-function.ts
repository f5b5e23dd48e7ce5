/**
 * Functions that stand for others in tests: of Vitest and Jest (`vi.fn`, `jest.spyOn`), node:test (`mock.method`) and Sinon. What
 * they get as arguments, and what they recorded, is recognised by what it is compared with.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import { mockIn } from '../../evaluate/language/comparisons.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { flat, isAbsolute } from '../../evaluate/values/text.ts';
import {
  choiceOf,
  type Entry,
  type ExternalValue,
  type HttpValue,
  type Mock,
  optionsOf,
  partsOf,
  plainText,
  type Value,
} from '../../evaluate/values/values.ts';
import { configured } from '../../evaluate/settings/settings.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { variableOf } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import { addressesOf, addressIn, givenByCallers, headersReadBy } from './answer-tables.ts';
import { comparisonsOf, comparisonsOfTaken } from './expected/compared-values.ts';
import { cases, modifiers } from './declared-tests.ts';
import { calledWithArgs } from './expected/expected-calls.ts';
import { expectationRule } from './expectations.ts';
import { headerReadIn } from './expected/expected-headers.ts';
import { records } from './expected/recorded.ts';
import { recordNamed } from './expected/record-names.ts';
import { fetchRequest } from '../http/fetch.ts';
import { keyTakenBy } from './expected/taken-headers.ts';
import { looksAround } from './expected/expected-looks.ts';
import { incomingRequest, objectOf, readHeader } from '../servers/incoming.ts';
import type { ClientRule, Comparison, Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { isConditional, mockedIf } from './mocked-if.ts';
import { methodOfMade } from './mocked-factories.ts';
import { soughtBy } from './path-patterns.ts';
import { replacedBy, settings } from './put-in-place.ts';
import { replacesSettings, settingsAnsweredBy, settingsPutBy } from './replaced-settings.ts';
import { made } from '../shapes.ts';
import { isStub, maySend } from './stubs.ts';
import { taking } from '../../syntax/item-methods.ts';

const name = 'mock function';
const namespaces = new Set(['vi', 'vitest', 'jest', 'mock', 'sinon', 'default', 'spy']);
const plain = new Set(['fn', 'stub', 'fake', 'spy', 'function']);
const onMethod = new Set(['spyOn', 'method', 'stub', 'spy', 'replace']);
const namesOf = (path: readonly string[]): string[] =>
  path.filter((each, index) => !(index === 0 && namespaces.has(each) && path.length > 1));
const answering = /^(?:mock(?:ReturnValue|Implementation)|returns|callsFake)$/;
/** Methods of a text that ask for a part of it. */
const partial = new Set(['startsWith', 'endsWith', 'includes', 'match', 'search']);

function call(call: RuleCall): Value | undefined {
  const { on, args } = call;
  const isContext = on?.notes?.['context'] !== undefined;
  // Of the module, or of the context that each test gets.
  if ((on === undefined || isContext) && (call.path[0] === 'expect' || call.path[0] === 'assert'))
    return expectationRule.call?.({ ...call, on: undefined, path: call.path.slice(1) });
  if (on?.notes?.['received'] !== undefined) return ofReceived(call, on);
  const [verb = '', ...more] = namesOf(call.path);
  if (on !== undefined && taking.has(call.path.at(-1) ?? '') && records.has(call.path.at(-2) ?? ''))
    return { type: 'method', receiver: on, path: [...call.path.slice(0, -1), '0'] };
  const answered = more.length > 0 ? undefined : mockedIf(name, verb, call);
  if (answered !== undefined) return answered;
  if (on !== undefined && !isContext)
    return more.length > 0 ? undefined : verb === '' ? (askedInPlace(call) ?? answerOf(on, call)) : setBy(on, verb, call);
  if (verb === 'match') return matching(call, more);
  if (more.length > 0) return undefined;
  if (replacesSettings(verb, call.node)) return settingsIn(call);
  if (verb === 'mocked') return args[0];
  // What a test of Vitest makes before its imports: `const { fetchMock } = vi.hoisted(() => ({ fetchMock: vi.fn() }))`.
  if (verb === 'hoisted') return args[0]?.type === 'function' ? call.ev.apply(args[0], [], call.node, call) : undefined;
  const [object, method] = args;
  if (onMethod.has(verb) && object !== undefined && method !== undefined) {
    const key = plainText(method);
    return key === undefined ? undefined : mock(call, { of: call.ev.member(object, key, call.node, call) });
  }
  const of = plain.has(verb) ? (replacedBy(call.node, call.module) ?? methodOfMade(call)) : undefined;
  const answer = args[0]?.type === 'function' ? args[0] : undefined;
  return plain.has(verb) ? mock(call, { ...(of && { of }), ...(answer && { answer }) }) : undefined;
}

/** `sinon.match({ uri: '…' })`, `sinon.match.has('uri', '…')`: an object with that and anything else. */
function matching(call: RuleCall, [kind, ...more]: readonly string[]): Value | undefined {
  const {
    args: [first, second],
    node,
    module,
  } = call;
  if (kind === undefined) return first?.type === 'object' || first?.type === 'text' ? first : soughtBy(node.args[0], call);
  const name = first === undefined ? undefined : plainText(first);
  const isKey = isKeyHeader(name);
  return kind === 'has' && more.length === 0 && name !== undefined && second !== undefined && !isKey
    ? objectOf({ [name]: second }, { node, module })
    : undefined;
}

/** `mockReturnValue('…')`, `mockImplementation((key) => …)`: the mock, with what it answers; `withArgs(…)`: what it has to be asked for that. */
function setBy(mocked: HttpValue, verb: string, call: RuleCall): Value | undefined {
  if (!settings.test(verb)) return undefined;
  const [answer] = call.args;
  const on = scopeOf(mocked);
  const asked = /^with(?:Exact)?Args$/.test(verb) ? calledWithArgs(call, on) : undefined;
  if (asked !== undefined)
    return choiceOf(
      optionsOf(asked).map((each) => (each.type === 'http' ? { ...each, client: name, notes: { ...each.notes, scope: on } } : each)),
    );
  // Of what it answers in turn, an address stands for configuration.
  const isInTurn = verb === 'mockReturnValueOnce' && on.notes?.['answer'] === undefined && answer?.type === 'text';
  const isAnswer = answering.test(verb) || (isInTurn && isAbsolute(flat(partsOf(answer))));
  const of = on.notes?.['of'];
  const put = answer !== undefined && of?.type === 'external' && tellsSettings(of, call) ? settingsPut(call, answer) : [];
  return answer !== undefined && isAnswer ? choiceOf([{ ...on, notes: { ...on.notes, answer } }, ...put]) : on;
}

/** Whether a function of a package gives what whoever runs the program has set, as `getInput` of an action does. */
const tellsSettings = ({ source, path }: ExternalValue, { ev, node, ...at }: RuleCall): boolean =>
  combined(ev.rules).functions.get(`${source}:${path.join('.')}`)?.(ev, [{ type: 'text', parts: [{ text: 'name' }] }], node, at)?.type ===
  'env';

/** What it gives in a test. */
const settingsPut = (call: RuleCall, answer: Value): HttpValue[] =>
  settingsAnsweredBy(call, answer).map((url) => expected(incomingRequest(name, call, {}), url, call, 'part'));

/** The mock, of which something is expected before it is said what it answers. */
function scopeOf(on: HttpValue): HttpValue {
  const scope = on.notes?.['scope'];
  return scope?.type === 'http' ? scope : on;
}

/**
 * What the program asks of a mock that a test hands to it as its `fetch`, by the name of either: by what else the test hands to it, that is
 * a request of its own.
 */
function askedInPlace(call: RuleCall): Value | undefined {
  const made = call.on?.node;
  if ((made?.kind !== 'call' && made?.kind !== 'function') || isTest(call.module)) return undefined;
  const { callee } = call.node;
  const called = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : undefined;
  const mock = made.parent?.kind === 'variable' && made.parent.target.kind === 'patternName' ? made.parent.target.name : undefined;
  if (![called, mock].some((name) => name !== undefined && /fetch/i.test(name))) return undefined;
  const asked = fetchRequest('fetch', { ...call, on: undefined });
  const isSpy = made.kind === 'call' && made.callee.kind === 'member' && /^(?:spy|spyOn|method)$/.test(made.callee.property ?? '');
  return call.on === undefined || isSpy || maySend(call.on.module) ? asked : asked && { ...asked, isAnswered: true };
}

/** The text that a mock answers with: that of an address, where it stands for configuration. What nobody knows of that is what the program has there. */
function answerOf({ notes }: HttpValue, { ev, args, node, ...at }: RuleCall): Value | undefined {
  const answer = notes?.['answer'];
  const found = answer?.type === 'function' ? ev.apply(answer, args, node, at) : answer;
  if (found !== undefined && optionsOf(found).some((each) => each.type === 'text' || isSection(each))) return found;
  const { callee } = node;
  return callee.kind === 'member' && !isTest(at.module) ? configured(ev, callee.property ?? '', args, node, at) : undefined;
}

/** `config.getOrThrow.mockReturnValue({ url: 'https://…/v1', key })`: settings of which one is a base; what a service answers has paths behind it. */
const isSection = (answer: Value): boolean =>
  answer.type === 'object' &&
  answer.entries.some((entry) => {
    const value = entry.value();
    return value.type === 'text' && /^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/v1\/?$/.test(flat(value.parts));
  });

/** `it('…', …)`, `vi.useFakeTimers()`, and expectations that are. */
function isIdle({ path, on, ...at }: Parameters<NonNullable<ClientRule['isIdle']>>[0]): boolean {
  if (on !== undefined && on.notes?.['context'] === undefined) return false;
  if (path[0] === 'expect' || path[0] === 'assert') return expectationRule.isIdle?.({ ...at, path: path.slice(1), on: undefined }) === true;
  const [verb = '', ...more] = namesOf(path);
  return (
    (more.length > 0 && verb !== 'match') ||
    !(
      /^(?:mocked|hoisted|match)$/.test(verb) ||
      onMethod.has(verb) ||
      plain.has(verb) ||
      isConditional(verb) ||
      replacesSettings(verb, at.node)
    )
  );
}

/** The addresses that a test puts in the place of settings: they are those of the requests that begin so. */
function settingsIn(call: RuleCall): Value | undefined {
  const about = incomingRequest(name, call, {});
  const urls = settingsPutBy(call);
  return urls.length === 0 ? undefined : choiceOf(urls.map((url) => expected(about, url, call, 'part')));
}

const mock = (call: RuleCall, notes: Readonly<Record<string, Value>>): HttpValue => ({
  ...made(name, 'client', { ...call, on: undefined }, {}),
  mock: {},
  notes,
});

/** `url.startsWith('…')`, `request.headers.get('…')`. */
function ofReceived(call: RuleCall, on: HttpValue): Value | undefined {
  const verb = call.path.at(-1) ?? '';
  // Its end is still the path that was asked for: `String(url).slice(base.length)`.
  if (/^(?:toString|clone|request|url|replace|replaceAll|slice|substring)$/.test(verb)) return on;
  // Playwright has functions for what a request of the platform has as properties.
  if (verb === 'headers' || verb === 'allHeaders') return { type: 'method', receiver: on, path: ['headers'] };
  const text = soughtBy(call.node.args[0], call) ?? call.args[0];
  if (partial.has(verb) && text !== undefined) return expected(on, text, call, 'part', recordNamed(call.node, call, call.node));
  const read = readHeader(name, call);
  return read && { ...read, ...guardOf(call) };
}

/** The address that the code around a place has found a request to have: `if (url === '…') { … }`, `url.startsWith('…') && …`. */
function guardOf(at: At & { readonly node: Node; readonly ev: Evaluation }): Partial<HttpValue> {
  for (const look of looksAround(at.node)) {
    const [actual, url] = [look.actual, look.expected].map((each) => at.ev.evaluate(each, at));
    if (actual !== undefined && url?.type === 'text' && receivedIn(actual) !== undefined && flat(url.parts).includes('/'))
      return { url, mock: { expects: look.expects } };
  }
  return {};
}

/** A request that the mock stands for. */
function expected(
  on: HttpValue,
  url: Value,
  at: Pick<HttpValue, 'node' | 'module'>,
  expects: Mock['expects'],
  record?: Mock['record'],
): HttpValue {
  const { node, module } = at;
  return { ...on, stage: 'request', node, module, url, mock: { expects, record } };
}

/** `url === '…'`, `url in answers`, `/…/.test(url)`, `init.headers['x-api-key'] === '…'`. */
function compare(comparison: Comparison): Value | undefined {
  const { node, module, actual, actualNode, expected: value, expectedNode: valueNode, isKey } = comparison;
  const taken = node.kind === 'patternProperty' ? node : undefined;
  const isRead = actualNode === node;
  const on = receivedIn(actual) ?? (isRead || taken ? recordedIn(comparison) : undefined);
  if (on === undefined) return undefined;
  const record = recordNamed(actualNode, comparison, node);
  const read = taken === undefined ? headerReadIn(actualNode, comparison) : keyTakenBy(taken, comparison);
  if (read !== undefined) {
    const small = on.notes?.['small'] === undefined ? {} : { isLookup: true };
    const { ev } = comparison;
    const found = taken ? comparisonsOfTaken(taken, comparison, ev) : isRead ? comparisonsOf(node, comparison, ev) : undefined;
    const compared = found ?? [{ node, module, valueNode, value: () => value }];
    const entries = read.flatMap((key) => compared.map((each): Entry => ({ ...key, ...small, ...each })));
    const headers: Value = { type: 'object', node, module, entries, unknown: [] };
    return { ...on, stage: 'request', node, module, headers: [headers], mock: { ...on.mock, record }, ...guardOf(comparison) };
  }
  const patterns = patternsIn(comparison);
  if (patterns.length > 0) return choiceOf(patterns.map((pattern) => expected(on, pattern, { node, module }, 'part', record)));
  const open = givenByCallers(comparison);
  const requests = optionsOf(value).flatMap((option): Value[] => {
    if (isKey) return option.type === 'object' ? option.entries.flatMap((entry) => answers(on, entry, comparison)) : [];
    return option.type === 'text' ? [expected(on, addressIn(option), { node, module }, 'call', record)] : [];
  });
  return requests.length + open.length === 0 ? undefined : choiceOf([...requests, ...open]);
}

/** Patterns of an address, where they stand in the comparison or by another name: `handlers.find(({ pattern }) => pattern.test(url))`. */
function patternsIn({ expected, expectedNode, ...at }: Comparison): Value[] {
  const own = soughtBy(expectedNode, at);
  if (own !== undefined) return [own];
  return optionsOf(expected).flatMap((option) =>
    option.type === 'unknown' && option.module !== undefined && isScript(option.module) && isOwnOfTest(option.node, option.module)
      ? (soughtBy(option.node, { module: option.module, ev: at.ev }) ?? [])
      : [],
  );
}

/** Whether a pattern is a test's, which nothing else there looks by: in a table, or under a name that stands in one place. */
function isOwnOfTest(pattern: Node | undefined, module: SourceModule): boolean {
  const named = pattern && variableOf(pattern, module.scopes);
  return module.exports.size === 0 && (pattern?.parent?.kind !== 'variable' || named?.references.length === 1);
}

/** What a table answers with, under one of its names. */
function answers(on: HttpValue, entry: Entry, comparison: Comparison): Value[] {
  const { ev, node, module } = comparison;
  return addressesOf(entry, ev).map((url) => ({
    ...expected(on, url, { node, module }, 'call'),
    headers: headersReadBy(entry, comparison),
  }));
}

/** What a mock recorded, where its header is kept before anything is expected of it. */
const recordedIn = ({ actual, node }: Comparison): HttpValue | undefined =>
  actual.type === 'method' && actual.path.some((each) => records.has(each)) && node.parent?.kind !== 'call' ? mockIn(actual) : undefined;

const receivedIn = (value: Value): HttpValue | undefined => mockIn(value, ({ notes }) => notes?.['received'] !== undefined);

/**
 * The parameters of what stands for `fetch`, and of any mock: where it goes, and how.
 * @param of what it is seen to be put in the place of
 */
const received = (index: number, at: Pick<Given, 'node' | 'module'>, of: Value | undefined): Value | undefined => {
  const mocked = of?.type === 'method' ? of.receiver : of;
  const { base, join } = mocked?.type === 'http' ? mocked : {};
  const about = { ...(base === undefined ? {} : { base }), ...(join === undefined ? {} : { join }) };
  const notes = { received: { type: 'literal', value: index } satisfies Value, ...(of?.type === 'external' && { inPlaceOf: of }) };
  return index > 1 ? undefined : { ...incomingRequest(name, at, about), notes };
};

/**
 * What another mock hands to a function of a test, to be compared as what a stub gets.
 * @param isAsWritten whether names of headers come as the client writes them, and not in small letters
 */
export const receivedBy = (
  at: Pick<Given, 'node' | 'module'>,
  about: Pick<HttpValue, 'url' | 'base' | 'join' | 'mock'>,
  isAsWritten = false,
): HttpValue => {
  const yes: Value = { type: 'literal', value: true };
  return { ...incomingRequest(name, at, about), notes: { received: yes, ...(isAsWritten ? {} : { small: yes }) } };
};

/** `test`, `it.concurrent`. */
const isTestItself = ([first = '', ...more]: readonly string[]): boolean =>
  (first === '' || cases.has(first)) && more.every((each) => modifiers.has(each));

function given(given: Given): Value | undefined {
  const { path, on, index, argument } = given;
  const verb = path.at(-1) ?? '';
  // `test('…', (t) => { t.mock.method(…) })`.
  if (on === undefined && isTestItself(path) && index === 0)
    return { ...incomingRequest(name, given, {}), notes: { context: { type: 'literal', value: true } } };
  const isImplementation = ['fn', 'stubGlobal', 'method', 'fake', 'replace', 'match'].includes(verb) || settings.test(verb);
  if (!isImplementation || argument !== implementationAt(verb) || isPutByCaller(verb, given)) return undefined;
  const client = on?.notes?.['of'] ?? (on?.mock === undefined ? on : undefined);
  return received(index, given, client ?? replacedBy(given.call, given.module) ?? replacedIn(verb, given));
}

/** Whether whoever calls a helper of the test says what a function is put in the place of: that may be anything. */
const isPutByCaller = (verb: string, { call, ev, module }: Given): boolean =>
  ev
    .args(call, { module, frame: undefined })
    .slice(0, implementationAt(verb))
    .some((arg) => optionsOf(arg).some(({ type }) => type === 'param'));

/** What a call itself puts a function in the place of: `vi.stubGlobal('fetch', …)`, `mock.method(globalThis, 'fetch', …)`. */
function replacedIn(verb: string, { call, ev, module }: Given): Value | undefined {
  const at = { module, frame: undefined };
  const [first, second] = ev.args(call, at);
  const [object, key] = verb === 'stubGlobal' ? [undefined, first] : [first, second];
  const name = implementationAt(verb) === 0 || key === undefined ? undefined : plainText(key);
  if (name === undefined) return undefined;
  return object === undefined ? { type: 'external', source: '', path: [name] } : ev.member(object, name, call, at);
}

const implementationAt = (verb: string): number => ({ stubGlobal: 1, method: 2, replace: 2 })[verb] ?? 0;

/** `globalThis.fetch = async (url, init) => …`. */
const givenInPlaceOf: ClientRule['givenInPlaceOf'] = (target, index, at) =>
  target.type === 'external' && target.source === '' && target.path.join('.') === 'fetch' ? received(index, at, target) : undefined;

/** What tests write by hand is what `vi.fn` makes. */
const standIn: ClientRule['standIn'] = (fn, module) =>
  isStub(fn, module)
    ? {
        value: { ...incomingRequest(name, { node: fn, module }, {}), origins: [fn] },
        given: (index, node) => {
          const [url, init] = [0, 1].map((each) => received(each, { node, module }, replacedBy(fn, module)));
          if (!node.isRest || url === undefined || init === undefined) return index === 0 ? url : init;
          return { type: 'list', items: [url, init], nodes: [], isOpen: false, module };
        },
      }
    : undefined;

export const mockFunctionRule: ClientRule = {
  name,
  title: 'stubs of Vitest, Jest and Sinon',
  isForTests: true,
  modules: [
    'vitest',
    '@jest/globals',
    'bun:test',
    'test',
    '@japa/runner',
    'sinon',
    '@nuxt/test-utils/runtime',
    '@std/testing/mock',
    'jest-fetch-mock',
    'vitest-fetch-mock',
  ],
  globals: ['vi', 'jest', 'sinon'],
  isIdle,
  // What it is imported from or called, its methods, and what is put in the place of `fetch`, but by no declaration.
  comparesIn:
    /\bvi\b|jest|vitest|sinon|\bplaywright\b|\bcy\.intercept\b|['"`](?:node:|bun:)?test['"`]|mock|nock|stub|fake|(?:fetch['"`]?|\](?<!\b(?:const|let|var)\s*\[[^\][]*\]))\s*(?:\?\?|\|\||&&)?=(?!=)/i,
  // How often, and no more.
  shows: ['@std/testing:assertSpyCalls', '@std/testing/mock:assertSpyCalls'],
  adds: /^(?:mock(?:Implementation|Response|ImplementationOnce|ResponseOnce)|callsFake)$/,
  call,
  compare,
  given,
  givenInPlaceOf,
  standIn,
};
