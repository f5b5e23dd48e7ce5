/** What a test has found the address of a recorded call to be: `calls.filter((call) => call.url.startsWith('…'))`, `if (call.url === '…') { … }`. */
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import { answersAround } from '../../../evaluate/language/guards.ts';
import type { SaidOfAddress } from '../../../evaluate/libraries/named-record.ts';
import { isAbsolute } from '../../../evaluate/values/text.ts';
import { plainText } from '../../../evaluate/values/values.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import type { CallNode, Expression, Node, SpreadNode } from '../../../syntax/tree.ts';
import { placesKeptAt } from './captured.ts';

type Place = At & { readonly ev: Evaluation };

/** By the function that it was picked by. */
export function saidBy(picked: CallNode | undefined, at: Place): SaidOfAddress[] {
  const [fn] = picked?.args ?? [];
  const [test, ...others] = fn?.kind === 'function' ? returnsOf(fn) : [];
  return test === undefined || others.length > 0 ? [] : saidIn(test, true, at, () => true);
}

/** By the conditions that a place is behind, as far as these are about the same call. */
export const saidAround = (place: Node, at: Place, isOfSame: (actual: Expression, test: Node) => boolean): SaidOfAddress[] =>
  answersAround(place).flatMap(({ test, holds }) => saidIn(test, holds, at, (actual) => isOfSame(actual, test)));

/** By the conditions behind which a fake keeps what it is asked: `if (url.host === '…') return answer; calls.push(url)`. */
export function saidWhereKept(node: Expression | SpreadNode | undefined, at: Place): SaidOfAddress[] {
  const [kept, ...others] = node === undefined || node.kind === 'spread' ? [] : placesKeptAt(node, at);
  if (kept === undefined || others.length > 0) return [];
  const fn = functionAround(kept.node);
  return saidAround(kept.node, { ...at, module: kept.module, frame: undefined }, (actual) => functionAround(actual) === fn);
}

/** What is certain where a test has an answer. */
function saidIn(test: Node, answer: boolean, at: Place, isMeant: (actual: Expression) => boolean): SaidOfAddress[] {
  if (test.kind === 'unary' && test.operator === '!') return saidIn(test.argument, !answer, at, isMeant);
  if (test.kind === 'logical')
    return (test.operator === '&&') === answer && test.operator !== '??'
      ? [test.left, test.right].flatMap((each) => saidIn(each, answer, at, isMeant))
      : [];
  const said = (actual: Expression, verb: SaidOfAddress['verb'], node: Node | undefined, holds: boolean): SaidOfAddress[] => {
    const text = node === undefined || node.kind === 'spread' ? undefined : plainText(at.ev.evaluate(node as Expression, at));
    if (text === undefined || !isMeant(actual)) return [];
    // `new URL(url).host === '…'`
    if (verb === 'is' && isOfHost(actual, at)) return [{ verb: 'includes', text: `//${text}`, holds }];
    const isSaid = isAbsolute(text) || verb === 'includes' || (text.includes('/') && verb === 'endsWith');
    return isSaid && isOfAddress(actual, at) ? [{ verb, text, holds }] : [];
  };
  if (test.kind === 'binary' && /^[!=]==?$/.test(test.operator))
    return said(test.left, 'is', test.right, test.operator.startsWith('=') === answer);
  if (test.kind !== 'call' || test.callee.kind !== 'member') return [];
  const { object, property } = test.callee;
  return property === 'startsWith' || property === 'endsWith' || property === 'includes'
    ? said(object, property, test.args[0], answer)
    : [];
}

const isOfHost = ({ start, end }: Expression, { module }: At): boolean => /(?:^|\.)host(?:name)?$/.test(module.text.slice(start, end));

/** `call.url`, `url`, `call.arguments[0]`, and no part of one. */
function isOfAddress(actual: Expression, { module }: At): boolean {
  const text = module.text.slice(actual.start, actual.end);
  return /(?:^|\.)(?:url|href|input|uri)$|\[0\]$/i.test(text);
}
