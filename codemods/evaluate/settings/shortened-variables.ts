/** The environment under shorter names, as clients that bundlers build have it: `VITE_APP_API_URL` as `API_URL`. */
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, FunctionNode, Node, Pattern, SpreadNode } from '../../syntax/tree.ts';
import { isEnvironment } from './environments.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { type ExternalValue, plainText, type Value } from '../values/values.ts';

/** `Object.entries(import.meta.env).reduce((all, [key, value]) => { all[key.replace('VITE_APP_', '')] = value; return all; }, {})` */
export function shortenedByReduce(ev: Evaluation, { callee, args: [fn, start] }: CallNode, at: At): ExternalValue | undefined {
  if (callee.kind !== 'member' || callee.property !== 'reduce' || fn?.kind !== 'function' || !isEmpty(start)) return undefined;
  const [all, item] = fn.params;
  const held = all?.target.kind === 'patternName' ? at.module.scopes.declaredBy(all.target)?.references : undefined;
  // Nothing else is done with what is filled.
  const [written, more] = held?.filter(({ parent }) => parent?.kind !== 'return') ?? [];
  const target = written?.parent;
  const write = target?.parent;
  if (item === undefined || more !== undefined || target?.kind !== 'member' || target.object !== written) return undefined;
  if (target.computed === undefined || write?.kind !== 'assign' || write.target !== target || write.operator !== '=') return undefined;
  return shortened(ev, callee.object, { fn, item: item.target, key: target.computed, value: write.value }, at);
}

/** `Object.fromEntries(Object.entries(process.env).map(([key, value]) => [key.replace('APP_', ''), value]))` */
export function shortenedByMap(ev: Evaluation, { args: [pairs] }: CallNode, at: At): ExternalValue | undefined {
  if (pairs?.kind !== 'call' || pairs.callee.kind !== 'member' || pairs.callee.property !== 'map') return undefined;
  const [fn] = pairs.args;
  const [item] = fn?.kind === 'function' ? fn.params : [];
  if (fn?.kind !== 'function' || item === undefined || fn.body?.kind !== 'array') return undefined;
  const [key, value, more] = fn.body.elements;
  if (key === undefined || value === undefined || more !== undefined || key.kind === 'spread' || value.kind === 'spread') return undefined;
  return shortened(ev, pairs.callee.object, { fn, item: item.target, key, value }, at);
}

interface Put {
  readonly fn: FunctionNode;
  readonly item: Pattern;
  readonly key: Expression;
  readonly value: Expression;
}

function shortened(ev: Evaluation, list: Expression, { fn, item, key, value }: Put, at: At): ExternalValue | undefined {
  const environment = listedIn(ev, list, at);
  const [named, valued] = pairIn(fn, item);
  if (environment === undefined || !isOf(value, valued, at)) return undefined;
  if (key.kind !== 'call' || key.callee.kind !== 'member' || !isOf(key.callee.object, named, at)) return undefined;
  const [prefix, instead] = ev.args(key, at);
  const isCut = key.callee.property === 'replace' && instead !== undefined && plainText(instead) === '';
  return isCut && prefix !== undefined && isName(prefix) ? { ...environment, given: [...(environment.given ?? []), prefix] } : undefined;
}

/** The environment of `Object.entries(process.env)`, be it without some of its variables. */
function listedIn(ev: Evaluation, list: Expression, at: At): ExternalValue | undefined {
  if (list.kind !== 'call' || list.callee.kind !== 'member') return undefined;
  if (list.callee.property === 'filter') return listedIn(ev, list.callee.object, at);
  const entries = ev.evaluate(list.callee, at);
  const [given] = ev.args(list, at);
  const isListed = entries.type === 'external' && entries.source === '' && entries.path.join('.') === 'Object.entries';
  return isListed && given?.type === 'external' && isEnvironment(ev, given) ? given : undefined;
}

/** The two names of a pair: `[key, value]`, or `pair` with `const [key, value] = pair`. */
function pairIn(fn: FunctionNode, item: Pattern): readonly (Node | undefined)[] {
  let pair = item;
  walk(fn, (each) => {
    if (each.kind === 'variable' && each.init?.kind === 'name' && item.kind === 'patternName' && each.init.name === item.name)
      pair = each.target;
  });
  return pair.kind === 'arrayPattern' ? pair.elements.map((each) => (each?.isRest === false ? each.target : undefined)) : [];
}

const isOf = (node: Node, declared: Node | undefined, { module: { scopes } }: At): boolean =>
  node.kind === 'name' && declared?.kind === 'patternName' && scopes.bindingOf(node) === scopes.declaredBy(declared);

const isEmpty = (start: Expression | SpreadNode | undefined): boolean => start?.kind === 'object' && start.properties.length === 0;

const isName = (prefix: Value): boolean => /^\w+$/.test(plainText(prefix) ?? '');
