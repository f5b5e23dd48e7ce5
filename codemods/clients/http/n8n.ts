/** n8n's nodes: https://docs.n8n.io/integrations/creating-nodes. Request helpers, and requests that a description declares. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { classAround } from '../../evaluate/calls/callees.ts';
import { withBraces } from '../values/braces.ts';
import { made, option } from '../shapes.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { flat, joinUrl } from '../../evaluate/values/text.ts';
import {
  choiceOf,
  type HttpValue,
  type ObjectValue,
  optionsOf,
  partsOf,
  plainText,
  unknown,
  type Value,
} from '../../evaluate/values/values.ts';
import type { ClassNode, FunctionNode, PropertyNode } from '../../syntax/tree.ts';
import {
  type Credentials,
  credentialsIn,
  credentialsNamed,
  credentialsOf,
  defaultsFor,
  fieldsOf,
  headersOf,
  nameOf,
  presentIn,
} from './n8n-descriptions.ts';

const name = 'n8n';
const helpers = ['httpRequest', 'request', 'httpRequestWithAuthentication', 'requestWithAuthentication'];

/** `this.helpers.httpRequest(options)`, `this.helpers.httpRequestWithAuthentication.call(this, 'credentials', options)` */
function call(call: RuleCall): Value | undefined {
  const [verb = ''] = call.path;
  if (verb === 'getCredentials') return givenCredentials(call);
  const isAuthenticated = verb.endsWith('WithAuthentication');
  const options = call.args[isAuthenticated ? 1 : 0];
  if (options === undefined) return undefined;
  const credentials = isAuthenticated ? authentication(call.ev, call.args[0]) : undefined;
  if (options.type !== 'object') return made(name, 'request', call, { url: options, headers: [credentials] });
  return made(name, 'request', call, {
    base: option(call, options, 'baseURL', 'baseUrl'),
    url: option(call, options, 'url', 'uri'),
    method: option(call, options, 'method') ?? 'GET',
    headers: [credentials, option(call, options, 'headers')],
    join: 'slash',
  });
}

/** `routing: { request: { method, url } }` of an operation, `test = { request: { baseURL, url } }` of credentials. */
function declared(property: PropertyNode, at: At, ev: Evaluation): Value | undefined {
  const senders = sendersOf(property, at, ev);
  const found = optionsOf(ev.evaluate(property.value, at)).flatMap((each) =>
    each.type === 'object' ? senders.flatMap((sender) => requestOf(ev, each, sender, { property, at }) ?? []) : [],
  );
  return found.length === 0 ? undefined : choiceOf(found);
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
  if (owner?.kind !== 'property' || owner.name !== 'routing') return [];
  const nodes = defaultsFor(ev, property, module);
  if (nodes.length === 0) return [{ credentials: undefined }];
  return nodes.flatMap((node): Sender[] => {
    const defaults = { value: ev.evaluate(node.node.value, node.at), at: node.at };
    const credentials = credentialsOf(ev, node);
    if (credentials === undefined) return [{ defaults, credentials }];
    return credentials.map((each) => ({ defaults, credentials: each === undefined ? [] : [each] }));
  });
}

function requestOf(
  ev: Evaluation,
  request: ObjectValue,
  { defaults, credentials }: Sender,
  { property, at }: { readonly property: PropertyNode; readonly at: At },
): HttpValue | undefined {
  const get = (key: string): Value | undefined => presentIn(ev, request, key, at);
  const byDefault = (key: string): Value | undefined => defaults && presentIn(ev, defaults.value, key, defaults.at);
  const [url, base] = [get('url'), get('baseURL') ?? byDefault('baseURL')];
  if (url === undefined) return undefined;
  const whole = joinUrl(base && expression(ev, base, credentials), expression(ev, url, credentials), 'slash');
  const sent = credentials === undefined ? onlyHeaders(ev) : credentials.map((each) => headersOf(ev, each));
  return {
    type: 'http',
    client: name,
    stage: 'request',
    node: property,
    module: at.module,
    origins: [],
    method: get('method') ?? 'GET',
    headers: [...sent, byDefault('headers'), get('headers')].filter((header) => header !== undefined),
    ...(whole === undefined ? {} : { url: whole }),
  };
}

