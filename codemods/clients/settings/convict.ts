/** convict: https://github.com/mozilla/node-convict. Settings by a schema of formats, each with its default and its variable. */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { orDefault } from '../../evaluate/or-default.ts';
import { type Entry, type ObjectValue, plainText, type Value } from '../../evaluate/values.ts';
import type { Node } from '../../syntax/tree.ts';

/** `{ url: { format: 'url', default: '…', env: 'MESSAGING_URL' } }`, as what is read of it. */
const settingsOf = (ev: Evaluation, schema: ObjectValue, node: Node, at: At): ObjectValue => ({
  ...schema,
  entries: schema.entries.map((entry): Entry => ({ ...entry, value: () => settingOf(ev, entry.value(), node, at) })),
});

function settingOf(ev: Evaluation, setting: Value, node: Node, at: At): Value {
  if (setting.type !== 'object') return setting;
  if (!setting.entries.some(({ name }) => name === 'default')) return settingsOf(ev, setting, node, at);
  const name = plainText(ev.member(setting, 'env', node, at));
  const otherwise = ev.member(setting, 'default', node, at);
  return name === undefined ? otherwise : orDefault({ type: 'env', name, node: setting.node, module: setting.module }, otherwise);
}

const convict: LibraryFunction = (ev, [schema], node, at) => (schema?.type === 'object' ? settingsOf(ev, schema, node, at) : undefined);

export const convictLibrary: ClientRule = { name: 'convict', functions: { 'convict:': convict, 'convict:default': convict } };
