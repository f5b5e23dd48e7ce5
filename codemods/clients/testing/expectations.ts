/**
 * What tests expect of requests: `expect` of Jest, Vitest, Chai and Playwright, `assert` of Node and Chai, Sinon's assertions.
 * Whose requests these are is decided in the plan: an expectation moves with what it expects.
 */
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import { choiceOf, type HttpValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { Expression, Node, PropertyNode, SpreadNode } from '../../syntax/tree.ts';
import { echoedProperty, echoesInSnapshot } from './expected/echoes.ts';
import { askedOfSpy, isBegun, ofCall } from './expected/expected-calls.ts';
import { namedBy } from './expected/expected-paths.ts';
import { headersReceived, withoutMatchers } from './expected/expected-headers.ts';
import { isNameOfTest, lettersOf } from './expected/header-letters.ts';
import { equalFurtherOn, type Look, looksIn } from './expected/expected-looks.ts';
import { type About, name, request, sentBy, versioned } from './expected/expected-request.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { answered, isSeen, ofListed, ofPresence } from './expected/read-headers.ts';
import { lookedFor } from './expected/looked-for.ts';
import { recordedOf, recordIn, recordOf } from './expected/recorded.ts';
import { soughtBy } from './path-patterns.ts';
import { ofValue } from './expected/expected-values.ts';

const calledWith =
  /^(?:to(?:HaveBeen|Be)(?:Last|Nth|LastCalledWith)?(?:Called|ExactlyOnce|CalledExactlyOnce)?\w*With|(?:last|nth)CalledWith|(?:alwaysC|c)alled\w*With\w*)$/;
const equality =
  /^(?:to(?:Be|Equal|StrictEqual|MatchObject)|(?:not)?(?:deep)?(?:strict)?(?:equals?|eqls?)|eq|deepStrictEqual|strictDeepEqual|notDeepStrictEqual|partialDeepStrictEqual|objectMatch|like|is)$/i;
const partial = /^(?:toContain|toMatch|includes?|contains?|match|toContainEqual)$/;
const properties = /^(?:toHaveProperty|property|(?:haveO|o)wnProperty)$/;
const snapshot = 'toMatchInlineSnapshot';
/** Without what all of a package's names begin with, as Deno's do: `assertEquals`, `assertStringIncludes`. */
const namesOf = (path: readonly string[]): string[] =>
  path
    .filter((each) => each !== 'default' && each !== 'assert' && each !== 'strict')
    .map((each) => each.replace(/^assert(?=[A-Z])(?:String|Array)?(.)/, (_, first: string) => first.toLowerCase()));

type IdleCall = Parameters<NonNullable<ClientRule['isIdle']>>[0];

/** What is not compared with any address or header is not found out: `assert.equal(count, 3)`, `expect(found).toEqual({ name: 'a' })`. */
function isIdle(call: IdleCall): boolean {
  const { node, module, on } = call;
  const names = namesOf(call.path);
  const verb = names.at(-1) ?? '';
  if (on !== undefined || helpers.test(verb)) return false;
  if (names.length > 0 && !['expect', 'soft'].includes(verb))
    return !mayLook(node.args[0], module) && isPlainly(verb, node.args.slice(1), call);
  // Chai's words stand between: `expect(count).to.be.equal(3)`.
  let at: Node = node;
  while (at.parent?.kind === 'member' && at.parent.object === at && at.parent.property !== undefined) at = at.parent;
  const { parent } = at;
  if (parent?.kind !== 'call' || parent.callee !== at || at.kind !== 'member') return false;
  return !mayLook(node.args[0], module) && isPlainly(at.property ?? '', parent.args, call);
}

const anything = /^any(?:thing)?$/;
const helpers = /^(?:(?:object|array|string)Containing|any(?:thing)?)$/;

const isHelper = (callee: Node, names: RegExp): boolean => callee.kind === 'member' && names.test(callee.property ?? '');

/** Whether a method compares with nothing at all, or with what is no address and has no key. */
const isPlainly = (verb: string, [expected]: readonly (Expression | SpreadNode)[], call: IdleCall): boolean =>
  !calledWith.test(verb) &&
  !properties.test(verb) &&
  (!(equality.test(verb) || partial.test(verb) || verb === snapshot) ||
    (expected !== undefined && (isPlain(expected) || (equality.test(verb) && isPlainByName(expected, call)))));

/** What is read by a name is found out in fewer steps than what is compared with it, which is all that the test runs. */
const isPlainByName = (node: Node, call: IdleCall): boolean =>
  (node.kind === 'name' || node.kind === 'member') && isPlainValue(call.ev.evaluate(node, call));

/** Why a value is not known that was not followed to its end. */
const unfollowed: ReadonlySet<Value['why']> = new Set(['cycle', 'depth', 'too many']);

/** Whether it is certain that a value is no address, object or list, holds no version and names no key. */
const isPlainValue = (value: Value): boolean =>
  optionsOf(value).every((option) => {
    switch (option.type) {
      case 'text':
        return option.parts.every((part) =>
          'text' in part ? !versioned.test(part.text) && !isKeyHeader(part.text) : isPlainValue(part.unknownPart),
        );
      case 'unknown':
        return !unfollowed.has(option.why);
      case 'method':
        return option.receiver.type === 'unknown';
      case 'literal':
      case 'function':
        return true;
      default:
        return false;
    }
  });

/** Whether it is certain, by what is written there, that a value holds no version and names no key. */
function isPlain(node: Node): boolean {
  switch (node.kind) {
    case 'literal':
      return typeof node.value !== 'object' || node.value === null;
    case 'string':
      return !versioned.test(node.value) && !isKeyHeader(node.value);
    case 'template':
      return node.expressions.every(isPlain) && !node.texts.some(({ value }) => versioned.test(value));
    case 'name':
      return node.name === 'undefined';
    case 'unary':
      return isPlain(node.argument);
    case 'object':
      return node.properties.every((property) => property.kind === 'property' && isPlainProperty(property));
    case 'array':
      return node.elements.every((element) => element === undefined || isPlain(element));
    case 'call':
      return isHelper(node.callee, anything) || (isHelper(node.callee, helpers) && node.args.every(isPlain));
    case 'function':
      return true;
    default:
      return false;
  }
}

const isPlainProperty = ({ name: key, value }: PropertyNode): boolean =>
  key !== undefined && !isKeyHeader(key) && !versioned.test(key) && isPlain(value);

/** Whether an actual value may be a header that is read, or the answer of a look for an address. */
const mayLook = (node: Node | undefined, { text }: RuleCall['module']): boolean =>
  node === undefined || looking.test(text.slice(node.start, node.end));

const looking = new RegExp(`headers|\\bv1\\b|${v1Auth.field}`, 'i');

function call(call: RuleCall): Value | undefined {
  const { on, args, node } = call;
  const path = namesOf(call.path);
  const verb = path.at(-1) ?? '';
  const asked = on === undefined ? (ofPresence(call) ?? askedOfSpy(call)) : undefined;
  if (asked !== undefined) return asked;
  const looks = on === undefined ? looksIn(node.args[0]) : [];
  if (looks.length > 0) return choiceOf(looks.flatMap((look) => ofLook(call, look) ?? []));
  if (on === undefined && path.length === 0) return withActual(call);
  if (on === undefined && ['expect', 'soft'].includes(verb)) return withActual(call);
  if (on === undefined && /^(?:object|array)Containing$/.test(verb)) return args[0];
  if (on === undefined && verb === 'stringContaining') return args[0];
  if (on === undefined && verb === 'stringMatching') return soughtBy(node.args[0], call);
  if (on === undefined && (verb === 'any' || verb === 'anything')) return { type: 'literal', value: undefined };
  const [actual, actualNode] = on === undefined ? [args[0], node.args[0]] : [on.notes?.['actual'], actualOf(on)];
  const [expected, nodes] = on === undefined ? [args.slice(1), node.args.slice(1)] : [args, node.args];
  if (actual === undefined) return undefined;
  const about: About = { call, actual, actualNode, expected, nodes };
  if (calledWith.test(verb))
    return ofCall(
      /nth/i.test(verb) ? { ...about, expected: expected.slice(1), nodes: nodes.slice(1) } : { ...about, isBegun: isBegun(verb) },
    );
  if (equality.test(verb)) return ofValue(about, 'call');
  if (partial.test(verb)) return ofListed(about) ?? ofValue(about, 'part');
  // `to.be.a('string').and.equal(key)`: what is expected besides stands further on.
  if (/^an?$/.test(verb)) return on;
  if (verb === snapshot) return choiceOf(echoesInSnapshot(about, actual, expected[0] ?? actual));
  return properties.test(verb) ? ofProperty(about) : undefined;
}

/** `expect(url.endsWith('/v1/contacts')).toBe(true)`, `assert.ok(calls.some((call) => call.url === '…'))`. */
function ofLook(call: RuleCall, { actual, expected, expects, isOfRecord }: Look): Value | undefined {
  if (isOfRecord === true && !isSeen(actual, call)) return undefined;
  const [value, text] = [actual, expected].map((node) => call.ev.evaluate(node, call));
  return value === undefined || text === undefined
    ? undefined
    : ofValue({ call, actual: value, actualNode: actual, expected: [text], nodes: [expected] }, expects);
}

const withActual = ({ node, module, args }: RuleCall): HttpValue | undefined =>
  args[0] === undefined
    ? undefined
    : { type: 'http', client: name, stage: 'client', node, module, origins: [], headers: [], mock: {}, notes: { actual: args[0] } };

const actualOf = ({ node }: HttpValue): Expression | SpreadNode | undefined => (node.kind === 'call' ? node.args[0] : undefined);

/** `expect(init.headers).toHaveProperty('x-api-key', key)`. */
function ofProperty(given: About): Value | undefined {
  const { call, actualNode } = given;
  const further = given.expected.length < 2 ? equalFurtherOn(call.node) : undefined;
  if (further === 'open') return undefined;
  const nodes = further === undefined ? given.nodes : [...given.nodes, further];
  const expected = further === undefined ? given.expected : [...given.expected, call.ev.evaluate(further, call)];
  const [key, value = { type: 'literal', value: undefined } satisfies Value] = expected;
  if (key === undefined) return undefined;
  const { within, isOfHeaders, named } = namedBy(key, given);
  const actual = within.reduce((owner, name) => call.ev.member(owner, name, call.node, call), given.actual);
  const about = { ...given, actual };
  const received = headersReceived(actual);
  const of = isOfHeaders && actualNode?.kind !== 'spread' ? actualNode : undefined;
  // `for (const [, , options] of post.mock.calls)`: of an item of what was recorded nothing is known but where it is from.
  const record = of && (recordOf(actual) ?? recordIn(of, call));
  const isKnown = received !== undefined || record !== undefined || (of !== undefined && isSeen(of, call));
  const valueNode = nodes[1]?.kind === 'spread' ? undefined : nodes[1];
  const isSmall = received?.notes?.['small'] !== undefined;
  if (actualNode && isNameOfTest(actualNode, call, within)) return undefined;
  const letters = isSmall ? { isLookup: true } : actualNode && lettersOf(actualNode, call, within);
  const entry = { ...named, node: call.node, module: call.module, valueNode, value: () => value, ...letters };
  if (!isKnown) return echoedProperty(about, entry);
  const headers: Value = { type: 'object', node: call.node, module: call.module, entries: [entry], unknown: [] };
  // Where no value is expected, any is: the name alone is about the header.
  const described = request(about, { headers: [expected.length > 1 ? withoutMatchers(headers) : headers], ...recordedOf(record) });
  return sentBy(received ?? answered(actual), described);
}

export const expectationRule: ClientRule = {
  name,
  title: 'expectations of Vitest, Jest, Sinon, Chai, Japa, uvu, Deno and node:assert',
  isForTests: true,
  modules: ['chai', 'expect', 'assert', 'assert/strict', 'uvu/assert', '@std/assert', '@std/expect', '@std/testing'],
  globals: ['expect', 'assert'],
  call,
  isIdle,
  looksFor: (node, at, ev) => lookedFor(node, at, ev, ofLook),
  plugIns: /^@testing-library\//,
};
