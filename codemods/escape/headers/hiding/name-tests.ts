/**
 * Code that hides the key by a test of the header's name, whatever it is called: `Object.entries(headers).filter(([name]) => name !== 'x-api-key')`, a loop over a list of
 * names, a replacer of JSON. What keeps that header alone, or asks for it, hides nothing.
 */
import { v2Auth } from '../../../../src/contract/auth.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { optionsOf } from '../../../evaluate/values/values.ts';
import type { CallNode, LiteralNode, NameNode, Node, StringNode } from '../../../syntax/tree.ts';
import { givingEach } from '../../flow/functions/each-item.ts';
import { usesOfList } from '../lists/list-uses.ts';
import { within } from './masks.ts';
import { hiddenBy, isGone, methodCall, methodOf, type NameTest, removedBy } from './test-outcomes.ts';

/** @returns all that hides by the name which stands there; for a list that has v2's header, too, the list */
export function hiddenByName(ev: Evaluation, node: Node, module: SourceModule): Node | undefined {
  if (node.kind === 'literal')
    return isOfQuery(node, module) ? undefined : (replacesBy(ev, node, module) ?? hiddenBy(ev, testsOf(ev, node, module)));
  if (node.kind === 'property') return ofNames(ev, node.parent, module) ?? (isGone(node.value) ? loggedBy(node) : undefined);
  if (node.kind !== 'string') return undefined;
  const { parent } = node;
  if (parent?.kind === 'array') return ofNames(ev, parent, module);
  if (parent?.kind === 'property') return parent.computed === node && isGone(parent.value) ? loggedBy(parent) : undefined;
  if (parent?.kind === 'call') return removedBy(node, parent) ?? (isRegExp(parent) ? replacesBy(ev, parent, module) : undefined);
  return hiddenBy(ev, directTests(node, module));
}

/** `url.searchParams.forEach((value, name) => …)` */
function isOfQuery(node: Node, module: SourceModule): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (at.kind === 'call' && /searchParams|query/i.test(textOf(at.callee, module))) return true;
  return false;
}

function directTests(node: StringNode, module: SourceModule): NameTest[] {
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator))
    return [{ node: parent, module, isWhen: parent.operator.startsWith('=') }];
  return parent?.kind === 'other' && parent.what === 'CaseClause' && parent.children[0] === node
    ? [{ node: parent, module, isWhen: true }]
    : [];
}

/** `pattern.test(name)` */
const testsOf = (ev: Evaluation, pattern: Node, module: SourceModule): NameTest[] =>
  usesOfList(ev, { node: pattern, module }).flatMap((use) => {
    const call = methodCall(use.node);
    return call !== undefined && methodOf(call) === 'test' ? [{ node: call, module: use.module, isWhen: true }] : [];
  });

const asking: ReadonlySet<string> = new Set(['includes', 'has', 'some', 'indexOf']);

/** A list, set or table of names, by what is done with it wherever it goes. */
function ofNames(ev: Evaluation, list: Node | undefined, module: SourceModule): Node | undefined {
  if (list === undefined || (list.kind === 'object' && !list.properties.every(isMark))) return undefined;
  for (const use of usesOfList(ev, { node: list, module })) {
    const around = hiddenBy(ev, testsBy(use)) ?? hiddenInTurn(use);
    if (around !== undefined) return isKnown.test(textOf(list, module)) ? list : around;
  }
  return isExportedList(wholeOf(list)) && isOfSecrets.test(textOf(list, module)) ? list : undefined;
}

