/** Calls of a function that nobody sees: it is a value somewhere, or is read by a name that is made when the program runs. */
import { once } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, MemberNode, Node } from '../../syntax/tree.ts';
import { declaredAs } from '../names/declared.ts';
import type { Evaluation } from '../evaluation.ts';
import { namesOfFunction } from './function-names.ts';
import { isOnlyCalled } from './only-called.ts';
import { commonJsName, type SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { optionsOf, plainText, type Value } from '../values/values.ts';
import { isBoundInPlace } from '../writes/written-places.ts';

/** Whether a function may be called with anything else than what its calls give. */
export const mayBeCalledOtherwise = (ev: Evaluation, fn: FunctionNode): boolean => isValue(ev, fn) || isReadByKey(ev, fn);

interface Mention {
  readonly node: Expression;
  readonly module: SourceModule;
}

/** The same, where `ask.call(this, path)` is a call as any: it gives each parameter what stands in its place. */
export const mayBeGivenOtherwise = (ev: Evaluation, fn: FunctionNode): boolean =>
  placesAsValue(ev, fn).some((at) => calledHere(at.node) === undefined || !isAlone(ev, fn, at)) || isReadByKey(ev, fn);

/** `ask.call(…)` around a mention of `ask` */
function calledHere(node: Node): CallNode | undefined {
  const { parent: member } = node;
  const isCall = member?.kind === 'member' && member.object === node && member.property === 'call';
  return isCall && member.parent?.kind === 'call' && member.parent.callee === member ? member.parent : undefined;
}

function isAlone(ev: Evaluation, fn: FunctionNode, { node, module }: Mention): boolean {
  const options = optionsOf(ev.evaluate(node, { module, frame: undefined }));
  return options.length === 1 && options.every((each) => each.type === 'function' && each.node === fn);
}

const valued = new WeakMap<World, ReadonlyMap<string, readonly Mention[]>>();

/** `bus.on('region', init)`, `steps.init = init`, `() => init`, `init.apply(null, urls)` */
const isValue = (ev: Evaluation, fn: FunctionNode): boolean => placesAsValue(ev, fn).length > 0;

/** Where a function stands that is not called there: as an argument, in a list, in an object that is handed on. */
export function placesAsValue(ev: Evaluation, fn: FunctionNode): readonly Mention[] {
  if (isOnlyCalled(fn)) return [];
  const mentions = valued.get(ev.world) ?? valuesIn(ev.world);
  valued.set(ev.world, mentions);
  const isIt = ({ node, module }: Mention): boolean => {
    const found = optionsOf(ev.evaluate(node, { module, frame: undefined }));
    // What such a name stands for may be taken out of a prototype.
    return found.some((each) => (each.type === 'function' ? each.node === fn : isHandled(node)));
  };
  // What is left when a question is cut would be cut one by one.
  const isAsked = (mention: Mention): boolean => !ev.budget.isExhausted && isIt(mention);
  return [...namesOfFunction(ev.world, fn)].flatMap((name) => mentions.get(name)?.filter(isAsked) ?? []);
}

const valuesIn = ({ modules }: World): ReadonlyMap<string, readonly Mention[]> =>
  Map.groupBy(
    [...modules.values()].flatMap((module) =>
      [...nodesOfKind(module.tree.program, 'name'), ...nodesOfKind(module.tree.program, 'member')].flatMap((node) =>
        isKept(node, module) ? { node, module } : [],
      ),
    ),
    ({ node }) => (node.kind === 'name' ? node.name : (node.property ?? '')),
  );

/** Whether a mention is neither a call nor a name by which calls are found: what is exported, another variable, a property of a written object. */
function isKept(node: Node, module: SourceModule): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'call':
      return parent.callee !== node;
    case 'property':
      return parent.value === node && /^(?:call|array)$/.test(parent.parent?.parent?.kind ?? '');
    case 'param':
      return parent.target !== node;
    case 'other':
      return parent.what.startsWith('Jsx');
    case 'member':
      return isHandled(node) && !(parent.parent?.parent !== undefined && isBoundInPlace(parent.parent.parent, module));
    case 'assign':
      return parent.value === node && commonJsName(parent.target) === undefined;
    case 'array':
    case 'return':
    case 'conditional':
    case 'logical':
      return true;
    case 'function':
      return parent.body === node;
    default:
      return false;
  }
}

