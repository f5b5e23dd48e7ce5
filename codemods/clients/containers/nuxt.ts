/**
 * Nuxt: the configuration of the runtime (https://nuxt.com/docs/guide/going-further/runtime-config), which variables of the environment
 * may replace, and what plugins provide (https://nuxt.com/docs/guide/directory-structure/plugins).
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import { type Carrying, type Put, type PutNode, providedFor } from '../../evaluate/libraries/provided.ts';
import { isMadeUpAddress } from '../../find/words/literals.ts';
import { flat } from '../../evaluate/values/text.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import {
  choiceOf,
  type Entry,
  type EnvValue,
  type ObjectValue,
  optionsOf,
  partsOf,
  plainText,
  unknown,
  type Value,
} from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { madeBy } from './injection.ts';
import { first } from '../pass-through.ts';
import { configAbove } from '../settings/project-config.ts';
import { stubbingOf } from '../testing/stubbing-tests.ts';
import { globalOfComponents, usesOfGlobals } from './vue-globals.ts';

/** `useRuntimeConfig()`: what the configuration of the nearest project says, the environment, or a test in the place of both. */
function runtimeConfig(ev: Evaluation, node: Node, at: At): Value | undefined {
  const [nuxt, nitro] = [configAbove(ev, at.module, configFile), configAbove(ev, at.module, nitroFile)];
  // Nuxt configures its Nitro itself: of two in one folder, its own counts.
  const isNitro = nitro !== undefined && (nuxt === undefined || folderOf(nitro).length > folderOf(nuxt).length);
  const config = isNitro ? nitro : nuxt;
  if (config === undefined) return undefined;
  const stubbed = stubbingOf(ev, reading)
    .testsOf(at.module)
    .flatMap((test) => {
      const value = providedFor(ev, { space: spaceOf(test), key: reading }, node, at);
      return value === undefined ? [] : optionsOf(value);
    });
  const own = ev.member(config.value, 'runtimeConfig', config.at.module.tree.program, config.at);
  const membersOf = (value: Value, name: string): readonly Value[] => optionsOf(ev.member(value, name, node, at));
  // `runtimeConfig: { nitro: { envPrefix: 'APP_' } }`, beside which Nitro's own prefix counts.
  const prefixes = membersOf(own, 'nitro').flatMap((each) => membersOf(each, 'envPrefix').flatMap((prefix) => plainText(prefix) ?? []));
  const named = prefixes.reduce((value, prefix) => overridable(value, prefix.replace(/_$/, ''), noStubs, membersOf), own);
  return overridable(named, isNitro ? 'NITRO' : 'NUXT', { all: stubbed, same: stubbed }, membersOf);
}

/** Each test has a configuration of its own. */
const spaceOf = ({ file }: SourceModule): string => `configuration of Nuxt in ${file}`;
const reading = 'useRuntimeConfig';

/** `vi.stubGlobal('useRuntimeConfig', () => ({ … }))`, `mockNuxtImport`, `globalThis.useRuntimeConfig = …`, `vi.mock('#imports', () => ({ useRuntimeConfig: … }))` */
function stubsIn(node: PutNode, module: SourceModule): readonly Put[] {
  const stub = isTest(module) ? stubOf(node) : undefined;
  return stub === undefined
    ? []
    : [{ space: spaceOf(module), key: reading, node: stub, value: (ev, at) => answered(ev, ev.evaluate(stub, at), stub, at) }];
}

function stubOf(node: PutNode): Expression | undefined {
  if (node.kind === 'assign') return node.target.kind === 'member' && node.target.property === reading ? node.value : undefined;
  if (node.kind === 'object')
    return node.properties.flatMap((each) => (each.kind === 'property' && each.name === reading ? [each.value] : []))[0];
  const [name, stub] = node.kind === 'call' ? node.args : [];
  return name?.kind === 'string' && name.value === reading && stub?.kind !== 'spread' ? stub : undefined;
}

