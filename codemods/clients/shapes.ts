/** What most clients have in common, for their rules. */
import { v2Auth } from '../../src/contract/auth.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import {
  choiceOf,
  type HttpValue,
  type JoinStyle,
  type ObjectValue,
  optionsOf,
  partsOf,
  nothing,
  plainText,
  unknown,
  type Value,
} from '../evaluate/values/values.ts';
import { isNullish } from '../evaluate/language/or-default.ts';
import { setBy } from '../evaluate/writes/writes.ts';
import type { CallNode } from '../syntax/tree.ts';
import { headersSetBy, replacedBy } from './callbacks.ts';
import { isOpenBase } from './open-bases.ts';
import { isReaddressed } from './readdressed.ts';
import { returnsOf } from '../evaluate/calls/returns.ts';
import { flat, isAbsolute, concatenated } from '../evaluate/values/text.ts';
import type { Additions, Mutation, RuleCall } from '../evaluate/libraries/client-rule.ts';
import { isOfUrl, putTogether } from '../evaluate/language/url-taken-apart.ts';

/** An option of an options object; undefined where it is certainly not there. */
export function option(call: RuleCall, options: Value | undefined, ...names: readonly string[]): Value | undefined {
  if (options === undefined) return undefined;
  for (const [at, name] of names.entries()) {
    const value = call.ev.member(options, name, call.node, call);
    if (value.type === 'literal' && value.value === undefined) continue;
    // A method that is not named may be absent, and so may a base that only callers whom nobody sees could give.
    const isAbsent = !mayName(options, name) && (name === 'method' || isOpenBase(call.ev, options, name));
    // What may be null gives way to the option of the other name.
    const other = optionsOf(value).some(isNullish) ? option(call, options, ...names.slice(at + 1)) : undefined;
    const found = other === undefined ? value : choiceOf([value, other]);
    return isAbsent ? asAbsent(found) : found;
  }
  return undefined;
}

const asAbsent = (value: Value): Value =>
  choiceOf(optionsOf(value).map((each) => (each.type === 'literal' ? each : { ...each, why: 'absent' })));

/** The client's base is the default of what may be given in its place for one request, whose path the program says itself. */
function baseOf({ base, url }: Described, own: Value | undefined): Value | undefined {
  const isOpen = base !== undefined && optionsOf(base).every((each) => each.why === 'absent' || isNullish(each));
  const isSaid = url !== undefined && optionsOf(url).some(({ type }) => type === 'text');
  return isOpen && isSaid && own !== undefined ? own : (base ?? own);
}

/** Whether options may stand where clients also take an address: `https.request(options)`. */
export const isOptions = (value: Value): boolean => optionsOf(value).some(({ type }) => type === 'object');

/** Whether options name an option themselves. */
export const mayName = (options: Value, name: string): boolean =>
  optionsOf(options).some((each) => each.type === 'object' && each.entries.some((entry) => entry.name === name));

export interface Described {
  readonly base?: Value | undefined;
  readonly url?: Value | undefined;
  readonly join?: JoinStyle | undefined;
  readonly method?: Value | string | undefined;
  /** Set where a hook puts another address in the place of it: see `movedBy`. */
  readonly moved?: Value | undefined;
  /** In the order in which later ones win. */
  readonly headers?: readonly (Value | undefined)[];
}

/** A client, or a request, that a call makes; what it is made from counts on. */
export function made(client: string, stage: HttpValue['stage'], call: RuleCall, described: Described): HttpValue {
  const { on } = call;
  const base = baseOf(described, on?.base);
  const url = described.url ?? on?.url;
  const method = described.method ?? on?.method;
  const join = described.join ?? on?.join;
  return {
    type: 'http',
    client,
    stage,
    node: call.node,
    module: call.module,
    origins: on?.origins ?? [],
    madeBy: on?.madeBy,
    headers: [...(on?.headers ?? []), ...(described.headers ?? []).filter((each) => each !== undefined)],
    ...(base === undefined ? {} : { base }),
    ...(url === undefined ? {} : { url }),
    ...(method === undefined ? {} : { method }),
    ...(join === undefined ? {} : { join }),
    ...(on?.notes === undefined && described.moved === undefined
      ? {}
      : { notes: { ...on?.notes, ...(described.moved === undefined ? {} : { moved: described.moved }) } }),
    ...(on?.provenance === undefined ? {} : { provenance: on.provenance }),
  };
}

/** What a function or a reference of Vue is now: `useFetch(() => url)`, `useFetch(computed(() => url))` ask again whenever what these read changes. */
export const currentOf = (call: RuleCall, value: Value | undefined): Value | undefined =>
  value &&
  choiceOf(
    optionsOf(value).map((each) => {
      if (each.type === 'function') return call.ev.apply(each, [], call.node, call);
      const held = each.type === 'object' ? each.entries.find((entry) => entry.name === 'value') : undefined;
      return held?.value() ?? each;
    }),
  );

/** Methods named after HTTP's. */
export const verbs: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
/** Those that carry a body, which most clients take before the options. */
export const withBody: ReadonlySet<string> = new Set(['post', 'put', 'patch']);

