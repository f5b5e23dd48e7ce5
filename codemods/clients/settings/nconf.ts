/**
 * nconf: https://github.com/indexzero/nconf. One object for the whole program, which has what stands in files and defaults, and before these what the
 * environment says: `nconf.env('__').file({ file: 'config.json' })`, `nconf.get('texts:url')`.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { Carrying } from '../../evaluate/libraries/provided.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { World } from '../../evaluate/program.ts';
import { escaped } from '../../find/words/literals.ts';
import { layersIn } from '../../find/modules/read-files.ts';
import { memoOf } from '../../once.ts';

const imported = /\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s*['"]nconf['"]|(\w+)\s*=\s*require\(\s*['"]nconf['"]\s*\)/;

/** What puts something there that nobody sees, or reads the environment by other names: to the end of a statement. */
function isOpen(text: string): boolean {
  const [, name = imported.exec(text)?.[2]] = imported.exec(text) ?? [];
  const otherwise = String.raw`\.\s*(?:set|overrides|add|use|load|merge|reset|clear)\(|\.\s*env\(\s*[^)\s['"{]|\.\s*env\(\s*\{[^}]*?(?:transform|separator\s*:\s*[^'"\s])|\bProvider\b`;
  return name === undefined || new RegExp(String.raw`(?<![\w$.])${escaped(name)}\b[^;]*?(?:${otherwise})`).test(text);
}

const separated = /\.\s*env\(\s*(?:['"](?<plain>[^'"]+)['"]|\{[^}]*?\bseparator\s*:\s*['"](?<named>[^'"]+)['"][^}]*\})/g;

/** What stands in the environment for a path: `NOTIFY__BASE` for `notify:base`, where `lowerCase` is set. */
const variablesFor = (path: readonly string[], text: string): string[] =>
  Array.from(text.matchAll(separated), ({ 0: all, groups = {} }) => {
    const name = path.join(groups['plain'] ?? groups['named'] ?? ':');
    return /\blowerCase\s*:\s*true/.test(all) ? name.toUpperCase() : name;
  });

