/** Which files are tests of Playwright, and which others these have: https://playwright.dev/docs/api/class-testconfig#test-config-test-match. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { specifiersOf } from '../../evaluate/names/specifiers.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';

/** What Playwright takes for tests where nothing else is said; other files may be used by tests of any project. */
export const isTestFile = /\.(?:spec|test)\.[cm]?[jt]sx?$/;

const leading = new WeakMap<SourceModule, ReadonlySet<SourceText>>();

/** Whether a test has another file by its imports, through any number of others: what it uses counts for nobody else. */
export function leadsTo({ world }: Pick<Evaluation, 'world'>, test: SourceModule, module: SourceText): boolean {
  const found = leading.get(test);
  if (found !== undefined) return found.has(module);
  // A set that grows while it is walked.
  const reached = new Set<SourceModule>([test]);
  for (const each of reached)
    for (const next of specifiersOf(each).flatMap((specifier) => world.resolve(each, specifier) ?? [])) reached.add(next);
  const files: ReadonlySet<SourceText> = reached;
  leading.set(test, files);
  return files.has(module);
}

/** The tests that have a file. */
export function testsOf(ev: Pick<Evaluation, 'world'>, file: string): readonly SourceModule[] {
  const module = ev.world.modules.get(file);
  return module === undefined
    ? []
    : [...ev.world.modules.values()].filter((each) => isTestFile.test(each.file) && leadsTo(ev, each, module));
}
