/** The templates of letters: those that are built in, and the folder of `--templates`. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseJson } from 'lossless-json';
import { ConfigError, firstLine, messageOf } from '../../config/errors.ts';
import { didYouMean } from '../../config/suggest.ts';
import { english, htmlTemplate, markdownTemplate, subjectTemplate } from '../../report/letters/english.ts';
import type { LetterTemplates } from '../../report/letters/letters.ts';
import { shape } from '../../report/letters/model.ts';
import { check, compile, type Template } from '../../report/letters/template.ts';
import { plain } from '../../text/escape.ts';
import { and } from '../../text/list.ts';

const builtIn = { subject: subjectTemplate, markdown: markdownTemplate, html: htmlTemplate } as const;
type Part = keyof typeof builtIn;
const partNames = Object.keys(builtIn) as readonly Part[];
const files = { subject: 'subject.txt', markdown: 'letter.md', html: 'letter.html' } as const satisfies Record<Part, string>;
const stringsFile = 'strings.json';
const wordNames: readonly string[] = Object.keys(english);
const usualLanguage = 'en';

/** What a folder has of a letter. */
interface Given {
  readonly parts: Partial<Record<Part, Template>>;
  readonly words: ReadonlyMap<string, Template>;
  readonly folders: readonly string[];
}

const problemOf = (path: string, problem: string, cause?: unknown): ConfigError =>
  new ConfigError({ code: 'CONFIG_INVALID', key: plain(path), problem, cause });

/**
 * Reads all templates, and looks whether they are whole.
 * @param folder of parts that are other than those built in, and of languages
 * @returns gives the templates of a language; it throws a ConfigError for one that there is not
 * @throws ConfigError with file and line of what is wrong
 */
export async function readTemplates(folder: string | undefined): Promise<(language: string | undefined) => LetterTemplates> {
  const usual: Given = folder === undefined ? { parts: {}, words: new Map(), folders: [] } : await readGiven(folder);
  const words = new Map(Object.entries(english).map(([name, text]) => [name, usual.words.get(name) ?? compile(text, name)]));
  const known = new Map<string, LetterTemplates>([[usualLanguage, whole(usualLanguage, words, usual, usual)]]);
  for (const name of usual.folders) {
    const path = join(folder ?? '', name);
    const own = await readGiven(path);
    const missing = wordNames.filter((word) => !own.words.has(word));
    if (missing.length > 0) throw problemOf(join(path, stringsFile), `has no ${and(missing)}: a letter is in one language`);
    known.set(canonical(path, name), whole(name, own.words, own, usual));
  }
  return (language = usualLanguage) => {
    // `pt-BR` is served by `pt`, where there is nothing better.
    const found = known.get(language) ?? known.get(language.split('-', 1)[0] ?? '');
    if (found !== undefined) return found;
    const problem = `is the language of a workspace, and there is no folder ${language} with ${stringsFile} in --templates; there ${known.size === 1 ? 'is' : 'are'} ${and([...known.keys()])}`;
    throw new ConfigError({ code: 'CONFIG_MISSING', key: `language ${language}`, problem });
  };
}

function whole(language: string, words: ReadonlyMap<string, Template>, own: Given, usual: Given): LetterTemplates {
  const partOf = (part: Part): Template => own.parts[part] ?? usual.parts[part] ?? compile(builtIn[part], files[part]);
  const templates = { language, words, subject: partOf('subject'), markdown: partOf('markdown'), html: partOf('html') };
  for (const part of partNames) check(templates[part], words, [shape]);
  return templates;
}

function canonical(path: string, name: string): string {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? name;
  } catch (cause) {
    throw problemOf(path, 'is no language: name the folder like en, de or pt-BR', cause);
  }
}

async function readGiven(folder: string): Promise<Given> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw problemOf(folder, `cannot be read (${firstLine(cause)})`, cause);
  });
  const parts: Partial<Record<Part, Template>> = {};
  let words: ReadonlyMap<string, Template> = new Map();
  const folders: string[] = [];
  for (const entry of entries.filter(({ name }) => !name.startsWith('.') && name !== 'README.md')) {
    const path = join(folder, entry.name);
    const part = partNames.find((each) => files[each] === entry.name);
    if (entry.isDirectory()) folders.push(entry.name);
    else if (part !== undefined) parts[part] = compile(await textOf(path), path);
    else if (entry.name === stringsFile) words = readWords(await textOf(path), path);
    else throw problemOf(path, `is no part of a letter${didYouMean(entry.name, [...Object.values(files), stringsFile])}`);
  }
  return { parts, words, folders };
}

async function textOf(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw problemOf(path, `cannot be read (${firstLine(cause)})`, cause);
  });
  return text.replace(/^\uFEFF/, '');
}

/** @throws ConfigError where it is no table of sentences */
function readWords(text: string, path: string): ReadonlyMap<string, Template> {
  const lineAt = (index: number): number => text.slice(0, Math.max(0, index)).split('\n').length;
  let content: unknown;
  try {
    content = parseJson(text, undefined, Number);
  } catch (cause) {
    const [, at = '0'] = /position (\d+)/.exec(messageOf(cause)) ?? [];
    throw problemOf(`${path}:${lineAt(Number(at))}`, `is no JSON (${firstLine(cause)})`, cause);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) throw problemOf(path, 'must be a table of sentences');
  return new Map(
    Object.entries(content).map(([name, sentence]: [string, unknown]) => {
      const line = lineAt(text.indexOf(JSON.stringify(name)));
      if (!wordNames.includes(name))
        throw problemOf(`${path}:${line}`, `${plain(name)} is no sentence of a letter${didYouMean(name, wordNames)}`);
      if (typeof sentence !== 'string') throw problemOf(`${path}:${line}`, `${name} must be a text`);
      return [name, compile(sentence.replaceAll('\n', ' '), path, line)];
    }),
  );
}
