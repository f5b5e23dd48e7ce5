/** What is put together on both sides of a comparison: `deepStrictEqual({ path: asked.path }, { path: '/v1/contacts' })`. */
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { flat, sliceParts } from '../../../evaluate/values/text.ts';
import { choiceOf, optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import { escaped } from '../../../find/words/literals.ts';
import type { Expression, Node } from '../../../syntax/tree.ts';
import { isCapturedByServer, isCapturedOfMocks } from './captured.ts';
import { headerReadIn } from './expected-headers.ts';
import { type About, besideAddress } from './expected-request.ts';

/** @returns what is expected of the pieces, each compared with that in its place */
export function inPieces(about: About, ofPiece: (piece: About) => Value | undefined): Value | undefined {
  const { call, actualNode, nodes } = about;
  const found = pairsOf(actualNode, nodes[0]).flatMap(([actual, expected]) => {
    const piece = { call, actual: call.ev.evaluate(actual, call), actualNode: actual };
    return ofPiece({ ...piece, expected: [call.ev.evaluate(expected, call)], nodes: [expected] }) ?? [];
  });
  found.push(...inTemplate(about).flatMap((piece) => ofPiece(piece) ?? []));
  return found.length === 0 ? undefined : choiceOf(found);
}

/**
 * What is expected of each part of a text that the test puts together: `` expect(`${call.method} ${call.url}`).toBe('GET https://…') ``. Blanks
 * tell where each stands; beside a key all of it is for a person.
 */
function inTemplate({ call, actualNode, expected: [expected], nodes }: About): About[] {
  if (actualNode?.kind !== 'template' || expected === undefined) return [];
  const { texts, expressions } = actualNode;
  if (texts.slice(1, -1).some(({ value }) => !/\s/.test(value))) return [];
  if (expressions.some((each) => headerReadIn(each, call) !== undefined)) return [];
  const pattern = new RegExp(`^${texts.map(({ value }) => escaped(value)).join('(\\S+)')}$`, 'd');
  const rows = optionsOf(expected).map((row) => ({ row, places: pattern.exec(flat(partsOf(row)))?.indices }));
  return expressions.flatMap((actual, index): About[] => {
    const said = rows.flatMap(({ row, places }): Value[] => {
      const place = places?.[index + 1];
      return row.type === 'text' && place ? [{ ...row, parts: sliceParts(row.parts, ...place) }] : [];
    });
    if (said.length < rows.length) return [];
    return [{ call, actual: call.ev.evaluate(actual, call), actualNode: actual, expected: [choiceOf(said)], nodes }];
  });
}

/**
 * What each row of a list is made of stands in a function: `expect(calls.map(([url, init]) => [init.method, url])).toEqual([['GET', '/v1/contacts']])`.
 * So may the key of each: `expect(calls.map(([, init]) => init.headers['x-api-key'])).toEqual(['k', 'k'])`.
 * @returns what is expected of the pieces of all rows, as of what the list is made of
 */
export function inRows(about: About, ofPiece: (piece: About) => Value | undefined): Value | undefined {
  const { call, actualNode, nodes } = about;
  const [rows] = nodes;
  if (actualNode?.kind !== 'call' || actualNode.callee.kind !== 'member' || actualNode.callee.property !== 'map') return undefined;
  const { object: from } = actualNode.callee;
  const [fn] = actualNode.args;
  const [made, another] = fn?.kind === 'function' ? returnsOf(fn) : [];
  if (made === undefined || another !== undefined || rows?.kind !== 'array') return undefined;
  const isHeader = headerReadIn(made, call) !== undefined;
  const list = call.ev.evaluate(from, call);
  // What a server of a test was asked, the test itself may have asked; whose header else was captured is asked where it is read.
  const isOfMocks = list.type === 'method' || list.type === 'external' || isCapturedOfMocks(from, call);
  if (!isOfMocks && (!isHeader || isCapturedByServer(from, call))) return undefined;
  const pairs = rows.elements.flatMap((row) =>
    isHeader && row !== undefined && row.kind !== 'spread' ? [[made, row] as const] : pairsOf(made, row),
  );
  // Whole headers are of the address in their row.
  if (pairs.some(([, { kind }]) => kind === 'object')) return undefined;
  // The name of a header is that of all rows: where one expects no key, it is for a person.
  const texts = new Map<Node, boolean>();
  for (const [actual, { kind }] of pairs) texts.set(actual, texts.get(actual) !== false && kind === 'string');
  const found = pairs.flatMap(([actual, expected]) => {
    if (isBesideAddress(actual, call.module) || (texts.get(actual) !== true && headerReadIn(actual, call) !== undefined)) return [];
    return ofPiece({ call, actual: list, actualNode: actual, expected: [call.ev.evaluate(expected, call)], nodes: [expected] }) ?? [];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/** `JSON.parse(init.body).link` */
const isBesideAddress = ({ start, end }: Node, { text }: SourceModule): boolean =>
  (text.slice(start, end).match(/\w+/g) ?? []).some((word) => besideAddress.test(word));

/** The properties of one name, or the items in one place; none where others may come in between. */
function pairsOf(one: Node | undefined, other: Node | undefined): (readonly [Expression, Expression])[] {
  if (one?.kind === 'object' && other?.kind === 'object') {
    const [values, expected] = [one, other].map(
      ({ properties }) => new Map(properties.flatMap((each) => (each.kind === 'property' ? [[each.name, each.value] as const] : []))),
    );
    if ([one, other].some(({ properties }) => properties.some(({ kind }) => kind === 'spread'))) return [];
    return [...(values ?? [])].flatMap(([name, value]) => {
      const beside = name === undefined ? undefined : expected?.get(name);
      return beside === undefined ? [] : [[value, beside] as const];
    });
  }
  if (one?.kind !== 'array' || other?.kind !== 'array') return [];
  if ([one, other].some(({ elements }) => elements.some((each) => each?.kind === 'spread'))) return [];
  return one.elements.flatMap((value, index) => {
    const beside = other.elements[index];
    return value === undefined || value.kind === 'spread' || beside === undefined || beside.kind === 'spread'
      ? []
      : [[value, beside] as const];
  });
}
