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

/** The files that a script reads so, and where. */
export function readFilesIn(script: string): readonly ReadFile[] {
  if (!script.includes('.json')) return [];
  return Array.from(script.matchAll(reading), ({ 0: all, index: start, groups = {} }) => {
    const { url, beside, within, added, started: below, plain } = groups;
    const own = url ?? within ?? added ?? (beside && joined(beside));
    const specifier = own === undefined ? `${started}${plain ?? joined(below ?? '')}` : relative(own);
    return { specifier, start, end: start + all.length };
  });
}

const joined = (texts: string): string => posix.join(...(texts.match(/[\w./-]+/g) ?? []));

function relative(file: string): string {
  const normal = posix.normalize(file);
  return normal.startsWith('../') ? normal : `./${normal}`;
}
