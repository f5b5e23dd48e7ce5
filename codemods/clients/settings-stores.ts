/**
 * Where programs keep the settings of whoever uses them: https://developer.chrome.com/docs/extensions/reference/api/storage, `localStorage`,
 * https://github.com/sindresorhus/electron-store, https://github.com/sindresorhus/conf, https://github.com/sindresorhus/configstore.
 */
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { given, givenOver } from '../evaluate/given.ts';
import { flat } from '../evaluate/text.ts';
import { escaped } from '../find/literals.ts';
import { isAnywhere } from './anywhere.ts';
import type { Node } from '../syntax/tree.ts';
import { type ObjectValue, optionsOf, partsOf, plainText, type Value } from '../evaluate/values.ts';

interface Store {
  readonly name: string;
  /** How a program keeps something there. */
  readonly writes: string;
}

const holdsVersion = (value: Value): boolean => optionsOf(value).some((each) => /(?:^|\/)v\d+(?:\/|$)/.test(flat(partsOf(each))));

/**
 * What is kept under each name, or its default: of one with a version nobody knows what is kept where the program keeps something itself.
 */
function keptOver(ev: Evaluation, defaults: Value | undefined, store: Store, node: Node, { module }: At): ObjectValue | undefined {
  if (defaults?.type !== 'object') return undefined;
  const { entries } = defaults;
  const known = isAnywhere(ev.world, store.writes) ? entries.filter((entry) => !holdsVersion(entry.value())) : entries;
  return givenOver({ ...defaults, entries: known }, store.name, node, module);
}

/** `chrome.storage.sync.get({ url: '…' })` */
const kept: LibraryFunction = (ev, [defaults], node, at) =>
  keptOver(
    ev,
    defaults,
    { name: 'chrome.storage', writes: String.raw`\bstorage\.\w+\.set\(|=\s*(?:chrome|browser)\.storage\b(?!\.\w+\.)` },
    node,
    at,
  );

/** `localStorage.getItem('url') ?? '…'` */
const item =
  (storage: string): LibraryFunction =>
  (ev, [key], node, { module }) => {
    const name = key && plainText(key);
    if (name === undefined || !/^[\w.:-]+$/.test(name)) return undefined;
    const written = escaped(name);
    const writes = String.raw`\bsetItem\(\s*(?:[^'"\s]|(['"])${written}\1)|Storage(?:\.${written}\b|\[[^\]]*\])\s*=(?!=)`;
    return isAnywhere(ev.world, writes) ? undefined : given(`${name} of ${storage}`, node, module);
  };

/** `new Store({ defaults: { url: '…' } })`, `new Configstore('texts', { url: '…' })`: what is read of either is read by `get` or by its name. */
const store =
  (name: string): LibraryFunction =>
  (ev, [first, second], node, at) => {
    const defaults = name === 'configstore' ? second : first && ev.member(first, 'defaults', node, at);
    const over = keptOver(ev, defaults, { name, writes: String.raw`\.set\(|\.store\s*=(?!=)` }, node, at);
    return over && { ...over, unknown: [] };
  };

const areas = ['chrome', 'browser'].flatMap((name) => ['sync', 'local', 'managed'].map((area) => `${name}.storage.${area}.get`));
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
    ...Object.fromEntries(areas.map((name) => [name, kept])),
    ...Object.fromEntries(['localStorage', 'sessionStorage'].map((storage) => [`${storage}.getItem`, item(storage)])),
    ...Object.fromEntries(stores.flatMap((name) => ['', 'default'].map((exported) => [`${name}:${exported}`, store(name)]))),
  },
};
