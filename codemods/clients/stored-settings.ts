/**
 * Settings that a program declares and its users may change: storage of extensions, electron-store and conf (https://github.com/sindresorhus/conf),
 * configuration of editors. The default that stands with their name says what they are for.
 */
import type { ClientRule, LibraryFunction, RuleCall } from '../evaluate/client-rule.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { given, givenOr } from '../evaluate/given.ts';
import { flat } from '../evaluate/text.ts';
import { type Entry, optionsOf, partsOf, plainText, unknown, type Value } from '../evaluate/values.ts';
import type { Node } from '../syntax/tree.ts';

const store = 'stored settings';

/** A base that has been stored with its version is still v1's once the code is on v2, on every machine: such settings are not followed. */
const holdsVersion = (value: Value): boolean => optionsOf(value).some((each) => /\/v1\/?$/.test(flat(partsOf(each))));

function stored(key: Value | undefined, otherwise: Value | undefined, node: Node, { module }: At): Value {
  const name = key && plainText(key);
  if (name === undefined || (otherwise !== undefined && holdsVersion(otherwise))) return unknown(node, module, 'call');
  return givenOr(`${name} of ${store}`, { node, module }, otherwise === undefined ? [] : optionsOf(otherwise));
}

/**
 * `new Store({ defaults: { base: '…' } })`, `new Conf({ schema: { base: { default: '…' } } })`, and what is asked of such a store by name: it has its
 * defaults as what stands before all arguments.
 */
function call({ path, args, node, module, frame, ev }: RuleCall): Value | undefined {
  const at: At = { module, frame };
  const [first, key, otherwise] = args;
  if (node.isNew || path.join('.') === 'workspace.getConfiguration') {
    const entries = first?.type === 'object' ? defaultsIn(ev, first, node, at) : [];
    const defaults: Value = { type: 'object', node, module, entries, unknown: [] };
    return { type: 'external', source: 'conf', path: [store], given: [defaults] };
  }
  if (path.join('.') !== `${store}.get` || first?.type !== 'object') return undefined;
  const name = key && plainText(key);
  return stored(key, otherwise ?? first.entries.find((entry) => entry.name === name)?.value(), node, at);
}

function defaultsIn(ev: Evaluation, options: Value, node: Node, at: At): readonly Entry[] {
  const [defaults, schema] = ['defaults', 'schema'].map((name) => ev.member(options, name, node, at));
  const described = schema?.type === 'object' ? schema.entries : [];
  return [
    ...(defaults?.type === 'object' ? defaults.entries : []),
    ...described.map((entry): Entry => ({ ...entry, value: () => ev.member(entry.value(), 'default', node, at) })),
  ];
}

/** `chrome.storage.sync.get({ base: 'https://…' })`, `chrome.storage.sync.get(['base'])` */
const items: LibraryFunction = (_, [asked], node, at) => {
  const { module } = at;
  const entries = asked?.type === 'object' ? asked.entries : [];
  const get = (entry: Entry): Entry => ({
    ...entry,
    value: () => stored({ type: 'text', parts: [{ text: entry.name ?? '' }] }, entry.value(), node, at),
  });
  return { type: 'object', node, module, entries: entries.map(get), unknown: [given(store, node, module)] };
};

const areas = ['chrome', 'browser'].flatMap((root) => ['local', 'sync', 'managed', 'session'].map((area) => `${root}.storage.${area}.get`));

export const storedSettings: ClientRule = {
  name: 'stored-settings',
  title: 'settings that are stored',
  modules: ['electron-store', 'conf', 'vscode'],
  call,
  functions: Object.fromEntries(areas.map((name) => [name, items])),
};
