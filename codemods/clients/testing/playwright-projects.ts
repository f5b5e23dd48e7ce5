/** Projects of Playwright's configuration, each with settings of its own for the tests that it runs: https://playwright.dev/docs/test-projects. */
import { posix } from 'node:path';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { type Entry, type ObjectValue, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { folderOf, importersOf, isTestFile, type Matcher, matcherOf } from './playwright-tests.ts';

/**
 * The settings of the projects that run a test.
 * @param settings of the whole configuration
 * @returns nothing where no project has an address or headers of its own, and undefined where it is not known which run it
 */
export function projectsOf(ev: Evaluation, settings: Value, file: string, node: Node, at: At): readonly ObjectValue[] | undefined {
  const byFile = known.get(node) ?? new Map<string, readonly ObjectValue[] | undefined>();
  known.set(node, byFile);
  if (!byFile.has(file)) byFile.set(file, projectsFor(ev, settings, file, node, at));
  return byFile.get(file);
}

function projectsIn(ev: Evaluation, settings: Value, node: Node, at: At): readonly Value[] {
  return optionsOf(ev.member(settings, 'projects', node, at)).flatMap((projects) => (projects.type === 'list' ? projects.items : []));
}

const usesOf = (ev: Evaluation, projects: readonly Value[], node: Node, at: At): readonly Value[] =>
  projects.map((project) => withoutDevices(ev.member(project, 'use', node, at)));

/** The settings of all projects. */
export const allProjects = (ev: Evaluation, settings: Value, node: Node, at: At): readonly Value[] =>
  usesOf(ev, projectsIn(ev, settings, node, at), node, at);

/** By configuration and test: every request of the test asks. */
const known = new WeakMap<Node, Map<string, readonly ObjectValue[] | undefined>>();

function projectsFor(ev: Evaluation, settings: Value, file: string, node: Node, at: At): readonly ObjectValue[] | undefined {
  const all = projectsIn(ev, settings, node, at).map((project) => ({ project, use: withoutDevices(ev.member(project, 'use', node, at)) }));
  const hasOwn = all.some(({ use }) => ['baseURL', 'extraHTTPHeaders'].some((name) => ev.member(use, name, node, at).type !== 'literal'));
  if (!hasOwn) return [];
  const shared = settings.type === 'object' ? sharedMatch(settings, at) : undefined;
  const isMissing = (of: Value, name: string): boolean => ev.member(of, name, node, at).type === 'literal';
  const isOfPages = (project: Value, use: Value): boolean =>
    isSilent(project, ['testMatch', 'testDir', 'testIgnore']) && isMissing(use, 'extraHTTPHeaders');
  const isByNames = isSilent(settings, ['testMatch']) && isMissing(ev.member(settings, 'use', node, at), 'extraHTTPHeaders');
  const found = new Map<Node, ObjectValue>();
  // What tests share is run by the projects of all that have it, and a test is what any project may run.
  for (const test of [file, ...importersOf(ev, file)]) {
    // Who names a test for a project means it for that, though one of pages, which says nothing of its tests, runs it as well.
    const isByName = isByNames && all.some(({ project }) => project.type === 'object' && matchedBy(project, at)?.(test) === true);
    const own = all.filter(
      ({ project, use }) => !(isByName && isOfPages(project, use)) && (project.type !== 'object' || runs(project, test, at, shared)),
    );
    // What is no test and nobody imports runs by itself, as a global setup: with which settings, no project says.
    if (own.length === 0 && (isTestFile.test(test) || importersOf(ev, test).length === 0)) return undefined;
    for (const { use } of own)
      if (use.type === 'object') found.set(use.node, use);
      else return undefined;
  }
  return found.size === 0 ? undefined : [...found.values()];
}

/** Whether all that it says is known, and nothing of it is one of these. */
const isSilent = (settings: Value, names: readonly string[]): boolean =>
  settings.type === 'object' && settings.unknown.length === 0 && names.every((name) => valueOf(settings, name) === undefined);

/** `{ ...devices['Desktop Chrome'] }`: devices have neither an address nor headers. */
export const withoutDevices = (use: Value): Value =>
  use.type === 'object'
    ? {
        ...use,
        unknown: use.unknown.filter(
          (each) =>
            each.type !== 'external' || !/^(?:@playwright\/test|playwright(?:-core)?)$/.test(each.source) || each.path[0] !== 'devices',
        ),
      }
    : use;

const valueOf = ({ entries }: ObjectValue, name: string): Entry | undefined => entries.find((entry) => entry.name === name);

/** What a configuration or project says are its tests. */
const matchedBy = (settings: ObjectValue, at: At): Matcher | undefined => matcherOf(valueOf(settings, 'testMatch')?.valueNode, at);

/** The same of a whole configuration, which goes by names where it says nothing. */
const sharedMatch = (settings: ObjectValue, at: At): Matcher | undefined =>
  isSilent(settings, ['testMatch']) ? (path) => isTestFile.test(path) : matchedBy(settings, at);

/**
 * Whether a project may run a test: by its folder, and by patterns of its path.
 * @param shared the pattern of the configuration, if there is one that is known
 */
function runs(project: ObjectValue, file: string, at: At, shared: Matcher | undefined): boolean {
  const testDir = valueOf(project, 'testDir');
  const dir = testDir === undefined ? undefined : plainText(testDir.value());
  const match = isSilent(project, ['testMatch']) ? shared : matchedBy(project, at);
  const ignored = matcherOf(valueOf(project, 'testIgnore')?.valueNode, at);
  const isInside = dir === undefined || posix.isAbsolute(dir) || file.startsWith(folderOf(at.module.file, dir));
  return isInside && match?.(file) !== false && ignored?.(file) !== true;
}