/** The headers that a call with a name and a value sets, or with an object of headers. */
export const headersOfCall = (ev: Evaluation, node: CallNode, at: At): ObjectValue => ({
  type: 'object',
  node,
  module: at.module,
  ...setBy(ev, node, at),
});

/**
 * The headers that the functions of an option such as `hooks.beforeRequest` set.
 * @param ways where they find the headers: in which of their parameters, and from there by which names
 */
export function hookHeaders(
  call: RuleCall,
  functions: Value | undefined,
  ways: readonly (readonly [number, readonly string[]])[],
): Value[] {
  const items = functions?.type === 'list' ? functions.items : functions === undefined ? [] : [functions];
  return items.flatMap((item) => ways.flatMap(([index, path]) => headersSetBy(call.ev, item, index, path) ?? []));
}

/**
 * What stands for the address of requests where the functions of an option put another in its place, or answer with another request.
 * @param ways where they find the request's options: in which of their parameters, and the names that are its address
 */
export function movedBy(
  { ev, node, module }: Pick<RuleCall, 'ev' | 'node' | 'module'>,
  functions: Value | undefined,
  ways: readonly (readonly [number, readonly string[]])[],
): Value | undefined {
  const items = functions?.type === 'list' ? functions.items : functions === undefined ? [] : [functions];
  const isMoved = items.some(
    (item) => ways.some(([index, names]) => names.some((name) => replacedBy(ev, item, index, name).length > 0)) || returnsRequest(ev, item),
  );
  return isMoved ? unknown(node, module, 'assigned') : undefined;
}

const returnsRequest = (ev: Evaluation, fn: Value): boolean =>
  fn.type === 'function' &&
  returnsOf(fn.node).some((returned) =>
    optionsOf(ev.evaluate(returned, fn)).some(
      (made) => made.type === 'http' && ((made.url !== undefined && isAbsoluteText(made.url)) || isReaddressed(ev, made, fn)),
    ),
  );

const isAbsoluteText = (url: Value): boolean => optionsOf(url).some((each) => isAbsolute(flat(partsOf(each))));

/** A mutation that sets headers, of a client that names the methods for it with all that leads there: `headers.set`. */
export function settingHeaders(
  setters: ReadonlySet<string>,
): (mutation: Mutation, request: HttpValue, ev: Evaluation) => Additions | undefined {
  return (mutation, _request, ev) =>
    mutation.kind === 'call' && setters.has(mutation.path.join('.'))
      ? { headers: [headersOfCall(ev, mutation.node, mutation)] }
      : undefined;
}

/** An `Authorization` that a library writes by itself for a call such as `auth(user, password)`. */
export const authorized = ({ node, module }: Pick<ObjectValue, 'node' | 'module'>): ObjectValue => ({
  type: 'object',
  node,
  module,
  entries: [{ name: v2Auth.field, key: undefined, node, module, valueNode: undefined, value: () => ({ type: 'unknown', node, module }) }],
  unknown: [],
});

/** The same for an option such as `auth: { user, pass }`, where it is certainly there. */
export const authorizedBy = (
  call: Pick<ObjectValue, 'node' | 'module'>,
  options: Value | undefined,
  name: string,
): ObjectValue | undefined =>
  options !== undefined && optionsOf(options).some((each) => each.type === 'object' && each.entries.some((entry) => entry.name === name))
    ? authorized(call)
    : undefined;

/** Text that no file holds. */
export const textOf = (value: string): Value => ({ type: 'text', parts: [{ text: value }] });

/** The parts of a URL; an origin stands for all before the path. */
export interface Address {
  readonly origin?: Value | undefined;
  readonly protocol?: Value | undefined;
  readonly host?: Value | undefined;
  readonly port?: Value | undefined;
  readonly path: Value | undefined;
}

/** The URL of what gives its parts one by one, as node's `https.request({ hostname, path })`. */
export function urlOf({ origin, protocol = textOf('https:'), host = textOf('localhost'), port, path = textOf('/') }: Address): Value {
  if (origin !== undefined) return putTogether(origin, path, (of, behind) => concatenated([of, behind]));
  // That of a URL whose beginning is not known goes with its host.
  const others = optionsOf(protocol).filter((each) => !isOfUrl(each, 'protocol'));
  const given = plainText(others.length === 0 ? protocol : choiceOf(others))?.replace(/:?(?:\/\/)?$/, '://');
  // Nothing answers plain http at 443: `(port === 443 ? https : http).request({ host, port })` asks nobody there whom https does not.
  const isSecure = given === 'http://' && optionsOf(port ?? nothing).some((each) => plainText(each) === '443');
  const scheme = isSecure ? 'https://' : given;
  const usual = scheme === 'http://' ? '80' : '443';
  const isUsual =
    port === undefined ||
    optionsOf(port).every((each) => isOfUrl(each, 'port') || isNullish(each) || [usual, ''].includes(plainText(each) ?? ''));
  const whole = (of: Value, behind: Value): Value =>
    concatenated([scheme === undefined ? protocol : textOf(scheme), of, ...(isUsual ? [] : [textOf(':'), port]), behind]);
  return isUsual ? putTogether(host, path, whole) : whole(host, path);
}
