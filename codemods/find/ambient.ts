/** Files that decide for others which do not import them: proxies of development servers, interceptors, defaults of a page. */
import type { Imports } from './components.ts';

/** What a file holds that decides for others, and what these hold, or how the file says what that is. */
export interface AmbientMark {
  readonly mark: RegExp;
  readonly reached: RegExp | ((text: string) => RegExp | undefined);
}

/** What files hold that a file with such content may reach; nothing for most. */
export const reachOf = (text: string, marks: readonly AmbientMark[]): RegExp[] =>
  marks.filter(({ mark }) => mark.test(text)).flatMap(({ reached }) => (reached instanceof RegExp ? reached : (reached(text) ?? [])));

export interface Ambient {
  /** Files that reach others, with what these hold. */
  readonly reach: ReadonlyMap<string, readonly RegExp[]>;
  /** Everything that can be imported. */
  readonly modules: ReadonlySet<string>;
  /** Paths of package.json files: the nearest above a file makes out its project. */
  readonly manifests: readonly string[];
  readonly read: (file: string) => string;
}

/** The imports, as if such files imported what they reach in their project, and what that is. */
export function withAmbient(
  imports: Imports,
  { reach, modules, manifests, read }: Ambient,
): { readonly imports: Imports; readonly reached: readonly string[] } {
  if (reach.size === 0) return { imports, reached: [] };
  const reached: string[] = [];
  const of = new Map(imports.of);
  const by = new Map(imports.by);
  const folders = manifests.map((path) => path.slice(0, -'package.json'.length)).toSorted((one, other) => depthOf(other) - depthOf(one));
  const projectOf = (file: string): string => folders.find((folder) => isWithin(folder, file)) ?? '';
  for (const module of modules) {
    const near = [...reach].filter(([file]) => file !== module && isWithin(projectOf(file), module));
    const text = near.length === 0 ? '' : read(module);
    for (const [file, patterns] of near) {
      if (!patterns.some((pattern) => pattern.test(text))) continue;
      reached.push(module);
      of.set(file, [...(of.get(file) ?? []), module]);
      by.set(module, [...(by.get(module) ?? []), file]);
    }
  }
  return { imports: { of, by }, reached };
}

/** How often a path goes up first, in a run that looks at files beside the working directory. */
const ups = (path: string): string => /^(?:\.\.\/)*/.exec(path)?.[0] ?? '';

/** How deep a folder is; those above the working directory count down. */
const depthOf = (folder: string): number => folder.split('/').length - 1 - (2 * ups(folder).length) / '../'.length;

/** `../` holds what is in the working directory, too. */
const isWithin = (folder: string, file: string): boolean =>
  folder === ups(folder) ? ups(file).length <= folder.length : file.startsWith(folder);
