/** What is to be analysed: islands of files, and code blocks of documents. */
import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';
import { withAmbient } from '../find/ambient.ts';
import { importsOf, islandsOf } from '../find/islands.ts';
import type { FileKind } from '../find/kinds.ts';
import type { Resolve } from '../find/resolver.ts';
import type { Scan, Suspect } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import type { IslandFile } from './island.ts';

/** Kinds of files that are code. */
export const scripts: ReadonlySet<FileKind> = new Set(['script', 'component']);

/** @param documents the texts of documents, which may hold code */
export async function tasksOf(
  { cwd, files: paths }: Pick<Walk, 'cwd' | 'files'>,
  found: Scan,
  readable: readonly Suspect[],
  documents: readonly { readonly file: string; readonly text: string }[],
  resolve: Resolve,
): Promise<(readonly IslandFile[])[]> {
  const suspects = new Map(readable.filter(({ kind }) => scripts.has(kind)).map((suspect) => [suspect.path, suspect]));
  const blocks = await blocksOf(documents);
  if (suspects.size === 0) return blocks;
  const manifests = paths.flatMap(({ path }) => (/(?:^|\/)package\.json$/.test(path) ? [path] : []));
  const read = (file: string): string => readFileSync(pathOf(cwd, file), 'latin1');
  const named = importsOf(found.specifiers, resolve, found.modules);
  const { imports, reached } = withAmbient(named, { ...found, manifests, read });
  const islands = islandsOf([...new Set([...suspects.keys(), ...reached])], imports, found.parts).map((files) => {
    const isInside = new Set(files);
    const inside = (all: readonly string[] = []): string[] => all.filter((each) => isInside.has(each));
    return files.map((file) => ({
      file,
      kind: suspects.get(file)?.kind ?? kindOfModule(file),
      isCandidate: suspects.has(file),
      importers: inside(named.by.get(file)),
      ambient: inside([...added(imports.of, named.of, file), ...added(imports.by, named.by, file)]),
    }));
  });
  return [...islands, ...blocks];
}

type Edges = ReadonlyMap<string, readonly string[]>;
const added = (all: Edges, before: Edges, file: string): readonly string[] => (all.get(file) ?? []).slice(before.get(file)?.length ?? 0);

/** Each code block of a document stands alone. */
async function blocksOf(documents: readonly { readonly file: string; readonly text: string }[]): Promise<IslandFile[][]> {
  if (documents.length === 0) return [];
  const { partsIn } = await import('./parts.ts');
  return documents.flatMap(({ file, text }) =>
    Array.from({ length: partsIn(file, text) }, (_, part): IslandFile[] => [
      { file, kind: 'markdown', isCandidate: true, part, importers: [], ambient: [] },
    ]),
  );
}

/** Of a file that can be imported and holds nothing suspicious, or is known by its name alone. */
export function kindOfModule(file: string): FileKind {
  if (file.endsWith('.json')) return 'json';
  if (/\.(?:vue|svelte|astro|html?)$/.test(file)) return 'component';
  return /\.(?:[cm]?[jt]sx?|gs)$/.test(file) ? 'script' : 'markdown';
}
