/**
 * common-env: https://github.com/FGRibreau/common-env. An object of defaults, each of which a variable takes the place of that is named by the way there:
 * `env.getOrElseAll({ texts: { url: '…' } })` reads TEXTS_URL.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { isNullish, orDefault } from '../../evaluate/language/or-default.ts';
import { choiceOf, type Entry, type ObjectValue, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';

const settingsOf = (ev: Evaluation, defaults: ObjectValue, before: string, node: Node, at: At): ObjectValue => ({
  ...defaults,
  entries: defaults.entries.map((entry): Entry => ({
    ...entry,
    value: () => settingOf(ev, entry, `${before}${entry.name?.toUpperCase()}`, node, at),
  })),
});

/** `{ $default: '…', $aliases: ['ADDON_URL'], $type, $secure }` is one setting, any other object has several. */
function settingOf(ev: Evaluation, entry: Entry, name: string, node: Node, at: At): Value {
  const value = entry.value();
  if (entry.name === undefined) return unknown(entry.node, entry.module);
  if (value.type !== 'object') return orDefault(variable(name, entry), value);
  if (!value.entries.some((each) => each.name?.startsWith('$'))) return settingsOf(ev, value, `${name}_`, node, at);
  const aliases = ev.member(value, '$aliases', node, at);
  const others = aliases.type === 'list' && !aliases.isOpen ? aliases.items.map((each) => plainText(each)) : [];
  if (!(isNullish(aliases) || aliases.type === 'list') || others.includes(undefined)) return unknown(entry.node, entry.module);
  const otherwise = ev.member(value, '$default', node, at);
  return choiceOf([...others, name].flatMap((each) => (each === undefined ? [] : orDefault(variable(each, entry), otherwise))));
}

const variable = (name: string, { node, module }: Pick<Entry, 'node' | 'module'>): Value => ({ type: 'env', name, node, module });

/** `require('common-env')()`, `require('common-env/withLogger')(console)` */
const made: LibraryFunction = () => ({ type: 'external', source: name, path: ['env'] });

const all: LibraryFunction = (ev, [defaults], node, at) =>
  defaults?.type === 'object' ? settingsOf(ev, defaults, '', node, at) : undefined;

/** `env.getOrElse('TEXTS_URL', '…')`, `env.getOrDie('TEXTS_URL')` */
const one: LibraryFunction = (_ev, [named, otherwise], node, { module }) => {
  const text = named && plainText(named);
  if (text === undefined) return undefined;
  const found: Value = { type: 'env', name: text, node, module };
  return otherwise === undefined ? found : orDefault(found, otherwise);
};

const name = 'common-env';

export const commonEnvLibrary: ClientRule = {
  name,
  functions: {
    ...Object.fromEntries(['', '/withLogger'].flatMap((file) => ['', 'default'].map((exported) => [`${name}${file}:${exported}`, made]))),
    [`${name}:env.getOrElseAll`]: all,
    [`${name}:env.getOrElse`]: one,
    [`${name}:env.getOrDie`]: one,
    [`${name}:env.on`]: made,
  },
};
