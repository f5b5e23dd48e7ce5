/** Files that decide for others which do not import them: proxies of development servers, interceptors, defaults of a page. */
import type { Imports } from '../components.ts';
import { screenOf } from '../words/screen.ts';

/** What a file holds that decides for others, and what these hold, or how the file says what that is. */
export interface AmbientMark {
  readonly mark: RegExp;
  readonly reached: RegExp | ((text: string) => RegExp | undefined);
  /** What the library itself holds, which a page may have beside its scripts: it has all that these decide by, and decides nothing. */
  readonly itself?: RegExp;
  /** Whether files decide so, too, that say nothing of the service: they sign all calls, or say where these go. */
  readonly isSilent?: boolean;
  /** Whether files do so, too, that say nothing of the service, and hand on what they take of those that do. */
  readonly handsOn?: boolean;
}

/** What a file that decides for others holds, and what these do. */
export interface Reach {
  readonly mark: RegExp;
  readonly reached: RegExp;
  /** The files that matter, where it is not all that hold it. */
  readonly only?: ReadonlySet<string>;
}

/**
 * What a file with such content may reach; nothing for most.
 * @param setToPaths the paths that variables are set to: who reads one of these writes the path
 */
export function reachOf(text: string, marks: readonly AmbientMark[], setToPaths: ReadonlyMap<string, ReadonlySet<string>>): Reach[] {
  const may = screenOf(text, marks.length);
  return marks
    .filter(({ mark, itself }) => may(mark) && mark.test(text) && itself?.test(text) !== true)
    .flatMap(({ mark, reached }) => {
      const found = reached instanceof RegExp ? reached : reached(text);
      if (found === undefined) return [];
      const names = [...setToPaths].flatMap(([name, paths]) => ([...paths].some((path) => found.test(`'${path}'`)) ? name : []));
      return { mark, reached: names.length === 0 ? found : new RegExp(`${found.source}|\\b(?:${names.join('|')})\\b`, found.flags) };
    });
}

/** The marks of files that say nothing of the service and decide for one of these. */
export function silentFor(files: readonly string[], marks: readonly AmbientMark[], read: (file: string) => string): readonly AmbientMark[] {
  const found = new Set<AmbientMark>();
  let open = marks.filter(({ isSilent }) => isSilent === true);
  for (const file of files) {
    const text = read(file);
    const may = screenOf(text, open.length);
    for (const mark of open) if (mark.reached instanceof RegExp && may(mark.reached) && mark.reached.test(text)) found.add(mark);
    open = open.filter((mark) => !found.has(mark));
    if (open.length === 0) break;
  }
  return marks.filter((mark) => found.has(mark));
}

export interface Ambient {
  /** Files that reach others, with what these hold. */
  readonly reach: ReadonlyMap<string, readonly Reach[]>;
  /** Files that say something of the service: by themselves, too, one of their statements may decide for others. */
  readonly suspects: { has(file: string): boolean };
  /** Everything that can be imported. */
  readonly modules: ReadonlySet<string>;
  /** Paths of package.json files: the nearest above a file makes out its project. */
  readonly manifests: readonly string[];
  readonly read: (file: string) => string;
}

/** A file on one side of a group of files, of which some decide for others, and for what they hold themselves: each of the ones for each of the others. */
export interface InGroup {
  readonly group: string;
  readonly decides: boolean;
  /** What those of its statements hold that decide, or that are decided for; all do where none does, and where nothing is said. */
  readonly holds?: RegExp;
}

/** A name that no file has, and that comes behind all files. */
const groupName = (project: string, { reached, only }: Reach): string => `\uFFFF${project}\0${String(reached)}\0${only === undefined}`;
export const isGroup = (name: string): boolean => name.startsWith('\uFFFF');

/**
 * The imports, as if such files imported what they reach in their project, and what that is. What many files reach alike they reach by way of a
 * group, which stands among the files: from each to each it would be the square of them.
 */
export function withAmbient(
  imports: Imports,
  { reach, suspects, modules, manifests, read }: Ambient,
): { readonly imports: Imports; readonly reached: readonly string[]; readonly groups: ReadonlyMap<string, readonly InGroup[]> } {
  const groups = new Map<string, InGroup[]>();
  if (reach.size === 0) return { imports, reached: [], groups };
  const folders = manifests.map((path) => path.slice(0, -'package.json'.length)).toSorted((one, other) => depthOf(other) - depthOf(one));
  const projectOf = (file: string): string => folders.find((folder) => isWithin(folder, file)) ?? ups(file);
  const reaching = new Map<string, { readonly project: string; readonly reach: Reach; readonly files: Map<string, RegExp> }>();
  for (const [file, reaches] of reach) {
    const project = projectOf(file);
    for (const each of reaches) {
      const name = groupName(project, each);
      const known = reaching.get(name);
      if (known === undefined) reaching.set(name, { project, reach: each, files: new Map([[file, each.mark]]) });
      else known.files.set(file, each.mark);
    }
  }
  const of = new Map(imports.of);
  const by = new Map(imports.by);
  const reached = new Map<string, string[]>();
  for (const module of modules) {
    const near = [...reaching].filter(
      ([
        ,
        {
          project,
          files,
          reach: { only },
        },
      ]) => isWithin(project, module) && only?.has(module) !== false && !(files.size === 1 && files.has(module) && !suspects.has(module)),
    );
    const text = near.length === 0 ? '' : read(module);
    for (const [group, { reach: each }] of near) if (each.reached.test(text)) push(reached, group, module);
  }
  for (const [group, found] of reached) {
    const { files, reach: { reached: pattern } = {} } = reaching.get(group) ?? {};
    for (const [file, mark] of files ?? []) {
      of.set(file, [...(of.get(file) ?? []), group]);
      push(groups, file, { group, decides: true, holds: mark });
    }
    of.set(group, found);
    by.set(group, [...(files?.keys() ?? [])]);
    for (const module of found) {
      by.set(module, [...(by.get(module) ?? []), group]);
      push(groups, module, pattern === undefined ? { group, decides: false } : { group, decides: false, holds: pattern });
    }
  }
  return { imports: { of, by }, reached: [...reached.values()].flat(), groups };
}

function push<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [item]);
  else known.push(item);
}

/** How often a path goes up first, in a run that looks at files beside the working directory. */
const ups = (path: string): string => /^(?:\.\.\/)*/.exec(path)?.[0] ?? '';

/** How deep a folder is; those above the working directory count down. */
const depthOf = (folder: string): number => folder.split('/').length - 1 - (2 * ups(folder).length) / '../'.length;

/** `../` holds what is in the working directory, too. */
const isWithin = (folder: string, file: string): boolean =>
  folder === ups(folder) ? ups(file).length <= folder.length : file.startsWith(folder);
