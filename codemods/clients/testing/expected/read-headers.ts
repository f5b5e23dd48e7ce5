/** Headers that a test reads of what a mock recorded or a test captured, and those of which it only asks whether they are there. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { ruleNamed } from '../../../evaluate/libraries/rules.ts';
import { choiceOf, type Entry, type HttpValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import type { Expression } from '../../../syntax/tree.ts';
import { addressCaptured, isCaptured, isCapturedByServer, isOfAnswer } from './captured.ts';
import { unvalued } from './compared.ts';
import { echoedRead } from './echoes.ts';
import { readInHelper } from './expectation-helpers.ts';
import { headerReadIn, keysNamed } from './expected-headers.ts';
import { isDenied, isExpectedThere } from './expected-looks.ts';
import { type About, isGivenByCaller, request } from './expected-request.ts';
import { inSmallLetters, inTheirLetters } from './header-letters.ts';
import { recordedOf, recordIn, recordOf } from './recorded.ts';
import { headerSoughtIn, listedBy } from './sought-headers.ts';

/** `expect(headers.has('x-api-key')).toBe(true)`, `assert.ok('x-api-key' in headers)`, `expect(headers['x-api-key']).toBeDefined()`: of its value nothing is expected. */
export function ofPresence(given: RuleCall): Value | undefined {
  const { node, module, ev } = given;
  const [actual] = node.args;
  if (actual === undefined || actual.kind === 'spread') return undefined;
  const { actualNode: asked, call } = readInHelper(actual, given) ?? { actualNode: actual, call: given };
  const sought = headerSoughtIn(asked, call);
  const isExpected = sought === undefined ? isExpectedThere(node, module) : !isDenied(node, module);
  const keys = isExpected ? (sought?.keys ?? headerReadIn(asked, call)) : undefined;
  if (keys === undefined) return undefined;
  const of = sought?.of ?? asked;
  const about: About = { call, actual: ev.evaluate(of, call), actualNode: of, expected: [], nodes: [] };
  const anyValue = unvalued(node, module);
  const echoes = echoedRead(about, of, anyValue);
  if (echoes.length > 0) return choiceOf(echoes);
  const found = readOf(
    about,
    of,
    keys.map((key) => ({ ...key, ...anyValue })),
  );
  return found && inTheirLetters(found, of, call);
}

/** `expect(Object.keys(init.headers)).toContain('x-api-key')`. */
export function ofListed({ call, actualNode, nodes: [name] }: About): Value | undefined {
  const of = actualNode === undefined ? undefined : listedBy(actualNode);
  if (of === undefined || name === undefined || name.kind === 'spread' || isDenied(call.node, call.module)) return undefined;
  const about: About = { call, actual: call.ev.evaluate(of, call), actualNode: of, expected: [], nodes: [] };
  const anyValue = unvalued(call.node, call.module);
  const entries = keysNamed(name, of, call, false)?.map((key) => ({ ...key, ...anyValue }));
  const found = entries && readOf(about, of, entries);
  return found && inTheirLetters(found, of, call);
}

/** Whether it is of a request that a test captured, or got with its answer. */
export const isSeen = (node: Expression, call: RuleCall): boolean => isCaptured(node, call) || isOfAnswer(node, call.module);

/** The request that an answer is to, where it is seen. */
export const answered = (value: Value): HttpValue | undefined =>
  optionsOf(value)
    .map((each) => (each.type === 'method' ? each.receiver : undefined))
    .find((each): each is HttpValue => each?.type === 'http' && each.stage === 'request' && each.mock === undefined);

/** A header that is read of what a mock recorded, or a test captured. */
export function readOf(
  about: About,
  actualNode: Expression,
  entries: readonly Entry[],
  expected = (headers: Value): Value => headers,
): Value | undefined {
  const { call, actual } = about;
  const client = clientWith(actual, call.ev);
  const record = client ?? recordOf(actual) ?? recordIn(actualNode, call);
  // What a helper of the test is given to read of, each call of it says.
  const isOfServer = record === undefined && !isGivenByCaller(actual) && !isSeen(actualNode, call);
  if (isOfServer && !isCapturedByServer(actualNode, call)) return undefined;
  const captured = record === undefined ? addressCaptured(actualNode, call) : undefined;
  const { url = captured, base, join } = answered(actual) ?? {};
  const headers: Value = { type: 'object', node: call.node, module: call.module, entries, unknown: [] };
  const described = request(about, {
    headers: [expected(isOfServer ? inSmallLetters(headers) : headers)],
    ...(url && { url }),
    ...(client ? { recordedOf: { origins: client.origins, isAlone: true } } : recordedOf(record)),
  });
  return { ...described, ...(base && { base }), ...(join && { join }) };
}

/** `http.axiosRef.defaults.headers`: the client that a test reads them of. One of several that a function makes is not known from the others. */
function clientWith(value: Value, { rules }: Evaluation): HttpValue | undefined {
  const on = value.type === 'method' ? value.receiver : undefined;
  if (value.type !== 'method' || on?.type !== 'http' || on.stage !== 'client' || on.mock !== undefined) return undefined;
  const way = [...(ruleNamed(rules, on.client)?.defaults ?? []), 'headers'];
  const isRead = way.length > 1 && way.every((name, index) => name === value.path[index]);
  return isRead && on.madeBy === undefined && on.origins.some((origin) => typeof origin !== 'string') ? on : undefined;
}