/** Nothing is let through, or asked for, together with these: who imports such a list hides by it. */
const isOfSecrets = /["'](?:(?:set-)?cookie|password|passwd|secret)["']/i;
const isExportedList = ({ parent }: Node): boolean => parent?.kind === 'variable' && parent.parent?.kind === 'exportDeclaration';

/** With the set that is made of it. */
const wholeOf = (list: Node): Node => {
  const { parent } = list;
  return parent?.kind === 'call' && parent.isNew && parent.callee.kind === 'name' && parent.callee.name === 'Set' ? parent : list;
};

const isKnown = new RegExp(v2Auth.field, 'i');
const textOf = ({ start, end }: Node, { text }: SourceModule): string => text.slice(start, end);

/** `{ 'x-api-key': true }` */
const isMark = (node: Node): boolean =>
  node.kind === 'property' && node.value.kind === 'literal' && (node.value.value === true || node.value.value === 1);

/** @param use a list, set or table, or what stands for one */
export function testsBy({ node: use, module }: Place): NameTest[] {
  const { parent } = use;
  if (parent?.kind === 'member' && parent.computed !== undefined && parent.object === use) return [{ node: parent, module, isWhen: true }];
  if (parent?.kind === 'binary' && parent.operator === 'in' && parent.right === use) return [{ node: parent, module, isWhen: true }];
  const call = methodCall(use);
  const method = call && methodOf(call);
  if (call === undefined || method === undefined || !asking.has(method)) return [];
  if (method !== 'indexOf') return [{ node: call, module, isWhen: true }];
  const compared = call.parent;
  return compared?.kind === 'binary' && /^(?:[!=]==?|[<>]=?)$/.test(compared.operator)
    ? [{ node: compared, module, isWhen: /^(?:!|>)/.test(compared.operator) }]
    : [];
}

/** `for (const name of names) delete headers[name]`, `names.forEach((name) => { headers[name] = '***' })` */
function hiddenInTurn({ node, module }: Place): Node | undefined {
  const call = methodCall(node);
  return namesInTurn(node, module).some(isHidden) ? (node.parent?.kind === 'variable' ? node.parent.parent : call) : undefined;
}

/** `for (const name of names) if (from[name]) to[name] = from[name]`, `names.map((name) => [name, headers.get(name)])`: these alone are taken over. */
export const copiedInTurn = ({ node, module }: Place): boolean =>
  namesInTurn(node, module).some((name) => {
    const { parent } = name;
    if (parent?.kind === 'member') {
      const use = parent.computed === name ? parent.parent : undefined;
      return use?.kind === 'assign' && use.target === parent && !isGone(use.value);
    }
    if (parent?.kind === 'property') return parent.computed === name;
    if (parent?.kind === 'array') return parent.elements[0] === name && parent.elements.length === 2;
    return parent?.kind === 'call' && /^(?:set\w*|append)$/.test(methodOf(parent) ?? '') && parent.args[0] === name;
  });

/** `pick(headers, names)`, `pick(headers, ...names)`, whatever name a file has for it. */
export function isPicked(ev: Evaluation, { node, module }: Place): boolean {
  const call = node.parent?.kind === 'spread' ? node.parent.parent : node.parent;
  if (call?.kind !== 'call' || call.args[0] === node) return false;
  const callees = optionsOf(ev.evaluate(call.callee, { module, frame: undefined }));
  const names = callees.flatMap((each) =>
    each.type === 'external' ? [[each.source, ...each.path].join('.').replace(/\.default$/, '')] : [],
  );
  return [methodOf(call) ?? '', ...names].some((name) => /\bpick$/.test(name));
}

/** The names that stand for each of a list in turn. */
function namesInTurn(use: Node, module: SourceModule): readonly NameNode[] {
  const { parent } = use;
  const call = methodCall(use);
  const method = (call && methodOf(call)) ?? '';
  const [fn] = call !== undefined && (givingEach.has(method) || method === 'reduce') ? call.args : [];
  const isLoop = parent?.kind === 'variable' && parent.init === use && parent.each === 'value';
  const target = isLoop ? parent.target : fn?.kind === 'function' ? fn.params[method === 'reduce' ? 1 : 0]?.target : undefined;
  return target?.kind === 'patternName' ? (module.scopes.declaredBy(target)?.references ?? []) : [];
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

/** `text.replace(/x-api-key: \S+/, '')`: what is looked for goes on behind the name. */
function replacesBy(ev: Evaluation, pattern: LiteralNode | CallNode, module: SourceModule): Node | undefined {
  const { text } = module;
  if (!/x-api-key.*(?:\\[Sws]|\.|\[)/i.test(text.slice(pattern.start, pattern.end))) return undefined;
  return usesOfList(ev, { node: pattern, module })
    .map(({ node: { parent } }) => parent)
    .find((call) => call?.kind === 'call' && /^replace(?:All)?$/.test(methodOf(call) ?? '') && isMasking(call.args[1], module));
}

/** A function may make anything of what it finds. */
const isMasking = (given: Node | undefined, module: SourceModule): boolean =>
  given?.kind !== 'function' || within.test(textOf(given, module));

const isRegExp = ({ callee }: CallNode): boolean => callee.kind === 'name' && callee.name === 'RegExp';

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
