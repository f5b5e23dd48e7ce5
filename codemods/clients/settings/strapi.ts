/**
 * Strapi's plugins: https://docs.strapi.io/cms/plugins-development/server-configuration. What the configuration of a plugin holds by default, its services have from
 * `strapi.config.get('plugin::texts')` and `strapi.plugin('texts').config('url')`, unless the project that installs it says otherwise.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { givenOver } from '../../evaluate/libraries/given.ts';
import { manifestsAround } from '../../evaluate/names/manifests.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { asksForMore } from '../../evaluate/settings/package-settings.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { type ExternalValue, type ObjectValue, plainText, unknown, type UnknownValue, type Value } from '../../evaluate/values/values.ts';
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

const space = 'settings of plugins of Strapi';

/** `server/config/index.js`, or `server/src/config/index.ts`, of the plugin around it. */
const configFile = /^((?:.*\/)?server\/)(?:src\/)?config(?:\/index)?\.[cm]?[jt]s$/;
const serverOf = ({ file }: SourceModule): string | undefined => /^(?:.*\/)?server\//.exec(file)?.[0];

/** `module.exports = { default: ({ env }) => ({ url: env('TEXTS_URL', 'https://…') }), validator() { … } }` */
function puts(node: PutNode, module: SourceModule): readonly Put[] {
  const server = node.kind === 'object' ? configFile.exec(module.file)?.[1] : undefined;
  if (server === undefined || node.kind !== 'object') return [];
  const [defaults] = node.properties.flatMap((each) => (each.kind === 'property' && each.name === 'default' ? each.value : []));
  if (defaults === undefined || !isOutermost(node)) return [];
  const put = (name?: string): Put => ({
    space,
    key: keyOf(server, name),
    node: defaults,
    value: (ev, at) => (isReadOtherwise(ev, module, server) ? unknown(node, module) : settingsIn(ev, defaults, at, name)),
    isFor: (ev, asking) => {
      const plugin = asking.kind === 'call' ? askedAt(asking)?.plugin : undefined;
      return plugin !== undefined && namesOf(ev, module).has(plugin);
    },
  });
  return [put(), ...namesIn(defaults).map(put)];
}

function isOutermost(node: Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'object' || at.kind === 'function') return false;
  return true;
}

const keyOf = (server: string, name: string | undefined): string => (name === undefined ? server : `${server} ${name}`);

/** The names of what stands there by default. */
const namesIn = (defaults: Expression): string[] =>
  (defaults.kind === 'function' ? returnsOf(defaults) : [defaults]).flatMap((each) =>
    each.kind === 'object' ? each.properties.flatMap((own) => (own.kind === 'property' ? (own.name ?? []) : [])) : [],
  );

/** The object of the defaults, each of which the project may set to something else; of one name what it holds. */
function settingsIn(ev: Evaluation, defaults: Expression, at: At, name: string | undefined): Value {
  const { module } = at;
  const own = ev.evaluate(defaults, at);
  const made = own.type === 'function' ? ev.apply(own, [given(defaults, module)], callOf(defaults), at) : own;
  if (made.type !== 'object') return made;
  const [plugin, other] = namesOf(ev, module);
  const of = plugin === undefined || other !== undefined ? 'plugin' : `plugin::${plugin}`;
  const open: UnknownValue = { type: 'unknown', node: defaults, module, givenAs: `strapi.config.get('${of}')`, setting: 'config' };
  const all = givenOver(made, open);
  return name === undefined ? all : ev.member(all, name, defaults, at);
}

/** What the function of a configuration is given: `{ env }`. */
function given(node: Node, module: SourceModule): ObjectValue {
  const env: ExternalValue = { type: 'external', source: utils, path: ['env'] };
  const entry = { name: 'env', key: undefined, node, module, valueNode: undefined, value: (): Value => env };
  return { type: 'object', node, module, entries: [entry], unknown: [] };
}

const callOf = ({ start }: Node): CallNode => ({
  kind: 'call',
  callee: { kind: 'name', name: '', start, end: start },
  args: [],
  isNew: false,
  start,
  end: start,
});

const utils = '@strapi/utils';

/** `env('TEXTS_URL', 'https://…')` */
const env: LibraryFunction = (_ev, [name, otherwise], node, { module }) => {
  const text = name && plainText(name);
  if (text === undefined) return undefined;
  const variable: Value = { type: 'env', name: text, node, module };
  return otherwise === undefined ? variable : orDefault(variable, otherwise);
};

function asks(node: AskNode, _name: string | undefined, module: SourceModule): Ask | undefined {
  const asked = node.kind === 'call' ? askedAt(node) : undefined;
  const server = asked && serverOf(module);
  return server === undefined || isTest(module) ? undefined : { space, key: keyOf(server, asked?.name) };
}

