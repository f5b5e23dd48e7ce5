/**
 * What whoever runs a program gives it: options and arguments of the command line, files of settings. A base of ours that is the default of one says what that is
 * for, as that of a variable of the environment does.
 */
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { SourceText } from '../values/source-text.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { choiceOf, type Entry, type ObjectValue, type UnknownValue, type Value } from '../values/values.ts';

/** @param name as people know it: `--api-url`, `--` for all options, a file's name; what is read of it has a name of its own */
export const given = (name: string, node: Node, module: SourceText): UnknownValue => ({ type: 'unknown', node, module, givenAs: name });

/** What is still there when the program runs again, and may have been put there long ago. */
export const stored = (name: string, node: Node, module: SourceText): UnknownValue => ({ ...given(name, node, module), isStored: true });

/** What the program keeps itself: that may be of v1, whatever its default is. What it sets settings to is followed, but not which texts it keeps. */
export const kept = (name: string, node: Node, module: SourceText, what: UnknownValue['kept'] = 'settings'): UnknownValue => ({
  ...stored(name, node, module),
  kept: what,
});

/** What may be read of something that is kept: where that is written out without the header, so are the names of the whole alone. */
export const partOf = <V extends Value>(value: V): V =>
  value.type === 'unknown' && value.kept === 'no header' ? { ...value, kept: 'texts' } : value;

/** What is given by a name, or read of something that is. */
export interface Given {
  readonly name: string;
  readonly node: Node;
  readonly module: SourceText;
  /** The last name of a setting that a package holds. */
  readonly setting?: string;
  readonly isStored?: true;
  /** Set where the program itself keeps it. */
  readonly kept?: UnknownValue['kept'];
}

/** `nconf.get('api:url')` is a setting called `url`. */
export const lastName = (text: string): string => /\w+(?=\W*$)/.exec(text)?.[0] ?? text;

/** @returns undefined where nobody gives it */
export function givenIn(value: Value): Given | undefined {
  const of = value.type === 'method' ? value.receiver : value;
  if (of.type !== 'unknown' || of.givenAs === undefined || of.node === undefined || of.module === undefined) return undefined;
  const { givenAs, setting, isStored, node, module } = of;
  const read = value.type === 'method' ? value.path.join('.') : '';
  const { kept } = read === '' ? of : partOf(of);
  const about = { node, module, ...(isStored && { isStored }), ...(kept !== undefined && { kept }) };
  if (read === '' || /^\d/.test(read)) return { name: givenAs, ...about, ...(setting !== undefined && { setting }) };
  return {
    name: givenAs.startsWith('--') ? `--${read}` : `${read} of ${givenAs}`,
    ...about,
    ...(setting !== undefined && { setting: lastName(read) }),
  };
}

/**
 * What is given in the place of an object of defaults: any of them, and whatever it names.
 * @param openAs the same as far as one of the defaults goes
 */
export function givenOver(defaults: ObjectValue, open: UnknownValue, openAs: (name?: string) => UnknownValue = () => open): ObjectValue {
  const entries = defaults.entries.map((entry) => ({
    ...entry,
    value: (): Value => choiceOf([{ type: 'method', receiver: openAs(entry.name), path: [entry.name ?? ''] }, entry.value()]),
  }));
  return { ...defaults, entries, unknown: [...defaults.unknown, open] };
}

/**
 * What the calls of a program say of something, found once.
 * @param imported what a file holds that may say so
 */
export function inCallsOf<Said>(
  imported: RegExp,
  saidBy: (call: CallNode, module: SourceModule) => readonly Said[],
): (world: World) => readonly Said[] {
  const known = new WeakMap<World, readonly Said[]>();
  const find = ({ modules }: World): Said[] =>
    [...modules.values()].flatMap((module) => (imported.test(module.text) ? module.calls.flatMap((call) => saidBy(call, module)) : []));
  return (world) => {
    const said = known.get(world) ?? find(world);
    known.set(world, said);
    return said;
  };
}

/** An option of a command line under the names that a program reads it by, with what it is otherwise. */
export const optionEntries = (names: readonly string[], { node, module }: Pick<Entry, 'node' | 'module'>, value: () => Value): Entry[] =>
  names.map((name) => ({ name, key: undefined, node, module, valueNode: undefined, value }));

/** @param others what it is where nobody gives it */
export const givenOr = (name: string, { node, module }: Pick<Entry, 'node' | 'module'>, others: readonly Value[]): Value =>
  choiceOf([given(name, node, module), ...others]);

/** An option that a program declares: the name that it is read by, where it stands, and what it is. */
export interface Option {
  readonly key: string;
  readonly of: Pick<Entry, 'node'> & { readonly module: SourceModule };
  readonly value: () => Value;
}

/** What is read of a command line: an option that is declared twice is either, and one that no file declares may be given, too. */
export function commandLineOf(options: readonly Option[], node: Node, module: SourceModule): ObjectValue {
  const entries = [...Map.groupBy(options, ({ key }) => key)].flatMap(([key, all]) =>
    all.slice(0, 1).flatMap(({ of }) => optionEntries([key], of, () => choiceOf(all.map(({ value }) => value())))),
  );
  return { type: 'object', node, module, entries, unknown: [given('--', node, module)] };
}
