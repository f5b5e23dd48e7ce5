/**
 * Code that hides the key by a test of the header's name, whatever it is called: `Object.entries(headers).filter(([name]) => name !== 'x-api-key')`, a loop over a list of
 * names, a replacer of JSON. What keeps that header alone, or asks for it, hides nothing.
 */
import { v2Auth } from '../../../src/contract/auth.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isLeaving } from '../../evaluate/order.ts';
import { walk } from '../../syntax/link.ts';
import { namesIn } from '../../syntax/scopes.ts';
import type { CallNode, Expression, FunctionNode, LiteralNode, NameNode, Node, StringNode } from '../../syntax/tree.ts';
import { perItem } from '../flow/each-item.ts';
import { isMask, isNothing } from './masks.ts';

/** An expression that tells whether something is the header, and which of its outcomes says that it is. */
interface NameTest {
  readonly node: Node;
  readonly isWhen: boolean;
}

/** @returns all that hides by the name which stands there; for a list that has v2's header, too, the list */
export function hiddenByName(node: Node, module: SourceModule): Node | undefined {
  if (node.kind === 'literal')
    return isOfQuery(node, module) ? undefined : (replacesBy(node, module) ?? hiddenBy(testsOf(node, module), module));
  if (node.kind === 'property') return ofNames(node.parent, module) ?? (isGone(node.value) ? loggedBy(node) : undefined);
  if (node.kind !== 'string') return undefined;
  const { parent } = node;
  if (parent?.kind === 'array') return ofNames(parent, module);
  if (parent?.kind === 'property') return parent.computed === node && isGone(parent.value) ? loggedBy(parent) : undefined;
  if (parent?.kind === 'call') return removedBy(node, parent) ?? (isRegExp(parent) ? replacesBy(parent, module) : undefined);
  return hiddenBy(directTests(node), module);
}

/** `url.searchParams.forEach((value, name) => …)` */
function isOfQuery(node: Node, module: SourceModule): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (at.kind === 'call' && /searchParams|query/i.test(textOf(at.callee, module))) return true;
  return false;
}

function directTests(node: StringNode): NameTest[] {
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator)) return [{ node: parent, isWhen: parent.operator.startsWith('=') }];
  return parent?.kind === 'other' && parent.what === 'CaseClause' && parent.children[0] === node ? [{ node: parent, isWhen: true }] : [];
}

/** `pattern.test(name)` */
const testsOf = (pattern: Node, module: SourceModule): NameTest[] =>
  usesOf(pattern, module).flatMap((use) => {
    const call = methodCall(use);
    return call !== undefined && methodOf(call) === 'test' ? [{ node: call, isWhen: true }] : [];
  });

const asking: ReadonlySet<string> = new Set(['includes', 'has', 'some', 'indexOf']);

/** A list, set or table of names, by what is done with it in its file. */
function ofNames(list: Node | undefined, module: SourceModule): Node | undefined {
  if (list === undefined || (list.kind === 'object' && !list.properties.every(isMark))) return undefined;
  const { parent } = list;
  const whole = parent?.kind === 'call' && parent.isNew && parent.callee.kind === 'name' && parent.callee.name === 'Set' ? parent : list;
  for (const use of usesOf(whole, module)) {
    const around = hiddenBy(testsBy(use), module) ?? hiddenInTurn(use, module);
    if (around !== undefined) return isKnown.test(textOf(list, module)) ? list : around;
  }
  return isExportedList(whole) && isOfSecrets.test(textOf(list, module)) ? list : undefined;
}

