/**
 * JSON files whose addresses would change with the code that imports them, and programs that read such a file by its name: what these do with
 * it is not known, so the file stays, and all that takes its addresses from there.
 */
import { posix } from 'node:path';
import type { VariableUse } from '../../uses-between-components.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { copyOf, examplesIn } from '../../find/packages/examples.ts';
import { loadedFilesIn } from '../../find/modules/convict-files.ts';
import { isDataFile } from '../../find/kinds.ts';
import { isLaidOver } from '../../find/modules/laid-over.ts';
import { escaped } from '../../find/words/literals.ts';
import { layersIn, readFilesIn, readsFiles } from '../../find/modules/read-files.ts';
import type { Scan } from '../../find/scan.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Finding, LedgerEntry, Plan } from '../../model.ts';
import { lineAt, positionsOf } from '../../syntax/position.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import type { Member } from './between-components.ts';
import { byPlace, mentioned } from '../merge.ts';
import { isAround, otherCopiesIn } from './other-copies.ts';
import { isBehindMark, withoutComments } from './foreign-readers.ts';

/**
 * @param open files of programs with requests of which nobody knows what they ask
 * @returns the changes of such files, each by its group, and the first place of each program that reads one, without a group
 */
export function dataUsesIn(
  files: readonly FoundFile[],
  { modules, specifiers }: Pick<Scan, 'modules' | 'specifiers'>,
  members: readonly Pick<Member, 'edits' | 'isCode'>[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
  open: ReadonlySet<string>,
): VariableUse[] {
  const edits = members.flatMap((member) => (member.isCode ? member.edits.filter(({ file }) => isDataFile.test(file)) : []));
  const data = [...new Set(edits.map(({ file }) => file))];
  if (data.length === 0) return [];
  const moving = edits.map(({ file, start, end, group }) => useOf({ file, text: textIn(file) }, { name: file, start, end, group }));
  const examples = new Set(examplesIn(modules).values());
  const named = data.flatMap((name) =>
    // Whoever reads the copy of an example reads what stands there.
    [name, ...(examples.has(name) ? [copyOf(name) ?? []].flat() : [])].map((path) => ({
      name,
      path,
      pattern: mentionOf(posix.basename(path)),
    })),
  );
  const reading = files.flatMap(({ path: file, kind }) => {
    const isReading = readingIn[kind];
    const text = isReading === undefined ? '' : textIn(file);
    const found = named.filter(({ path }) => text.includes(posix.basename(path)));
    if (isReading === undefined || found.length === 0) return [];
    const code = withoutComments(text, file);
    const followed = [
      ...[...(readsFiles(code) ? readFilesIn(code) : []), ...layersIn(code).files].flatMap(({ mentions }) => mentions),
      ...loadedFilesIn(code).files,
    ];
    const isMeant = (mention: string, path: string): boolean =>
      specifiers.get(file)?.includes(mention) !== true && isSame(mention, path, file, modules);
    return found.flatMap(({ name, path, pattern }) => {
      const at = Array.from(code.matchAll(pattern)).find(
        ({ 0: mention, index: start }) =>
          isMeant(mention, path) &&
          !followed.some(({ start: from, end }) => from <= start && start < end) &&
          isReading.test(lineAt(code, start)) &&
          !isBehindMark(code, start) &&
          isOpen({ file, start, end: start + mention.length }),
      );
      return at === undefined ? [] : useOf({ file, text }, { name, start: at.index, end: at.index + at[0].length, group: undefined });
    });
  });
  const copied = otherCopiesIn(files, { modules, specifiers }, new Set(data), textIn).filter(isOpen);
  const made = madeNamesIn(files, data, examples, open, textIn).filter(isOpen);
  const over = files.flatMap(({ path: file }) =>
    data
      .filter((name) => isLaidOver(name, file))
      .flatMap((name) => {
        const text = textIn(file);
        const [mention] = text.matchAll(/\b(?:headers|operations|template)\b/g);
        return mention === undefined
          ? []
          : useOf({ file, text }, { name, start: mention.index, end: mention.index + mention[0].length, group: undefined });
      }),
  );
  return [...moving, ...reading, ...copied, ...made, ...over.filter(isOpen)];
}

/** Where a program whose requests begin with nobody knows what reads files of data by names that it makes: ``readFileSync(`${name}.json`)``. */
function madeNamesIn(
  files: readonly FoundFile[],
  data: readonly string[],
  examples: ReadonlySet<string>,
  open: ReadonlySet<string>,
  textIn: (file: string) => string,
): VariableUse[] {
  return files.flatMap(({ path: file, kind }) => {
    const text = kind === 'script' && open.has(file) ? textIn(file) : '';
    if (!/\b(?:read(?:File|Json)|require|import)/.test(text)) return [];
    return Array.from(withoutComments(text, file).matchAll(madeName)).flatMap(
      ({ 0: all, index: start, groups: { before = '', after, ending = '' } = {} }) => {
        const written = before.replace(/^.*\}/s, '');
        const folder = `/${posix.dirname(written.replace(/^[./]*/, '') + '.')}/`.replace('/./', '/');
        const pattern = new RegExp(`^${escaped(posix.basename(written + '.').slice(0, -1))}.+${escaped(after ?? ending)}$`);
        return data
          .filter(
            (name) =>
              isAround(file, name) &&
              [name, ...(examples.has(name) ? [copyOf(name) ?? name] : [])].some(
                (path) => pattern.test(posix.basename(path)) && `/${posix.dirname(path)}/`.endsWith(folder),
              ),
          )
          .map((name) => useOf({ file, text }, { name, start, end: start + all.length, group: undefined }));
      },
    );
  });
}

