/**
 * Settings of an extension of VS Code: https://code.visualstudio.com/api/references/contribution-points#contributes.configuration. Its package.json says
 * what there is, with defaults; `getConfiguration` reads it by name from a section on.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { given, kept } from '../../evaluate/libraries/given.ts';
import {
  choiceOf,
  type Entry,
  nothing,
  type ObjectValue,
  optionsOf,
  plainText,
  type UnknownValue,
  type Value,
} from '../../evaluate/values/values.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Node } from '../../syntax/tree.ts';
import { isAnywhere } from '../whole-program.ts';
import { configAbove } from './project-config.ts';

/** `config.update('apiUrl', …)`, `config.update(name, …)`: any host that people choose; what a program remembers beside its settings is none. */
const updating = (name: string): string => String.raw`(?<!State)\.update\(\s*(?:(['"])(?:[\w-]+\.)*${name}\1|[^'"\s(),][^(),]*),`;

/** `config.inspect('apiUrl')?.defaultValue`, `config.inspect(name)`: reads the default where nobody follows it; `util.inspect` shows what it gets. */
const inspecting = (name: string): string =>
  String.raw`(?<!\butil)\.inspect\s*(?:<[^()]*>)?\(\s*(?:(['"])(?:[\w-]+\.)*${name}\1|[^'"\s(),])`;

/** Its settings are sent to another program, which may ask by them, too. */
const languageServer = 'vscode-language(?:client|server)';

const manifests = /(?<=^|\/)package\.json$/;

/** `"configuration": { "properties": { … } }`, or a list of such. */
function contributed(ev: Evaluation, node: Node, at: At): Entry[] {
  const manifest = configAbove(ev, at.module, manifests);
  const read = (value: Value, name: string): Value => ev.member(value, name, node, at);
  const configuration = manifest && read(read(manifest.value, 'contributes'), 'configuration');
  const parts = optionsOf(configuration ?? nothing).flatMap((each) => (each.type === 'list' ? each.items : [each]));
  return parts.flatMap((part) => optionsOf(read(part, 'properties')).flatMap((each) => (each.type === 'object' ? each.entries : [])));
}

/** The text that a setting is by default: beside a default that moves, what people choose from would stay, as would headers that they set. */
function defaultOf(ev: Evaluation, entry: Entry, node: Node, at: At): readonly Value[] {
  const property = entry.value();
  const isChosen = property.type === 'object' && property.entries.some(({ name = '' }) => choosing.has(name));
  const value = ev.member(property, 'default', node, at);
  return value.type === 'text' && !isChosen ? [value] : [];
}

const choosing = new Set(['enum', 'pattern', 'oneOf', 'anyOf']);

/** `workspace.getConfiguration('texts')`, of which `get('apiUrl')` is the setting `texts.apiUrl`. */
const getConfiguration: LibraryFunction = (ev, [section], node, at) => {
  const of = section === undefined ? '' : plainText(section);
  return of === undefined ? undefined : settingsBelow(ev, of, contributed(ev, node, at), node, at);
};

/** All settings of a section by their names, and as an object what has more names behind one: `get('server.url')`, `get('server').url`. */
function settingsBelow(ev: Evaluation, of: string, entries: readonly Entry[], node: Node, at: At): ObjectValue {
  const start = of === '' ? '' : `${of}.`;
  const { module } = at;
  const setting = (name: string, written: string): UnknownValue =>
    [updating(written), inspecting(written), languageServer].some((each) => isAnywhere(ev.world, each))
      ? kept(name, node, module, 'texts')
      : given(name, node, module);
  const own = entries.filter(({ name }) => name?.startsWith(start) === true);
  const named = own.map((entry): Entry => {
    const { name = '' } = entry;
    const value = (): Value =>
      choiceOf([setting(`${name} of VS Code`, escaped(name.replace(/.*\./, ''))), ...defaultOf(ev, entry, node, at)]);
    return { ...entry, name: name.slice(start.length), value };
  });
  const within = Map.groupBy(own, ({ name = '' }) => /^([^.]+)\./.exec(name.slice(start.length))?.[1]);
  const sections = [...within].flatMap(([name, [entry]]): Entry[] =>
    name === undefined || entry === undefined ? [] : [{ ...entry, name, value: () => settingsBelow(ev, start + name, own, node, at) }],
  );
  const keeps = setting(of === '' ? 'VS Code' : `${of} of VS Code`, String.raw`[\w-]+`);
  return { type: 'object', node, module, entries: [...named, ...sections], unknown: [], keeps };
}

export const vscodeLibrary: ClientRule = {
  name: 'VS Code',
  functions: { 'vscode:workspace.getConfiguration': getConfiguration },
  takes: { by: /^getConfiguration$/, file: manifests },
  ambient: { mark: /"contributes"\s*:\s*\{/, reached: /\bgetConfiguration\(|vscode-languageserver/, isSilent: true },
};
