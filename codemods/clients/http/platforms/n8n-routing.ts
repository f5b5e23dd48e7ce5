/** Requests that a description of n8n declares: `routing: { request }` of operations, with what its functions make of them, and `test` of credentials. */
import { classAround } from '../../../evaluate/calls/callees.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { flat, joinUrl } from '../../../evaluate/values/text.ts';
import { choiceOf, type HttpValue, optionsOf, partsOf, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import type { Node, PropertyNode } from '../../../syntax/tree.ts';
import { headersSetBy, replacedBy } from '../../callbacks.ts';
import { withBraces } from '../../values/braces.ts';
import {
  type Credentials,
  credentialsIn,
  credentialsOf,
  defaultsFor,
  fieldsOf,
  headersOf,
  onlyHeaders,
  presentIn,
} from './n8n-descriptions.ts';

export const n8n = 'n8n';

/** Functions that may give a request another address, by the property that lists them, and where they find it in what they are given. */
const hooks: Readonly<Record<string, string>> = { preSend: '', pagination: 'options.' };

/** The properties that describe requests. */
export const described = ['request', 'routing', ...Object.keys(hooks)];

/** `routing: { request: { method, url } }` of an operation, `test = { request: { baseURL, url } }` of credentials. */
export function declared(property: PropertyNode, at: At, ev: Evaluation): Value | undefined {
  const senders = sendersOf(property, at, ev);
  const asked = senders.length === 0 ? [] : askedBy(property, at, ev);
  const found = senders.flatMap((sender) => asked.flatMap((each) => requestOf(ev, each, sender, { property, at }) ?? []));
  return found.length === 0 ? undefined : choiceOf(found);
}

/** What a description says of one request. */
interface Asked {
  readonly url: Value | undefined;
  readonly base: Value | undefined;
  readonly method: Value | string;
  readonly headers: readonly (Value | undefined)[];
}

function askedBy(property: PropertyNode, at: At, ev: Evaluation): readonly Asked[] {
  const name = property.name ?? '';
  const value = ev.evaluate(property.value, at);
  const routing = routingAround(property);
  if (name === 'routing') return optionsOf(value).flatMap((each) => requestsIn(ev, presentIn(ev, each, 'request', at), each, at));
  if (name === 'request') return requestsIn(ev, value, routing && ev.evaluate(routing, at), at);
  const request = routing && presentIn(ev, ev.evaluate(routing, at), 'request', at);
  return functionsOf(value).flatMap((fn) => readdressedBy(ev, fn, { under: hooks[name] ?? '', request, property, at }));
}

/** @param routing what they stand in, with the functions that write into their headers */
function requestsIn(ev: Evaluation, request: Value | undefined, routing: Value | undefined, at: At): Asked[] {
  const sent = routing && presentIn(ev, routing, 'send', at);
  const added = functionsOf(sent && presentIn(ev, sent, 'preSend', at)).map((fn) => headersSetBy(ev, fn, 0, ['headers']));
  return (request === undefined ? [] : optionsOf(request)).flatMap((each): Asked[] => {
    const get = (key: string): Value | undefined => presentIn(ev, each, key, at);
    return each.type === 'object'
      ? [{ url: get('url'), base: get('baseURL'), method: get('method') ?? 'GET', headers: [get('headers'), ...added] }]
      : [];
  });
}

/** What a function puts in the place of what a routing says of its request. */
function readdressedBy(
  ev: Evaluation,
  fn: Value,
  place: { readonly under: string; readonly request: Value | undefined; readonly property: PropertyNode; readonly at: At },
): Asked[] {
  const { under, request, property, at } = place;
  const open = unknown(property, at.module, 'assigned');
  const said = (key: string): Value | undefined => request && presentIn(ev, request, key, at);
  const [urls = [], bases = []] = ['url', 'baseURL'].map((name) => replacedBy(ev, fn, 0, under + name));
  if (urls.length === 0 && bases.length === 0) return [];
  return [
    {
      url: urls.length === 0 ? (said('url') ?? open) : choiceOf(urls),
      base: bases.length === 0 ? said('baseURL') : choiceOf(bases),
      method: said('method') ?? open,
      headers: [said('headers'), headersSetBy(ev, fn, 0, [...under.split('.').filter((each) => each !== ''), 'headers'])],
    },
  ];
}

/** Who sends what is declared. */
interface Sender {
  /** What it has for all of its requests. */
  readonly defaults?: { readonly value: Value; readonly at: At } | undefined;
  /** Whose credentials it has; undefined where nobody says so. */
  readonly credentials: readonly Credentials[] | undefined;
}

/** Each node that a routing may be of with each of the credentials that it names, and credentials that are tested themselves. */
function sendersOf(property: PropertyNode, { module }: At, ev: Evaluation): Sender[] {
  const owner = property.parent?.parent;
  if (owner?.kind === 'classMember' && owner.name === 'test') {
    const own = credentialsIn(ev).filter(({ node }) => node === classAround(property));
    return [{ credentials: own.length === 0 ? undefined : own }];
  }
  if (routingAround(property) === undefined) return [];
  const nodes = defaultsFor(ev, property, module);
  if (nodes.length === 0) return [{ credentials: undefined }];
  return nodes.flatMap((node): Sender[] => {
    const defaults = { value: ev.evaluate(node.node.value, node.at), at: node.at };
    const credentials = credentialsOf(ev, node);
    if (credentials === undefined) return [{ defaults, credentials }];
    return credentials.map((each) => ({ defaults, credentials: each === undefined ? [] : [each] }));
  });
}

/** What a request stands in, or what its functions are listed in: `routing: { … }`, `operation.routing = { … }`; or that itself, where it does not say its request there. */
function routingAround({ name = '', parent: object, value }: PropertyNode): Node | undefined {
  if (name === 'routing') return value.kind === 'object' && value.properties.some(isRequest) ? undefined : value;
  const within = { preSend: 'send', pagination: 'operations' }[name];
  const part = object?.parent;
  const routing = within === undefined ? object : part?.kind === 'property' && part.name === within ? part.parent : undefined;
  return routing !== undefined && isRouting(routing.parent) ? routing : undefined;
}

const isRequest = (each: Node): boolean => each.kind === 'property' && each.name === 'request';

const isRouting = (owner: Node | undefined): boolean =>
  owner?.kind === 'assign'
    ? owner.target.kind === 'member' && owner.target.property === 'routing'
    : owner?.kind === 'property' && owner.name === 'routing';

/** The functions that a property lists. */
const functionsOf = (value: Value | undefined): readonly Value[] =>
  (value === undefined ? [] : optionsOf(value)).flatMap((option) =>
    option.type === 'list' ? option.items.flatMap(optionsOf) : option.type === 'function' ? [option] : [],
  );

function requestOf(
  ev: Evaluation,
  { url, base, method, headers }: Asked,
  { defaults, credentials }: Sender,
  { property, at }: { readonly property: PropertyNode; readonly at: At },
): HttpValue | undefined {
  const byDefault = (key: string): Value | undefined => defaults && presentIn(ev, defaults.value, key, defaults.at);
  if (url === undefined) return undefined;
  const of = base ?? byDefault('baseURL');
  const whole = joinUrl(of && expression(ev, of, credentials), expression(ev, url, credentials), 'slash');
  const sent = credentials === undefined ? onlyHeaders(ev) : credentials.map((each) => headersOf(ev, each));
  return {
    type: 'http',
    client: n8n,
    stage: 'request',
    node: property,
    module: at.module,
    origins: [],
    method,
    headers: [...sent, byDefault('headers'), ...headers].filter((header) => header !== undefined),
    ...(whole === undefined ? {} : { url: whole }),
  };
}

/** `$credentials.baseUrl`, `$credentials.baseUrl || "https://…"` */
const ofField = /^\$credentials\??\.(?<field>\w+)(?:\s*(?<or>\|\||\?\?)\s*(?<quote>["'`])(?<otherwise>[^"'`$\\]*)\k<quote>)?$/;

/**
 * `=/messages/{{$parameter.id}}` is an expression: of what stands in braces only fields of credentials are known.
 * @param of whose fields these are; any's, where that is not known
 */
function expression(ev: Evaluation, value: Value, of: readonly Credentials[] = credentialsIn(ev)): Value {
  const given = (inside: string, textOf: (start: number, end: number) => Value): Value | undefined => {
    const { field, or, otherwise } = ofField.exec(inside)?.groups ?? {};
    if (field === undefined) return undefined;
    const found = of.flatMap((each) => fieldsOf(ev, each).filter((one) => one.name === field)).flatMap((each) => optionsOf(each.value()));
    if (found.length === 0 || otherwise === undefined) return found.length === 0 ? undefined : choiceOf(found);
    const end = inside.length - 1;
    const filledIn = found.filter((each) => or !== '||' || plainText(each) !== '');
    return choiceOf([...filledIn, textOf(end - otherwise.length, end)]);
  };
  return choiceOf(optionsOf(value).map((each) => (flat(partsOf(each)).startsWith('=') ? withBraces(each, 1, given) : each)));
}
