/**
 * convict: https://github.com/mozilla/node-convict. Settings by a schema of formats, each with its default and its variable; what files say, and objects that
 * are loaded, takes the place of defaults.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { given } from '../../evaluate/libraries/given.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isNullish, orDefault } from '../../evaluate/language/or-default.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import { loadedFilesIn } from '../../find/modules/convict-files.ts';
import { namesOf } from '../../find/modules/open-imports.ts';
import { memoOf } from '../../once.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';

/** `{ url: { format: 'url', default: '…', env: 'MESSAGING_URL' } }`, as what is read of it. */
const settingsOf = (ev: Evaluation, schema: ObjectValue, laidOver: readonly Value[], node: Node, at: At): ObjectValue => ({
  ...schema,
  entries: schema.entries.map((entry): Entry => ({
    ...entry,
    value: () => settingOf(ev, entry.value(), partsOf(ev, laidOver, entry, node, at), node, at),
  })),
});

/** What each of these says under a name, if anything. */
const partsOf = (ev: Evaluation, of: readonly Value[], { name }: Entry, node: Node, at: At): Value[] =>
  of.flatMap((each) => {
    if (each.type !== 'object') return [each];
    const isSaid = name !== undefined && each.entries.some((entry) => entry.name === name);
    return [...(isSaid ? optionsOf(ev.member(each, name, node, at)) : []), ...each.unknown];
  });

function settingOf(ev: Evaluation, setting: Value, laidOver: readonly Value[], node: Node, at: At): Value {
  if (setting.type !== 'object') return setting;
  if (!setting.entries.some(({ name }) => name === 'default')) return settingsOf(ev, setting, laidOver, node, at);
  const name = plainText(ev.member(setting, 'env', node, at));
  const own = ev.member(setting, 'default', node, at);
  // What files have to say is nothing by itself.
  const isLeft = laidOver.length > 0 && (isNullish(own) || plainText(own) === '');
  const otherwise = choiceOf(isLeft ? laidOver : [own, ...laidOver]);
  return name === undefined ? otherwise : orDefault({ type: 'env', name, node: setting.node, module: setting.module }, otherwise);
}

/** The scripts that load files over what one of them makes: itself, and those that make none of their own. */
const loadersFor = ({ world }: Evaluation, maker: SourceModule): readonly SourceModule[] =>
  [...world.modules.values()].filter((each) => each === maker || (each.text.includes('.loadFile(') && !imported.test(each.text)));

const imported = /['"]convict['"]/;

/** What takes the place of defaults: what files say, of which some only whoever runs the program may have, and objects. */
const laidOver = (ev: Evaluation, maker: SourceModule, node: Node): Value[] => [
  ...loadersFor(ev, maker).flatMap((module) => {
    const { files, isWhole } = loadedFilesIn(module.text);
    const read = files.map(({ specifier }) => filesNamed(ev, module, specifier));
    const said = read.flat().flatMap((file) => file.whole && optionsOf(ev.evaluate(file.whole, { module: file, frame: undefined })));
    const isOpen = !isWhole || read.some((each) => each.length === 0);
    return [...said.filter((each) => each !== undefined), ...(isOpen ? [given('a file of settings', node, module)] : [])];
  }),
  ...maker.calls
    .filter((call) => isLoading(call, node, maker))
    .flatMap((call) => ev.args(call, { module: maker, frame: undefined }).slice(0, 1).flatMap(optionsOf)),
];

/** `config.load({ messaging: { url: '…' } })` */
const isLoading = (call: CallNode, made: Node, module: SourceModule): boolean => loadedInto(call, module) === made;

/** What makes the settings that a call loads something into. */
function loadedInto({ callee }: CallNode, { scopes }: SourceModule): Expression | undefined {
  if (callee.kind !== 'member' || callee.property !== 'load' || callee.object.kind !== 'name') return undefined;
  const owner = scopes.bindingOf(callee.object)?.owner;
  return owner?.kind === 'variable' ? owner.init : undefined;
}

/** What makes the settings that something is loaded into where it stands. */
export const settingsWith = (module: SourceModule, { start, end }: Pick<Node, 'start' | 'end'>): readonly Node[] =>
  loadsIn(module).flatMap(({ call, into }) => (call.start <= start && end <= call.end ? into : []));

/** Each literal that would change is asked about. */
const loadsIn = memoOf((module: SourceModule) =>
  (imported.test(module.text) ? module.calls : []).flatMap((call) => {
    const into = loadedInto(call, module);
    return into === undefined ? [] : { call, into };
  }),
);

const filesNamed = ({ world }: Evaluation, module: SourceModule, specifier: string): SourceModule[] =>
  namesOf(module.file, specifier, world.modules.keys()).flatMap((name) => world.resolve(module, name) ?? []);

const convict: LibraryFunction = (ev, [schema], node, at) =>
  schema?.type === 'object' ? settingsOf(ev, schema, laidOver(ev, at.module, node), node, at) : undefined;

/** The files that a script has laid over the settings which it makes, or which others make for it, and the calls that make these. */
export function filesLaidOver(
  ev: Evaluation,
  module: SourceModule,
): readonly { readonly file: SourceModule; readonly node: CallNode; readonly module: SourceModule }[] {
  const files = loadedFilesIn(module.text).files.flatMap(({ specifier }) => filesNamed(ev, module, specifier));
  if (files.length === 0) return [];
  const makers = [...ev.world.modules.values()]
    .filter(({ text }) => imported.test(text))
    .filter((maker) => loadersFor(ev, maker).includes(module));
  const calls = makers.flatMap((maker) => maker.calls.map((node) => ({ node, module: maker })));
  return files.flatMap((file) => calls.filter(({ node, module: maker }) => isMaking(ev, node, maker)).map((each) => ({ file, ...each })));
}

function isMaking(ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean {
  const made = callee.kind === 'name' ? ev.evaluate(callee, { module, frame: undefined }) : undefined;
  return made?.type === 'external' && made.source === 'convict';
}

export const convictLibrary: ClientRule = { name: 'convict', functions: { 'convict:': convict, 'convict:default': convict } };
