/** Headers as expectations name them: read of what a mock recorded, or listed with matchers for values. */
import { isKeyHeader, v2Auth } from '../../../../src/contract/auth.ts';
import { forAllCallers } from '../../../evaluate/calls/all-callers.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { keysOf } from '../../../evaluate/names/computed-names.ts';
import {
  choiceOf,
  type Entry,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  plainText,
  type Value,
} from '../../../evaluate/values/values.ts';
import { headersOf } from '../../../evaluate/writes/writes.ts';
import type { Expression, Node } from '../../../syntax/tree.ts';
import { isHeadersKept } from './captured.ts';
import { isNameOfTest, lettersOf } from './header-letters.ts';

/** What an expectation takes for headers, if it names v1's key among them. */
export function expectedHeaders(value: Value): Value[] {
  return optionsOf(value).flatMap((each) => {
    const object = headersOf(each);
    // As axios has those of all methods.
    const common = object?.entries.find(({ name }) => name === 'common')?.value();
    if (common?.type === 'object') return expectedHeaders(common);
    return object?.entries.some(({ name }) => isKeyHeader(name)) === true ? [withoutMatchers(object)] : [];
  });
}

/** Matchers say of a key nothing that the scheme before it changes; a pattern of it may. */
export function withoutMatchers(value: Value, isPart = false): Value {
  const matched = (entry: Entry): Entry => {
    const matcher = isPart ? 'part' : matcherIn(entry.valueNode);
    const unclear = (): Entry => ({
      ...entry,
      valueNode: undefined,
      value: () => ({ type: 'unknown', node: entry.node, module: entry.module }),
    });
    // A key that is not there is sent as a text behind the scheme.
    if (matcher === undefined) return optionsOf(entry.value()).some(isMissing) ? unclear() : entry;
    const pattern = isPart ? entry.valueNode : matcher === 'stringMatching' ? patternIn(entry.valueNode) : undefined;
    // The scheme has a blank and letters of both kinds, of which a test may say that the key has none.
    if (isDenied(entry.valueNode) && isFoundInScheme(entry, pattern)) return unclear();
    // What it says of the key, it may say behind the scheme.
    if (pattern?.kind === 'literal') return { ...unclear(), valueNode: pattern };
    return matcher === 'stringMatching'
      ? unclear()
      : { ...entry, valueNode: undefined, value: () => ({ type: 'literal', value: undefined }) };
  };
  const plain = (each: Value): Value =>
    each.type === 'object' ? ({ ...each, entries: each.entries.map(matched) } satisfies ObjectValue) : each;
  return choiceOf(optionsOf(value).map(plain));
}

/** Whether what is not to be found in a key may be found in the scheme before it; what begins at the key is not. */
const isFoundInScheme = ({ value, valueNode }: Entry, pattern: Node | undefined = valueNode): boolean =>
  pattern?.kind === 'literal'
    ? isOpenPattern(pattern)
    : optionsOf(value()).some((each) => {
        const text = plainText(each);
        return text === undefined ? each.type === 'unknown' && isOpenPattern(each.node) : `${v2Auth.scheme} `.includes(text);
      });

const isOpenPattern = (node: Node | undefined): boolean =>
  node?.kind === 'literal' && typeof node.value === 'object' && node.value !== null && !node.value.pattern.startsWith('^');

/** `expect(key).not.toMatch(…)`, `expect.not.stringMatching(…)`, `assert.doesNotMatch(key, …)` */
function isDenied(node: Node | undefined): boolean {
  for (let at = node; at !== undefined && at.kind !== 'function'; at = at.parent)
    for (let of: Node | undefined = at.kind === 'call' ? at.callee : undefined; of !== undefined;) {
      if (of.kind === 'member' && denying.test(of.property ?? '')) return true;
      of = of.kind === 'member' ? of.object : of.kind === 'call' ? of.callee : undefined;
    }
  return false;
}

const denying = /^(?:not|doesNot)(?:[A-Z]|$)/;

const isMissing = (value: Value): boolean => value.type === 'literal' && (value.value === undefined || value.value === null);

