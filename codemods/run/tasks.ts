/** What is to be analysed: components of files, and code blocks of documents. */
import { isInert } from '../clients/quiet-packages.ts';
import { basename } from 'node:path';
import { v1Auth } from '../../src/contract/auth.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import { askersIn } from './unseen-askers.ts';
import { type AmbientMark, isGroup, type Reach, reachOf, silentFor, withAmbient } from '../find/modules/ambient.ts';
import { middlewareOf } from '../find/modules/next-middleware.ts';
import { configFilesIn, configGroups } from '../find/modules/node-config-files.ts';
import { autoImportsIn } from '../find/modules/auto-imports.ts';
import { copyOf, examplesIn } from '../find/packages/examples.ts';
import { importsOf, componentsOf, reach as usersOf } from '../find/components.ts';
import { type FileKind, isCopied } from '../find/kinds.ts';
import { loadedFolders } from '../find/modules/loaded-folders.ts';
import { loadedByPatterns } from '../find/modules/loaded-patterns.ts';
import { lonePrograms } from '../find/packages/lone-programs.ts';
import { sharedScopesIn } from '../find/packages/shared-scopes.ts';
import { asLatin1, type Literals, literalsOf } from '../find/words/literals.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Scan, Suspect } from '../find/scan.ts';
import { loadedFirst } from '../find/modules/loaded-first.ts';
import { standInsIn } from '../clients/testing/stand-in-servers.ts';
import { specifierOf } from '../find/packages/stand-ins.ts';
import { startedPrograms } from '../find/packages/started-programs.ts';
import { yamlParts } from '../formats/yaml-parts.ts';
import type { Walk } from '../find/walk.ts';
import type { ComponentFile } from '../component/component-file.ts';
import { type Bases, needlesOf } from '../verdict/bases/routes.ts';
import { fakesIn } from './fakes.ts';

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
  const unread = new Set(found.unread);
  const manifests = paths.flatMap(({ path }) => (/(?:^|\/)package\.json$/.test(path) ? [path] : []));
  // Loaded as late as this: most runs find nothing to do.
  const { clientRules } = await import('../clients/registry.ts');
  const { variants, folderLoaders, patternLoaders, ambient } = combined(clientRules);
  const shared = sharedScopesIn(found.modules, read);
  const implied = new Map([...autoImportsIn(found.modules, read), ...shared.imports]);
  const specifiers = new Map(found.specifiers);
  for (const [file, names] of implied) specifiers.set(file, [...(specifiers.get(file) ?? []), ...names.map(({ from }) => from)]);
  const config = configFilesIn(found.modules);
  for (const [file, others] of config)
    specifiers.set(file, [...(specifiers.get(file) ?? []), ...others.map((other) => `./${basename(other)}`)]);
  for (const file of found.modules) {
    const run = middlewareOf(file, (other) => found.modules.has(other));
    if (run.length > 0) specifiers.set(file, [...(specifiers.get(file) ?? []), ...run.map((other) => specifierOf(file, other))]);
  }
  const byFolder = loadedFolders(found, folderLoaders, read);
  const byPattern = loadedByPatterns(found, patternLoaders, read);
  const loading = new Map([
    ...byPattern,
    ...[...byFolder].map(([file, loaded]) => [file, [...loaded, ...(byPattern.get(file) ?? [])]] as const),
  ]);
  for (const [file, loaded] of loading)
    specifiers.set(file, [...(specifiers.get(file) ?? []), ...loaded.map((other) => specifierOf(file, other))]);
  const ofConfig = configGroups(config);
  const codes = [...suspects.values()].filter(({ kind }) => !isData.has(kind)).map(({ path }) => path);
  const standIns = standInsIn(
    codes,
    paths.map(({ path }) => path),
    read,
  );
  for (const [file, { clients }] of standIns)
    specifiers.set(file, [...(specifiers.get(file) ?? []), ...clients.map((client) => specifierOf(file, client))]);
  const started = startedPrograms(found, paths, read, resolve);
  for (const [file, programs] of started)
    specifiers.set(file, [...(specifiers.get(file) ?? []), ...programs.map((program) => specifierOf(file, program))]);
  const preloaded = loadedFirst(codes, found, paths, read, resolve);
  for (const [file, first] of preloaded)
    specifiers.set(file, [...(specifiers.get(file) ?? []), ...first.map((other) => specifierOf(file, other))]);
  const named = importsOf(specifiers, resolve, found.modules, variants);
  const fakes = fakesIn(found.modules, named, manifests, read);
  const reachIn = (files: Iterable<string>, marks: readonly AmbientMark[]): (readonly [string, Reach[]])[] =>
    [...files].flatMap((file) => {
      const reached = reachOf(read(file), marks, bases.setToPaths ?? new Map());
      return reached.length === 0 ? [] : [[file, reached]];
    });
  const only = new Set(suspects.keys());
  const silent = silentFor(codes, ambient, read);
  const others = silent.length === 0 ? [] : [...found.modules].filter((file) => !only.has(file));
  const handing = ambient.filter(({ handsOn }) => handsOn === true);
  const takers = [...usersOf(only, named.by)].filter((file) => !only.has(file) && found.modules.has(file));
  const reach = new Map([
    ...reachIn(only, ambient),
    ...reachIn(takers, handing),
    ...reachIn(others, silent).map(([file, reached]) => [file, reached.map((each) => ({ ...each, only }))] as const),
  ]);
  const { imports, reached, groups } = withAmbient(named, { reach, suspects, modules: found.modules, manifests, read });
  const clients = new Set(clientRules.flatMap(({ defaults, modules = [] }) => (defaults === undefined ? [] : modules)));
  const askers = askersIn(found, named, paths, read, bases, new Set([...preloaded.values()].flat()));
  const examples = new Set([...examplesIn(found.modules)].flatMap(([copy, example]) => (imported.has(basename(copy)) ? example : [])));
  const isAlone = lonePrograms(found, named, manifests, (name) => clients.has(name) || isInert(name), read);
  const begun = [...new Set([...suspects.keys(), ...reached])];
  const components = componentsOf(begun, imports, found.parts, found.servers, found.makers, loading).map((members) => {
    const files = members.filter((member) => !isGroup(member));
    const isInside = new Set(files);
    const inside = (all: readonly string[] = []): string[] => all.filter((each) => isInside.has(each));
    return files.map((file) => ({
      file,
      kind: suspects.get(file)?.kind ?? kindOfModule(file),
      isCandidate: suspects.has(file) || found.generated.has(file),
      isUnread: unread.has(file) && !found.generated.has(file),
      isGenerated: found.generated.has(file),
      importers: inside(named.by.get(file)),
      ambient: [...(groups.get(file) ?? []), ...(ofConfig.get(file) ?? [])],
      implied: implied.get(file) ?? [],
      isShared: shared.givers.has(file),
      isFake: fakes.has(file),
      isExample: examples.has(file),
      mayBeLoaded: found.loadsAny,
      runsAlone: isAlone(file),
      standsFor: inside([...usersOf(standIns.get(file)?.clients ?? [], named.by), ...(started.get(file) ?? [])]),
      addressedBy: standIns.get(file)?.names ?? [],
      loads: inside(loading.get(file)),
      askers: suspects.has(file) ? askers(file) : [],
    }));
  });
  return [...components, ...blocks];
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

/** Of a file that can be imported and holds nothing suspicious, or is known by its name alone. */
export function kindOfModule(file: string): FileKind {
  if (isCopied(file)) return kindOfModule(copyOf(file) ?? '');
  if (/\.jsonc?$/.test(file)) return 'json';
  if (/\.ya?ml$/.test(file)) return 'yaml';
  if (file.endsWith('.toml')) return 'toml';
  if (/\.(?:vue|svelte|astro|html?)$/.test(file)) return 'markup';
  return /\.(?:[cm]?[jt]sx?|gs)$/.test(file) ? 'script' : 'markdown';
}
