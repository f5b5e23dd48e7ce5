/** Where the arguments of a call go, by the syntax alone. */
import { classAround } from '../../../evaluate/calls/callees.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, FunctionNode, Node } from '../../../syntax/tree.ts';
import { isPrinted } from '../harmless-calls.ts';

/** What an argument is put into: `Object.assign(config, more)`, `map.set(name, base)`. */
export function filledBy({ callee, args }: CallNode, arg: Node): Node | undefined {
  if (callee.kind !== 'member') return undefined;
  const [target] = args;
  if (callee.property === 'assign') return target !== arg && (target?.kind === 'name' || target?.kind === 'member') ? target : undefined;
  return callee.property === 'set' && args[1] === arg && callee.object.kind === 'name' ? callee.object : undefined;
}

/** What is called: of `super(…)` the superclass. */
export function calledBy({ callee }: CallNode): Node {
  if (callee.kind !== 'super') return callee;
  return classAround(callee)?.superclass ?? callee;
}

/** Whether a function takes what it is given as `arguments`, where no name of its own says which it is, and does more than print it. */
export const takesArguments = (fn: FunctionNode): boolean => !argumentsIn(fn).every(isPrinted);

const named = new WeakMap<FunctionNode, readonly Node[]>();

/** Where it does. */
export function argumentsIn(fn: FunctionNode): readonly Node[] {
  const before = named.get(fn);
  if (before !== undefined) return before;
  const found: Node[] = [];
  named.set(fn, found);
  if (fn.isArrow) return found;
  walk(fn, (node) => {
    if (node.kind === 'name' && node.name === 'arguments') found.push(node);
    return node === fn || node.kind !== 'function' || node.isArrow;
  });
  return found;
}

/** The parameters that an argument goes to; after a spread it may be any of them. */
export function paramsFor(fn: FunctionNode, arg: Node): FunctionNode['params'] {
  const call: CallNode | undefined = arg.parent?.kind === 'call' ? arg.parent : undefined;
  const index = call?.args.findIndex((each) => each === arg) ?? 0;
  return fn.params.filter((param, at) => at === index || (at > index && arg.kind === 'spread') || (at < index && param.isRest));
}
