/** n8n's nodes: https://docs.n8n.io/integrations/creating-nodes. Request helpers, and requests that a description declares. */
import type { ClientRule, RuleCall } from '../../evaluate/client-rule.ts';
import { withBraces } from '../values/braces.ts';
import { made, option } from '../shapes.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { flat, joinUrl } from '../../evaluate/text.ts';
import { orDefault } from '../../evaluate/or-default.ts';
import {
  choiceOf,
  type Entry,
  type HttpValue,
  nothing,
  type ObjectValue,
  optionsOf,
  partsOf,
  plainText,
  unknown,
  type Value,
} from '../../evaluate/values.ts';
import { walk } from '../../syntax/link.ts';
import type { ClassNode, FunctionNode, Node, PropertyNode } from '../../syntax/tree.ts';

const name = 'n8n';
const helpers = ['httpRequest', 'request', 'httpRequestWithAuthentication', 'requestWithAuthentication'];

/** `this.helpers.httpRequest(options)`, `this.helpers.httpRequestWithAuthentication.call(this, 'credentials', options)` */
function call(call: RuleCall): Value | undefined {
  const [verb = ''] = call.path;
  if (verb === 'getCredentials') return givenCredentials(call);
  const isAuthenticated = verb.endsWith('WithAuthentication');
  const options = call.args[isAuthenticated ? 1 : 0];
  if (options === undefined) return undefined;
  const credentials = isAuthenticated ? authentication(call.ev, plainText(call.args[0] ?? options)) : undefined;
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
  const owner = property.parent?.parent;
  const isRouting = owner?.kind === 'property' && owner.name === 'routing';
  const isTest = owner?.kind === 'classMember' && owner.name === 'test';
  if (!isRouting && !isTest) return undefined;
  const found = optionsOf(ev.evaluate(property.value, at)).flatMap((each): HttpValue[] => {
    if (each.type !== 'object') return [];
    const get = (key: string): Value | undefined => presentIn(ev, each, key, at);
    const defaults = isRouting ? defaultsFor(ev, property) : undefined;
    const base = get('baseURL') ?? (defaults && presentIn(ev, defaults.value, 'baseURL', defaults.at));
    const url = get('url');
    if (url === undefined) return [];
    const own = classAround(property);
    const headers = [
      authentication(ev, undefined, isTest ? own : undefined),
      defaults && presentIn(ev, defaults.value, 'headers', defaults.at),
      get('headers'),
    ];
    const method = get('method') ?? 'GET';
    const whole = joinUrl(base && expression(ev, base, own), expression(ev, url, own), 'slash');
    return [
      {
        type: 'http',
        client: name,
        stage: 'request',
        node: property,
        module: at.module,
        origins: [],
        method,
        headers: headers.filter((header) => header !== undefined),
        ...(whole === undefined ? {} : { url: whole }),
      },
    ];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

function presentIn(ev: Evaluation, value: Value, key: string, at: At): Value | undefined {
  const found = value.type === 'object' ? ev.member(value, key, value.node, at) : undefined;
  return found?.type === 'literal' ? undefined : found;
}

/** `=/messages/{{$parameter.id}}` is an expression: of what stands in braces only fields of credentials are known. */
function expression(ev: Evaluation, value: Value, around: ClassNode | undefined): Value {
  const given = (inside: string): Value | undefined => {
    const [, field] = /^\$credentials\??\.(\w+)$/.exec(inside) ?? [];
    if (field === undefined) return undefined;
    const all = credentialsIn(ev);
    const own = all.filter(({ node }) => node === around);
    const found = (own.length > 0 ? own : all).flatMap((each) => fieldsOf(ev, each).filter(({ name }) => name === field));
    return found.length === 0 ? undefined : choiceOf(found.map((each) => each.value()));
  };
  return choiceOf(optionsOf(value).map((each) => (flat(partsOf(each)).startsWith('=') ? withBraces(each, 1, given) : each)));
}

/** `await this.getCredentials('messagingApi')`: what people filled in, or the defaults of the form. */
function givenCredentials({ ev, args: [wanted], node, module }: RuleCall): Value | undefined {
  const named = wanted && plainText(wanted);
  const of = named === undefined ? undefined : credentialsIn(ev).find((each) => plainText(credentialsOf(ev, each.node, each.at)) === named);
  return of && { type: 'object', node, module, entries: fieldsOf(ev, of), unknown: [unknown(node, module)] };
}

interface Credentials {
  readonly node: ClassNode;
  readonly at: At;
}

/** The classes that describe credentials, and how these are sent. */
function credentialsIn(ev: Evaluation): Credentials[] {
  return [...ev.world.modules.values()].flatMap((module) =>
    module.classes.flatMap((node) =>
      node.members.some((each) => each.name === 'authenticate') ? [{ node, at: { module, frame: undefined } }] : [],
    ),
  );
}

/** The fields of the form that people fill in: each is set elsewhere, and may have a default. */
function fieldsOf(ev: Evaluation, { node, at }: Credentials): Entry[] {
  const { value } = node.members.find((each) => each.name === 'properties') ?? {};
  const form = value && ev.evaluate(value, at);
  return (form?.type === 'list' ? form.items : []).flatMap((field): Entry[] => {
    const [name, otherwise] = ['name', 'default'].map((key) => presentIn(ev, field, key, at));
    const text = name && plainText(name);
    if (text === undefined || field.type !== 'object') return [];
    const set: Value = { type: 'env', name: `$credentials.${text}`, node: field.node, module: field.module };
    return [
      {
        name: text,
        key: undefined,
        node: field.node,
        module: field.module,
        valueNode: undefined,
        value: () => orDefault(set, otherwise ?? nothing),
      },
    ];
  });
}

interface Declared {
  readonly value: Value;
  readonly node: Node;
  readonly at: At;
}

/** What `requestDefaults` of the node say: of the class around, or of the only node that is there. */
function defaultsFor(ev: Evaluation, property: PropertyNode): Declared | undefined {
  const all = propertiesNamed(ev, 'requestDefaults');
  const around = classAround(property);
  return (around && all.find(({ node }) => classAround(node) === around)) ?? (all.length === 1 ? all[0] : undefined);
}

function propertiesNamed(ev: Evaluation, wanted: string): Declared[] {
  const found: Declared[] = [];
  for (const module of ev.world.modules.values()) {
    if (!module.text.includes(wanted)) continue;
    const at: At = { module, frame: undefined };
    walk(module.tree.program, (node) => {
      if (node.kind === 'property' && node.name === wanted) found.push({ value: ev.evaluate(node.value, at), node, at });
    });
  }
  return found;
}

function classAround(node: Node): ClassNode | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'class') at = at.parent;
  return at;
}

/**
 * The headers that credentials add: `authenticate = { type: 'generic', properties: { headers } }`.
 * @param wanted their name, where it is known; without it they count only if there are no others
 * @param own the class, where it is known
 */
function authentication(ev: Evaluation, wanted?: string, own?: ClassNode): ObjectValue | undefined {
  const found = credentialsIn(ev).flatMap(({ node, at }) => {
    const member = node.members.find((each) => each.name === 'authenticate');
    const properties = member?.value && presentIn(ev, ev.evaluate(member.value, at), 'properties', at);
    const headers = properties && presentIn(ev, properties, 'headers', at);
    return headers === undefined ? [] : [{ credentials: credentialsOf(ev, node, at), headers, node }];
  });
  const chosen = found.find(({ node, credentials }) => node === own || (wanted !== undefined && plainText(credentials) === wanted));
  const headers = (chosen ?? (wanted === undefined && own === undefined && found.length === 1 ? found[0] : undefined))?.headers;
  return headers?.type === 'object' ? headers : undefined;
}

/** The name by which requests ask for credentials. */
function credentialsOf(ev: Evaluation, of: ClassNode, at: At): Value {
  const named = of.members.find((each) => each.name === 'name')?.value;
  return named === undefined ? unknown(of, at.module) : ev.evaluate(named, at);
}

const keysUnder = (of: ClassNode, at: At, ev: Evaluation): string | undefined =>
  of.members.some((each) => each.name === 'authenticate') ? plainText(credentialsOf(ev, of, at)) : undefined;

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