/** What a stub answers: a function, or what a function makes; of a mock what it is set to. */
function answered(ev: Evaluation, stub: Value, node: Expression, at: At, depth = 0): Value {
  const answerOf = (each: Value): Value | undefined => {
    if (each.type === 'function') return madeBy(ev, each, node, at);
    return each.type === 'http' ? each.notes?.['answer'] : undefined;
  };
  return choiceOf(
    optionsOf(stub).map((each) => {
      const answer = depth < maxLayers ? answerOf(each) : undefined;
      return answer === undefined ? each : answered(ev, answer, node, at, depth + 1);
    }),
  );
}

/** A factory that makes a mock that is set to a function. */
const maxLayers = 3;

const configFile = /(?<=^|\/)nuxt\.config\.[cm]?[jt]s$/;
/** Of a program that is Nitro's alone: https://nitro.build/guide/configuration. */
const nitroFile = /(?<=^|\/)nitro\.config\.[cm]?[jt]s$/;
const folderOf = ({ at: { module } }: { readonly at: At }): string => module.file.replace(/[^/]*$/, '');

/** What tests give in the place of a setting; `same`: what of that stands beside the addresses of the configuration, or made up ones, and no others. */
interface Stubbed {
  readonly all: readonly Value[];
  readonly same: readonly Value[];
}

const noStubs: Stubbed = { all: [], same: [] };

type MembersOf = (value: Value, name: string) => readonly Value[];

/**
 * A setting that a variable of its name replaces when the program starts.
 * @param stubbed of what tests give, addresses of what they start or make up count, and hold nothing; and the version, where it is the same
 */
function overridable(value: Value, variable: string, { all, same }: Stubbed, membersOf: MembersOf): Value {
  if (value.type !== 'object') return value;
  const agreeing = same.filter((each) => agrees(each, value, membersOf));
  const replaced = (entry: Entry): Value => {
    const { name = '', node, module } = entry;
    const own = `${variable}_${name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_').toUpperCase()}`;
    const set: EnvValue = { type: 'env', name: own, node, module };
    const written = optionsOf(entry.value());
    const given = all.flatMap((stub) => membersOf(stub, name));
    const alike = agreeing.flatMap((stub) => membersOf(stub, name));
    const versions = alike.filter((each) => isVersion(each) && written.some((one) => textOf(one) === textOf(each)));
    return choiceOf([
      ...written.flatMap((each) =>
        each.type === 'object' ? [overridable(each, own, { all: given, same: alike }, membersOf)] : [orDefault(set, each)],
      ),
      ...given.filter(isOfTest),
      ...versions,
    ]);
  };
  return { ...value, entries: value.entries.map((entry) => ({ ...entry, value: () => replaced(entry) })) };
}

/** A version that is written there: a constant may be that of others, too. */
const isVersion = (value: Value): boolean =>
  /^\/?v1\/?$/.test(textOf(value)) && partsOf(value).every((part) => 'text' in part && part.source?.node.parent?.kind === 'property');

