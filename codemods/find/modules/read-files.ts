/**
 * Files of data that a program reads as it would import them, https://nodejs.org/api/fs.html: `JSON.parse(readFileSync(join(__dirname, 'config.json'), 'utf8'))`,
 * `yaml.load(readFileSync('config.yaml', 'utf8'))`. The path and the text may have a name each, as long as nothing else is done with these. What names the file
 * otherwise, or does anything else with its text, is not followed.
 */
import { posix } from 'node:path';
import { loadedFilesIn } from './convict-files.ts';
import { escaped } from '../words/literals.ts';
import { started } from './open-imports.ts';

const folder = String.raw`(?:__dirname|import\.meta\.dirname)`;
const text = String.raw`['"][\w./-]+['"]`;
const data = String.raw`[\w./-]*\w\.(?:json|ya?ml|toml)`;
const name = String.raw`[A-Za-z_$][\w$]*`;
const joining = (from: string, group: string): string =>
  String.raw`(?:\w+\.)?(?:join|resolve)\(\s*${from}\s*,\s*(?<${group}>(?:${text}\s*,\s*)*(?:['"]${data}['"]|${name}))\s*\)`;
const path = [
  String.raw`new URL\(\s*['"](?<url>${data})['"]\s*,\s*import\.meta\.url\s*\)`,
  joining(folder, 'beside'),
  String.raw`${'`'}\$\{${folder}\}/(?<within>${data})${'`'}`,
  String.raw`${folder}\s*\+\s*['"]/(?<added>${data})['"]`,
  joining(String.raw`process\.cwd\(\s*\)`, 'started'),
  String.raw`(?:(?:\w+\.)?resolve\(\s*)?['"](?<plain>(?:\./)?(?![./])${data})['"]`,
].join('|');
const located = String.raw`\s*(?:(?:\w+\.)?fileURLToPath\(\s*)?(?:${path}|(?<named>${name})(?!\s*[\w$.([\x60]))(?!\s*[+?|])`;
const reads = String.raw`(?:await\s+)?(?:\w+\.)*readFile(?:Sync)?\(`;
const parses = String.raw`(?<!\w|\$|(?<!\.\.)\.)(?:(?:JSON|\w*(?:yaml|Yaml|YAML|toml|Toml|TOML))\.(?:parse|load|safeLoad)|(?:parse|load)(?:Yaml|YAML|Toml|TOML)?)\(`;
const reading = new RegExp(String.raw`(?:${parses}\s*${reads}|(?<!\w|\$|(?<!\.\.)\.)(?:\w+\.)?readJson(?:Sync)?\()${located}`, 'g');
const keeping = new RegExp(String.raw`(?<!\bexport\s+)\bconst\s+(?<kept>${name})(?:\s*:\s*\w+)?\s*=\s*${reads}${located}`, 'g');

