/** Calls of a function that nobody sees: it is a value somewhere, or is read by a name that is made when the program runs. */
import { once } from '../once.ts';
import { nodesOfKind } from '../syntax/link.ts';
import type { Expression, FunctionNode, MemberNode, Node } from '../syntax/tree.ts';
import { declaredAs } from './declared.ts';
import type { Evaluation } from './evaluation.ts';
import { namesOfFunction } from './function-names.ts';
import { commonJsName, type SourceModule } from './module.ts';
import type { World } from './program.ts';
import { optionsOf, plainText, type Value } from './values.ts';
import { isBoundInPlace } from './written-places.ts';

/** Whether a function may be called with anything else than what its calls give. */
export const mayBeCalledOtherwise = (ev: Evaluation, fn: FunctionNode): boolean => isValue(ev, fn) || isReadByKey(ev, fn);

interface Mention {
  readonly node: Expression;
  readonly module: SourceModule;
}

const valued = new WeakMap<World, ReadonlyMap<string, readonly Mention[]>>();

/** `bus.on('region', init)`, `steps.init = init`, `() => init`, `init.apply(null, urls)` */
const isValue = (ev: Evaluation, fn: FunctionNode): boolean => placesAsValue(ev, fn).length > 0;

/** Where a function stands that is not called there: as an argument, in a list, in an object that is handed on. */
export function placesAsValue(ev: Evaluation, fn: FunctionNode): readonly Mention[] {
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

interface Keyed {
  /** undefined where it may be any. */
  readonly keys: () => readonly (string | undefined)[];
  readonly holders: () => readonly Value[];
}

const keyed = new WeakMap<Evaluation, readonly Keyed[]>();
/** Steps to find out what something is read of. */
const maxSteps = 100;

/** `setters[name](url)`, `const run = client[name]` of all that a file exports. */
function isReadByKey(ev: Evaluation, fn: FunctionNode): boolean {
  const reads = keyed.get(ev) ?? readsByKey(ev);
  keyed.set(ev, reads);
  const names = namesOfFunction(ev.world, fn);
  return reads.some(({ holders, keys }) => {
    const possible = keys()
      .flatMap((key) => key ?? [...names])
      .filter((key) => names.has(key));
    return possible.length > 0 && holders().some((holder) => isHeldBy(ev, fn, holder, possible));
  });
}

/** What each is read of, and by which keys, is found out once, in steps that are nobody's: each function that sets something is asked about. */
const readsByKey = (ev: Evaluation): readonly Keyed[] =>
  [...ev.world.modules.values()].flatMap((module) =>
    nodesOfKind(module.tree.program, 'member').flatMap((node): Keyed[] => {
      const { computed, property, object } = node;
      if (computed === undefined || property !== undefined || !mayBeFunction(node)) return [];
      const keys = once(() => valuesOf(ev, computed, module).map(plainText));
      return [{ keys, holders: once(() => valuesOf(ev, object, module).filter(({ type }) => holding.has(type))) }];
    }),
  );

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

function isHeldBy(ev: Evaluation, fn: FunctionNode, holder: Value, keys: readonly string[]): boolean {
  if (holder.type === 'namespace')
    return keys.some((key) =>
      optionsOf(ev.exported(holder.module, key) ?? holder).some((each) => each.type === 'function' && each.node === fn),
    );
  const node = holder.type === 'instance' ? holder.of.node : holder.type === 'object' || holder.type === 'class' ? holder.node : undefined;
  if (node === undefined) return false;
  if (fn.parent?.parent === node) return true;
  if (holder.type !== 'object' || node.kind !== 'object') return false;
  return node.properties.some((each) => each.kind === 'property' && declaredAs(ev, each.value, holder.module)?.node === fn);
}