/** Nothing is let through, or asked for, together with these: who imports such a list hides by it. */
const isOfSecrets = /["'](?:(?:set-)?cookie|password|passwd|secret)["']/i;
const isExportedList = ({ parent }: Node): boolean => parent?.kind === 'variable' && parent.parent?.kind === 'exportDeclaration';

const isKnown = new RegExp(v2Auth.field, 'i');
const textOf = ({ start, end }: Node, { text }: SourceModule): string => text.slice(start, end);

/** `{ 'x-api-key': true }` */
const isMark = (node: Node): boolean =>
  node.kind === 'property' && node.value.kind === 'literal' && (node.value.value === true || node.value.value === 1);

function testsBy(use: Node): NameTest[] {
  const { parent } = use;
  if (parent?.kind === 'member' && parent.computed !== undefined && parent.object === use) return [{ node: parent, isWhen: true }];
  if (parent?.kind === 'binary' && parent.operator === 'in' && parent.right === use) return [{ node: parent, isWhen: true }];
  const call = methodCall(use);
  const method = call && methodOf(call);
  if (call === undefined || method === undefined || !asking.has(method)) return [];
  if (method !== 'indexOf') return [{ node: call, isWhen: true }];
  const compared = call.parent;
  return compared?.kind === 'binary' && /^(?:[!=]==?|[<>]=?)$/.test(compared.operator)
    ? [{ node: compared, isWhen: /^(?:!|>)/.test(compared.operator) }]
    : [];
}

/** `for (const name of names) delete headers[name]`, `names.forEach((name) => { headers[name] = '***' })` */
function hiddenInTurn(use: Node, module: SourceModule): Node | undefined {
  const { parent } = use;
  const call = methodCall(use);
  const [fn] = call !== undefined && perItem.has(methodOf(call) ?? '') ? call.args : [];
  const target =
    parent?.kind === 'variable' && parent.init === use && parent.each === 'value'
      ? parent.target
      : fn?.kind === 'function'
        ? fn.params[0]?.target
        : undefined;
  const names = target?.kind === 'patternName' ? (module.scopes.declaredBy(target)?.references ?? []) : [];
  return names.some(isHidden) ? (parent?.kind === 'variable' ? parent.parent : call) : undefined;
}

/** `delete headers[name]`, `headers[name] = '***'`, `headers.delete(name)` */
function isHidden(name: NameNode): boolean {
  const { parent } = name;
  if (parent?.kind === 'call') return removedBy(name, parent) !== undefined;
  if (parent?.kind !== 'member' || parent.computed !== name) return false;
  const use = parent.parent;
  if (use?.kind === 'unary') return use.operator === 'delete';
  return use?.kind === 'assign' && use.target === parent && isGone(use.value);
}

/** `headers.delete(name)`, `headers.set(name, '***')`, `Reflect.deleteProperty(headers, name)`, `unset(event, path)` */
function removedBy(name: Node, call: CallNode): Node | undefined {
  const [first, second, third] = call.args;
  const method = methodOf(call);
  const isOf = call.callee.kind === 'member';
  const isRemoved =
    (method === 'delete' && isOf && first === name && call.args.length === 1) ||
    (method === 'set' && first === name && second !== undefined && isMask(second)) ||
    (/^(?:deleteProperty|unset)$/.test(method ?? '') && second === name) ||
    (method === 'set' && second === name && third !== undefined && isMask(third));
  return isRemoved ? statementsAround(call) : undefined;
}

/** `text.replace(/x-api-key: \S+/, '')`: what is looked for goes on behind the name. */
function replacesBy(pattern: LiteralNode | CallNode, module: SourceModule): Node | undefined {
  const { text } = module;
  if (!/x-api-key.*(?:\\[Sws]|\.|\[)/i.test(text.slice(pattern.start, pattern.end))) return undefined;
  return usesOf(pattern, module)
    .map(({ parent }) => parent)
    .find((call) => call?.kind === 'call' && /^replace(?:All)?$/.test(methodOf(call) ?? '') && call.args[1]?.kind !== 'function');
}

const isRegExp = ({ callee }: CallNode): boolean => callee.kind === 'name' && callee.name === 'RegExp';

function hiddenBy(tests: readonly NameTest[], module: SourceModule): Node | undefined {
  for (const test of tests) {
    const around = hiddenAfter(test, module);
    if (around !== undefined) return around;
  }
  return undefined;
}

/** What a test decides, where the header is what goes away by it. */
function hiddenAfter({ node, isWhen }: NameTest, module: SourceModule): Node | undefined {
  const { parent } = node;
  if (node.kind === 'other')
    return isGoneIn(node.children.slice(1).length > 0 ? node.children.slice(1) : fallThrough(node)) ? parent : undefined;
  switch (parent?.kind) {
    case 'unary':
      return parent.operator === '!' ? hiddenAfter({ node: parent, isWhen: !isWhen }, module) : undefined;
    case 'logical':
      if (parent.operator === '&&' && parent.left === node && isWhen && isGoneIn([parent.right])) return parent;
      return parent.operator === '??' ? undefined : hiddenAfter({ node: parent, isWhen }, module);
    case 'conditional': {
      if (parent.test !== node) return undefined;
      const [hidden, kept] = isWhen ? [parent.whenTrue, parent.whenFalse] : [parent.whenFalse, parent.whenTrue];
      const isOfName = node.kind === 'binary' && [node.left, node.right].some((side) => textOf(side, module) === textOf(kept, module));
      return (isGone(hidden) || isFoldedAway(hidden)) && !isGone(kept) && !isOfName ? parent : undefined;
    }
    case 'other': {
      if (parent.what !== 'IfStatement' || parent.children[0] !== node) return undefined;
      const [, then, otherwise] = parent.children;
      if (isWhen) return then !== undefined && isGoneIn(statementsOf(then)) ? parent : undefined;
      return otherwise === undefined && then !== undefined && isCopied(then) ? parent : undefined;
    }
    default:
      return isFiltered(node, isWhen) ? node.parent : undefined;
  }
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

const isGone = (node: Node): boolean => isMask(node) || isNothing(node) || (node.kind === 'string' && /^[\s.…*x•]*$/i.test(node.value));

/** `(all, name) => (name === 'x-api-key' ? all : { ...all, [name]: headers[name] })` */
function isFoldedAway(node: Expression): boolean {
  const fn = functionAround(node);
  const first = fn?.params[0]?.target;
  return isCalledBy(fn, /^reduce(?:Right)?$/) && node.kind === 'name' && first?.kind === 'patternName' && first.name === node.name;
}

/** Whether one of several is passed over. */
const isItem = (node: Node): boolean => isCalledBy(functionAround(node), /^(?:forEach|stringify|each)$/);

/** `copy[name] = headers[name]`, `lines.push(…)`: what is done with all others. */
function isCopied(then: Node): boolean {
  let found = false;
  walk(then, (each) => {
    found ||= each.kind === 'assign' && each.target.kind === 'member' && each.target.computed !== undefined;
    found ||= each.kind === 'call' && /^(?:set|append|push|log|write|info|debug)$/.test(methodOf(each) ?? '');
    return !found;
  });
  return found && !isLeaving(then);
}

/** `filter(([name]) => name !== 'x-api-key')`, `omitBy(headers, (value, name) => name === 'x-api-key')` */
function isFiltered(test: Node, isWhen: boolean): boolean {
  const fn = functionAround(test);
  const isAnswer = fn !== undefined && (fn.body === test || (test.parent?.kind === 'return' && functionAround(test.parent) === fn));
  return isAnswer && isCalledBy(fn, isWhen ? /^(?:omitBy|reject|remove)$/ : /^(?:filter|pickBy)$/);
}

function functionAround(node: Node): FunctionNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'function') at = at.parent;
  return at?.kind === 'function' ? at : undefined;
}

const isCalledBy = (fn: FunctionNode | undefined, name: RegExp): boolean =>
  fn?.parent?.kind === 'call' && fn.parent.callee !== fn && name.test(methodOf(fn.parent) ?? '');

const methodOf = ({ callee }: CallNode): string | undefined =>
  callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : undefined;

/** `node.method(…)` */
const methodCall = (node: Node): CallNode | undefined => {
  const { parent } = node;
  const call = parent?.kind === 'member' && parent.object === node ? parent.parent : undefined;
  return call?.kind === 'call' && call.callee === parent ? call : undefined;
};

/** Where it is used: where it stands, and by the name that it has in its file. */
function usesOf(node: Node, { scopes }: SourceModule): readonly Node[] {
  const { parent } = node;
  if (parent?.kind !== 'variable' || parent.init !== node || parent.each !== undefined) return [node];
  return namesIn(parent.target).flatMap((name) => scopes.declaredBy(name)?.references ?? []);
}

/** `console.log({ ...headers, 'x-api-key': '' })` */
function loggedBy(node: Node): Node | undefined {
  for (let at = node.parent; at !== undefined && at.kind !== 'function'; at = at.parent)
    if (
      at.kind === 'call' &&
      at.callee.kind === 'member' &&
      at.callee.object.kind === 'name' &&
      /^(?:console|log|logger)$/.test(at.callee.object.name)
    )
      return at;
  return undefined;
}

function statementsAround(node: Node): Node | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && at.kind !== 'block' && at.kind !== 'function' && at.kind !== 'program') at = at.parent;
  return at;
}
