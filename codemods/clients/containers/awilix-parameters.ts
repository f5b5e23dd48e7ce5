/** Which functions and classes awilix gives what their parameters are called after: https://github.com/jeffijoe/awilix#injection-modes. */
import { constructorOf } from '../../evaluate/classes/class-index.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { type ClassValue, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { lastName } from '../names.ts';
import { loadedExports, type Mode, modeCalled, nameOf } from './awilix-files.ts';

/**
 * Whether who asks gets what is put under a name: a parameter alone says no more than that it is called so, and what is injected beside takes the place of what
 * is registered: `asFunction(makeClient).inject(() => ({ base }))`.
 */
export function isGivenByName(ev: Evaluation, node: Node): boolean {
  const { byName, beside } = takersIn(ev);
  if (node.kind === 'param') return node.parent !== undefined && byName.has(node.parent) && !beside.has(node.parent);
  if (beside.size === 0) return true;
  let at: Node | undefined = node;
  while (at !== undefined && !beside.has(at)) at = at.parent;
  return at === undefined;
}

/** The functions, and the constructors of classes, that a container calls. */
interface Takers {
  /** Those whose parameters it reads. */
  readonly byName: ReadonlySet<Node>;
  /** Those that are given something by whoever registers them. */
  readonly beside: ReadonlySet<Node>;
}

const known = new WeakMap<Evaluation, Takers>();

function takersIn(ev: Evaluation): Takers {
  const before = known.get(ev);
  if (before !== undefined) return before;
  // What is asked for meanwhile is not by a name.
  known.set(ev, { byName: new Set(), beside: new Set() });
  const modules = [...ev.world.modules.values()].filter(({ text }) => text.includes('awilix'));
  const mode = areClassic(ev, modules) ? 'names' : 'cradle';
  const called = [...modules.flatMap((module) => module.calls.flatMap((call) => calledBy(ev, call, module, mode))), ...loadedBy(ev, mode)];
  const nodesOf = (how: Mode): ReadonlySet<Node> =>
    new Set(called.flatMap((each) => (each.how === how ? optionsOf(each.value).flatMap((value) => takersOf(ev, value)) : [])));
  const found = { byName: nodesOf('names'), beside: nodesOf('beside') };
  known.set(ev, found);
  return found;
}

interface Called {
  readonly how: Mode;
  readonly value: Value;
}

const loadedBy = (ev: Evaluation, mode: Mode): readonly Called[] =>
  loadedExports(ev).map(({ value, how }) => ({ how: how ?? mode, value }));

/** Whether all containers of a program read the names of parameters: `createContainer({ injectionMode: InjectionMode.CLASSIC })`. */
function areClassic(ev: Evaluation, modules: readonly SourceModule[]): boolean {
  const all = modules.flatMap((module) =>
    module.calls.flatMap((call) => (makesContainer(ev, call, module) ? [modeOf(ev, call, module)] : [])),
  );
  return all.length > 0 && all.every((mode) => mode === 'CLASSIC');
}

/** A function of the project may be called so, too. */
const makesContainer = (ev: Evaluation, { callee }: CallNode, module: SourceModule): boolean =>
  lastName(callee) === 'createContainer' && ev.evaluate(callee, { module, frame: undefined }).type !== 'function';

function modeOf(ev: Evaluation, { args: [options] }: CallNode, module: SourceModule): string | undefined {
  if (options === undefined || options.kind === 'spread') return undefined;
  const at: At = { module, frame: undefined };
  const given = ev.evaluate(options, at);
  // Before its fourth version it called them so.
  return ['injectionMode', 'resolutionMode'].map((name) => nameOf(ev.member(given, name, options, at))).find((mode) => mode !== undefined);
}

const resolvers = /^as(?:Class|Function)$/;
/** What its packages for servers have a container call: https://github.com/jeffijoe/awilix-koa */
const invokers = /^(?:(?:createC|c)ontroller|inject|make(?:Class|Function)?Invoker)$/;

function calledBy(ev: Evaluation, call: CallNode, module: SourceModule, mode: Mode): readonly Called[] {
  const name = lastName(call.callee);
  const [of, options] = call.args;
  const at: At = { module, frame: undefined };
  const isResolver = resolvers.test(name);
  if (of === undefined || of.kind === 'spread' || !(isResolver || (invokers.test(name) && isOfAwilix(ev.evaluate(call.callee, at)))))
    return [];
  return [{ how: isResolver ? saidBy(call, options, mode) : mode, value: ev.evaluate(of, at) }];
}

const isOfAwilix = (value: Value): boolean => value.type === 'external' && value.source.startsWith('awilix');

/** `asFunction(makeClient).classic().singleton()`, `asClass(Client, { lifetime: Lifetime.SCOPED })` */
function saidBy(call: CallNode, options: CallNode['args'][number] | undefined, mode: Mode): Mode {
  let said = mode;
  if (options !== undefined && options.kind !== 'object') return 'beside';
  for (const each of options?.properties ?? []) {
    if (each.kind === 'spread' || !/^(?:lifetime|dispose|injectionMode)$/.test(each.name ?? '')) return 'beside';
    if (each.name === 'injectionMode') said = modeCalled(lastName(each.value));
  }
  for (let at: Node = call; at.parent?.kind === 'member' && at.parent.parent?.kind === 'call'; at = at.parent.parent) {
    const { property } = at.parent;
    if (property === 'inject' || property === 'setInjectionMode') return 'beside';
    if (property === 'classic') said = 'names';
    if (property === 'proxy') said = 'cradle';
  }
  return said;
}

/** The function itself, or the constructor, which a class may have from the one that it extends. */
function takersOf(ev: Evaluation, value: Value): readonly Node[] {
  if (value.type === 'function') return [value.node];
  if (value.type !== 'class') return [];
  const seen = new Set<Node>();
  let of: ClassValue | undefined = value;
  while (of !== undefined && !seen.has(of.node)) {
    seen.add(of.node);
    const own = constructorOf(of.node);
    if (own !== undefined) return [own];
    const superclass: Expression | undefined = of.node.superclass;
    const above: Value | undefined = superclass && ev.evaluate(superclass, { module: of.module, frame: undefined });
    of = above?.type === 'class' ? above : undefined;
  }
  return [];
}
