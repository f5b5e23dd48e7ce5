/**
 * What all who call a function give for an object that it copies into another: `Object.assign(options, more)`. It is known where each writes it in its call, or
 * leaves it out, and the function does nothing else with it: what has a name of its own, or is handed to others before, may hold more by then.
 */
import { callsOf } from '../../../evaluate/calls/all-callers.ts';
import { mayBeGivenOtherwise } from '../../../evaluate/calls/other-calls.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { assignmentsOf } from '../../../evaluate/names/assignments.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import type { Callers } from '../../../requests/recursion.ts';
import type { Binding } from '../../../syntax/scopes.ts';
import type { CallNode, Expression, FunctionNode, NameNode, Node, ParamNode } from '../../../syntax/tree.ts';

/** Functions that hand it on to each other further than this are not looked at. */
const maxDepth = 3;

/** An argument, and where it stands. */
interface Given {
  readonly node: Expression;
  readonly module: SourceModule;
}

/** @returns undefined where somebody may give what is not seen */
export function givenInPlace(ev: Evaluation, callers: Callers, copied: Given, copying: Node): readonly Value[] | undefined {
  return givenFor(ev, callers, copied, new Set([copying]), maxDepth)?.map(({ node, module }) =>
    ev.evaluate(node, { module, frame: undefined }),
  );
}

/** @param by the calls that it may be given to */
function givenFor(ev: Evaluation, callers: Callers, { node, module }: Given, by: ReadonlySet<Node>, depth: number): Given[] | undefined {
  if (node.kind === 'object') return isWhole(node) ? [{ node, module }] : undefined;
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  const param = binding && paramOf(binding);
  if (binding === undefined || param === undefined || depth === 0) return undefined;
  const { fn } = param;
  const isKept = binding.references.some((name) => !isLookedAt(name, module) && !(name.parent !== undefined && by.has(name.parent)));
  const calls = isKept || mayBeGivenOtherwise(ev, fn) ? [] : (callers.get(fn) ?? []);
  const known = new Set<Node>(calls.map((caller) => caller.node));
  // Where tests alone are seen to call, others may, too.
  if (calls.every((caller) => isTest(caller.module)) || callsOf(ev, fn).some((call) => !known.has(call.node))) return undefined;
  const byDefault = param.node.default === undefined ? [] : givenFor(ev, callers, { node: param.node.default, module }, by, depth - 1);
  const found = calls.map((caller): Given[] | undefined => {
    const given = argumentFor(caller.node, fn.params.indexOf(param.node));
    if (caller.all !== undefined || caller.isPassed === true || given === 'unseen') return undefined;
    return given === undefined ? byDefault : givenFor(ev, callers, { node: given, module: caller.module }, known, depth - 1);
  });
  return byDefault === undefined || found.includes(undefined) ? undefined : [...byDefault, ...found.flatMap((each) => each ?? [])];
}

/** A parameter that is what its function is given as long as that runs, and the function; one that stands nowhere but under a name. */
function paramOf(binding: Binding): { readonly node: ParamNode; readonly fn: FunctionNode } | undefined {
  const { owner, declaration } = binding;
  const fn = owner.kind === 'param' ? owner.parent : undefined;
  if (owner.kind !== 'param' || fn?.kind !== 'function' || owner.isRest || owner.isField || owner.target !== declaration) return undefined;
  const isNamed = fn.isDeclaration || (fn.parent?.kind === 'variable' && fn.parent.init === fn);
  return isNamed && binding.again.length === 0 && assignmentsOf(binding).all.length === 0 ? { node: owner, fn } : undefined;
}

/** `Object.keys(more)`, `if (more)` */
function isLookedAt(name: NameNode, { scopes }: SourceModule): boolean {
  const { parent } = name;
  if (parent?.kind !== 'call')
    return parent?.kind === 'other' ? parent.what === 'IfStatement' : parent?.kind === 'conditional' && parent.test === name;
  const { callee } = parent;
  return (
    callee.kind === 'member' &&
    callee.property === 'keys' &&
    callee.object.kind === 'name' &&
    callee.object.name === 'Object' &&
    scopes.bindingOf(callee.object) === undefined
  );
}

/** What a call gives for a parameter, `ask(path, {…})` or `ask.call(this, path, {…})`; undefined for nothing. */
function argumentFor({ callee, args, isNew }: CallNode, index: number): Expression | 'unseen' | undefined {
  const at = callee.kind === 'member' && callee.property === 'call' ? index + 1 : index;
  const before = args.slice(0, at + 1);
  if (isNew || before.some(({ kind }) => kind === 'spread')) return 'unseen';
  const given = args[at];
  return given === undefined || given.kind === 'spread' ? undefined : given;
}

/** Whether an object says itself all that it has. */
const isWhole = (node: Expression): boolean =>
  node.kind === 'object' &&
  node.properties.every((each) => each.kind === 'property' && each.name !== undefined && each.accessor === undefined);
