/** What is to be analysed: components of files, and code blocks of documents. */
import { basename } from 'node:path';
import { v1Auth } from '../../src/contract/auth.ts';
import type { ComponentFile } from '../component/component-file.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import { componentsOf, type Imports, importsOf, reach as usersOf } from '../find/components.ts';
import { type FileKind, isCopied } from '../find/kinds.ts';
import { type AmbientMark, isGroup, type Reach, reachOf, silentFor, withAmbient } from '../find/modules/ambient.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import { copyOf } from '../find/packages/examples.ts';
import type { Scan, Suspect } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import { asLatin1, type Literals, literalsOf } from '../find/words/literals.ts';
import { yamlParts } from '../formats/yaml-parts.ts';
import { type Bases, needlesOf } from '../verdict/bases/routes.ts';
import { describedIn } from './component-files.ts';
import { allSpecifiers, unwrittenImportsOf } from './unwritten-imports.ts';

/** Kinds of files that are code. */
export const scripts: ReadonlySet<FileKind> = new Set(['script', 'markup', 'nginx']);

/** Code, and data that code may import: an address of ours in it is reported with its own file, but moves with the code. */
function isSeed({ path, kind, hits, skipReason }: Suspect, { modules, texts }: Scan, imported: ReadonlySet<string>): boolean {
  // Documents among the modules are pages of a program.
  if (skipReason === undefined && kind === 'markdown') return modules.has(path);
  if (skipReason !== undefined || !isData.has(kind)) return skipReason === undefined && scripts.has(kind);
  const holdsHeader = (): boolean => {
    const text = texts.latin1(path);
    return listsHeader.test(text) || (imported.has(basename(path)) && namesHeader.test(text));
  };
  return (
    (hits.needles.length > 0 || (hits.header && holdsHeader())) &&
    (!isCopied(path) || imported.has(basename(copyOf(path) ?? ''))) &&
    (kind === 'json' || modules.has(path))
  );
}

/** `{ "key": "x-api-key" }`: whoever imports it may send something by that name. */
const namesHeader = new RegExp(String.raw`[:=]\s*["']?${v1Auth.field}["']?\s*(?:[,}#]|$)`, 'im');

/** `["x-api-key", "cookie"]`, and an item of a list in YAML: whoever is handed it may hide by it, or let pass. */
const listsHeader = new RegExp(String.raw`\[[^\]{}:]*["']?${v1Auth.field}["']?[^\]{}:]*\]|^\s*-\s*["']?${v1Auth.field}["']?\s*$`, 'im');

/** Kinds of files that are a value. */
const isData: ReadonlySet<FileKind> = new Set(['json', 'yaml', 'toml']);

/**
 * @param documents the texts of documents, which may hold code
 */
export async function tasksOf(
  { files: paths }: Pick<Walk, 'files'>,
  found: Scan,
  documents: readonly { readonly file: string; readonly text: string }[],
  resolve: Resolve,
  bases: Bases,
): Promise<(readonly ComponentFile[])[]> {
  const read = (file: string): string => found.texts.latin1(file);
  const holdsCode = ({ kind, path, skipReason }: Suspect): boolean =>
    kind === 'yaml' && skipReason === undefined && yamlParts(read(path)).length > 0;
  const imported = new Set([...found.specifiers.values()].flatMap((names) => names.map((name) => basename(name))));
  const seeds = found.candidates.filter((suspect) => isSeed(suspect, found, imported) || holdsCode(suspect));
  const suspects = new Map(seeds.map((suspect) => [suspect.path, suspect]));
  const blocks = await blocksOf(documents, literalsOf(needlesOf(bases)));
  if (suspects.size === 0) return blocks;
  // Loaded as late as this: most runs find nothing to do.
  const { clientRules } = await import('../clients/registry.ts');
  const rules = combined(clientRules);
  const manifests = paths.flatMap(({ path }) => (/(?:^|\/)package\.json$/.test(path) ? [path] : []));
  const codes = [...suspects.values()].filter(({ kind }) => !isData.has(kind)).map(({ path }) => path);
  const unwritten = unwrittenImportsOf(found, codes, paths, rules, resolve);
  const named = importsOf(allSpecifiers(found, unwritten), resolve, found.modules, rules.variants);
  const reach = reachIn(found, new Set(suspects.keys()), codes, named, rules.ambient, bases);
  const { imports, reached, groups } = withAmbient(named, { reach, suspects, modules: found.modules, manifests, read });
  const described = describedIn({ paths, found, suspects, imported, imports: named, unwritten, groups, manifests }, bases, clientRules);
  const begun = [...new Set([...suspects.keys(), ...reached])];
  const components = componentsOf(begun, imports, found.parts, found.servers, found.makers, unwritten.loading);
  return [...components.map((members) => described(members.filter((member) => !isGroup(member)))), ...blocks];
}

/**
 * What files decide for others, by what both hold.
 * @param only those that speak of v1; others may decide for these
 * @param codes those of them that are code
 */
function reachIn(
  { modules, texts }: Scan,
  only: ReadonlySet<string>,
  codes: readonly string[],
  { by }: Imports,
  ambient: readonly AmbientMark[],
  { setToPaths = new Map() }: Bases,
): Map<string, readonly Reach[]> {
  const read = (file: string): string => texts.latin1(file);
  const reachBy = (files: Iterable<string>, marks: readonly AmbientMark[]): (readonly [string, Reach[]])[] =>
    [...files].flatMap((file) => {
      const reached = reachOf(read(file), marks, setToPaths);
      return reached.length === 0 ? [] : [[file, reached]];
    });
  const silent = silentFor(codes, ambient, read);
  const others = silent.length === 0 ? [] : [...modules].filter((file) => !only.has(file));
  const handing = ambient.filter(({ handsOn }) => handsOn === true);
  const takers = [...usersOf(only, by)].filter((file) => !only.has(file) && modules.has(file));
  return new Map([
    ...reachBy(only, ambient),
    ...reachBy(takers, handing),
    ...reachBy(others, silent).map(([file, reached]) => [file, reached.map((each) => ({ ...each, only }))] as const),
  ]);
}

/** Code blocks that go on from each other are one program; most of a manual have nothing to do with us. */
async function blocksOf(
  documents: readonly { readonly file: string; readonly text: string }[],
  literals: Literals,
): Promise<ComponentFile[][]> {
  if (documents.length === 0) return [];
  const { programsIn } = await import('../component/texts/script-parts.ts');
  return documents.flatMap(({ file, text }) =>
    programsIn(file, text)
      .filter(({ code }) => literals.holdsAny(asLatin1(code)))
      .map(({ blocks }): ComponentFile[] => [
        {
          file,
          kind: 'markdown',
          isCandidate: true,
          isUnread: false,
          parts: blocks,
          importers: [],
          ambient: [],
          implied: [],
          standsFor: [],
        },
      ]),
  );
}
