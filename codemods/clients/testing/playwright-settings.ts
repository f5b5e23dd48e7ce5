/** Which of the calls that set options for tests count for a request: https://playwright.dev/docs/test-use-options. */
import { posix } from 'node:path';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceText } from '../../evaluate/source-text.ts';
import { plainText } from '../../evaluate/values.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { isTestFile } from './playwright-projects.ts';

/** `test.use({ … })` or `defineConfig({ … })`. */
export interface Setting {
  readonly node: CallNode;
  readonly module: SourceModule;
}

interface Asked {
  readonly node: Node;
  readonly module: SourceText;
}

/** A configuration counts for the tests below it, and what a test file uses for its own, or those of the group around it alone. */
export function countsFor(ev: Evaluation, { node, module }: Setting, asked: Asked): boolean {
  const isSpec = isTestFile.test(asked.module.file);
  if (isConfig(node)) return asked.module.file.startsWith(rootOf(ev, { node, module }, isSpec));
  if (module !== asked.module) return !isSpec;
  const around = functionAround(node);
  return around === undefined || (around.start <= asked.node.start && asked.node.end <= around.end);
}

/** Whether the base or the headers are also set by another call, of which either may come after this one or not. */
export function isSetTwice(ev: Evaluation, setting: Setting, asked: Asked): boolean {
  const own = optionsIn(setting);
  return (
    (isConfig(setting.node) && setting.node.args.length > 1) ||
    settingsFor(ev.world, asked).some(
      (other) => other.node !== setting.node && optionsIn(other).some((each) => own.includes(each)) && countsFor(ev, other, asked),
    )
  );
}

interface Settings {
  readonly all: readonly Setting[];
  readonly configs: readonly Setting[];
  readonly byFile: ReadonlyMap<string, readonly Setting[]>;
}

const known = new WeakMap<World, Settings>();

/** Those that may count; of a test file with what it uses itself. */
function settingsFor(world: World, { module: { file } }: Asked): readonly Setting[] {
  const { all, configs, byFile } = known.get(world) ?? settingsIn(world);
  known.set(world, { all, configs, byFile });
  return isTestFile.test(file) ? [...configs, ...(byFile.get(file) ?? [])] : all;
}

function settingsIn(world: World): Settings {
  const all = [...world.modules.values()]
    .filter(({ text }) => text.includes('playwright'))
    .flatMap((module) => module.calls.filter((node) => isConfig(node) || calledAs(node) === 'use').map((node) => ({ node, module })))
    .filter((setting) => optionsIn(setting).length > 0);
  return {
    all,
    configs: all.filter(({ node }) => isConfig(node)),
    byFile: Map.groupBy(
      all.filter(({ node }) => !isConfig(node)),
      ({ module }) => module.file,
    ),
  };
}

const optionsIn = ({ node, module: { text } }: Setting): readonly string[] =>
  text.slice(node.start, node.end).match(/\b(?:baseURL|extraHTTPHeaders)\b/g) ?? [];

const calledAs = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : undefined;
const isConfig = (node: CallNode): boolean => calledAs(node) === 'defineConfig';

/** The folder of a configuration's tests; what they share may stand beside it. */
function rootOf(ev: Evaluation, { node, module }: Setting, isSpec: boolean): string {
  const folder = posix.dirname(module.file);
  const at = { module, frame: undefined };
  const [settings] = ev.args(node, at);
  const testDir = isSpec && settings !== undefined ? plainText(ev.member(settings, 'testDir', node, at)) : undefined;
  const root = posix.join(folder, testDir ?? '.');
  return root === '.' ? '' : `${root.replace(/\/$/, '')}/`;
}

function functionAround(node: Node): Node | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}
