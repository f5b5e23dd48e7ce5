/**
 * Packages that may ask our service, by their names, in files that say nothing of v1 and so are not read: what a test answers or expects may be about
 * these where they run with it.
 */
import { type Imports, reach } from '../find/components.ts';
import { escaped } from '../find/literals.ts';
import type { Scan } from '../find/scan.ts';
import { projectsIn } from '../find/projects.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Asker } from '../evaluate/program.ts';
import { memo, once } from '../once.ts';
import { positionsOf } from '../syntax/position.ts';
import { namedAsOurs } from '../verdict/packages-of-ours.ts';
import type { Bases } from '../verdict/routes.ts';

type Asking = Pick<Asker, 'file' | 'specifier'>;

/**
 * @param read the text of a file
 * @param loadedFirst files that a runner loads before each of its tests: they run with all of these
 * @returns for a file with mocks, which of these packages run with it
 */
export function askersIn(
  { imports: named, modules }: Pick<Scan, 'imports' | 'modules'>,
  imports: Imports,
  files: readonly FoundFile[],
  read: (file: string) => string,
  bases: Bases,
  loadedFirst: ReadonlySet<string>,
): (file: string) => readonly Asker[] {
  const isOurs = memo(namedAsOurs(bases));
  const asking = Array.from(named, ([file, specifiers]) =>
    [...specifiers].flatMap(([specifier, clause]): Asking[] =>
      !specifier.startsWith('#') && !/^\s*(?:import|export)\s+type\b/.test(clause) && isOurs(specifier) ? [{ file, specifier }] : [],
    ),
  ).flat();
  const projectOf = once(() => projectsIn(files));
  const ofProject = (file: string): string[] => [...modules].filter((each) => projectOf()(each) === projectOf()(file));
  return (file) => {
    if (asking.length === 0) return [];
    const isWithAll = ofPages.test(read(file)) || loadedFirst.has(file);
    const run = reach(isWithAll ? [file, ...ofProject(file)] : reach([file], imports.by), imports.of);
    const isReplaced = ({ specifier }: Asking): boolean =>
      [...run].some((each) => new RegExp(`\\bmock\\(\\s*['"]${escaped(specifier)}['"]`, 'i').test(read(each)));
    return asking
      .filter((each) => run.has(each.file) && !isReplaced(each))
      .map((each) => ({ ...each, line: lineOf(read(each.file), each.specifier), isWithAll }));
  };
}

const lineOf = (text: string, specifier: string): number =>
  positionsOf(text)(text.search(new RegExp(`['"]${escaped(specifier)}['"]`))).line;

/** What answers pages: whatever these have asks there. */
const ofPages = /\.fulfill\(|\bcy\.intercept\(|\.setRequestInterception\(/;