/** Whether what a test gives says nothing else of where that is than the settings that it stands for. */
const agrees = (given: Value, { entries }: ObjectValue, membersOf: MembersOf): boolean =>
  entries.every(({ name = '', value }) => {
    if (given.type === 'object' && given.unknown.length === 0 && !given.entries.some((each) => each.name === name)) return true;
    const written = optionsOf(value()).map(textOf);
    return membersOf(given, name).every((each) => {
      const mayLead = [...written, textOf(each)].some((text) => /[.:]|\/\//.test(text));
      return !mayLead || isOfTest(each) || written.includes(textOf(each));
    });
  });

/** What nobody knows is no text that is written. */
const textOf = (value: Value): string => plainText(value) ?? '';

const isOfTest = (value: Value): boolean => value.type === 'text' && isMadeUpAddress(flat(value.parts));

/** `useNuxtApp()`, which plugins are given: what plugins provide, each by its name with a `$`. */
const nuxtApp = (ev: Evaluation, node: Node, at: At): ObjectValue => {
  const { module } = at;
  const config: Entry = { ...entryOf(node, module), name: '$config', value: () => runtimeConfig(ev, node, at) ?? unknown(node, module) };
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

const globals = 'nuxt globals';

const put = (name: string | undefined, value: Node): Put[] =>
  name === undefined ? [] : [{ space: globals, key: `$${name}`, node: value }];

/** `provide: { api }` of a plugin, which components have as `this.$api`, and their templates as `$api`. */
const provided: Carrying = {
  where: /\bdefineNuxtPlugin\b/,
  puts(node, { text }) {
    if (!text.includes('defineNuxtPlugin')) return [];
    if (node.kind === 'object')
      return node.properties.flatMap((each) =>
        each.kind === 'property' && each.name === 'provide' && each.value.kind === 'object'
          ? each.value.properties.flatMap((own) => (own.kind === 'property' ? put(own.name, own.value) : []))
          : [],
      );
    const isProvided = node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'provide';
    const [name, value] = isProvided ? node.args : [];
    return name?.kind === 'string' && value !== undefined && value.kind !== 'spread' ? put(name.value, value) : [];
  },
  asks: globalOfComponents(globals),
};

/** Where something is asked for that a plugin provides. */
function usesOfProvided(text: string): RegExp | undefined {
  const names = [
    ...Array.from(text.matchAll(/\bprovide\s*:\s*\{([^{}]*)/g), ([, inside = '']) => inside.match(/\w+(?=\s*(?:[,:]|$))/g) ?? []).flat(),
    ...Array.from(text.matchAll(/\bprovide\(\s*['"](\w+)/g), ([, name = '']) => name),
  ];
  return names.length === 0 ? undefined : usesOfGlobals(names.map((name) => `$${name}`));
}

/** What asks for something of Nuxt in a project. */
const joined = /\b(?:defineN(?:uxt(?:Config|Plugin)|itroConfig)|useRuntimeConfig|useNuxtApp)\b/;

const functions: Readonly<Record<string, LibraryFunction>> = {
  defineNuxtConfig: first,
  defineNitroConfig: first,
  defineNuxtPlugin: first,
  useRuntimeConfig: (ev, _args, node, at) => runtimeConfig(ev, node, at),
  useNuxtApp: (ev, _args, node, at) => nuxtApp(ev, node, at),
};

export const nuxtLibrary: ClientRule = {
  name: 'nuxt',
  functions: {
    ...functions,
    ...Object.fromEntries(
      ['#imports', '#app', 'nuxt/app', 'nuxt/config', 'nitropack/config', 'nitropack/runtime', 'nitropack', 'nitro/config'].flatMap(
        (from) => Object.entries(functions).map(([name, fn]) => [`${from}:${name}`, fn]),
      ),
    ),
  },
  globals: ['defineNuxtPlugin'],
  given: ({ ev, node, index, ...at }) => (index === 0 ? nuxtApp(ev, node, at) : undefined),
  handed: { defineNuxtConfig: ['useRuntimeConfig', '$config'], defineNitroConfig: ['useRuntimeConfig'], defineNuxtPlugin: ['useNuxtApp'] },
  ambient: [
    { mark: joined, reached: joined },
    { mark: /\bdefineNuxtPlugin\b/, reached: usesOfProvided, handsOn: true },
  ],
  carries: [{ where: /\buseRuntimeConfig\b/, puts: stubsIn }, provided],
  // `useHead({ link: [{ rel: 'preconnect', href: base }] })`: what else stands in a page, its scripts may read.
  announces: (name, given) =>
    /^use(?:Server)?Head$/.test(name) &&
    given.kind === 'object' &&
    given.properties.every((each) => each.kind === 'property' && each.name === 'link'),
};
