/** Which of the calls that set options for tests count for a request: https://playwright.dev/docs/test-use-options. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { isWithin } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { withoutDevices } from './playwright-projects.ts';
import { folderOf, isTestFile, leadsTo } from './playwright-tests.ts';

/** `test.use({ … })`, `base.extend({ … })` or `defineConfig({ … })`. */
export interface Setting {
  readonly node: CallNode;
  readonly module: SourceModule;
}

interface Asked {
  readonly node: Node;
  readonly module: SourceText;
}

/**
 * A configuration counts for the tests below it, what a test file uses for its own, or those of the group around it alone, and what a test is extended by
 * for those that are no tests of the library's own.
 */
export function countsFor(ev: Evaluation, { node, module }: Setting, asked: Asked): boolean {
  const isSpec = isTestFile.test(asked.module.file);
  if (isConfig(node)) return asked.module.file.startsWith(rootOf(ev, { node, module }, isSpec));
  if (calledAs(node) === 'extend') return !isSpec || !isOfLibrary(ev, asked);
  if (module !== asked.module) return !isSpec && (!isTestFile.test(module.file) || leadsTo(ev, module, asked.module));
  const around = functionAround(node);
  return around === undefined || isWithin(around, asked.node) || isCalledByName(asked.node);
}

/** Whether it stands in a test of the library as it is: `import { test } from '@playwright/test'`. */
function isOfLibrary({ world }: Evaluation, asked: Asked): boolean {
  const module = world.modules.get(asked.module.file);
  for (let at = asked.node.parent; at !== undefined; at = at.parent) {
    if (at.kind !== 'call' || functionAround(at) !== undefined) continue;
    let root: Node = at.callee;
    while (root.kind === 'member') root = root.object;
    const owner = root.kind === 'name' ? module?.scopes.bindingOf(root)?.owner : undefined;
    return owner?.kind === 'import' && owner.source.value.includes('playwright') && !isCalledByName(asked.node);
  }
  return false;
}

/** Whether a function around it is none that is only given to a call: tests of any group may call it. */
function isCalledByName(node: Node): boolean {
  const fn = functionAround(node);
  return fn !== undefined && (fn.parent?.kind !== 'call' || fn.parent.callee === fn || isCalledByName(fn));
}

/** Whether the base or the headers are also set by another call, of which either may come after this one or not. */
export function isSetTwice(ev: Evaluation, setting: Setting, asked: Asked): boolean {
  const { configs, plain } = settingsIn(ev);
  const own = [...configs, ...settingsFor(ev, asked)].find(({ node }) => node === setting.node)?.options ?? [];
  return (
    (isConfig(setting.node) && setting.node.args.length > 1) ||
    (isConfig(setting.node) && plain.some((folder) => asked.module.file.startsWith(folder))) ||
    settingsFor(ev, asked).some(
      (other) => other.node !== setting.node && other.options.some((each) => own.includes(each)) && countsFor(ev, other, asked),
    )
  );
}

interface Found extends Setting {
  /** Which of address and headers it sets. */
  readonly options: readonly string[];
}

interface Settings {
  readonly all: readonly Found[];
  /** Those of all files. */
  readonly configs: readonly Found[];
  readonly byFile: ReadonlyMap<string, readonly Found[]>;
  /** The folders of configurations that are no calls: `export default { use: { … } }`. */
  readonly plain: readonly string[];
}

const known = new WeakMap<World, Settings>();

/** Those that may count; of a test file with what it uses itself. */
export function settingsFor(ev: Evaluation, { module: { file } }: Asked): readonly Found[] {
  const { all, configs, byFile } = settingsIn(ev);
  return isTestFile.test(file) ? [...configs, ...(byFile.get(file) ?? [])] : all;
}

function settingsIn(ev: Evaluation): Settings {
  const before = known.get(ev.world);
  if (before !== undefined) return before;
  const { cuts } = ev.budget;
  const modules = [...ev.world.modules.values()].filter(({ text }) => isAbout.test(text));
  const all = modules
    .flatMap((module) => module.calls.filter(isSetter).map((node) => ({ node, module })))
    .map((setting) => ({ ...setting, options: optionsIn(ev, setting) }))
    .filter(({ options }) => options.length > 0);
  const [ofFiles, configs] = [all.filter(({ node }) => calledAs(node) === 'use'), all.filter(({ node }) => calledAs(node) !== 'use')];
  const plain = modules.filter(({ file, text }) => isConfigFile.test(file) && option.test(text) && !text.includes('defineConfig'));
  const found = { all, configs, byFile: Map.groupBy(ofFiles, ({ module }) => module.file), plain: plain.map(({ file }) => folderOf(file)) };
  // Who asked with too few steps may have missed some.
  if (ev.budget.cuts === cuts) known.set(ev.world, found);
  return found;
}

/** A test may have all that it needs of a file with fixtures. */
const isAbout = /playwright|\b(?:test|it)\.(?:use|extend)\b/;

/** What a fixture gives goes by `use` as well, which is then no method. */
const isSetter = (node: CallNode): boolean =>
  isConfig(node) || (node.callee.kind === 'member' && /^(?:use|extend)$/.test(calledAs(node) ?? ''));
const isConfigFile = /(?:^|\/)playwright[^/]*\.config\.[cm]?[jt]s$/;
const option = /\b(?:baseURL|extraHTTPHeaders)\b/;

/** Also of settings that have a name of their own: `test.use(shop)`, `test.use({ ...shop })`. What the library says of devices has neither. */
function optionsIn(ev: Evaluation, { node, module }: Setting): readonly string[] {
  const at = { module, frame: undefined };
  const written = new Set(module.text.slice(node.start, node.end).match(/\b(?:baseURL|extraHTTPHeaders)\b/g));
  const [first] = ev.args(node, at);
  const settings = first && withoutDevices(isConfig(node) ? ev.member(first, 'use', node, at) : first);
  // What fixtures make for themselves sets nothing for others.
  const isWritten = (name: string): boolean => calledAs(node) !== 'extend' && written.has(name);
  const isGiven = (name: string): boolean =>
    settings?.type === 'object' && optionsOf(ev.member(settings, name, node, at)).some(({ type }) => type !== 'literal');
  return ['baseURL', 'extraHTTPHeaders'].filter((name) => isWritten(name) || isGiven(name));
}

export const calledAs = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : undefined;
const isConfig = (node: CallNode): boolean => calledAs(node) === 'defineConfig';

/** The folder of a configuration's tests; what they share may stand beside it. */
function rootOf(ev: Evaluation, { node, module }: Setting, isSpec: boolean): string {
  const at = { module, frame: undefined };
  const [settings] = ev.args(node, at);
  const testDir = isSpec && settings !== undefined ? plainText(ev.member(settings, 'testDir', node, at)) : undefined;
  return folderOf(module.file, testDir);
}

function functionAround(node: Node): Node | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at;
}
