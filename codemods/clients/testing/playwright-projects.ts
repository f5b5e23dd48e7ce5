/** Projects of Playwright's configuration, each with settings of its own for the tests that it runs: https://playwright.dev/docs/test-projects. */
import { posix } from 'node:path';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { type Entry, type ObjectValue, plainText, type Value } from '../../evaluate/values/values.ts';
import { globsOf } from '../../find/globs.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { isTestFile, testsOf } from './playwright-tests.ts';

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
  const projects = ev.member(settings, 'projects', node, at);
  return projects.type === 'list' ? projects.items : [];
}

const usesOf = (ev: Evaluation, projects: readonly Value[], node: Node, at: At): readonly Value[] =>
  projects.map((project) => withoutDevices(ev.member(project, 'use', node, at)));

/** The settings of all projects. */
export const allProjects = (ev: Evaluation, settings: Value, node: Node, at: At): readonly Value[] =>
  usesOf(ev, projectsIn(ev, settings, node, at), node, at);

/** By configuration and test: every request of the test asks. */
const known = new WeakMap<Node, Map<string, readonly ObjectValue[] | undefined>>();

function projectsFor(ev: Evaluation, settings: Value, file: string, node: Node, at: At): readonly ObjectValue[] | undefined {
  const all = projectsIn(ev, settings, node, at);
  const uses = usesOf(ev, all, node, at);
  const hasOwn = uses.some((use) => ['baseURL', 'extraHTTPHeaders'].some((name) => ev.member(use, name, node, at).type !== 'literal'));
  if (!hasOwn) return [];
  const folder = posix.dirname(at.module.file);
  const shared = settings.type === 'object' ? sharedMatch(settings, at) : undefined;
  const isNamed = all.some((project) => project.type === 'object' && matchedBy(project, at)?.(file) === true);
  if (!isTestFile.test(file) && !isNamed) return projectsOfTests(ev, settings, file, node, at);
  const isMissing = (of: Value, name: string): boolean => ev.member(of, name, node, at).type === 'literal';
  // Who names a test for a project means it for that, though one of pages, which says nothing of its tests, runs it as well.
  const isByName = isNamed && isSilent(settings, ['testMatch']) && isMissing(ev.member(settings, 'use', node, at), 'extraHTTPHeaders');
  const isOfPages = (project: Value, use: Value): boolean =>
    isByName && isSilent(project, ['testMatch', 'testDir', 'testIgnore']) && isMissing(use, 'extraHTTPHeaders');
  const own = all.flatMap((project, i) => {
    const use = uses[i] ?? project;
    return isOfPages(project, use) || (project.type === 'object' && !runs(project, folder, file, at, shared)) ? [] : [use];
  });
  const known = own.filter((use) => use.type === 'object');
  return known.length > 0 && known.length === own.length ? known : undefined;
}

/** What tests share is run by the projects of all that have it. */
function projectsOfTests(ev: Evaluation, settings: Value, file: string, node: Node, at: At): readonly ObjectValue[] | undefined {
  const found = new Map<Node, ObjectValue>();
  for (const test of testsOf(ev, file)) {
    const projects = projectsOf(ev, settings, test.file, node, at);
    if (projects === undefined) return undefined;
    for (const each of projects) found.set(each.node, each);
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
  valueOf(settings, 'testMatch') === undefined && settings.unknown.length === 0 ? (path) => isTestFile.test(path) : matchedBy(settings, at);

/**
 * Whether a project may run a test: by its folder, and by patterns of its path.
 * @param shared the pattern of the configuration, if there is one that is known
 */
function runs(project: ObjectValue, folder: string, file: string, at: At, shared: Matcher | undefined): boolean {
  const testDir = valueOf(project, 'testDir');
  const dir = testDir === undefined ? undefined : plainText(testDir.value());
  const match = valueOf(project, 'testMatch') === undefined ? shared : matchedBy(project, at);
  const ignored = matcherOf(valueOf(project, 'testIgnore')?.valueNode, at);
  const isInside = dir === undefined || file.startsWith(`${posix.join(folder, dir)}/`);
  return isInside && match?.(file) !== false && ignored?.(file) !== true;
}

type Matcher = (path: string) => boolean;

/** @returns undefined where it is not known what it matches */
function matcherOf(pattern: Expression | undefined, at: At): Matcher | undefined {
  if (pattern?.kind === 'string') return globsOf([pattern.value]);
  if (pattern?.kind === 'array') {
    const all = pattern.elements.map((each) => (each?.kind === 'spread' ? undefined : matcherOf(each, at)));
    return all.includes(undefined) ? undefined : (path) => all.some((matches) => matches?.(path) === true);
  }
  const [, source, flags] =
    pattern?.kind === 'literal' ? (/^\/(.+)\/(\w*)$/.exec(at.module.text.slice(pattern.start, pattern.end)) ?? []) : [];
  if (source === undefined) return undefined;
  try {
    const regexp = new RegExp(source, flags?.replace('g', ''));
    // Of an absolute path.
    return (path) => regexp.test(`/${path}`);
  } catch {
    return undefined;
  }
}
