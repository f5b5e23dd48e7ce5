/** What files lead to without an import that says so: what frameworks, settings, servers and runners of tests bring together. */
import { basename } from 'node:path';
import { type StandIn, standInsIn } from '../clients/testing/stand-in-servers.ts';
import type { Combined } from '../evaluate/libraries/combined.ts';
import { type AutoImports, autoImportsIn } from '../find/modules/auto-imports.ts';
import { loadedFirst } from '../find/modules/loaded-first.ts';
import { loadedFolders } from '../find/modules/loaded-folders.ts';
import { loadedByPatterns } from '../find/modules/loaded-patterns.ts';
import { middlewareOf } from '../find/modules/next-middleware.ts';
import { configFilesIn } from '../find/modules/node-config-files.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import { sharedScopesIn } from '../find/packages/shared-scopes.ts';
import { specifierOf } from '../find/packages/stand-ins.ts';
import { startedPrograms } from '../find/packages/started-programs.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';

type Leading = ReadonlyMap<string, readonly string[]>;

/** For each file the others that it leads to. */
export interface UnwrittenImports {
  readonly implied: AutoImports;
  /** Files whose declarations others use. */
  readonly sharing: ReadonlySet<string>;
  /** What is laid over the first settings of node-config. */
  readonly config: Leading;
  /** What packages load by its folder, or by a pattern. */
  readonly loading: Leading;
  readonly standIns: ReadonlyMap<string, StandIn>;
  /** Programs that tests start. */
  readonly started: Leading;
  /** What is loaded before a test. */
  readonly preloaded: Leading;
}

/** @param scripts files that speak of v1 */
export function unwrittenImportsOf(
  found: Scan,
  scripts: readonly string[],
  paths: Walk['files'],
  loaders: Pick<Combined, 'folderLoaders' | 'patternLoaders'>,
  resolve: Resolve,
): UnwrittenImports {
  const read = (file: string): string => found.texts.latin1(file);
  const shared = sharedScopesIn(found.modules, read);
  const byFolder = loadedFolders(found, loaders.folderLoaders, read);
  const byPattern = loadedByPatterns(found, loaders.patternLoaders, read);
  return {
    implied: new Map([...autoImportsIn(found.modules, read), ...shared.imports]),
    sharing: shared.givers,
    config: configFilesIn(found.modules),
    loading: new Map([
      ...byPattern,
      ...[...byFolder].map(([file, loaded]) => [file, [...loaded, ...(byPattern.get(file) ?? [])]] as const),
    ]),
    standIns: standInsIn(
      scripts,
      paths.map(({ path }) => path),
      read,
    ),
    started: startedPrograms(found, paths, read, resolve),
    preloaded: loadedFirst(scripts, found, paths, read, resolve),
  };
}

/** All that files lead to, as imports would say it. */
export function allSpecifiers({ specifiers, modules }: Scan, unwritten: UnwrittenImports): Leading {
  const all = new Map(specifiers);
  const add = <Other>(file: string, others: readonly Other[], nameOf: (other: Other) => string): void => {
    all.set(file, [...(all.get(file) ?? []), ...others.map(nameOf)]);
  };
  const lead = (file: string, others: readonly string[]): void => add(file, others, (other) => specifierOf(file, other));
  for (const [file, names] of unwritten.implied) add(file, names, ({ from }) => from);
  for (const [file, others] of unwritten.config) add(file, others, (other) => `./${basename(other)}`);
  for (const file of modules) {
    const run = middlewareOf(file, (other) => modules.has(other));
    if (run.length > 0) lead(file, run);
  }
  for (const [file, loaded] of unwritten.loading) lead(file, loaded);
  for (const [file, { clients }] of unwritten.standIns) lead(file, clients);
  for (const [file, programs] of unwritten.started) lead(file, programs);
  for (const [file, first] of unwritten.preloaded) lead(file, first);
  return all;
}
