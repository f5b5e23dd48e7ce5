/**
 * The files that a script lays over the settings of convict: https://github.com/mozilla/node-convict. Of most names only a part is written, as there is one for
 * each environment: `config.loadFile(`./config/${env}.json`)`. What is put there is `*`; all files that a name may mean are those that there are.
 */
import { posix } from 'node:path';
import { escaped } from '../words/literals.ts';
import { started } from './open-imports.ts';

interface LoadedFile {
  /** Where it is loaded. */
  readonly start: number;
  readonly end: number;
  /** As an import would name it, or behind `cwd:`. */
  readonly specifier: string;
}

interface LoadedFiles {
  readonly files: readonly LoadedFile[];
  /** Whether as much of the names of all is written as says where they are. */
  readonly isWhole: boolean;
}

export function loadedFilesIn(script: string): LoadedFiles {
  if (!script.includes('.loadFile(')) return { files: [], isWhole: true };
  const named = Array.from(script.matchAll(/\.loadFile\(/g)).flatMap(({ index: start, 0: call }) => {
    const from = start + call.length;
    const [path = ''] = partsAt(script, from, ',');
    const paths = path.startsWith('[') ? partsAt(path, 1, ',') : [path];
    return paths.map((each) => ({ start, end: script.indexOf(path, from) + path.length, specifier: specifierOf(each, script) }));
  });
  const files = named.flatMap(({ specifier, ...place }) => (specifier === undefined ? [] : { ...place, specifier }));
  return { files, isWhole: files.length === named.length };
}

/** What is not written of a path. */
const open = '*';
const data = /^[\w./*-]*[\w*-]\.(?:json|ya?ml|toml)$/;

function specifierOf(written: string, script: string): string | undefined {
  const path = pathOf(written, script);
  // What several parts stand for is one; which folder it is has to be written.
  const name = posix.normalize(path.name.replace(/\*[^/]*\*/, open));
  if (!data.test(name) || /\*.*[*/]/.test(name)) return undefined;
  if (path.from === 'program') return started + name;
  return name.startsWith('../') ? name : `./${name}`;
}

interface Path {
  readonly name: string;
  /** What it is below: the folder of the script, or that where the program is started. */
  readonly from: 'script' | 'program';
}

/** Constants that are made of others. */
const maxDepth = 3;

const below = (name: string): Path => ({ name, from: 'program' });

/** What an expression makes of a path, as far as it is written. */
function pathOf(written: string, script: string, depth = 0): Path {
  const ask = (each: string): Path => pathOf(each, script, depth);
  if (/^(?:__dirname|import\.meta\.dirname)$/.test(written)) return { name: '.', from: 'script' };
  if (/^process\.cwd\(\s*\)$/.test(written)) return below('.');
  if (/^(['"])[\w./-]*\1$/.test(written)) return below(written.slice(1, -1));
  const pieces = piecesOf(written);
  const [first, ...rest] = pieces[0] === written ? [] : pieces.map(ask);
  if (first !== undefined) return { ...first, name: [first, ...rest].map(({ name }) => name).join('') };
  const [, name = '', given = ''] = /^(?:new\s+)?(?:\w+\.)*(\w+)\(([^]*)\)$/.exec(written) ?? [];
  const args = given === '' ? [] : partsAt(given, 0, ',');
  if (/^(?:join|resolve)$/.test(name)) {
    const [from, ...others] = args.map(ask);
    return from === undefined ? below(open) : { ...from, name: posix.join(from.name, ...others.map((each) => each.name)) };
  }
  if (name === 'fileURLToPath') return ask(args[0] ?? '');
  if (name === 'URL' && args[1] === 'import.meta.url') return { ...ask(args[0] ?? ''), from: 'script' };
  const constant = depth < maxDepth ? constantOf(written, script) : undefined;
  return constant === undefined ? below(open) : pathOf(constant, script, depth + 1);
}

/** `__dirname + '/' + env`, `` `${__dirname}/${env}.json` `` */
function piecesOf(written: string): readonly string[] {
  const [, template] = /^`([^`\\]*)`$/.exec(written) ?? [];
  if (template === undefined) return partsAt(written, 0, '+');
  return template
    .split(/(\$\{[^{}]*\})/)
    .flatMap((each) => (each === '' ? [] : each.startsWith('${') ? each.slice(2, -1).trim() : `'${each}'`));
}

/** What a name stands for that nothing else is put into. */
function constantOf(name: string, script: string): string | undefined {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return undefined;
  const put = [...script.matchAll(new RegExp(String.raw`(?<![\w$.])${escaped(name)}(?:\s*:\s*string)?\s*=(?![=>])\s*`, 'g'))];
  const [only] = put;
  return only === undefined || put.length > 1 ? undefined : partsAt(script, only.index + only[0].length, ';')[0];
}

/** In characters. */
const longest = 500;

/** The parts of an expression between separators, up to where what is around it goes on. */
function partsAt(text: string, from: number, separator: ',' | '+' | ';'): readonly string[] {
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
