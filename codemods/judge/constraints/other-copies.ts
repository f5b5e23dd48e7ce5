/**
 * What becomes of an example otherwise, `config.example.json`, than the copy that a program imports: a recipe that copies it for another program, a workflow or
 * a ConfigMap that writes the copy by itself, an import of a file that is not there either. The program would be on v2 with what others wrote for v1, or another one given v2's address.
 */
import { posix } from 'node:path';
import { examplesIn } from '../../find/packages/examples.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Scan } from '../../find/scan.ts';
import type { FoundFile } from '../../find/walk.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import { isBehindMark, withoutComments } from './foreign-readers.ts';

interface Example {
  readonly file: string;
  readonly copy: string;
}

/**
 * @param moving files of data that would change
 * @returns the first such place of each file, by the name of the example
 */
export function otherCopiesIn(
  files: readonly FoundFile[],
  { modules, specifiers }: Pick<Scan, 'modules' | 'specifiers'>,
  moving: ReadonlySet<string>,
  textIn: (file: string) => string,
): VariableUse[] {
  const all = examplesIn(modules);
  const examples = [...all].flatMap(([copy, file]) => (moving.has(file) ? { file, copy } : []));
  if (examples.length === 0) return [];
  const recipes = files.filter(({ path, kind }) => isRecipe.has(kind) || posix.basename(path) === 'package.json');
  const written = recipes.flatMap(({ path }) =>
    examples.filter(({ copy }) => isAround(path, copy)).flatMap((example) => writtenIn(path, example, textIn)),
  );
  const missing = [...specifiers].flatMap(([file, named]) =>
    named.flatMap((each) => {
      const path = posix.join(posix.dirname(file), each);
      const example =
        /^\.{1,2}\/.*\.(?:jsonc?|ya?ml|toml)$/.test(each) && !modules.has(path) && !all.has(path) && examples.find(isAlike(path));
      return example === false || example === undefined ? [] : useAt(file, textIn(file), textIn(file).indexOf(each), each.length, example);
    }),
  );
  return [...written, ...missing];
}

const isRecipe: ReadonlySet<FoundFile['kind']> = new Set(['shell', 'bare', 'yaml', 'commands', 'pipeline', 'other']);

/** `config.local.json` beside `config.json`: who has the one may have copied the example to the other. */
const isAlike =
  (path: string) =>
  ({ copy }: Example): boolean =>
    posix.dirname(path) === posix.dirname(copy) && posix.basename(path).startsWith(posix.basename(copy).replace(/\w+$/, ''));

/** Where a recipe makes the copy of something else, or something else of the example. */
function writtenIn(path: string, example: Example, textIn: (file: string) => string): VariableUse[] {
  const [own, copied] = [posix.basename(example.file), posix.basename(example.copy)];
  const text = textIn(path);
  if (!text.includes(own) && !text.includes(copied)) return [];
  const code = withoutComments(text, path);
  let start = 0;
  for (const line of code.split('\n')) {
    const at = madeAt(line, path, example);
    if (at !== undefined && !isBehindMark(code, start + at)) return [useAt(path, text, start + at, copied.length, example)];
    start += line.length + 1;
  }
  return [];
}

const copying = /\b(?:cp|copy|mv|install|ln|COPY|ADD)\s/;
const word = /[^\s'"`;|&(){}<>,]+/g;

/** Where in a line that stands. */
function madeAt(line: string, path: string, { file, copy }: Example): number | undefined {
  const [own, name] = [posix.basename(file), posix.basename(copy)];
  const taken = [...line.matchAll(new RegExp(escaped(own), 'g'))];
  if (taken.length > 0) return taken.find(({ index }) => goesElsewhere(line, index, own, path, copy))?.index;
  const mention = String.raw`(?<![\w.-])${escaped(name)}(?![\w.-])`;
  // Of two of that name the one is made of the other: `jq … config.json > tmp && mv tmp config.json`.
  if ((line.match(new RegExp(mention, 'g')) ?? []).length !== 1) return undefined;
  const made = [
    // `echo '…' > config.json`, `… | tee config.json`
    String.raw`(?<=(?:>|\btee\b(?:\s+-\w+)*)\s*["']?[\w./$\{}-]*)${mention}`,
    // `cp config.prod.json config.json`, `COPY deploy/prod.json config.json`
    String.raw`(?<=${copying.source}.*\s["']?[\w./$\{}-]*)${mention}(?=["']?\s*(?:$|[;&|#"]))`,
    // `config.json: |` of a ConfigMap
    ...(/\.ya?ml$/.test(path) ? [String.raw`(?<=^\s*["']?)${mention}(?=["']?\s*:\s*(?:[|>{"']|$))`] : []),
  ];
  const at = line.search(new RegExp(made.join('|')));
  return at === -1 ? undefined : at;
}

/** `cp config.example.json config.json` makes the copy that the program imports; in a folder that it goes to it has its own name. */
function goesElsewhere(line: string, at: number, own: string, path: string, copy: string): boolean {
  const [behind = ''] = line.slice(at + own.length).split(/&&|[;|]/);
  if (!copying.test(line.slice(0, at)) && !behind.includes('>')) return false;
  const target = (behind.match(word) ?? []).find((each) => /\.\w+$/.test(each));
  const [from = ''] = /[^\s'"`;|&(){}<>,]*$/.exec(line.slice(0, at)) ?? [];
  const isBeside = target === `${from}${posix.basename(copy)}` || target === `./${from}${posix.basename(copy)}`;
  return target !== undefined && !isBeside && !isCopy(target, path, copy);
}

/** Whether a path is that of the copy, from some folder around the recipe; of a folder on a machine that is not known. */
const isCopy = (target: string, path: string, copy: string): boolean =>
  foldersAbove(path).some((folder) => posix.join(folder, target) === copy) ||
  (/^[/$%~]/.test(target) && posix.basename(target) === posix.basename(copy));

/** Whether one of two files stands in the folder of the other, or below that: what stands in folders beside each other is of two programs. */
export function isAround(one: string, other: string): boolean {
  const [first, second] = [folderOf(one), folderOf(other)];
  return first.startsWith(second) || second.startsWith(first);
}

/** What stands in `.github/workflows` is of the folder around that. */
const folderOf = (path: string): string => `/${posix.dirname(path.replace(/(?<=^|\/)\.[\w-]+\/.*$/s, 'x'))}/`.replace('/./', '/');

export const foldersAbove = (path: string): string[] => {
  const folder = posix.dirname(path);
  return folder === '.' ? [folder] : [folder, ...foldersAbove(folder)];
};

const useAt = (file: string, text: string, start: number, length: number, example: Example): VariableUse => ({
  file,
  start,
  end: start + length,
  ...positionsOf(text)(start),
  name: example.file,
  group: undefined,
  needsValue: true,
});
