/** What becomes of a header by a test of its name: it is masked, left out or taken away, or it alone is let through. */
import { callsOf, passedOn } from '../../../evaluate/calls/all-callers.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isLeaving } from '../../../evaluate/names/order.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, Node } from '../../../syntax/tree.ts';
import { isMask, isNothing } from './masks.ts';

/** An expression that tells whether something is the header, and which of its outcomes says that it is. */
export interface NameTest {
  readonly node: Node;
  readonly module: SourceModule;
  readonly isWhen: boolean;
}

/** Functions that tell it to others that tell it further than this are not looked at. */
const maxDepth = 3;

/** What one of the tests decides, where the header is what goes away by it. */
export function hiddenBy(ev: Evaluation, tests: readonly NameTest[], depth = 0): Node | undefined {
  for (const test of tests) {
    const around = hiddenAfter(ev, test, depth);
    if (around !== undefined) return around;
  }
  return undefined;
}

/** The same where all others go away. */
export const letThroughBy = (ev: Evaluation, tests: readonly NameTest[]): Node | undefined =>
  hiddenBy(
    ev,
    tests.map((test) => ({ ...test, isWhen: !test.isWhen })),
  );

function hiddenAfter(ev: Evaluation, { node, module, isWhen }: NameTest, depth: number): Node | undefined {
  const { parent } = node;
  if (node.kind === 'other' && node.what === 'CaseClause')
    return isWhen && isGoneIn(node.children.slice(1).length > 0 ? node.children.slice(1) : fallThrough(node)) ? parent : undefined;
  const { text } = module;
  switch (parent?.kind) {
    case 'unary':
      return parent.operator === '!' ? hiddenAfter(ev, { node: parent, module, isWhen: !isWhen }, depth) : undefined;
    case 'logical':
      if (parent.operator === '&&' && parent.left === node && isWhen && isGoneIn([parent.right])) return parent;
      return parent.operator === '??' ? undefined : hiddenAfter(ev, { node: parent, module, isWhen }, depth);
    case 'conditional': {
      if (parent.test !== node) return undefined;
      const [hidden, kept] = isWhen ? [parent.whenTrue, parent.whenFalse] : [parent.whenFalse, parent.whenTrue];
      const textOf = ({ start, end }: Node): string => text.slice(start, end);
      const isOfName = node.kind === 'binary' && [node.left, node.right].some((side) => textOf(side) === textOf(kept));
      return (isGone(hidden) || isFoldedAway(hidden)) && !isGone(kept) && !isOfName ? parent : undefined;
    }
    case 'other': {
      if (parent.what !== 'IfStatement' || parent.children[0] !== node) break;
      const [, then, otherwise] = parent.children;
      if (isWhen) return then !== undefined && isGoneIn(statementsOf(then)) ? parent : undefined;
      return otherwise === undefined && then !== undefined && isCopied(then) ? parent : undefined;
    }
    default:
  }
  const fn = answeredBy(node);
  if (fn === undefined) return undefined;
  return isFilter(fn, isWhen) ? node.parent : hiddenByAnswer(ev, fn, { node, module, isWhen }, depth);
}

/** `const isSecret = (name) => name === 'x-api-key'`: whoever asks it hides by it. */
function hiddenByAnswer(ev: Evaluation, fn: FunctionNode, { isWhen }: NameTest, depth: number): Node | undefined {
  if (depth === maxDepth) return undefined;
  const given = passedOn(ev, fn).find(({ node: { parent } }) => parent?.kind === 'call' && isFilterCall(parent, isWhen));
  return (
    given?.node.parent ??
    hiddenBy(
      ev,
      callsOf(ev, fn).map((call) => ({ ...call, isWhen })),
      depth + 1,
    )
  );
}

/** The function that answers with it. */
function answeredBy(test: Node): FunctionNode | undefined {
  const fn = functionAround(test);
  const isAnswer = fn !== undefined && (fn.body === test || (test.parent?.kind === 'return' && functionAround(test.parent) === fn));
  return isAnswer ? fn : undefined;
}

/** `case 'cookie': case 'x-api-key': return '***'` */
function fallThrough(clause: Node): readonly Node[] {
  const clauses = clause.parent?.kind === 'block' ? clause.parent.body : [];
  const next = clauses.slice(clauses.indexOf(clause) + 1).find((each) => each.kind === 'other' && each.children.length > 1);
  return next?.kind === 'other' && next.what === 'CaseClause' ? next.children.slice(1) : [];
}

const statementsOf = (node: Node): readonly Node[] => (node.kind === 'block' ? node.body : [node]);