const matchers = new Set(['any', 'anything', 'stringContaining', 'stringMatching']);

export function matcherIn(node: Expression | undefined): string | undefined {
  if (node?.kind === 'member') return isSinonMatch(node.object) && ofAny.has(node.property ?? '') ? 'any' : undefined;
  if (node?.kind !== 'call') return undefined;
  const { callee, args } = node;
  // What a function lets pass, or an expression, nobody reads.
  if (isSinonMatch(callee) && args[0]?.kind !== 'object') return args[0]?.kind === 'string' ? 'stringContaining' : 'stringMatching';
  return callee.kind === 'member' && matchers.has(callee.property ?? '') ? callee.property : undefined;
}

/** `expect.stringMatching(/^key-/)` */
const patternIn = (node: Expression | undefined): Node | undefined =>
  node?.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'stringMatching' ? node.args[0] : undefined;

/** `sinon.match.string` */
const ofAny = new Set(['any', 'defined', 'truthy', 'string']);

const isSinonMatch = (node: Node): boolean =>
  node.kind === 'member' && node.property === 'match' && node.object.kind === 'name' && node.object.name === 'sinon';

/** The request whose headers a mock handed out, under whatever name they were kept. */
export const headersReceived = (value: Value): HttpValue | undefined =>
  optionsOf(value)
    .map((each) => (each.type === 'method' && each.path.at(-1) === 'headers' ? each.receiver : undefined))
    .find((each): each is HttpValue => each?.type === 'http' && each.notes?.['received'] !== undefined);

const besideHeaders: ReadonlySet<string> = new Set(['url', 'href', 'origin', 'host', 'pathname', 'search', 'method', 'body']);

/** Whether it is the address of a request, or something else of it that is no header. */
export const isBesideHeaders = (value: Value): boolean =>
  value.type === 'http' || (value.type === 'method' && besideHeaders.has(value.path[0] ?? ''));

export type Key = Pick<Entry, 'name' | 'key' | 'provenance' | 'isLookup' | 'isShared' | 'nameNode'>;

/**
 * `init.headers['x-api-key']` and `new Headers(init.headers).get('x-api-key')`: the name, if it is v1's.
 * @param method the one that asks for it
 */
export function headerReadIn(node: Expression, at: At & { readonly ev: Evaluation }, method = 'get'): readonly Key[] | undefined {
  const isGet = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === method;
  const name = isGet ? node.args[0] : node.kind === 'member' ? node.computed : undefined;
  if (name === undefined || name.kind === 'spread') return undefined;
  return keysNamed(name, isGet ? node.callee.object : node.kind === 'member' ? node.object : node, at, isGet);
}

/** @param isGet whether a method of theirs is asked, which knows the name in any letters */
export function keysNamed(name: Expression, of: Node, at: At & { readonly ev: Evaluation }, isGet: boolean): readonly Key[] | undefined {
  const isOfHeaders = /headers/i.test(at.module.text.slice(of.start, of.end));
  const isReceived = !isGet && of.kind === 'name' && headersReceived(at.ev.evaluate(of, at)) !== undefined;
  if (!isOfHeaders && !isReceived && !isHeadersKept(of, at)) return undefined;
  const named = keysOf(at.ev.evaluate(name, at)).filter((key) => isKeyHeader(key.name));
  if (named.length === 0 || isNameOfTest(of, at)) return undefined;
  const isShared = isOfOthersToo(name, at);
  const keys = named.map((key) => ({ ...key, nameNode: name, ...(isShared && { isShared }) }));
  const letters = isGet ? { isLookup: true } : lettersOf(of, at);
  return keys.map((key) => ({ ...key, ...letters }));
}

/** Whether the same expectation may be of other headers, too, of which none has a scheme: `headers[name]` in a test of a table, or in a function. */
function isOfOthersToo(name: Expression, { ev, module }: At & { readonly ev: Evaluation }): boolean {
  const names = forAllCallers(ev, undefined, (frame) => ev.evaluate(name, { module, frame }));
  return keysOf(names).some((key) => !isKeyHeader(key.name));
}
