/**
 * Where programs keep the settings of whoever uses them: https://developer.chrome.com/docs/extensions/reference/api/storage, `localStorage`,
 * https://github.com/sindresorhus/electron-store, https://github.com/sindresorhus/conf, https://github.com/sindresorhus/configstore,
 * https://react-native-async-storage.github.io, https://docs.expo.dev/versions/latest/sdk/securestore, https://capacitorjs.com/docs/apis/preferences.
 */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { givenOver, kept, stored } from '../../evaluate/libraries/given.ts';
import { escaped } from '../../find/words/literals.ts';
import { isAnywhere } from '../whole-program.ts';
import type { Node } from '../../syntax/tree.ts';
import { type ObjectValue, plainText, type UnknownValue, type Value } from '../../evaluate/values/values.ts';

interface Store {
  readonly name: string;
  /** How a program keeps something there, or under one name. */
  readonly writes: (name?: string) => string;
}

/** What is kept under each name, or its default. */
function keptOver(ev: Evaluation, defaults: Value | undefined, store: Store, node: Node, { module }: At): ObjectValue | undefined {
  if (defaults?.type !== 'object') return undefined;
  const openAs = (name?: string): UnknownValue => (isAnywhere(ev.world, store.writes(name)) ? kept : stored)(store.name, node, module);
  return givenOver(defaults, openAs(), openAs);
}

/** `chrome.storage.sync.get({ url: '…' })` */
const overDefaults: LibraryFunction = (ev, [defaults], node, at) =>
  keptOver(ev, defaults, { name: 'chrome.storage', writes: keptByExtensions }, node, at);

/** `storage.sync.set(settings)`, and of an object that is written out what it names; the storage under a name of its own may keep anything. */
const keptByExtensions = (name?: string): string => {
  const others = name === undefined ? '' : String.raw`(?!\s*\{(?:(?!\.\.\.|\b${escaped(name)}\b)[^{}[\]])*\})`;
  return String.raw`\bstorage\.\w+\.set\(${others}|=\s*(?:chrome|browser)\.storage\b(?!\.\w+\.)`;
};

const inAnyCase = v1Auth.field.replaceAll(/[a-z]/g, (each) => `[${each}${each.toUpperCase()}]`);

/** Settings that are written out, none of them the header. */
const plainObject = String.raw`JSON\.stringify\(\s*\{(?:(?!\.\.\.|${inAnyCase})[^{}[\]])*\}\s*\)`;

/** `localStorage.getItem('url') ?? '…'` */
const item =
  (storage: string): LibraryFunction =>
  (ev, [key], node, { module }) => {
    const name = key && plainText(key);
    if (name === undefined || !/^[\w.:-]+$/.test(name)) return undefined;
    const written = escaped(name);
    const writes = String.raw`\bsetItem\(\s*(?:[^'"\s]|(['"])${written}\1)|Storage(?:\.${written}\b|\[[^\]]*\])\s*=(?!=)`;
    const of = `${name} of ${storage}`;
    if (!isAnywhere(ev.world, writes)) return stored(of, node, module);
    const others = String.raw`\bsetItem\(\s*(?:[^'"\s]|(['"])${written}\1,(?!\s*${plainObject}))|Storage(?:\.${written}\b|\[[^\]]*\])\s*=(?!=)`;
    return kept(of, node, module, isAnywhere(ev.world, others) ? 'texts' : 'no header');
  };

/** `AsyncStorage.getItem('url')`, `Preferences.get({ key: 'url' })`: nobody but the program keeps anything there. */
const onDevice =
  (storage: string): LibraryFunction =>
  (ev, [first], node, at) => {
    const key = first?.type === 'object' ? ev.member(first, 'key', node, at) : first;
    const name = key && plainText(key);
    return name === undefined ? undefined : kept(`${name} of ${storage}`, node, at.module, 'texts');
  };

/** `new Store({ defaults: { url: '…' } })`, `new Configstore('texts', { url: '…' })`: what is read of either is read by `get` or by its name. */
const store =
  (name: string): LibraryFunction =>
  (ev, [first, second], node, at) => {
    const defaults = name === 'configstore' ? second : defaultsIn(ev, first, node, at);
    const file = [first, ...fileNames.map((each) => (first?.type === 'object' ? ev.member(first, each, node, at) : undefined))];
    const named = [name, ...file.flatMap((each) => (each && plainText(each)) ?? [])].join(' ');
    const over = keptOver(ev, defaults ?? noneOf(node, at), { name: named, writes: writesOf }, node, at);
    const [keeps] = over?.unknown.filter((each) => each.type === 'unknown') ?? [];
    return over && { ...over, unknown: [], ...(keeps !== undefined && { keeps }) };
  };

/** `store.set('url', …)`, `store.set({ … })`, `store.set(name, …)`, `store.store = { … }` */
const writesOf = (name?: string): string =>
  String.raw`\.set\(\s*${name === undefined ? '' : String.raw`(?:[^'"\s]|['"]${escaped(name)}\b)`}|\.store\s*=(?!=)`;

/** By which one store is another file than the next. */
const fileNames = ['projectName', 'configName', 'name', 'cwd'];

/** `{ defaults: { url: '…' } }`, or `{ schema: { url: { default: '…' } } }`. */
function defaultsIn(ev: Evaluation, options: Value | undefined, node: Node, at: At): Value | undefined {
  if (options?.type !== 'object') return options;
  const [schema] = options.entries.filter((entry) => entry.name === 'schema').map((entry) => entry.value());
  if (schema?.type !== 'object')
    return options.entries.some((entry) => entry.name === 'defaults') ? ev.member(options, 'defaults', node, at) : undefined;
  return { ...schema, entries: schema.entries.map((entry) => ({ ...entry, value: () => ev.member(entry.value(), 'default', node, at) })) };
}

const noneOf = (node: Node, { module }: At): ObjectValue => ({ type: 'object', node, module, entries: [], unknown: [] });

const areas = ['chrome', 'browser'].flatMap((name) => ['sync', 'local', 'managed'].map((area) => `${name}.storage.${area}.get`));
const devices = [
  '@react-native-async-storage/async-storage:getItem',
  '@react-native-community/async-storage:getItem',
  'react-native:AsyncStorage.getItem',
  'react-native-encrypted-storage:getItem',
  'expo-secure-store:getItem',
  'expo-secure-store:getItemAsync',
  '@capacitor/preferences:Preferences.get',
  'localforage:getItem',
  'idb-keyval:get',
];
const stores = ['electron-store', 'conf', 'configstore'];

export const settingsStoresLibrary: ClientRule = {
  name: 'settings stores',
  // Who keeps an address and who reads it mostly share no import.
  ambient: {
    mark: /\bstorage\.\w+\.set\(|=\s*(?:chrome|browser)\.storage\b(?!\.\w+\.)|\bsetItem\(|Storage(?:\.\w+|\[[^\]]*\])\s*=(?!=)/,
    reached: /\b(?:storage\.\w+\.get|getItem)\(/,
    isSilent: true,
  },
  functions: {
    ...Object.fromEntries(areas.map((name) => [name, overDefaults])),
    ...Object.fromEntries(['localStorage', 'sessionStorage'].map((storage) => [`${storage}.getItem`, item(storage)])),
    ...Object.fromEntries(devices.map((name) => [name, onDevice(name.replace(/:.*/, ''))])),
    ...Object.fromEntries(stores.flatMap((name) => ['', 'default'].map((exported) => [`${name}:${exported}`, store(name)]))),
  },
};
