/** What an actual value is expected to be: an address, headers or a header, or all that a call was given. */
import { choiceOf, type HttpValue, type ListValue, type ObjectValue, type Value } from '../../../evaluate/values/values.ts';
import type { Expression, LiteralNode } from '../../../syntax/tree.ts';
import { askedAsExpected } from './answered-addresses.ts';
import { inPieces, inRows } from './compared-pieces.ts';
import { echoed, echoedInRows } from './echoes.ts';
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import { isCapturedByServer, isHeadersKept } from './captured.ts';
import { baseNames, headersIn, isMatcher, methodOf, ofCall, ofCalls } from './expected-calls.ts';
import { expectedHeaders, headerReadIn, headersReceived, withoutMatchers } from './expected-headers.ts';
import { headersLaidIn } from './headers-laid-in.ts';
import { readInHelper } from './expectation-helpers.ts';
import { inSmallLetters, inTheirLetters } from './header-letters.ts';
import { type About, addressIn, isAddress, isGivenByCaller, isVersioned, request, sentBy } from './expected-request.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { isSeen, readOf } from './read-headers.ts';
import { handedOut, ofHandedOut } from './handed-out.ts';
import { recordNamed } from './record-names.ts';
import { recordIn, recordOf } from './recorded.ts';
import { areRows, byRow, withoutOtherRows } from './expected-rows.ts';
import { soughtBy } from '../path-patterns.ts';
import { addressReceived, asReceived } from './received-addresses.ts';
import { option } from '../../shapes.ts';

/** `expect(actual).toBe(expected)`: an address, headers or a header, or all that a call was given. */
export function ofValue(given: About, expects: 'call' | 'part'): Value | undefined {
  const about = { ...asListed(given), ...(given.actualNode && readInHelper(given.actualNode, given.call)) };
  const ofPiece = (piece: About): Value | undefined => ofValue(piece, expects);
  const found = inRows(about, ofPiece) ?? ofWritten(about, expects) ?? inPieces(about, ofPiece);
  return found && about.actualNode && inTheirLetters(found, about.actualNode, about.call);
}

/** `assert.deepEqual(urls, new Set(['https://…']))`: what the set is made of is compared. */
function asListed(about: About): About {
  const [node, ...nodes] = about.nodes;
  const [list] = node?.kind === 'call' && node.isNew && node.callee.kind === 'name' && node.callee.name === 'Set' ? node.args : [];
  if (list === undefined || list.kind === 'spread') return about;
  return { ...about, expected: [about.call.ev.evaluate(list, about.call), ...about.expected.slice(1)], nodes: [list, ...nodes] };
}

/** What is compared as it is written there. */
interface Written {
  readonly about: About;
  readonly expects: 'call' | 'part';
  readonly actualNode: Expression;
  readonly value: Value;
  readonly valueNode: Expression;
}

function writtenIn(about: About, expects: Written['expects']): Written | undefined {
  const { call, actualNode, expected, nodes } = about;
  const [valueNode] = nodes;
  const value = (expects === 'part' ? soughtBy(valueNode, call) : undefined) ?? expected[0];
  if (
    value === undefined ||
    actualNode === undefined ||
    actualNode.kind === 'spread' ||
    valueNode === undefined ||
    valueNode.kind === 'spread'
  )
    return undefined;
  return { about, expects, actualNode, value, valueNode };
}

/** With the names of headers as they are written there. */
function ofWritten(about: About, expects: Written['expects']): Value | undefined {
  const written = writtenIn(about, expects);
  if (written === undefined) return undefined;
  const { actualNode, value, valueNode } = written;
  const { call } = about;
  const echoes = withoutOtherRows(about, echoed({ ...about, isPart: expects === 'part' }, actualNode, value, valueNode));
  if (echoes.length > 0) return choiceOf(echoes);
  // `it.each(rows)('…', (path, url) => expect(urlOf(path)).toBe(url))`: one path may be of several services, an address is of one.
  if (value.type === 'choice' && areRows(value)) return choiceOf(byRow(about, value).flatMap((row) => ofWritten(row, expects) ?? []));
  const rows = value.type === 'choice' && expects === 'call' ? echoedInRows(about, value) : [];
  if (rows.length > 0) return choiceOf(rows);
  const read = headerReadIn(actualNode, call);
  if (read === undefined) return ofSeen(written);
  const entries = read.map((key) => ({ ...key, node: call.node, module: call.module, valueNode, value: () => value }));
  return readOf(about, actualNode, entries, (headers) => withoutMatchers(headers, expects === 'part'));
}

