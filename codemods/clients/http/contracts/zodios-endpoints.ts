/** What a service has, as Zodios is told it: lists of `{ method, path, alias }` that its functions check, join and put prefixes before. */
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { concatenated } from '../../../evaluate/values/text.ts';
import { type Entry, type HttpValue, type ListValue, optionsOf, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import type { Node } from '../../../syntax/tree.ts';
import { made, option } from '../../shapes.ts';

/** Functions that give back what they are given, once it is checked. */
const checking = new Set(['makeApi', 'makeEndpoint', 'asApi']);

/** What a builder has so far stands under this name in its notes. */
const built = 'built';

/** `makeApi([…])`, `prefixApi('/v1', api)`, `mergeApis({ '/v1/contacts': contacts })`, `apiBuilder(endpoint)` */
export function described(call: RuleCall, client: string, name: string): Value | undefined {
  const [first, second] = call.args;
  if (checking.has(name)) return first;
  if (name === 'apiBuilder') return builder(call, client, listOf(call, first === undefined ? [] : [first]));
  if (name === 'prefixApi') return first === undefined || second?.type !== 'list' ? undefined : below(call, first, second);
  return name === 'mergeApis' && first !== undefined ? merged(call, first) : undefined;
}

/** `apiBuilder(…).addEndpoint({ … }).build()`; undefined for what is no builder. */
export function builtBy(call: RuleCall, on: HttpValue): Value | undefined {
  const endpoints = on.notes?.[built];
  if (endpoints?.type !== 'list') return undefined;
  const [verb] = call.path;
  const [first] = call.args;
  if (verb === 'build') return endpoints;
  return verb === 'addEndpoint' && first !== undefined
    ? builder(call, on.client, listOf(call, [...endpoints.items, first], endpoints))
    : undefined;
}

const builder = (call: RuleCall, client: string, endpoints: ListValue): HttpValue => ({
  ...made(client, 'client', { ...call, on: undefined }, {}),
  notes: { [built]: endpoints },
});

const listOf = ({ module }: RuleCall, items: readonly Value[], of?: ListValue): ListValue => ({
  type: 'list',
  items,
  nodes: items.map(() => undefined),
  isOpen: of?.isOpen ?? false,
  module,
});

/** The endpoints with something before each of their paths. */
const below = (call: RuleCall, prefix: Value, endpoints: ListValue): ListValue =>
  listOf(
    call,
    endpoints.items.map((each) =>
      each.type === 'object' ? { ...each, entries: each.entries.map((entry) => putBefore(call, prefix, entry)) } : each,
    ),
    endpoints,
  );

const putBefore = (call: RuleCall, prefix: Value, entry: Entry): Entry =>
  entry.name === 'path' ? { ...entry, value: () => behind(call, prefix, entry.value()) } : entry;

/** A slash at the end is taken away. */
function behind({ node, module }: RuleCall, prefix: Value, path: Value): Value {
  if (['', '/'].includes(plainText(path) ?? 'open')) return plainText(prefix)?.endsWith('/') === false ? prefix : unknown(node, module);
  return plainText(path)?.endsWith('/') === true ? unknown(node, module) : concatenated([prefix, path]);
}

function merged(call: RuleCall, apis: Value): ListValue | undefined {
  if (apis.type !== 'object' || apis.unknown.length > 0) return undefined;
  const lists = apis.entries.map(({ key, value }) => {
    const endpoints = value();
    return key === undefined || endpoints.type !== 'list' ? undefined : below(call, { type: 'text', parts: [key] }, endpoints);
  });
  const known = lists.filter((each) => each !== undefined);
  if (known.length < lists.length) return undefined;
  const all = listOf(
    call,
    known.flatMap(({ items }) => items),
  );
  return known.some(({ isOpen }) => isOpen) ? { ...all, isOpen: true } : all;
}

/** An endpoint as far as a request is made of it. */
export interface Endpoint {
  readonly method: Value;
  readonly path: Value;
  readonly alias: Value | undefined;
}

/** Those of an endpoint's name, which a client has as a method. */
export const endpointsNamed = (call: RuleCall, endpoints: Value | undefined, alias: string): readonly Endpoint[] =>
  endpointsOf(call, endpoints, (_method, _path, name) => name === alias);

/** Those that a call by method and path finds: both have to be the very same text. */
export const endpointsAt = (call: RuleCall, endpoints: Value | undefined, method: string, path: string): readonly Endpoint[] =>
  endpointsOf(call, endpoints, (its, itsPath) => its === method && itsPath === path);

function endpointsOf(
  call: RuleCall,
  endpoints: Value | undefined,
  isMeant: (method: string | undefined, path: string | undefined, alias: string | undefined) => boolean,
): readonly Endpoint[] {
  return (endpoints === undefined ? [] : optionsOf(endpoints)).flatMap((list) => {
    if (list.type !== 'list') return [];
    return list.items.flatMap(optionsOf).flatMap((each) => {
      const [method, path, alias] = each.type === 'object' ? ['method', 'path', 'alias'].map((part) => option(call, each, part)) : [];
      if (method === undefined || path === undefined) return [];
      return isMeant(plainText(method), plainText(path), alias && plainText(alias)) ? [{ method, path, alias }] : [];
    });
  });
}

const hasParts = (object: Node | undefined, parts: readonly string[]): boolean =>
  object?.kind === 'object' && parts.every((part) => object.properties.some((each) => each.kind === 'property' && each.name === part));

/** Whether a text is the path of an endpoint. */
export const isPathOfEndpoint = ({ parent }: Node): boolean =>
  parent?.kind === 'property' && parent.name === 'path' && hasParts(parent.parent, ['method', 'path', 'response']);

/** Whether a name of a header is that of a parameter: `{ name: 'x-api-key', type: 'Header', schema }`. */
export const isHeaderOfEndpoint = ({ parent }: Node, { text }: SourceModule): boolean =>
  parent?.kind === 'property' && parent.name === 'name' && hasParts(parent.parent, ['name', 'type', 'schema']) && text.includes('@zodios/');