/** Whether nothing is done but to hide. */
const isGoneIn = (nodes: readonly Node[]): boolean =>
  nodes.length > 0 &&
  nodes.every((node) => {
    if (node.kind === 'block') return isGoneIn(node.body);
    if (node.kind === 'return') return node.argument === undefined ? isItem(node) : isGone(node.argument);
    if (node.kind === 'other' && node.what === 'ExpressionStatement') return isGoneIn(node.children);
    if (node.kind === 'other')
      return /^(?:Continue|Break)Statement$/.test(node.what) && (node.what === 'ContinueStatement' || nodes.length > 1);
    if (node.kind === 'unary') return node.operator === 'delete' && node.argument.kind === 'member' && node.argument.computed !== undefined;
    if (node.kind === 'call') return node.args.some((arg) => removedBy(arg, node) !== undefined);
    return node.kind === 'assign' && isGone(node.value);
  });

export const isGone = (node: Node): boolean =>
  isMask(node) || isNothing(node) || (node.kind === 'string' && /^[\s.…*x•]*$|^[[<(].*[\])>]$/i.test(node.value)) || isOfPair(node);

/** `{ ...header, value: '***' }` */
const isOfPair = (node: Node): boolean =>
  node.kind === 'object' && node.properties.some((each) => each.kind === 'property' && each.name === 'value' && isGone(each.value));

/** `(all, name) => (name === 'x-api-key' ? all : { ...all, [name]: headers[name] })` */
function isFoldedAway(node: Expression): boolean {
  const fn = functionAround(node);
  const first = fn?.params[0]?.target;
  return isGivenTo(fn, /^reduce(?:Right)?$/) && node.kind === 'name' && first?.kind === 'patternName' && first.name === node.name;
}

/** Whether one of several is passed over. */
const isItem = (node: Node): boolean => isGivenTo(functionAround(node), /^(?:forEach|stringify|each)$/);

/** `copy[name] = headers[name]`, `lines.push(…)`: what is done with all others. */
function isCopied(then: Node): boolean {
  let found = false;
  walk(then, (each) => {
    found ||= each.kind === 'assign' && each.target.kind === 'member' && each.target.computed !== undefined;
    found ||= each.kind === 'call' && /^(?:set\w*|append|push|log|write|info|debug)$/.test(methodOf(each) ?? '');
    return !found;
  });
  return found && !isLeaving(then);
}

/** `filter(([name]) => name !== 'x-api-key')`, `omitBy(headers, (value, name) => name === 'x-api-key')` */
const isFilter = (fn: FunctionNode, isWhen: boolean): boolean =>
  fn.parent?.kind === 'call' && fn.parent.callee !== fn && isFilterCall(fn.parent, isWhen);

const isFilterCall = (call: CallNode, isWhen: boolean): boolean =>
  (isWhen ? /^(?:omitBy|reject|remove)$/ : /^(?:filter|pickBy)$/).test(methodOf(call) ?? '');

function functionAround(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at?.kind === 'function' ? at : undefined;
}

const isGivenTo = (fn: FunctionNode | undefined, name: RegExp): boolean =>
  fn?.parent?.kind === 'call' && fn.parent.callee !== fn && name.test(methodOf(fn.parent) ?? '');

/** `headers.delete(name)`, `headers.set(name, '***')`, `request.removeHeader(name)`, `Reflect.deleteProperty(headers, name)`, `unset(event, path)` */
export function removedBy(name: Node, call: CallNode): Node | undefined {
  const [first, second, third] = call.args;
  const method = methodOf(call);
  const isOf = call.callee.kind === 'member';
  const isRemoved =
    (/^(?:delete|removeHeader|remove)$/.test(method ?? '') && isOf && first === name && call.args.length === 1) ||
    (/^set(?:Header)?$/.test(method ?? '') && first === name && second !== undefined && isMask(second)) ||
    (/^(?:deleteProperty|unset)$/.test(method ?? '') && second === name) ||
    (method === 'set' && second === name && third !== undefined && isMask(third));
  return isRemoved ? statementsAround(call) : undefined;
}

function statementsAround(node: Node): Node | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && at.kind !== 'block' && at.kind !== 'function' && at.kind !== 'program') at = at.parent;
  return at;
}

export const methodOf = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;

/** `node.method(…)` */
export const methodCall = (node: Node): CallNode | undefined => {
  const { parent } = node;
  const call = parent?.kind === 'member' && parent.object === node ? parent.parent : undefined;
  return call?.kind === 'call' && call.callee === parent ? call : undefined;
};
