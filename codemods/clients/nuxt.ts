/**
 * Nuxt: the configuration of the runtime (https://nuxt.com/docs/guide/going-further/runtime-config), which variables of the environment
 * may replace, and what plugins provide (https://nuxt.com/docs/guide/directory-structure/plugins).
 */
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { orDefault } from '../evaluate/or-default.ts';
import { choiceOf, type Entry, type EnvValue, type ObjectValue, optionsOf, plainText, unknown, type Value } from '../evaluate/values.ts';
import type { CallNode, Node } from '../syntax/tree.ts';
import { first } from './pass-through.ts';
import { configAbove } from './project-config.ts';

/** `useRuntimeConfig()`: what the configuration of the nearest project says, or the environment. */
function runtimeConfig(ev: Evaluation, { module }: At): Value | undefined {
  const config = configAbove(ev, module, configFile);
  return config && overridable(ev.member(config.value, 'runtimeConfig', config.at.module.tree.program, config.at), 'NUXT');
}

const configFile = /(?<=^|\/)nuxt\.config\.[cm]?[jt]s$/;

/** A setting that a variable of its name replaces when the program starts. */
function overridable(value: Value, variable: string): Value {
  const replaced = (entry: Entry): Value => {
    const { name = '', node, module } = entry;
    const own = `${variable}_${name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase()}`;
    const set: EnvValue = { type: 'env', name: own, node, module };
    return choiceOf(
      optionsOf(entry.value()).flatMap((each) => (each.type === 'object' ? [overridable(each, own)] : [orDefault(set, each)])),
    );
  };
  return value.type === 'object'
    ? { ...value, entries: value.entries.map((entry) => ({ ...entry, value: () => replaced(entry) })) }
    : value;
}

/** `useNuxtApp()`, which plugins are given: what plugins provide, each by its name with a `$`. */
const nuxtApp = (ev: Evaluation, node: Node, at: At): ObjectValue => {
  const { module } = at;
  const config: Entry = { ...entryOf(node, module), name: '$config', value: () => runtimeConfig(ev, at) ?? unknown(node, module) };
  const entries = [...ev.world.modules.values()].flatMap((plugin) =>
    plugin.text.includes('defineNuxtPlugin') ? providedBy(ev, plugin) : [],
  );
  return { type: 'object', node, module, entries: [config, ...entries], unknown: [unknown(node, module)] };
};

const entryOf = (node: Node, module: SourceModule) => ({ node, module, key: undefined, valueNode: undefined });

function providedBy(ev: Evaluation, module: SourceModule): Entry[] {
  const at: At = { module, frame: undefined };
  const named = (name: string | undefined, node: Node, value: Entry['value']): Entry[] =>
    name === undefined ? [] : [{ ...entryOf(node, module), name: `$${name}`, value }];
  return module.calls.flatMap((call) => {
    const { callee, args } = call;
    if (callee.kind === 'name' && callee.name === 'defineNuxtPlugin')
      return returnedBy(ev, call, at).flatMap((value) =>
        value.type === 'object' ? value.entries.flatMap((entry) => named(entry.name, entry.node, entry.value)) : [],
      );
    // `nuxtApp.provide('name', value)`
    const [name, value] = callee.kind === 'member' && callee.property === 'provide' ? args : [];
    if (name === undefined || value === undefined) return [];
    return named(plainText(ev.evaluate(name, at)), value, () => ev.evaluate(value, at));
  });
}

/** `return { provide: { … } }`, of a plugin that is a function or has it as its `setup`. */
function returnedBy(ev: Evaluation, call: CallNode, at: At): readonly Value[] {
  const [plugin] = ev.args(call, at);
  const setup = plugin?.type === 'object' ? ev.member(plugin, 'setup', call, at) : plugin;
  if (setup?.type !== 'function') return [];
  const returned = ev.apply(setup, [unknown(call, at.module)], call, at);
  return optionsOf(returned).flatMap((each) => (each.type === 'object' ? optionsOf(ev.member(each, 'provide', call, at)) : []));
}

const joined = /\b(?:defineNuxt(?:Config|Plugin)|useRuntimeConfig|useNuxtApp)\b/;

const functions: Readonly<Record<string, LibraryFunction>> = {
  defineNuxtConfig: first,
  defineNuxtPlugin: first,
  useRuntimeConfig: (ev, _args, _node, at) => runtimeConfig(ev, at),
  useNuxtApp: (ev, _args, node, at) => nuxtApp(ev, node, at),
};

export const nuxtLibrary: ClientRule = {
  name: 'nuxt',
  functions: {
    ...functions,
    ...Object.fromEntries(
      ['#imports', '#app', 'nuxt/app', 'nuxt/config'].flatMap((from) =>
        Object.entries(functions).map(([name, fn]) => [`${from}:${name}`, fn]),
      ),
    ),
  },
  globals: ['defineNuxtPlugin'],
  given: ({ ev, node, index, ...at }) => (index === 0 ? nuxtApp(ev, node, at) : undefined),
  handed: { defineNuxtConfig: ['useRuntimeConfig', '$config'], defineNuxtPlugin: ['useNuxtApp'] },
  ambient: { mark: joined, reached: joined },
};
