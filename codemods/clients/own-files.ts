/**
 * Files of settings that people have on their machines: https://nodejs.org/api/fs.html, and what parses them. What stands in a file of the
 * repository is known to nobody here either: such a file holds whoever reads one of its name (`run/options-set.ts`).
 */
import { posix } from 'node:path';
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import { requiredValue } from '../evaluate/exports.ts';
import { given, givenIn, givenOver } from '../evaluate/given.ts';
import { flat, unknownPart } from '../evaluate/text.ts';
import { optionsOf, partsOf, type Value } from '../evaluate/values.ts';
import { specifierBeside } from '../find/data-reads.ts';
import type { CallNode, MemberNode } from '../syntax/tree.ts';

const read: LibraryFunction = (ev, [path], node, at) => {
  const [written] = node.args;
  const beside = writes.test(at.module.text) ? undefined : besideItself(written, path);
  const data = beside === undefined ? undefined : requiredValue(ev, at.module, beside, { node, module: at.module, rest: undefined });
  if (data?.type === 'object') return data;
  const name = path && fileName(path);
  if (name !== undefined) return given(name, node, at.module);
  // `readFileSync(resolve(process.cwd(), '.textsrc.json'))`
  const last = written?.kind === 'call' ? written.args.at(-1) : undefined;
  const own = last === undefined || last.kind === 'spread' ? undefined : fileName(ev.evaluate(last, at));
  const ownOrBeside = own ?? (path && filesBeside(path, at.module.file));
  return ownOrBeside === undefined ? undefined : given(ownOrBeside, node, at.module);
};

/**
 * `new URL('../config.json', import.meta.url)`, `join(__dirname, 'config.json')`: what such a file says is known as that of an import is. What changes in one stays
 * held all the same, as others may read it (`run/data-readers.ts`).
 */
function besideItself(written: CallNode['args'][number] | undefined, path: Value | undefined): string | undefined {
  const [file, from] = written?.kind === 'call' && written.isNew ? written.args : [];
  if (file?.kind === 'string' && from?.kind === 'member' && isOwnAddress(from)) return specifierBeside(file.value);
  const [each, ...more] = path === undefined ? [] : optionsOf(path);
  const [, rest] = each === undefined || more.length > 0 ? [] : (behindOwnFolder.exec(flat(partsOf(each))) ?? []);
  return each === undefined || rest === undefined || !isInOwnFolder(each) ? undefined : specifierBeside(rest);
}

/** What a program writes may say another thing than what lies there. */
const writes = /\b(?:write|output)(?:File|Json)/;
const isOwnAddress = ({ object, property }: MemberNode): boolean =>
  property === 'url' &&
  object.kind === 'member' &&
  object.property === 'meta' &&
  object.object.kind === 'name' &&
  object.object.name === 'import';
const behindOwnFolder = new RegExp(`^${unknownPart}/([^${unknownPart}]+[.]json)$`);

/** `join(__dirname, stage + '.json')`: any file of the folder that ends so. */
function filesBeside(path: Value, file: string): string | undefined {
  const names = new Set(
    optionsOf(path).map((each) => {
      const [, folders, ending] = anyBeside.exec(flat(partsOf(each))) ?? [];
      return isInOwnFolder(each) && folders !== undefined ? posix.join(posix.dirname(file), folders, `*${ending}`) : undefined;
    }),
  );
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

function isInOwnFolder(path: Value): boolean {
  const [first] = partsOf(path);
  const from = first !== undefined && 'unknownPart' in first ? first.unknownPart : undefined;
  return from?.type === 'external' && ownFolder.test([from.source, ...from.path].filter(Boolean).join('.'));
}

const ownFolder = /^(?:__dirname|import\.meta\.dirname)$/;
const anyBeside = new RegExp(String.raw`^${unknownPart}((?:/[\w.-]+)*)/(?:${unknownPart}|[\w.-])*?((?:\.\w+)+)$`);

/** The name that all alternatives of a path end in; of `process.env.TEXTS_CONFIG ?? join(homedir(), '.textsrc.json')` that of the one that is written. */
function fileName(path: Value): string | undefined {
  const written = optionsOf(path).filter((each) => each.type !== 'env' && givenIn(each) === undefined);
  const names = new Set(written.map((each) => /(?:^|[\\/])([\w-][\w.-]*|\.[\w-][\w.-]*)$/.exec(flat(partsOf(each)))?.[1]));
  const [name] = names;
  return names.size === 1 ? name : undefined;
}

/** What is parsed is given as its text is, or is known as what it parses to. */
const parsed: LibraryFunction = (_ev, [text, reviver]) =>
  text !== undefined && optionsOf(text).some((each) => (each.type === 'object' && reviver === undefined) || givenIn(each) !== undefined)
    ? text
    : undefined;

/** `rc('texts', { url: '…' })` */
const rc: LibraryFunction = (_ev, [name, defaults], node, { module }) => {
  const file = name && `.${flat(partsOf(name))}rc`;
  return file !== undefined && defaults?.type === 'object' ? givenOver(defaults, file, node, module) : undefined;
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
