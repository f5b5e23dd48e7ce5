/**
 * Functions that a wrapper is given, and calls from within what it makes of them: `const send = retrying(request)`. What stands beside both,
 * `get: (path) => send(path)`, is as much a neighbour of the wrapped function as of `send`: whoever calls that says which one it is.
 */
import { assignmentsOf } from '../evaluate/names/assignments.ts';
import type { Caller } from '../evaluate/calls/callers.ts';
import { functionAround } from '../evaluate/calls/callees.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { isWithin } from '../evaluate/names/named.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import type { Value } from '../evaluate/values/values.ts';
import type { FunctionNode, NameNode, Node } from '../syntax/tree.ts';
import type { Step } from './call-paths.ts';

export interface Wrapped {
  readonly wrapper: FunctionNode;
  /** Which of its parameters is the function. */
  readonly index: number;
  /** What it made, and who calls that. */
  readonly made: Step['owner'];
  readonly caller: Caller;
}

/**
 * @param owner the function in which another is made
 * @param caller a call of that other one, outside of it
 * @param steps the call path
 * @returns undefined where it is not called as what a wrapper was given there, by its name or where it is written
 */
export function wrappedIn(owner: Node, { node: { callee }, module }: Caller, steps: readonly Step[]): Wrapped | undefined {
  const binding = callee.kind === 'name' ? module.scopes.bindingOf(callee) : undefined;
  const param = binding === undefined || assignmentsOf(binding).all.length > 0 ? undefined : binding.owner;
  const wrapper = param?.kind === 'param' ? param.parent : undefined;
  if (param?.kind !== 'param' || wrapper?.kind !== 'function' || isWithin(owner, wrapper)) return undefined;
  const index = wrapper.params.indexOf(param);
  const given = steps.find((step) => step.owner === wrapper)?.caller;
  const arg = given?.node.args[index];
  if (given === undefined || arg === undefined || !isWithin(owner, given.node) || !isOwnFunction(owner, arg, given.module))
    return undefined;
  const { owner: made, caller } = steps.find((step) => functionAround(step.owner) === wrapper) ?? {};
  return made && caller && { wrapper, index, made, caller };
}

const isOwnFunction = (owner: Node, arg: Node, module: SourceModule): boolean =>
  arg.kind === 'function' || (arg.kind === 'name' && isConstantIn(owner, arg, module));

/** Whether a name is declared within a function, and is never another. */
function isConstantIn(owner: Node, name: NameNode, { scopes }: SourceModule): boolean {
  const binding = scopes.bindingOf(name);
  const declared = binding?.owner;
  if (binding === undefined || (declared?.kind !== 'variable' && declared?.kind !== 'function')) return false;
  return isWithin(owner, declared) && assignmentsOf(binding).all.length === 0;
}

/** Whether what the wrapper made is called by a name within the same function. */
export const isCalledBeside = (owner: Node, { node, module }: Caller): boolean =>
  isWithin(owner, node) && node.callee.kind === 'name' && isConstantIn(owner, node.callee, module);

/** The call in which the function was made that a wrapper was given. */
export function frameOfGiven(value: Value, { wrapper, index }: Wrapped): Frame | undefined {
  for (let at = value.type === 'function' ? value.frame : undefined; at !== undefined; at = at.outer) {
    const given = at.owner === wrapper ? at.args?.all()[index] : undefined;
    if (given?.type === 'function') return given.frame;
  }
  return undefined;
}
