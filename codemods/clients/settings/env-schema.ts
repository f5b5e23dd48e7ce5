/**
 * env-schema: https://github.com/fastify/env-schema. The environment by a JSON Schema, with defaults; @fastify/env decorates a server with it.
 * TypeBox, https://github.com/sinclairzx81/typebox, and fluent-json-schema, https://github.com/fastify/fluent-json-schema, are how many write that schema.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { AskNode, Ask, Put, PutNode } from '../../evaluate/provided.ts';
import { parsedBy, variablesOf } from '../../evaluate/settings.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, unknown, type Value } from '../../evaluate/values.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { isCallOf, lastName } from '../names.ts';
import { first, keptAs } from '../pass-through.ts';
import { fastifySpace } from '../containers/servers.ts';

/** `envSchema({ schema: { properties: { API_URL: { type: 'string', default: '…' } } }, data })`: data comes before the environment, and that before the default. */
function settingsBy(ev: Evaluation, options: Value | undefined, node: Node, at: At): Value | undefined {
  if (options?.type !== 'object') return undefined;
  const variables = variablesBy(ev, ev.member(options, 'schema', node, at), node, at);
  if (variables === undefined) return undefined;
  const given = optionsOf(ev.member(options, 'data', node, at));
  const settings = given.map((each) => (each.type === 'literal' ? variables : parsedBy(ev, variables, each)));
  return settings.every((each) => each !== undefined) ? choiceOf(settings) : undefined;
}

function variablesBy(ev: Evaluation, schema: Value, node: Node, at: At): ObjectValue | undefined {
  // Of what fluent-json-schema builds, each property is its default.
  if (schema.type === 'object' && isFluent(schema)) return variablesOf(ev, schema);
  const properties = ev.member(schema, 'properties', node, at);
  if (properties.type !== 'object') return undefined;
  const defaultOf = (entry: Entry): Entry => ({ ...entry, value: () => ev.member(entry.value(), 'default', node, at) });
  return variablesOf(ev, { ...properties, entries: properties.entries.map(defaultOf) });
}

const fluent: LibraryFunction = (_ev, _args, node, { module }) => ({ type: 'object', node, module, entries: [], unknown: [] });
const isFluent = ({ node }: ObjectValue): boolean => node.kind === 'call' && lastName(node.callee) === 'object';

const envSchema: LibraryFunction = (ev, [options], node, at) => settingsBy(ev, options, node, at);

const plugin = /['"`](?:@fastify\/env|fastify-env)['"`]/;
const asksForAll = { method: /^getEnvs$/ };

/** `app.register(fastifyEnv, { schema, confKey: 'config' })` */
function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind !== 'call' || !isCallOf(node, { method: /^register$/ })) return [];
  const [registered, options] = node.args;
  if (registered === undefined || options === undefined || registered.kind === 'spread' || options.kind === 'spread') return [];
  if (!plugin.test(originOf(registered, module))) return [];
  const value = (ev: Evaluation, at: At): Value => settingsBy(ev, ev.evaluate(options, at), options, at) ?? unknown(options, at.module);
  return [
    { space: fastifySpace, key: nameIn(options, module), node: options, value },
    { space: allSpace, key: all, node: options, value },
  ];
}

const allSpace = 'fastify environment';
const all = 'getEnvs';

const asks = (node: AskNode): Ask | undefined =>
  node.kind === 'call' && isCallOf(node, asksForAll) ? { space: allSpace, key: all } : undefined;

/** What a name is imported from or made of, as it is written. */
function originOf(node: Expression, { text, scopes }: SourceModule): string {
  const { start, end } = (node.kind === 'name' ? scopes.bindingOf(node)?.owner : undefined) ?? node;
  return text.slice(start, end);
}

/** Where a server has the settings: `app.config`, if the options do not say otherwise. */
function nameIn(options: Expression, { scopes }: SourceModule): string | Expression {
  const owner = options.kind === 'name' ? scopes.bindingOf(options)?.owner : undefined;
  const object = owner?.kind === 'variable' ? owner.init : options;
  const named =
    object?.kind === 'object' ? object.properties.find((each) => each.kind === 'property' && each.name === 'confKey') : undefined;
  return named?.kind === 'property' ? named.value : 'config';
}

export const envSchemaLibrary: ClientRule = {
  name: 'env-schema',
  functions: {
    ...Object.fromEntries(['', 'default', 'envSchema'].map((name) => [`env-schema:${name}`, envSchema])),
    ...Object.fromEntries(['', 'default.'].map((exported) => [`fluent-json-schema:${exported}object`, fluent])),
    ...Object.fromEntries(
      ['@sinclair/typebox:Type', 'typebox:Type', 'typebox:default'].flatMap((type) => [
        [`${type}.Object`, keptAs('properties', first)],
        [`${type}.String`, first],
        [`${type}.Optional`, first],
      ]),
    ),
  },
  carries: [{ where: plugin, puts, asks }],
};
