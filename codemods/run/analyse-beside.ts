/** What the code proves of variables counts for the files beside it. */
import type { ComponentResult } from '../component/component.ts';
import type { TextPlan } from '../component/analyse-text.ts';
import type { EnvironmentUse } from '../verdict/bases/environment.ts';
import { memo } from '../once.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import type { Analysed } from './analyse.ts';
import type { Surroundings } from './surroundings.ts';
import { packageFolders } from '../find/packages/package-folders.ts';

const usedIn = (components: readonly Pick<ComponentResult, 'variables'>[]): EnvironmentUse[] =>
  components.flatMap(({ variables }) => variables.filter(({ isOurs, isGiven }) => isOurs && isGiven !== true));

/** The variables that code takes our bases from. */
export const provenBy = (components: readonly Pick<ComponentResult, 'variables'>[]): string[] =>
  usedIn(components).flatMap(({ name, version }) => (version !== undefined ? [] : name));

/**
 * Whether a file sets a variable for a package in which nothing is seen to read it: variables of two packages have nothing in common but their name.
 * What no package is around, and what is above one that reads it, may be for all.
 */
function ofOtherPackages(
  { components, results }: Analysed,
  files: readonly FoundFile[],
  { found, named }: Surroundings,
): NonNullable<Bases['isOfOthers']> {
  const packageOf = packageFolders(files);
  const readers = new Map<string, Set<string>>();
  results.forEach(({ variables, readers: others }, index) => {
    const names = new Set([...variables, ...others].map(({ name }) => name));
    const folders = new Set(names.size === 0 ? [] : (components[index] ?? []).map(packageOf));
    for (const name of names) {
      const known = readers.get(name) ?? new Set();
      readers.set(name, known);
      for (const folder of folders) known.add(folder);
    }
  });
  const others = Map.groupBy(
    found.candidates.filter(({ kind }) => kind !== 'script'),
    ({ path }) => packageOf({ file: path }),
  );
  const isNear = (text: string): boolean => named.v1.some((base) => text.includes(new URL(base).host));
  const known = new Map<string, readonly string[]>();
  /** Its scripts and requests may read it, too, and a base of ours beside it says what it is for. */
  const readingIn = (folder: string, name: string): readonly string[] =>
    (others.get(folder) ?? []).flatMap(({ path, kind }) => {
      const text = found.texts.utf8(path);
      return text.includes(name) && (kind !== 'env' || isNear(text)) ? path : [];
    });
  return (file, name) => {
    const folder = packageOf({ file });
    const reading = readers.get(name);
    if (folder === '' || reading === undefined || [...reading].some((each) => each.startsWith(folder))) return false;
    const key = `${folder} ${name}`;
    const own = known.get(key) ?? readingIn(folder, name);
    known.set(key, own);
    return own.every((path) => path === file && !isNear(found.texts.utf8(path)));
  };
}

/**
 * Whether a file of variables stands beside programs that read one of it, and none of which is seen to ask us by it: another folder's default says nothing
 * of theirs.
 */
function besideOthers(
  { components, results }: Analysed,
  files: readonly FoundFile[],
  { found }: Surroundings,
): NonNullable<Bases['isOfOthers']> {
  const askingBy = memo((name: string) => {
    const isAsking = ({ variables }: ComponentResult): boolean => variables.some((use) => use.isOurs && use.name === name);
    return results.flatMap((each, index) => (isAsking(each) ? (components[index] ?? []).map(({ file }) => file) : []));
  });
  const variableFiles = new Set(files.flatMap(({ path, kind }) => (kind === 'env' ? path : [])));
  const scripts = found.candidates.flatMap(({ path, kind }) => (kind === 'script' ? path : []));
  return (file, name) => {
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    if (folder === '' || !variableFiles.has(file) || askingBy(name).some((each) => each.startsWith(folder))) return false;
    return scripts.some((path) => path.startsWith(folder) && found.texts.utf8(path).includes(name));
  };
}

/** @param bases those that the user named */
export function analyseBeside(
  evaluated: Analysed,
  surroundings: Surroundings,
  files: readonly FoundFile[],
  bases: Bases,
): readonly TextPlan[] {
  const { named, analyseTexts } = surroundings;
  const components = evaluated.results;
  const isOthers = ofOtherPackages(evaluated, files, surroundings);
  const isBeside = besideOthers(evaluated, files, surroundings);
  // Of what the user named, all that is set is ours.
  const isOfOthers = (file: string, name: string): boolean =>
    !bases.env.has(name) && (named.variablesOfOthers?.get(name)?.has(file) === true || isOthers(file, name) || isBeside(file, name));
  const versions = usedIn(components).flatMap(({ name, version, group }) => (version !== undefined && group !== undefined ? name : []));
  const unread = Map.groupBy(
    components.flatMap(({ unreadBlocks }) => unreadBlocks),
    ({ file }) => file,
  );
  return analyseTexts(
    { ...named, isOfOthers, env: new Set([...named.env, ...provenBy(components)]), versions: new Set(versions) },
    bases.env,
    new Map(Array.from(unread, ([file, blocks]) => [file, new Set(blocks.map(({ block }) => block))])),
  );
}
