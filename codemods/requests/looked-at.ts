/** Clients that a test makes and only looks at: nobody asks with them, and where they would ask says nothing of who does. */
import { classAround } from '../evaluate/calls/callees.ts';
import { allOf, type Caller } from '../evaluate/calls/callers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { returnsOf } from '../evaluate/calls/returns.ts';
import { optionsOf } from '../evaluate/values/values.ts';
import { walk } from '../syntax/link.ts';
import type { CallNode, FunctionNode, Node } from '../syntax/tree.ts';
import type { Step } from './call-paths.ts';
import { mayLeadTo } from './leading-to.ts';
import { functionsAround } from './left-to-default.ts';
import { isConstructor } from './makers.ts';

/**
 * @param callers who call a function on the way to a request
 * @returns without those who only look at what they make; all, where what makes it asks itself or hands itself on, or nobody else is left
 */
export function whoAsk(
  ev: Evaluation,
  callers: ReadonlySet<Caller | undefined>,
  owner: Step['owner'],
  sink: Node,
  steps: readonly Step[],
): ReadonlySet<Caller | undefined> {
  if (owner.kind !== 'function' || ![...callers].some((caller) => caller !== undefined && isTest(caller.module))) return callers;
  const nodes = [sink, ...steps.flatMap(({ caller }) => (caller === undefined ? [] : allOf(caller).map(({ node }) => node)))];
  if (isConstructor(owner) ? handsItselfOn(owner) || nodes.some(isIn(owner)) : !isAskedByWhatItGives(owner, nodes, steps)) return callers;
  const way = new Set(nodes.flatMap((node) => [...functionsAround(node)]));
  const asking = new Set([...callers].filter((caller) => caller === undefined || !isMadeToBeSeen(ev, caller, way)));
  return asking.size > 0 ? asking : callers;
}

const isIn =
  (owner: FunctionNode) =>
  (node: Node): boolean =>
    [...functionsAround(node)].includes(owner);

/** Whether a function asks by nothing but functions that it gives back under names: `return { list: () => ask('/contacts') }`. */
function isAskedByWhatItGives(owner: FunctionNode, nodes: readonly Node[], steps: readonly Step[]): boolean {
  const properties = returnsOf(owner).flatMap((each) => (each.kind === 'object' ? each.properties : []));
  const isGiven = (fn: FunctionNode): boolean =>
    properties.some(
      (each) => each === fn.parent || (each.kind === 'property' && each.value.kind === 'name' && each.value.name === fn.name?.name),
    );
  const outermost = (node: Node): FunctionNode | undefined => {
    const around = [...functionsAround(node)];
    return around[around.indexOf(owner) - 1];
  };
  const isCalled = (fn: FunctionNode): boolean =>
    steps.some(
      ({ owner: called, caller }) => called === fn && caller !== undefined && isIn(owner)(caller.node) && outermost(caller.node) !== fn,
    );
  const own = nodes.filter(isIn(owner)).map(outermost);
  return own.some((fn) => fn !== undefined && isGiven(fn)) && own.every((fn) => fn !== undefined && (isGiven(fn) || isCalled(fn)));
}

const isMadeToBeSeen = (ev: Evaluation, { node, module, isPassed }: Caller, way: ReadonlySet<FunctionNode>): boolean =>
  isPassed !== true && isTest(module) && isOnlySeen(ev, node, module, way);

/** `this.connect()`, `registry.add(this)`, also where a field is set: then others ask with what is made. */
function handsItselfOn(owner: Node): boolean {
  const made = owner.parent?.parent;
  const fields =
    made?.kind === 'class' ? made.members.flatMap(({ role, value }) => (role === 'field' && value !== undefined ? value : [])) : [];
  let isFound = false;
  for (const part of [owner, ...fields])
    walk(part, ({ kind, parent }) => {
      if (kind === 'function' && part !== owner) return false;
      isFound ||= kind === 'this' && (parent?.kind !== 'member' || (parent.parent?.kind === 'call' && parent.parent.callee === parent));
      return !isFound;
    });
  return isFound;
}

/**
 * `expect(client)`, `expect(client.base)`, `client.urlOf('/contacts')`, `const { urlOf } = createClient(…)`, and `const client = new Client(…)` with nothing but these.
 * @param way the functions on the way to a request
 */
function isOnlySeen(ev: Evaluation, node: Node, module: SourceModule, way: ReadonlySet<FunctionNode>): boolean {
  const { parent } = node;
  if (parent?.kind === 'variable' && parent.target.kind === 'objectPattern') {
    const { properties, rest } = parent.target;
    const isFree = ({ target }: (typeof properties)[number]): boolean =>
      target.kind === 'patternName' &&
      (module.scopes.declaredBy(target)?.references.every((each) => asksNobody(ev, each, module, way)) ?? false);
    return parent.init === node && rest === undefined && properties.every(isFree);
  }
  if (parent?.kind === 'variable') {
    const isOwn = parent.init === node && functionsAround(parent).next().done !== true;
    const binding = isOwn && parent.target.kind === 'patternName' ? module.scopes.declaredBy(parent.target) : undefined;
    return binding !== undefined && binding.again.length === 0 && binding.references.every((each) => isOnlySeen(ev, each, module, way));
  }
  if (parent?.kind === 'member')
    return parent.object === node && (isOnlySeen(ev, parent, module, way) || asksNobody(ev, parent, module, way));
  if (parent?.kind === 'function') return parent.body === node && isOnlySeen(ev, parent, module, way);
  return parent?.kind === 'call' && parent.args[0] === node && isExpect(parent);
}

/** Whether what is taken of it under a name is a function that does not lead to the request. */
function asksNobody(ev: Evaluation, taken: Node, module: SourceModule, way: ReadonlySet<FunctionNode>): boolean {
  const options = optionsOf(ev.evaluate(taken, { module, frame: undefined }));
  return (
    options.length > 0 &&
    options.every((each) => {
      if (each.type !== 'function') return false;
      const of = classAround(each.node);
      return of?.superclass === undefined && !mayLeadTo(each.node, way, each.module);
    })
  );
}

const comparing = /^to(?:Be\w*|Equal|StrictEqual|MatchObject|HaveProperty|Throw\w*)$/;

/** `expect(…).toBe(…)`, `expect(…).not.toThrow()`: what it is given is compared, and not asked with. */
function isExpect(call: CallNode): boolean {
  if (call.callee.kind !== 'name' || call.callee.name !== 'expect') return false;
  const inner = call.parent?.kind === 'member' && call.parent.property === 'not' ? call.parent : call;
  return inner.parent?.kind === 'member' && comparing.test(inner.parent.property ?? '') && inner.parent.parent?.kind === 'call';
}
