/**
 * Packages that may ask our service, by their names, in files that say nothing of v1 and so are not read: what a test answers or expects may be about
 * these where they run with it.
 */
import { type Imports, reach } from '../find/components.ts';
import { escaped } from '../find/words/literals.ts';
import type { Scan } from '../find/scan.ts';
import { projectsIn } from '../find/packages/projects.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Asker } from '../evaluate/program.ts';
import { memo, once } from '../once.ts';
import { positionsOf } from '../syntax/position.ts';
import { namedAsOurs } from '../verdict/bases/packages-of-ours.ts';
import type { Bases } from '../verdict/bases/routes.ts';

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
  const asking = new Map(
    Array.from(named, ([file, specifiers]) => {
      const ours = [...specifiers].filter(
        ([specifier, clause]) => !specifier.startsWith('#') && !/^\s*(?:import|export)\s+type\b/.test(clause) && isOurs(specifier),
      );
      return [file, ours.map(([specifier]) => specifier)] as const;
    }).filter(([, specifiers]) => specifiers.length > 0),
  );
  const rank = new Map([...asking.keys()].map((file, index) => [file, index]));
  const projectOf = once(() => projectsIn(files));
  const ofProject = (file: string): string[] => [...modules].filter((each) => projectOf()(each) === projectOf()(file));
  // Most tests run with the same files: what these ask, and mock, is looked for once.
  const askersOf = memo((file) => {
    const text = read(file);
    const positionOf = positionsOf(text);
    const offsetOf = (specifier: string): number => text.search(new RegExp(`['"]${escaped(specifier)}['"]`));
    return (asking.get(file) ?? []).map((specifier) => ({ file, specifier, line: positionOf(offsetOf(specifier)).line }));
  });
  const mockedIn = memo((file) => Array.from(read(file).matchAll(mocks), ({ groups }) => groups?.['name']?.toLowerCase()));
  return (file) => {
    if (asking.size === 0) return [];
    const isWithAll = ofPages.test(read(file)) || loadedFirst.has(file);
    const run = reach(isWithAll ? [file, ...ofProject(file)] : reach([file], imports.by), imports.of);
    const mocked = new Set([...run].flatMap(mockedIn));
    return [...run]
      .filter((each) => asking.has(each))
      .toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0))
      .flatMap(askersOf)
      .flatMap((each) => (mocked.has(each.specifier.toLowerCase()) ? [] : { ...each, isWithAll }));
  };
}

/** `vi.mock('@example/sdk')` */
const mocks = /\bmock\(\s*['"](?<name>[^'"]+)['"]/gi;

/** What answers pages: whatever these have asks there. */
const ofPages = /\.fulfill\(|\bcy\.intercept\(|\.setRequestInterception\(/;
