/** What is known of each file of a component before it is read. */
import { basename } from 'node:path';
import { isInert } from '../clients/quiet-packages.ts';
import type { ComponentFile } from '../component/component-file.ts';
import type { ClientRule } from '../evaluate/libraries/client-rule.ts';
import { type Imports, reach } from '../find/components.ts';
import { type FileKind, isCopied } from '../find/kinds.ts';
import type { InGroup } from '../find/modules/ambient.ts';
import { configGroups } from '../find/modules/node-config-files.ts';
import { copyOf, examplesIn } from '../find/packages/examples.ts';
import { lonePrograms } from '../find/packages/lone-programs.ts';
import type { Scan, Suspect } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { fakesIn } from './fakes.ts';
import { askersIn } from './unseen-askers.ts';
import type { UnwrittenImports } from './unwritten-imports.ts';

/** The files of a run, and what joins them. */
export interface Joined {
  readonly paths: Walk['files'];
  readonly found: Scan;
  /** Those that speak of v1 and are looked into. */
  readonly suspects: ReadonlyMap<string, Suspect>;
  /** Last names of all that is imported. */
  readonly imported: ReadonlySet<string>;
  readonly imports: Imports;
  readonly unwritten: UnwrittenImports;
  readonly groups: ReadonlyMap<string, readonly InGroup[]>;
  /** Paths of package.json files. */
  readonly manifests: readonly string[];
}

/** @returns of all files of one component what each is */
export function describedIn(joined: Joined, bases: Bases, rules: readonly ClientRule[]): (files: readonly string[]) => ComponentFile[] {
  const { paths, found, suspects, imported, imports, unwritten, groups, manifests } = joined;
  const read = (file: string): string => found.texts.latin1(file);
  const unread = new Set(found.unread);
  const ofConfig = configGroups(unwritten.config);
  const fakes = fakesIn(found.modules, imports, manifests, read);
  const clients = new Set(rules.flatMap(({ defaults, modules = [] }) => (defaults === undefined ? [] : modules)));
  const askers = askersIn(found, imports, paths, read, bases, new Set([...unwritten.preloaded.values()].flat()));
  const examples = new Set([...examplesIn(found.modules)].flatMap(([copy, example]) => (imported.has(basename(copy)) ? example : [])));
  const isAlone = lonePrograms(found, imports, manifests, (name) => clients.has(name) || isInert(name), read);
  return (files) => {
    const isInside = new Set(files);
    const inside = (all: readonly string[] = []): string[] => all.filter((each) => isInside.has(each));
    return files.map((file) => ({
      file,
      kind: suspects.get(file)?.kind ?? kindOfModule(file),
      isCandidate: suspects.has(file) || found.generated.has(file),
      isUnread: unread.has(file) && !found.generated.has(file),
      isGenerated: found.generated.has(file),
      importers: inside(imports.by.get(file)),
      ambient: [...(groups.get(file) ?? []), ...(ofConfig.get(file) ?? [])],
      implied: unwritten.implied.get(file) ?? [],
      isShared: unwritten.sharing.has(file),
      isFake: fakes.has(file),
      isExample: examples.has(file),
      mayBeLoaded: found.loadsAny,
      runsAlone: isAlone(file),
      standsFor: inside([...reach(unwritten.standIns.get(file)?.clients ?? [], imports.by), ...(unwritten.started.get(file) ?? [])]),
      addressedBy: unwritten.standIns.get(file)?.names ?? [],
      loads: inside(unwritten.loading.get(file)),
      askers: suspects.has(file) ? askers(file) : [],
    }));
  };
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
