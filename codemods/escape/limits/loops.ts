/** What comes back to a wait: a loop around it, or a function that calls itself after it. By the syntax alone. */
import { functionAround } from '../../evaluate/calls/callees.ts';
import { guardsAround } from '../../evaluate/language/guards.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isLeaving } from '../../evaluate/names/order.ts';
import { walk } from '../../syntax/link.ts';
import type { BlockNode, CallNode, Expression, FunctionNode, Node } from '../../syntax/tree.ts';
import { goesThroughList } from './list-loops.ts';
import { asksForLimit } from './waits-by-code.ts';
import { numberOf } from './numbers.ts';

const fewTries = 10;
const tries = /attempt|retr|tries/i;

/** The loop that a wait is part of: `while (true) { …; await new Promise((resolve) => setTimeout(resolve, 5000)); }`. */
export function loopAround(node: Node, module: SourceModule): Node | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (isLoop(at))
      return goesThroughList(at, module) || at.body.some((each) => endsSoon(each, module)) || givesUp(node, at, module) ? undefined : at;
    if (isLeft(at)) return undefined;
  }
  return undefined;
}

/** The loop through a list that a wait is part of: `for (const some of chunks) { …; await sleep(60_000); }`. */
export function listLoopAround(node: Node, module: SourceModule): Node | undefined {
  let at = node.parent;
  while (at !== undefined && !isLoop(at)) at = isLeft(at) ? undefined : at.parent;
  return at !== undefined && goesThroughList(at, module) ? at : undefined;
}

/** A function that what is around it does not run at once, as it does what a promise is made with. */
const isLeft = (node: Node): boolean => node.kind === 'function' && !(node.parent?.kind === 'call' && node.parent.isNew);

/** `for await (const _ of setInterval(5000))`: the loop whose values something gives. */
export function loopOfValues({ parent }: Node): Node | undefined {
  const head = parent?.kind === 'variable' && parent.each !== undefined ? parent.parent : undefined;
  return head !== undefined && isLoop(head) ? head : undefined;
}

const isLoop = (node: Node): node is BlockNode => node.kind === 'block' && node.role === 'loop';

/** Whether what stands in the head of a loop says that it tries a few times. */
function endsSoon(head: Node, module: SourceModule): boolean {
  if (head.kind === 'logical') return endsSoon(head.left, module) || endsSoon(head.right, module);
  if (head.kind !== 'binary' || !/^<=?$/.test(head.operator)) return false;
  return (numberOf(head.right, module) ?? Infinity) <= fewTries || tries.test(module.text.slice(head.start, head.end));
}

/** Whether a loop gives up after a few tries: `if (attempt === 2) throw …`. */
const givesUp = (node: Node, loop: Node, module: SourceModule): boolean =>
  exitsBeside(node, loop).some((test) => partsOf(test).some((part) => isFewTries(part, module)));

function isFewTries(test: Node, module: SourceModule): boolean {
  if (test.kind !== 'binary' || !/^(?:[<>]=?|={2,3})$/.test(test.operator)) return false;
  const most = numberOf(test.right, module);
  // What gives up after hundreds of attempts asks again and again.
  if ((most ?? 0) <= fewTries && tries.test(module.text.slice(test.start, test.end))) return true;
  const counter = test.left.kind === 'unary' ? test.left.argument : test.left;
  if (counter.kind !== 'name') return false;
  const { references = [] } = module.scopes.bindingOf(counter) ?? {};
  // Up to a number, or down from one.
  return references.some(isCounted) && [numberOf(counter, module), most].every((each = Infinity) => each <= fewTries);
}

const isCounted = ({ parent }: Node): boolean => parent?.kind === 'unary' && /^(?:\+\+|--)$/.test(parent.operator);

/** Whether a wait is what comes after too many calls, and anything else ends what is repeated. */
export const isAfterLimit = (node: Node, around: Node, module: SourceModule): boolean =>
  [node, promiseAround(node)].some((each) => each !== undefined && guardsAround(each).some((guard) => asksForLimit(guard, module))) ||
  exitsBeside(node, around).some(({ start, end }) => unlessLimit.test(module.text.slice(start, end)));

/** `new Promise((resolve) => setTimeout(resolve, 5000))`, of the call that waits in it. */
function promiseAround(node: Node): Node | undefined {
  const fn = functionAround(node);
  return fn?.parent?.kind === 'call' && fn.parent.isNew ? fn.parent : undefined;
}

const unlessLimit = /!==?\s*[\w.]*(?:429|too_?many_?requests)|!\s*[\w.?]*(?:rate_?limit|too_?many|throttl)/i;

/** What is asked before something around a place is left, on the way to it: `if (answer.ok) return answer`. */
function exitsBeside(node: Node, around: Node): Node[] {
  const found: Node[] = [];
  for (let at: Node | undefined = node.parent; at !== undefined; at = at === around ? undefined : at.parent)
    for (const each of at.kind === 'block' ? at.body : []) {
      const [test, consequent] = each.kind === 'other' && each.what === 'IfStatement' ? each.children : [];
      if (test !== undefined && leaves(consequent)) found.push(test);
    }
  return found;
}

const leaves = (node: Node | undefined): boolean =>
  isLeaving(node) || (node?.kind === 'block' ? leaves(node.body.at(-1)) : node?.kind === 'other' && node.what === 'BreakStatement');

const partsOf = (test: Node): Node[] => (test.kind === 'logical' ? [test.left, test.right].flatMap(partsOf) : [test]);

/** The function that begins anew after a wait: `setTimeout(tick, 5000)` in `tick`, `await sleep(2000); return poll(id)` in `poll`. */
export function returnsTo(node: CallNode, module: SourceModule): FunctionNode | undefined {
  const [first] = node.args;
  if (isAfterFailure(node, module)) return undefined;
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent) {
    const name = at.kind === 'function' ? nameOf(at) : undefined;
    if (at.kind !== 'function' || name === undefined) continue;
    const isBegun = (callee: Expression): boolean =>
      callee.kind === 'name' ? callee.name === name : callee.kind === 'member' && callee.object.kind === 'this' && callee.property === name;
    const isAnew = (first !== undefined && first.kind !== 'spread' && isBegun(first)) || callsIn(at, node.start).some(isBegun);
    if (isAnew) return tries.test(module.text.slice(at.start, at.end)) ? undefined : at;
  }
  return undefined;
}

/** What waits because something went wrong tries again, and does not ask for news. */
function isAfterFailure(node: Node, { text }: SourceModule): boolean {
  if (
    guardsAround(node).some(({ start, end }) =>
      /\berr|429|limit|status(?:code)?\b\s*[!=<>]+\s*(?:\d|http)|\.ok\b/i.test(text.slice(start, end)),
    )
  )
    return true;
  for (let at: Node | undefined = node.parent; at !== undefined && at.kind !== 'function'; at = at.parent)
    if (at.kind === 'block' && at.role === 'catch') return true;
  return false;
}

/** What is called from a place of a function on. */
function callsIn(fn: FunctionNode, from: number): Expression[] {
  const found: Expression[] = [];
  walk(fn, (each) => {
    if (each.kind === 'call' && each.start >= from) found.push(each.callee);
    return each.end > from;
  });
  return found;
}

const nameOf = ({ name, parent }: FunctionNode): string | undefined =>
  name?.name ??
  (parent?.kind === 'property' || parent?.kind === 'classMember'
    ? parent.name
    : parent?.kind === 'variable' && parent.target.kind === 'patternName'
      ? parent.target.name
      : undefined);