/** `init.call(…)`, `init.apply(…)`, `init.bind(…)` */
function isHandled(node: Node): boolean {
  const { parent } = node;
  return parent?.kind === 'member' && parent.object === node && /^(?:call|apply|bind)$/.test(parent.property ?? '');
}

/** What something may be read of, by one key. */
type Holders = () => readonly Value[];

interface Keyed {
  readonly byKey: ReadonlyMap<string, readonly Holders[]>;
  /** Where the key may be any: what holds functions there, whichever. */
  readonly byAny: () => readonly Value[];
}

const keyed = new WeakMap<Evaluation, Keyed>();
/** Steps to find out what something is read of. */
const maxSteps = 100;

/** `setters[name](url)`, `const run = client[name]` of all that a file exports. */
function isReadByKey(ev: Evaluation, fn: FunctionNode): boolean {
  const { byKey, byAny } = keyed.get(ev) ?? readsByKey(ev);
  const names = [...namesOfFunction(ev.world, fn)];
  const isReadBy = (name: string): boolean => byKey.get(name)?.some((holders) => isHeldBy(ev, fn, holders(), [name])) === true;
  return names.some(isReadBy) || (names.length > 0 && isHeldBy(ev, fn, byAny(), names));
}

/** What each is read of, and by which keys, is found out once, in steps that are nobody's: each function that sets something is asked about. */
function readsByKey(ev: Evaluation): Keyed {
  const byKey = new Map<string, Holders[]>();
  const any: Holders[] = [];
  const byAny = once(() => [...new Set(any.flatMap((holders) => holders()))]);
  keyed.set(ev, { byKey, byAny });
  for (const module of ev.world.modules.values())
    for (const node of nodesOfKind(module.tree.program, 'member')) {
      const { computed, property, object } = node;
      if (computed === undefined || property !== undefined || !mayBeFunction(node)) continue;
      const holders = once(() => valuesOf(ev, object, module).filter(({ type }) => holding.has(type)));
      for (const key of new Set(valuesOf(ev, computed, module).map(plainText)))
        if (key === undefined) any.push(holders);
        else byKey.set(key, [...(byKey.get(key) ?? []), holders]);
    }
  return { byKey, byAny };
}

/** Whether what is read may go on as a function: not what is compared, added to a text, looked into or written. */
function mayBeFunction(node: MemberNode): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'binary':
    case 'concat':
    case 'template':
    case 'unary':
    case 'spread':
      return false;
    case 'member':
      return isHandled(node);
    case 'assign':
      return parent.target !== node;
    default:
      return true;
  }
}

const valuesOf = (ev: Evaluation, node: Expression, module: SourceModule): readonly Value[] =>
  optionsOf(ev.aside({ node, module }, () => ev.evaluate(node, { module, frame: undefined }), maxSteps).value);

const holding: ReadonlySet<Value['type']> = new Set(['namespace', 'instance', 'object', 'class']);

interface Held {
  readonly functions: ReadonlySet<Node>;
  /** Objects and classes of which each function is one. */
  readonly nodes: ReadonlySet<Node>;
}

const held = new WeakMap<readonly Value[], Held>();

function isHeldBy(ev: Evaluation, fn: FunctionNode, holders: readonly Value[], keys: readonly string[]): boolean {
  const { functions, nodes } = held.get(holders) ?? heldBy(ev, holders);
  const around = fn.parent?.parent;
  if (functions.has(fn) || (around !== undefined && nodes.has(around))) return true;
  const isExported = (holder: Value): boolean =>
    holder.type === 'namespace' &&
    keys.some((key) => optionsOf(ev.exported(holder.module, key) ?? holder).some((each) => each.type === 'function' && each.node === fn));
  return holders.some(isExported);
}

function heldBy(ev: Evaluation, holders: readonly Value[]): Held {
  const functions = new Set<Node>();
  const nodes = new Set<Node>();
  held.set(holders, { functions, nodes });
  for (const holder of holders) {
    if (holder.type === 'instance') nodes.add(holder.of.node);
    if (holder.type !== 'object' && holder.type !== 'class') continue;
    nodes.add(holder.node);
    if (holder.type !== 'object' || holder.node.kind !== 'object') continue;
    for (const each of holder.node.properties) {
      const declared = each.kind === 'property' ? declaredAs(ev, each.value, holder.module) : undefined;
      if (declared !== undefined) functions.add(declared.node);
    }
  }
  return { functions, nodes };
}