/** … beside what is known of where the actual value is from. */
interface Seen extends Written {
  /** What a mock or a test recorded. */
  readonly record: Value | undefined;
  /** The request that the address is of. */
  readonly received: HttpValue | undefined;
  readonly isKnown: boolean;
}

function ofSeen(written: Written): Value | undefined {
  const { about, expects, actualNode, value, valueNode } = written;
  const record = recordOf(about.actual) ?? recordIn(actualNode, about.call);
  const received = addressReceived(about.actual);
  const isKnown = record !== undefined || received !== undefined || isSeen(actualNode, about.call);
  const seen = { ...written, record, received, isKnown };
  switch (value.type) {
    case 'object':
      return ofHeaders(seen, value);
    case 'list':
      return ofList(seen, value);
    case 'unknown': {
      // A pattern is for a person, where it is about our requests.
      const isPattern = isKnown && valueNode.kind === 'literal' && !isOfStore(valueNode);
      return isPattern ? request(about, { url: value, headers: [], expects }) : undefined;
    }
    default:
      return ofAddress(seen);
  }
}

function ofHeaders({ about, actualNode, isKnown }: Seen, value: ObjectValue): Value | undefined {
  const from = headersReceived(about.actual);
  if (from === undefined && !(isKnown && isHeadersKept(actualNode, about.call))) return ofObject(about, isKnown);
  const described = request(about, { headers: expectedHeaders(value) });
  return from === undefined ? described : sentBy(from, described);
}

function ofList({ about, expects, actualNode, record, isKnown }: Seen, value: ListValue): Value | undefined {
  const handed = ofHandedOut(about, actualNode, value);
  if (handed.length > 0) return choiceOf(handed);
  if (!isKnown) return undefined;
  const of = { ...about, actual: record ?? about.actual };
  const each = [...ofEach(about, value, expects, record !== undefined), ...ofCalls(of, value)];
  if (each.length > 0) return choiceOf(each);
  const nodes = value.nodes.filter((node) => node !== undefined);
  return ofCall({ ...of, expected: value.items, nodes }) ?? ofAddressesIn(about, value);
}

function ofAddress(seen: Seen): Value | undefined {
  const { about, expects, actualNode, value, valueNode, record, received, isKnown } = seen;
  const { call, actual } = about;
  // A helper that is given what it looks at and what that should be: each call of it says both.
  const isOfHelper = isGivenByCaller(actual) && isGivenByCaller(value);
  if (!isVersioned(value) && !isOfHelper && !(isKnown && isGivenByCaller(value))) return undefined;
  const property = actual.type === 'method' ? actual.path.at(-1) : actualNode.kind === 'member' ? actualNode.property : undefined;
  if (isKnown && baseNames.includes(property ?? '')) return request(about, { url: value, headers: [], expects: 'part' });
  const part = isMatcher(valueNode) ? 'part' : expects;
  if (record !== undefined) return ofRecorded(seen, record, part);
  if (received?.mock?.isWhole === true && !isAddress(value)) return handedOut(about, value, part);
  const address = received && asReceived(received, value, part);
  if (address !== undefined) return request(about, { ...address, headers: [] });
  const ofAnswer = askedAsExpected(actual, value, call, part);
  if (ofAnswer !== undefined) return ofAnswer;
  const isFollowed = isSeen(actualNode, call);
  if (!isFollowed && !isOfHelper && !isAddress(value)) return undefined;
  const url = pathInLine(value, actualNode, call) ?? value;
  return request(about, { url, headers: [], expects: isFollowed ? part : 'value' });
}

