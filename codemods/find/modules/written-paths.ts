/** Paths of files as scripts write them: of a folder of their own, of where the program is started, in one piece or put together. */
import { posix } from 'node:path';
import { escaped } from '../words/literals.ts';

/** What is not written of a path. */
const open = '*';

export interface Path {
  readonly name: string;
  /** What it is below: the folder of the script, or that where the program is started. */
  readonly from: 'script' | 'program';
  /** Whether not all of it is written: `*` stands for what is not. */
  readonly isOpen: boolean;
}

/** Constants that are made of others. */
const maxDepth = 3;

/** The folder of the script. */
const ownFolder = /^(?:__dirname|import\.meta\.dirname|(?:path\.)?dirname\(\s*(?:url\.)?fileURLToPath\(import\.meta\.url\)\s*\))$/;

const below = (name: string, isOpen = false): Path => ({ name, from: 'program', isOpen });

/** What an expression makes of a path, as far as it is written. */
export function pathOf(written: string, script: string, depth = 0): Path {
  const ask = (each: string): Path => pathOf(each, script, depth);
  if (ownFolder.test(written)) return { ...below('.'), from: 'script' };
  if (/^process\.cwd\(\s*\)$/.test(written)) return below('.');
  if (/^(['"])[\w./*{},-]*\1$/.test(written)) return below(written.slice(1, -1));
  const pieces = piecesOf(written);
  const parts = pieces[0] === written ? [] : pieces.map(ask);
  if (parts.length > 0) return of(parts, (names) => names.join(''));
  const [, name = '', given = ''] = /^(?:new\s+)?(?:\w+\.)*(\w+)\(([^]*)\)$/.exec(written) ?? [];
  const args = given === '' ? [] : partsAt(given, 0, ',');
  if (/^(?:join|resolve)$/.test(name)) return of(args.map(ask), (names) => posix.join(...names));
  if (name === 'fileURLToPath') return ask(args[0] ?? '');
  if (name === 'URL' && args[1] === 'import.meta.url') return { ...ask(args[0] ?? ''), from: 'script' };
  const constant = depth < maxDepth ? constantOf(written, script) : undefined;
  return constant === undefined ? below(open, true) : pathOf(constant, script, depth + 1);
}

/** What several make together, which is below what the first of them is below. */
const of = (parts: readonly Path[], together: (names: readonly string[]) => string): Path => ({
  name: parts.length === 0 ? open : together(parts.map(({ name }) => name)),
  from: parts[0]?.from ?? 'program',
  isOpen: parts.length === 0 || parts.some(({ isOpen }) => isOpen),
});

/** `__dirname + '/' + env`, `` `${__dirname}/${env}.json` `` */
function piecesOf(written: string): readonly string[] {
  const [, template] = /^`([^`\\]*)`$/.exec(written) ?? [];
  if (template === undefined) return partsAt(written, 0, '+');
  return template
    .split(/(\$\{[^{}]*\})/)
    .flatMap((each) => (each === '' ? [] : each.startsWith('${') ? each.slice(2, -1).trim() : `'${each}'`));
}

/** What a name stands for that nothing else is put into. */
export function constantOf(name: string, script: string): string | undefined {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return undefined;
  const put = [...script.matchAll(new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?:\s*:\s*[\w<>[\], |]+?)?\s*=(?![=>])\s*`, 'g'))];
  const [only] = put;
  return only === undefined || put.length > 1 ? undefined : partsAt(script, only.index + only[0].length, ';')[0];
}

/** In characters. */
const longest = 2000;

/** The parts of an expression between separators, up to where what is around it goes on. */
export function partsAt(text: string, from: number, separator: ',' | '+' | ';'): readonly string[] {
  const parts: string[] = [];
  let [depth, begin, at] = [0, from, from];
  let quote: string | undefined;
  for (; at < Math.min(text.length, from + longest); at += 1) {
    const character = text.charAt(at);
    if (quote !== undefined) {
      if (character === '\\') at += 1;
      else if (character === quote) quote = undefined;
    } else if (/['"`]/.test(character)) quote = character;
    else if (/[([{]/.test(character)) depth += 1;
    else if (/[)\]}]/.test(character)) depth -= 1;
    else if (depth === 0 && (character === separator || (separator === ';' && /[,\n]/.test(character)))) {
      parts.push(text.slice(begin, at));
      begin = at + 1;
    }
    if (depth < 0) break;
  }
  return [...parts, text.slice(begin, at)].map((each) => each.trim()).filter((each) => each !== '');
}
