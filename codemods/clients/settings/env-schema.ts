/**
 * env-schema: https://github.com/fastify/env-schema. The environment by a JSON Schema, with defaults; @fastify/env decorates a server with it.
 * TypeBox, https://github.com/sinclairzx81/typebox, and fluent-json-schema, https://github.com/fastify/fluent-json-schema, are how many write that schema.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { AskNode, Ask, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { parsedBy, variablesOf } from '../../evaluate/settings/settings.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { isCallOf, lastName } from '../names.ts';
import { isAnywhere } from '../whole-program.ts';
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

/** `app.register(fastifyEnv, { schema, confKey: 'config' })`, or what its file is loaded with. */
function puts(node: PutNode, module: SourceModule): readonly Put[] {
  const isCall = node.kind === 'call';
  const options = isCall ? registeredWith(node, module) : autoConfigOf(node, module);
  if (options === undefined) return [];
  const settings = (ev: Evaluation, at: At): Value | undefined =>
    isCall || !isAnywhere(ev.world, loadedOtherwise.source) ? settingsBy(ev, ev.evaluate(options, at), options, at) : undefined;
  const value = (ev: Evaluation, at: At): Value => settings(ev, at) ?? unknown(options, at.module);
  return [
    { space: fastifySpace, key: nameIn(options, module), node: options, value },
    { space: allSpace, key: all, node: options, value },
  ];
}

function registeredWith(node: CallNode, module: SourceModule): Expression | undefined {
  if (!isCallOf(node, { method: /^register$/ })) return undefined;
  const [registered, options] = node.args;
  if (registered === undefined || options === undefined || registered.kind === 'spread' || options.kind === 'spread') return undefined;
  return plugin.test(originOf(registered, module)) ? options : undefined;
}

/**
 * `export const autoConfig = { schema }` beside `export default fastifyEnv`: what https://github.com/fastify/fastify-autoload registers a file with. In CommonJS
 * it is written to what the file exports.
 */
function autoConfigOf(node: PutNode, module: SourceModule): Expression | undefined {
  const written = node.kind === 'assign' && node.target.kind === 'member' && node.target.property === autoConfig ? node.value : undefined;
  const isExported = node.kind === 'object' && isNamed(node.parent, autoConfig) && module.exports.has(autoConfig);
  const options = isExported ? node : written;
  return options?.kind === 'object' && isPlugin(module) ? options : undefined;
}

const autoConfig = 'autoConfig';
const isNamed = (node: Node | undefined, name: string): boolean =>
  node?.kind === 'variable' && node.target.kind === 'patternName' && node.target.name === name;

/** Whether a file is the plugin itself, and no other that makes one of it. */
function isPlugin(module: SourceModule): boolean {
  const exported = module.exports.get('default');
  const whole = exported !== undefined && 'node' in exported ? exported.node : module.whole;
  return whole !== undefined && plugin.test(originOf(whole, module));
}

/** `options: { confKey: 'env' }`: what a folder is loaded with comes before what its files say. */
const loadedOtherwise = /\bregister\s*\([^]*\boptions\s*:\s*\{[^{}]*\b(?:confKey|schema|data|env|dotenv)\b/;

const allSpace = 'fastify environment';
const all = 'getEnvs';

const asks = (node: AskNode): Ask | undefined =>
  node.kind === 'call' && isCallOf(node, asksForAll) ? { space: allSpace, key: all } : undefined;

/** What a name is imported from or made of, as it is written. */
function originOf(node: Node, { text, scopes }: SourceModule): string {
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
  ambient: { mark: loadedOtherwise, reached: /\bautoConfig\b/, isSilent: true },
};