function ofRecorded({ about, actualNode, value }: Seen, record: Value, expects: Written['expects']): Value {
  const { call } = about;
  const asked = record.type === 'http' ? undefined : call.ev.ask(record, [value], call.node, call);
  if (asked?.type === 'http' && asked.stage === 'request') {
    // Of the first argument alone: what stands after it may name another method than that of the function.
    return { ...asked, mock: { expects, record: recordNamed(actualNode, call, call.node) }, headers: [], ...methodOf(record, asked, call) };
  }
  return {
    ...request(about, { url: value, headers: [], expects }),
    ...(record.type === 'http' && record.base !== undefined ? { base: record.base, join: record.join ?? 'slash' } : {}),
  };
}

/** `/^contact-context:v1:lock:[a-f\d]+$/`: no address and no path begins like the key of a store. */
const isOfStore = ({ value }: LiteralNode): boolean =>
  typeof value === 'object' && value !== null && /^\^[a-z][\w.-]*:[a-z]/i.test(value.pattern);

/** `GET /v1/contacts k`, as a test notes down what mocks were asked: its path. What a server of the test was asked is found with that. */
function pathInLine(item: Value, actualNode: Expression, call: RuleCall): Value | undefined {
  const [, before = '', path] = (item.type === 'text' && /^([A-Z]+\s)(\/\S+)/.exec(flat(item.parts))) || [];
  if (item.type !== 'text' || path === undefined || isCapturedByServer(actualNode, call)) return undefined;
  return { ...item, parts: sliceParts(item.parts, before.length, before.length + path.length) };
}

/** The addresses of several calls: `expect(urls).toEqual(['/v1/contacts', '/v1/messages/m1'])`, or what a test captured of each: `[{ url: 'https://…', key }, …]`. */
function ofEach(about: About, { items, nodes }: ListValue, expects: 'call' | 'part', isCalls: boolean): Value[] {
  const isLine = (item: Value): boolean =>
    about.actualNode !== undefined && about.actualNode.kind !== 'spread' && pathInLine(item, about.actualNode, about.call) !== undefined;
  const areTexts = items.every(({ type }) => type === 'text') && (items.filter(isVersioned).length > 1 || items.every(isLine));
  // A path alone may be one that the program itself was asked for.
  const isWhole = (item: Value): boolean => {
    const url = option(about.call, item, 'url');
    return url?.type === 'text' && isAddress(url);
  };
  // Headers beside an address are of that, and of no other item.
  const areCaptured = !isCalls && items.length > 1 && items.every(({ type }) => type === 'object') && items.some(isWhole);
  if (!areTexts && !areCaptured) return [];
  return items.flatMap((item, index) => {
    const node = nodes[index];
    return node === undefined ? [] : (ofValue({ ...about, expected: [item], nodes: [node] }, expects) ?? []);
  });
}

/** In whatever rows they are expected, addresses say themselves whose they are: `[['GET', 'https://api.example.com/v1/contacts']]`. */
function ofAddressesIn(about: About, list: ListValue): Value | undefined {
  const found = list.items.flatMap((item): Value[] => {
    if (item.type === 'list') return [ofAddressesIn(about, item)].filter((each) => each !== undefined);
    return item.type === 'text' && isAddress(addressIn(item)) ? [request(about, { url: item, headers: [], expects: 'value' })] : [];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/** `toMatchObject({ url: '…', headers: { … } })`. */
function ofObject(about: About, isKnown: boolean): Value | undefined {
  const { call, actualNode, expected } = about;
  const [value] = expected;
  const url = option(call, value, 'url') ?? (isKnown ? option(call, value, 'path') : undefined);
  const isUrl = url?.type === 'text' && isVersioned(url);
  const headers = value === undefined ? [] : [...headersIn(call, value), ...headersLaidIn(value, actualNode, call)];
  if (isUrl) return request(about, { url, headers, expects: 'value' });
  const base = option(call, value, ...baseNames);
  if (isKnown && base?.type === 'text' && isVersioned(base)) return request(about, { url: base, headers, expects: 'part' });
  if (isKnown || headers.length === 0) return headers.length > 0 ? request(about, { headers }) : undefined;
  const isOfServer = actualNode !== undefined && isCapturedByServer(actualNode, call);
  return isOfServer ? request(about, { headers: headers.map(inSmallLetters) }) : undefined;
}