const madeName =
  /`(?<before>[^`]*)\$\{[^`{}]*\}(?<after>[\w.-]*\.(?:jsonc?|ya?ml|toml))`|\+\s*['"](?<ending>[\w.-]*\.(?:jsonc?|ya?ml|toml))['"]/g;

/** What a line holds that reads or writes the file which it names: scripts of the shell, and what runs them, also copy and mount it. */
const runs = String.raw`\b(?:jq|yq|gron|grep|sed|awk|cat|node|python\d?|deno|bun|tee)\b`;
const readingIn: Partial<Record<FoundFile['kind'], RegExp>> = {
  script: /["'`]/,
  markup: /["'`]/,
  other: /["'`]/,
  shell: new RegExp(`${runs}|[<>]`),
  bare: new RegExp(`${runs}|[<>]`),
  yaml: new RegExp(runs),
};

/** A name of the file with the folders before it, which nothing goes on from: `response.json()` is none. */
const mentionOf = (name: string): RegExp => new RegExp(String.raw`(?<![\w.\-/])(?:[\w.-]*/)*${escaped(name)}(?![\w.(/-])`, 'g');

/** Whether a mention may be of this file, and is of no other one of that name. */
function isSame(mention: string, name: string, from: string, modules: ReadonlySet<string>): boolean {
  const exact = [posix.join(posix.dirname(from), mention), posix.normalize(mention)].filter((path) => modules.has(path));
  if (exact.length > 0) return exact.includes(name);
  const [own, other] = [name, mention].map((path) => path.split('/').filter((part) => !/^\.{0,2}$/.test(part)));
  const length = Math.min(own?.length ?? 0, other?.length ?? 0);
  return own?.slice(-length).join('/') === other?.slice(-length).join('/');
}

const useOf = (
  { file, text }: Pick<SourceText, 'file' | 'text'>,
  { name, start, end, group }: Pick<VariableUse, 'name' | 'start' | 'end' | 'group'>,
): VariableUse => ({ file, start, end, ...positionsOf(text)(start), name, group, needsValue: true });

/** What such a program says of v1 is no server's own: it is about the addresses that it reads. */
export function withDataReaders<P extends Pick<Plan, 'findings' | 'ledger'>>(plan: P, uses: readonly VariableUse[]): P {
  const readers = uses.filter(({ group }) => group === undefined);
  if (readers.length === 0) return plan;
  const files = new Set(readers.map(({ file }) => file));
  const isAbout = ({ file, reason }: LedgerEntry): boolean => files.has(file) && (reason === 'own-server' || reason === 'no-call');
  const lines = new Map(plan.ledger.filter(isAbout).map((entry) => [`${entry.file}:${entry.line}`, mentioned(entry)]));
  const read = readers.map(({ file, start, end, line, column, name }): Finding => ({
    code: 'escapes',
    file,
    start,
    end,
    line,
    column,
    detail: { name, way: 'loaded' },
  }));
  return {
    ...plan,
    findings: [...plan.findings, ...lines.values(), ...read].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => (isAbout(entry) ? { ...entry, state: 'person', reason: 'mentioned' } : entry)),
  };
}