/** What all of the first have, told from behind: most that reads a file does not parse it there. */
const mayRead = /readJson(?:Sync)?\(|readFile(?:Sync)?\((?<=(?:parse|[lL]oad)\w*\(\s*(?:await\s+)?(?:\w+\.)*readFile(?:Sync)?\()/;

interface Place {
  readonly start: number;
  readonly end: number;
}

interface ReadFile extends Place {
  /** As an import would name it, or behind `cwd:`. */
  readonly specifier: string;
  /** Where it is named, outside of the call that parses it too. */
  readonly mentions: readonly Place[];
}

/** What is left of a call that does nothing else with what it reads: no reviver, no text in the place of another. */
const readOnly = /^[\s)]*(?:,\s*(?:['"][\w-]+['"]|\{[^{}()]*\}|null)\s*)?,?\s*\)/;
const asText = String.raw`\s*(?:\.toString\(\s*(?:['"][\w-]+['"])?\s*\)\s*)?`;
const parsedOnly = new RegExp(String.raw`${readOnly.source}${asText},?\s*\)`);
const keptOnly = new RegExp(String.raw`${readOnly.source}${asText}(?:[;\n]|$)`);

const filesystem = /['"](?:node:)?(?:fs|fs\/promises|fs-extra|graceful-fs)['"]/;
const ownReader = /\bfunction\*?\s+read(?:File|Json)(?:Sync)?\b|\bread(?:File|Json)(?:Sync)?\s*=(?!=)/;
/** `const __dirname = dirname(fileURLToPath(import.meta.url))` is the folder of the file; nothing else is, such as `path.resolve()`. */
const ownFolder = new RegExp(
  String.raw`\b__dirname\s*=(?!=)(?!\s*(?:(?:(?:\w+\.)?dirname\(\s*(?:__filename|(?:\w+\.)?fileURLToPath\(\s*import\.meta\.url\s*\))\s*\)|(?:\w+\.)?fileURLToPath\(\s*new URL\(\s*['"]\./?['"]\s*,\s*import\.meta\.url\s*\)\s*\))\s*(?:[;,\n]|$)|import\.meta\.dirname\b))`,
);

/** Whether what it reads files by is what its name says, and so is its folder. */
export const readsFiles = (script: string): boolean => filesystem.test(script) && !ownReader.test(script) && !ownFolder.test(script);

/** All files of data that a script is known to have, some by a name with a `*`. */
export const dataFilesIn = (script: string): readonly Pick<ReadFile, 'start' | 'specifier'>[] => [
  ...readFilesIn(script),
  ...layersIn(script).files,
  ...loadedFilesIn(script).files,
];

/** The files that a script reads so, and where it parses them. */
export function readFilesIn(script: string): readonly ReadFile[] {
  // Most texts have none of these words, and to look for all that may stand around them takes fifty times as long.
  if (!/read(?:File|Json)(?:Sync)?\(/.test(script) || !/\.(?:json|ya?ml|toml)\b/.test(script)) return [];
  const direct = [...(mayRead.test(script) ? script.matchAll(reading) : [])].flatMap(
    ({ 0: all, index: start, groups = {} }): ReadFile[] => {
      const place = { start, end: start + all.length };
      const rest = script.slice(place.end, place.end + maxRest);
      const isOnlyRead = (/^(?:\w+\.)?readJson(?:Sync)?\(/.test(all) ? readOnly : parsedOnly).test(rest);
      return isOnlyRead ? fileAt(script, groups, place, place) : [];
    },
  );
  const kept = [...script.matchAll(keeping)].flatMap(({ 0: all, index: start, groups = {} }): ReadFile[] => {
    const place = { start, end: start + all.length };
    const parsed = keptOnly.test(script.slice(place.end, place.end + maxRest)) ? onlyParsed(script, groups['kept'] ?? '') : undefined;
    return parsed === undefined ? [] : fileAt(script, groups, parsed, place);
  });
  return [...direct, ...kept];
}

/** `nconf.file({ file: 'config.json' })`, `.file('local', join(__dirname, 'local.json'))`: https://github.com/indexzero/nconf */
const layering = new RegExp(String.raw`\.\s*file\(\s*(?:${text.replace('./', '')}\s*,\s*)?(?:\{\s*file\s*:)?${located}`, 'g');

interface Layers {
  readonly files: readonly ReadFile[];
  /** Whether the names of all of them are written out. */
  readonly isWhole: boolean;
}

/** The files that a script has nconf read. */
export function layersIn(script: string): Layers {
  if (!/['"]nconf['"]/.test(script)) return { files: [], isWhole: true };
  const found = [...script.matchAll(layering)].flatMap(({ 0: all, index: start, groups = {} }) => {
    const place = { start, end: start + all.length };
    return fileAt(script, groups, place, place);
  });
  return { files: found, isWhole: found.length === (script.match(/\.\s*file\(/g) ?? []).length };
}

/** In characters. */
const maxRest = 200;

type Groups = Readonly<Record<string, string | undefined>>;

/** @param parsed where it is parsed, @param read where it is read */
function fileAt(script: string, groups: Groups, parsed: Place, read: Place): ReadFile[] {
  const { named } = groups;
  if (named === undefined) {
    const found = specifierOf(script, groups);
    return found === undefined ? [] : [{ ...found, ...parsed, mentions: [read, ...found.mentions] }];
  }
  const constant = constantOf(script, named, String.raw`(?:(?:\w+\.)?fileURLToPath\(\s*)?(?:${path})(?!\s*[+?|])\s*\)?`);
  const found = constant && specifierOf(script, constant.groups);
  return found === undefined ? [] : [{ ...found, ...parsed, mentions: [read, constant, ...found.mentions].flatMap((each) => each ?? []) }];
}

function specifierOf(script: string, groups: Groups): Pick<ReadFile, 'specifier' | 'mentions'> | undefined {
  const { url, beside, within, added, started: below, plain } = groups;
  const list = joined(script, beside ?? below);
  if (list === undefined) return undefined;
  const own = url ?? within ?? added ?? (beside && list.path);
  return { specifier: own === undefined ? `${started}${plain ?? list.path}` : relative(own), mentions: list.mentions };
}

/** What the words of `join` make together, of which the last may be a constant: `'..', 'config', FILE_NAME`. */
function joined(script: string, words = ''): { readonly path: string; readonly mentions: readonly Place[] } | undefined {
  const texts = words.match(/[\w$./-]+/g) ?? [];
  const last = texts.at(-1);
  if (last === undefined || /['"]\s*$/.test(words)) return { path: posix.join(...texts), mentions: [] };
  const constant = constantOf(script, last, `['"](?<value>${data})['"]`);
  const value = constant?.groups['value'];
  return constant === undefined || value === undefined
    ? undefined
    : { path: posix.join(...texts.slice(0, -1), value), mentions: [constant] };
}

/** A name that stands for a path, and is given to nothing but what finds and reads files, or is printed. */
function constantOf(script: string, constant: string, value: string): (Place & { readonly groups: Groups }) | undefined {
  const declared = new RegExp(
    String.raw`(?<!\bexport\s+)\bconst\s+${escaped(constant)}(?:\s*:\s*string)?\s*=\s*${value}\s*(?:[;\n]|$)`,
  ).exec(script);
  if (declared === null) return undefined;
  const uses = [...script.matchAll(new RegExp(String.raw`(?<![\w$])${escaped(constant)}(?![\w$])`, 'g'))].filter(
    ({ index }) => index < declared.index || index >= declared.index + declared[0].length,
  );
  const isHarmless = uses.every(({ index }) => givenToPaths.test(script.slice(Math.max(0, index - maxRest), index)));
  return isHarmless ? { start: declared.index, end: declared.index + declared[0].length, groups: declared.groups ?? {} } : undefined;
}

const givenToPaths = /(?:(?:readFile|readJson|exists)(?:Sync)?|\b(?:join|resolve))\((?:[^()]|\(\s*\))*$|\$\{$/;

/** Where a text is parsed that is used for nothing else. */
function onlyParsed(script: string, kept: string): Place | undefined {
  const uses = script.match(new RegExp(String.raw`(?<![\w$])${escaped(kept)}(?![\w$])`, 'g')) ?? [];
  if (uses.length !== 2) return undefined;
  const parse = new RegExp(String.raw`${parses}\s*${escaped(kept)}${asText},?\s*\)`).exec(script);
  return parse !== null ? { start: parse.index, end: parse.index + parse[0].length } : undefined;
}

function relative(file: string): string {
  const normal = posix.normalize(file);
  return normal.startsWith('../') ? normal : `./${normal}`;
}
