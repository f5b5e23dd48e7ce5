/**
 * Files of settings that people have on their machines: https://nodejs.org/api/fs.html, and what parses them. What stands in a file of the
 * repository is known to nobody here either: such a file holds whoever reads one of its name (`judge/constraints/options-set.ts`).
 */
import { posix } from 'node:path';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { given, givenIn, givenOver } from '../../evaluate/libraries/given.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { copyOf } from '../../find/packages/examples.ts';
import { readFilesIn, readsFiles } from '../../find/modules/read-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { memoOf } from '../../once.ts';
import type { CallNode } from '../../syntax/tree.ts';
import { choiceOf, optionsOf, partsOf, plainText, type Value } from '../../evaluate/values/values.ts';

const read: LibraryFunction = (ev, [path], node, at) => {
  const followed = fileReadBy(ev, node, at);
  if (followed !== undefined) return followed;
  const [written] = node.args;
  const name = path && fileName(path);
  if (name !== undefined) return given(name, node, at.module);
  // `readFileSync(resolve(process.cwd(), '.textsrc.json'))`
  const last = written?.kind === 'call' ? written.args.at(-1) : undefined;
  const own = last === undefined || last.kind === 'spread' ? undefined : fileName(ev.evaluate(last, at));
  const ownOrBeside = own ?? (path && filesBeside(path, at.module.file));
  return ownOrBeside === undefined ? undefined : given(ownOrBeside, node, at.module);
};

/** `join(__dirname, stage + '.json')`: any file of the folder that ends so. */
function filesBeside(path: Value, file: string): string | undefined {
  const names = new Set(
    optionsOf(path).map((each) => {
      const [first] = partsOf(each);
      const from = first !== undefined && 'unknownPart' in first ? first.unknownPart : undefined;
      const [, folders, ending] = besideItself.exec(flat(partsOf(each))) ?? [];
      const isOwnFolder = from?.type === 'external' && ownFolder.test([from.source, ...from.path].filter(Boolean).join('.'));
      return isOwnFolder && folders !== undefined ? posix.join(posix.dirname(file), folders, `*${ending}`) : undefined;
    }),
  );
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

const ownFolder = /^(?:__dirname|import\.meta\.dirname)$/;
const besideItself = new RegExp(String.raw`^${unknownPart}((?:/[\w.-]+)*)/(?:${unknownPart}|[\w.-])*?((?:\.\w+)+)$`);

/** The name that all alternatives of a path end in; of `process.env.TEXTS_CONFIG ?? join(homedir(), '.textsrc.json')` that of the one that is written. */
function fileName(path: Value): string | undefined {
  const written = optionsOf(path).filter((each) => each.type !== 'env' && givenIn(each) === undefined);
  const names = new Set(written.map((each) => /(?:^|[\\/])([\w-][\w.-]*|\.[\w-][\w.-]*)$/.exec(flat(partsOf(each)))?.[1]));
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/** What is parsed is given as its text is, and nothing where that is empty: `readSettings() || '{}'`. */
const parsed: LibraryFunction = (ev, [text], node, at) => {
  const followed = fileReadBy(ev, node, at);
  if (followed !== undefined) return followed;
  const options = text === undefined ? [] : optionsOf(text);
  return options.some((each) => givenIn(each) !== undefined)
    ? choiceOf(options.map((each): Value => (isEmpty(each) ? { type: 'literal', value: undefined } : each)))
    : undefined;
};

/** What stands in a file of the project that is read where it is parsed, unless the program writes it, too. */
function fileReadBy(ev: Evaluation, { start }: CallNode, { module }: At): Value | undefined {
  const read = readIn(module).find((each) => each.start === start);
  const file = read === undefined ? undefined : ev.world.resolve(module, read.specifier);
  if (file?.whole === undefined || isWritten(ev, posix.basename(file.file))) return undefined;
  // An example with nothing of ours says nothing of what people have in their copies.
  if (copyOf(file.file) !== undefined && file.texts.length === 0) return undefined;
  return ev.evaluate(file.whole, { module: file, frame: undefined });
}

const readIn = memoOf(({ text }: SourceModule) => (readsFiles(text) ? readFilesIn(text) : []));

/** The calls that parse files of data which stand in the project, and these. */
export const filesReadIn = (
  { world }: Evaluation,
  module: SourceModule,
): readonly { readonly node: CallNode; readonly file: SourceModule }[] =>
  readIn(module).flatMap(({ start, specifier }) => {
    const file = world.resolve(module, specifier);
    // What is done with what it gives begins there, too.
    const [node] = module.calls.filter((call) => call.start === start).toSorted((one, other) => one.end - other.end);
    return node === undefined || file === undefined ? [] : [{ node, file }];
  });

/** Whether a file that names it writes files. */
const isWritten = ({ world }: Evaluation, name: string): boolean =>
  [...world.modules.values()].some(({ text }) => text.includes(name) && /\b(?:write|output|append|copy)(?:File|Json)/.test(text));

const isEmpty = (text: Value): boolean => /^(?:\{\}|null)$/.test(plainText(text) ?? '');

/** `rc('texts', { url: '…' })` */
const rc: LibraryFunction = (_ev, [name, defaults], node, { module }) => {
  const file = name && `.${flat(partsOf(name))}rc`;
  return file !== undefined && defaults?.type === 'object' ? givenOver(defaults, given(file, node, module)) : undefined;
};

const reading = [
  'fs:readFileSync',
  'fs:promises.readFile',
  'fs/promises:readFile',
  'fs-extra:readJson',
  'fs-extra:readJsonSync',
  'fs-extra:readFile',
  'fs-extra:readFileSync',
];
const parsing = [
  'JSON.parse',
  'yaml:parse',
  'js-yaml:load',
  'js-yaml:safeLoad',
  'ini:parse',
  'toml:parse',
  'smol-toml:parse',
  '@iarna/toml:parse',
  'json5:parse',
];

export const ownFilesLibrary: ClientRule = {
  name: 'fs',
  functions: {
    ...Object.fromEntries(reading.map((name) => [name, read])),
    ...Object.fromEntries(parsing.map((name) => [name, parsed])),
    'rc:': rc,
    'rc:default': rc,
  },
};
