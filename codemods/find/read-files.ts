/**
 * JSON files of the project that a program reads as it would import them, https://nodejs.org/api/fs.html: `JSON.parse(readFileSync(join(__dirname, 'config.json'), 'utf8'))`.
 * What names the file otherwise, or does anything else with its text, is not followed.
 */
import { posix } from 'node:path';

const folder = String.raw`(?:__dirname|import\.meta\.dirname)`;
const text = String.raw`['"][\w./-]+['"]`;
const json = String.raw`[\w./-]*\w\.json`;
const joining = (from: string, name: string): string =>
  String.raw`(?:\w+\.)?(?:join|resolve)\(\s*${from}\s*,\s*(?<${name}>(?:${text}\s*,\s*)*['"]${json}['"])\s*\)`;
const path = [
  String.raw`new URL\(\s*['"](?<url>${json})['"]\s*,\s*import\.meta\.url\s*\)`,
  joining(folder, 'beside'),
  String.raw`${'`'}\$\{${folder}\}/(?<within>${json})${'`'}`,
  String.raw`${folder}\s*\+\s*['"]/(?<added>${json})['"]`,
  joining(String.raw`process\.cwd\(\s*\)`, 'started'),
  String.raw`(?:(?:\w+\.)?resolve\(\s*)?['"](?<plain>(?:\./)?(?![./])${json})['"]`,
].join('|');
const parsed = String.raw`JSON\.parse\(\s*(?:await\s+)?(?:\w+\.)*readFile(?:Sync)?\(|(?<![\w$])(?:\w+\.)?readJson(?:Sync)?\(`;
const reading = new RegExp(String.raw`(?:${parsed})\s*(?:(?:\w+\.)?fileURLToPath\(\s*)?(?:${path})(?!\s*[+?|])`, 'g');

/** Where a program is started: as a rule where its `package.json` is. */
export const started = 'cwd:';

interface ReadFile {
  /** As an import would name it, or behind `cwd:`. */
  readonly specifier: string;
  readonly start: number;
  readonly end: number;
}

/** What is left of a call that does nothing else with what it reads: no reviver, no text in the place of another. */
const readOnly = /^[\s)]*(?:,\s*(?:['"][\w-]+['"]|\{[^{}()]*\}|null)\s*)?,?\s*\)/;
const parsedOnly = new RegExp(String.raw`${readOnly.source}\s*(?:\.toString\(\s*(?:['"][\w-]+['"])?\s*\)\s*)?,?\s*\)`);

const filesystem = /['"](?:node:)?(?:fs|fs\/promises|fs-extra|graceful-fs)['"]/;
const ownReader = /\bfunction\*?\s+read(?:File|Json)(?:Sync)?\b|\bread(?:File|Json)(?:Sync)?\s*=(?!=)/;
/** `const __dirname = dirname(fileURLToPath(import.meta.url))` is the folder of the file; nothing else is, such as `path.resolve()`. */
const ownFolder = new RegExp(
  String.raw`\b__dirname\s*=(?!=)(?!\s*(?:(?:(?:\w+\.)?dirname\(\s*(?:__filename|(?:\w+\.)?fileURLToPath\(\s*import\.meta\.url\s*\))\s*\)|(?:\w+\.)?fileURLToPath\(\s*new URL\(\s*['"]\./?['"]\s*,\s*import\.meta\.url\s*\)\s*\))\s*(?:[;,\n]|$)|import\.meta\.dirname\b))`,
);

/** Whether what it reads files by is what its name says, and so is its folder. */
export const readsFiles = (script: string): boolean => filesystem.test(script) && !ownReader.test(script) && !ownFolder.test(script);

/** The files that a script, or a part of one, reads so, and where. */
export function readFilesIn(script: string): readonly ReadFile[] {
  if (!script.includes('.json')) return [];
  const calls = [...script.matchAll(reading)].filter(({ 0: all, index }) => {
    const end = index + all.length;
    return (all.startsWith('JSON') ? parsedOnly : readOnly).test(script.slice(end, end + maxRest));
  });
  return calls.map(({ 0: all, index: start, groups = {} }) => {
    const { url, beside, within, added, started: below, plain } = groups;
    const own = url ?? within ?? added ?? (beside && joined(beside));
    const specifier = own === undefined ? `${started}${plain ?? joined(below ?? '')}` : relative(own);
    return { specifier, start, end: start + all.length };
  });
}

/** In characters. */
const maxRest = 200;

const joined = (texts: string): string => posix.join(...(texts.match(/[\w./-]+/g) ?? []));

function relative(file: string): string {
  const normal = posix.normalize(file);
  return normal.startsWith('../') ? normal : `./${normal}`;
}