const readers = new WeakMap<SourceModule, boolean>();

/** Whether something else may have the settings, or set them: by a name that is put together, beside a default, of a container that is no `strapi`. */
function isReadOtherwise(ev: Evaluation, module: SourceModule, server: string): boolean {
  const known = readers.get(module);
  if (known !== undefined) return known;
  const names = namesOf(ev, module);
  const found = [...ev.world.modules.values()].some((each) => {
    const isRead = (call: CallNode): boolean => {
      const asked = askedAt(call);
      return asked === undefined ? mayRead(call) : names.has(asked.plugin) && (serverOf(each) !== server || isTest(each));
    };
    return each.calls.some(isRead);
  });
  readers.set(module, found);
  return found;
}

/** `config.get(name)`, `app.strapi.config.set('plugin::texts', …)`; not what is called so and is given the name of something else. */
function mayRead({ callee, args: [key] }: CallNode): boolean {
  if (callee.kind !== 'member') return false;
  const { object, property } = callee;
  const holder = object.kind === 'member' ? object.property : object.kind === 'name' ? object.name : undefined;
  const isOfConfig = holder === 'config' && /^(?:get|set|has)$/.test(property ?? 'get');
  if (isOfConfig) return key?.kind !== 'string' || /^plugin\b/.test(key.value);
  // `require('dotenv').config()` is given no name.
  return property === 'config' && key !== undefined && key.kind !== 'object' && (object.kind === 'call' || object.kind === 'name');
}

interface Asked {
  readonly plugin: string;
  readonly name: string | undefined;
}

/** `strapi.config.get('plugin::texts')`, `strapi.config.get('plugin::texts.url')`, `strapi.plugin('texts').config('url')` */
function askedAt({ callee, args }: CallNode): Asked | undefined {
  const [key, ...more] = args;
  if (callee.kind !== 'member' || key?.kind !== 'string' || more.length > 0) return undefined;
  const { object, property } = callee;
  if (property === 'get' && object.kind === 'member' && object.property === 'config' && isStrapi(object.object)) {
    const [, plugin, name] = /^plugin(?:::|\.)([\w-]+)(?:\.([\w-]+))?$/.exec(key.value) ?? [];
    return plugin === undefined ? undefined : { plugin, name };
  }
  if (property !== 'config' || object.kind !== 'call' || object.callee.kind !== 'member' || !isStrapi(object.callee.object))
    return undefined;
  const [plugin, ...others] = object.args;
  const isPlugin = object.callee.property === 'plugin' && plugin?.kind === 'string' && others.length === 0;
  return isPlugin && /^[\w-]+$/.test(key.value) ? { plugin: plugin.value, name: key.value } : undefined;
}

/** The same of whichever plugin, of a `strapi` that a function is given, or that is there everywhere. */
function givesSetting({ callee }: CallNode, { scopes }: SourceModule): boolean {
  if (callee.kind !== 'member') return false;
  const { property, object } = callee;
  const isOfConfig = property === 'get' && object.kind === 'member' && object.property === 'config';
  const plugin = property === 'config' && object.kind === 'call' && !asksForMore(object) ? object.callee : undefined;
  const isOfPlugin = plugin?.kind === 'member' && plugin.property === 'plugin';
  const root = isOfConfig ? object.object : isOfPlugin ? plugin.object : undefined;
  if (root?.kind !== 'name' || !isStrapi(root)) return false;
  const owner = scopes.bindingOf(root)?.owner;
  return owner === undefined || owner.kind === 'param';
}

const isStrapi = (node: Node): boolean => node.kind === 'name' && node.name === 'strapi';

/** What a plugin is called: as its package.json says, and otherwise by the name of its package or of its folder. */
function namesOf({ world }: Evaluation, { file }: SourceModule): ReadonlySet<string> {
  const [manifest = ''] = manifestsAround(file, world);
  const own = /"strapi"\s*:\s*\{[^{}]*"name"\s*:\s*"([\w-]+)"/.exec(manifest)?.[1];
  if (own !== undefined) return new Set([own]);
  const named = /"name"\s*:\s*"(?:@([\w.-]+)\/)?([\w.-]+)"/.exec(manifest)?.[2]?.replace(/^(?:strapi-)?plugin-/, '');
  const folder = /([\w-]+)\/server\/[^]*$/.exec(file)?.[1];
  return new Set([named, folder].filter((name) => name !== undefined));
}

const where = /\bstrapi\b|\bdefault\s*:\s*(?:\(\s*\{\s*env\b|\{)/;

export const strapiLibrary: ClientRule = {
  name: 'strapi',
  functions: { [`${utils}:env`]: env },
  ambient: { mark: /\bdefault\s*:[^]*\bvalidator\b/, reached: /\bstrapi\b/, isSilent: true },
  carries: [{ where, puts, asks }],
  givesSetting,
};