/**
 * `=/messages/{{$parameter.id}}` is an expression: of what stands in braces only fields of credentials are known.
 * @param of whose fields these are; any's, where that is not known
 */
function expression(ev: Evaluation, value: Value, of: readonly Credentials[] = credentialsIn(ev)): Value {
  const given = (inside: string): Value | undefined => {
    const [, field] = /^\$credentials\??\.(\w+)$/.exec(inside) ?? [];
    if (field === undefined) return undefined;
    const found = of.flatMap((each) => fieldsOf(ev, each).filter((one) => one.name === field));
    return found.length === 0 ? undefined : choiceOf(found.map((each) => each.value()));
  };
  return choiceOf(optionsOf(value).map((each) => (flat(partsOf(each)).startsWith('=') ? withBraces(each, 1, given) : each)));
}

/** `await this.getCredentials('messagingApi')`: what people filled in, or the defaults of the form. */
function givenCredentials({ ev, args: [wanted], node, module }: RuleCall): Value | undefined {
  const found = wanted && credentialsNamed(ev, wanted);
  if (found === undefined || found.length === 0 || found.includes(undefined)) return undefined;
  return choiceOf(
    found.flatMap((of): ObjectValue[] =>
      of === undefined ? [] : [{ type: 'object', node, module, entries: fieldsOf(ev, of), unknown: [unknown(node, module)] }],
    ),
  );
}

/** The headers of the credentials that a request names; of the only ones that are there, where nobody knows which. */
function authentication(ev: Evaluation, wanted: Value | undefined): Value | undefined {
  const named = wanted && credentialsNamed(ev, wanted);
  const headers = (named === undefined ? onlyHeaders(ev) : named.map((each) => each && headersOf(ev, each))).filter(
    (each) => each !== undefined,
  );
  return headers.length === 0 ? undefined : choiceOf(headers);
}

/** The headers of credentials, where there are no others. */
function onlyHeaders(ev: Evaluation): readonly ObjectValue[] {
  const all = credentialsIn(ev).flatMap((each) => headersOf(ev, each) ?? []);
  return all.length === 1 ? all : [];
}

const keysUnder = (of: ClassNode, at: At, ev: Evaluation): string | undefined =>
  of.members.some((each) => each.name === 'authenticate') ? plainText(nameOf(ev, { node: of, at })) : undefined;

/** `loadOptions: { async getContacts() { return this.helpers.httpRequest(…) } }`: called on what n8n gives, and not on the object that it stands in. */
function thisIn(_ev: Evaluation, fn: FunctionNode, { module }: At): Value | undefined {
  const object = fn.parent?.kind === 'property' ? fn.parent.parent : undefined;
  if (object?.kind !== 'object' || object.properties.some((each) => each.kind === 'property' && each.name === 'helpers')) return undefined;
  const isGiven = takesHelpers.test(module.text.slice(fn.start, fn.end)) && ofN8n.test(module.text);
  return isGiven ? unknown(fn, module) : undefined;
}

const takesHelpers = /\bthis\.helpers\b|\bhelpers\b[^{}]*\} = this\b/;
const ofN8n = /\bn8n-workflow\b/;

/** Whoever asks by the name of credentials, and what descriptions declare. */
function reachedBy(text: string): RegExp {
  const [, credentials] = /\bname\s*(?::\s*string\s*)?=\s*(['"][\w-]+['"])/.exec(text) ?? [];
  return new RegExp(['n8n-workflow', 'WithAuthentication', ...(credentials === undefined ? [] : [credentials.slice(1, -1)])].join('|'));
}

export const n8nRule: ClientRule = {
  name,
  methods: [...helpers.map((helper) => `helpers.${helper}`), 'getCredentials'],
  declares: { names: ['request'], where: /\brouting\b|\bn8n-workflow\b/ },
  call,
  declared,
  keysUnder,
  thisIn,
  ambient: { mark: /\brequestDefaults\b|\bICredentialType\b/, reached: reachedBy },
};