/** What the files that a module has it read hold, and its defaults. */
function valuesIn(ev: Evaluation, module: SourceModule): readonly Value[] | undefined {
  const { files, isWhole } = layersIn(module.text);
  const read = files.map(({ specifier }) => ev.world.resolve(module, specifier));
  if (!isWhole || isOpen(module.text) || read.some((file) => file?.whole === undefined)) return undefined;
  const calls = module.calls.filter(isDefaults);
  if (calls.length !== (module.text.match(/\.\s*defaults\(/g) ?? []).length) return undefined;
  return [
    ...read.flatMap((file) => (file?.whole === undefined ? [] : ev.evaluate(file.whole, { module: file, frame: undefined }))),
    ...calls.flatMap((call) => ev.args(call, { module, frame: undefined }).slice(0, 1)),
  ];
}

const get: LibraryFunction = (ev, [name], node, at) => {
  const path = name && plainText(name)?.split(':');
  const modules = [...ev.world.modules.values()].filter(({ text }) => nconf.test(text));
  const layers = modules.map((module) => valuesIn(ev, module));
  const [first = ''] = path ?? [];
  const written = new RegExp(String.raw`\.(?:set|overrides)\(\s*(?:\{|["'\x60]${escaped(first)}(?!\w))`);
  const isWritten = [...ev.world.modules.values()].some(({ text }) => written.test(text));
  if (path === undefined || isWritten || layers.includes(undefined)) return undefined;
  const found = layers
    .flatMap((each) => each ?? [])
    .flatMap((layer) => {
      const value = path.reduce((holder: Value, step) => ev.member(holder, step, node, at), layer);
      return optionsOf(value).filter((each) => each.type !== 'literal' || each.value !== undefined);
    });
  if (found.length === 0) return undefined;
  const parts = modules.flatMap(({ text }) => variablesFor(path, text));
  const objects = found.filter((each) => each.type === 'object');
  // Of what is taken whole, the environment may say each part.
  if (parts.length > 0 && objects.length > 0)
    return objects.length === found.length
      ? wholeOf(objects, path, (of) => modules.flatMap(({ text }) => variablesFor(of, text)))
      : undefined;
  const isWhole = path.length === 1 && modules.some(({ text }) => /\.env\(/.test(text));
  const [variable, another] = new Set(parts.length > 0 ? parts : isWhole ? path : []);
  if (another !== undefined) return undefined;
  return variable === undefined ? choiceOf(found) : orDefault({ type: 'env', name: variable, node, module: at.module }, choiceOf(found));
};

/** What several layers have below a path, each part with the variable that may take its place. */
function wholeOf(
  layers: readonly ObjectValue[],
  path: readonly string[],
  variablesOf: (path: readonly string[]) => readonly string[],
): ObjectValue | undefined {
  const [first] = layers;
  const named = Map.groupBy(
    layers.flatMap(({ entries }) => entries),
    ({ name }) => name,
  );
  if (first === undefined || named.has(undefined)) return undefined;
  const entries = Array.from(named, ([name = '', all]): Entry[] =>
    all.slice(0, 1).map((entry) => ({
      ...entry,
      value: () =>
        partOf(
          all.flatMap(({ value }) => optionsOf(value())),
          entry,
          [...path, name],
          variablesOf,
        ),
    })),
  );
  return { ...first, entries: entries.flat(), unknown: layers.flatMap(({ unknown: open }) => open) };
}

function partOf(
  found: readonly Value[],
  { node, module }: Entry,
  path: readonly string[],
  variablesOf: (path: readonly string[]) => readonly string[],
): Value {
  const objects = found.filter((each) => each.type === 'object');
  const whole = objects.length > 0 && objects.length === found.length ? wholeOf(objects, path, variablesOf) : undefined;
  if (whole !== undefined) return whole;
  const [name, another] = new Set(variablesOf(path));
  if (name === undefined || another !== undefined) return unknown(node, module);
  return orDefault({ type: 'env', name, node, module }, choiceOf(found));
}

/** The calls that may take something of the files which a module has nconf read, and these. */
export function filesTakenOf(
  { world }: Evaluation,
  module: SourceModule,
): readonly { readonly file: SourceModule; readonly node: CallNode; readonly module: SourceModule }[] {
  const files = layersIn(module.text).files.flatMap(({ specifier }) => world.resolve(module, specifier) ?? []);
  if (files.length === 0) return [];
  const asking = asksIn(world);
  return files.flatMap((file) => asking.map((each) => ({ file, ...each })));
}

/** The calls that may take something of the defaults which a place stands in. */
export const takenOfDefaults = (
  { world }: Evaluation,
  module: SourceModule,
  { start, end }: Pick<Node, 'start' | 'end'>,
): readonly Ask[] => (defaultsIn(module).some((call) => call.start <= start && end <= call.end) ? asksIn(world) : []);

/** Each literal that would change is asked about. */
const defaultsIn = memoOf(({ text, calls }: SourceModule) => (nconf.test(text) ? calls.filter(isDefaults) : []));

interface Ask {
  readonly node: CallNode;
  readonly module: SourceModule;
}

const asksIn = ({ modules }: World): Ask[] =>
  [...modules.values()].flatMap((module) => module.calls.filter(isGet).map((node) => ({ node, module })));

const nconf = /['"]nconf['"]/;
const isDefaults = ({ callee }: CallNode): boolean => callee.kind === 'member' && callee.property === 'defaults';

const isGet = ({ callee, args }: CallNode): boolean => callee.kind === 'member' && callee.property === 'get' && args.length === 1;

/** `nconf.env({ lowerCase: true })`, `.env({ transform })`: which variable a name is then read from is not followed. */
const environmentOf = ({ callee, args: [first] }: CallNode): string | undefined =>
  callee.kind === 'member' && callee.property === 'env' && first?.kind !== 'array' ? '' : undefined;

/** What whoever imports it may take: it is one for the whole program. What they get is found by `get`. */
const puts: NonNullable<Carrying['puts']> = (node) =>
  node.kind === 'call' && node.callee.kind === 'member' && /^(?:defaults|file)$/.test(node.callee.property ?? '')
    ? [{ space: 'nconf', key: 'nconf', node }]
    : [];

export const nconfLibrary: ClientRule = {
  name: 'nconf',
  functions: { 'nconf:get': get },
  fillsFrom: { by: nconf, prefix: environmentOf },
  carries: [{ where: nconf, puts }],
};
