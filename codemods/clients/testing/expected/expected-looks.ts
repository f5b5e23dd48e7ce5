/** What code asks of an address or a header: `calls.some(({ url }) => url.endsWith('…'))` within an expectation. */
import type { SourceModule } from '../../../evaluate/module.ts';
import { answersAround } from '../../../evaluate/language/guards.ts';
import { returnsOf } from '../../../evaluate/calls/returns.ts';
import type { CallNode, Expression, Node, SpreadNode } from '../../../syntax/tree.ts';
import { choosing } from '../../../syntax/item-methods.ts';

export interface Look {
  readonly actual: Expression;
  readonly expected: Expression;
  readonly expects: 'call' | 'part';
  /** Whether it is asked of anything else as well: `cache.has(url)`. */
  readonly isOfRecord?: true;
}

const parts = new Set(['startsWith', 'endsWith', 'includes', 'match', 'search']);
const equality = new Set(['===', '!==', '==', '!=']);

/** @returns all that are asked, as far as they stand there */
export function looksIn(node: Node | SpreadNode | undefined): Look[] {
  switch (node?.kind) {
    case 'unary':
    case 'await':
      return looksIn(node.argument);
    case 'member':
      return looksIn(node.object);
    case 'logical':
      return [node.left, node.right].flatMap(looksIn);
    case 'binary':
      return equality.has(node.operator) ? [{ actual: node.left, expected: node.right, expects: 'call' }] : [];
    case 'call': {
      const { callee, args } = node;
      const [first] = args;
      if (callee.kind !== 'member' || first === undefined || first.kind === 'spread') return [];
      const verb = callee.property ?? '';
      if (verb === 'test' && callee.object.kind === 'literal') return [{ actual: first, expected: callee.object, expects: 'part' }];
      // `urls.has('…')` of a set
      if (verb === 'has') return [{ actual: callee.object, expected: first, expects: 'call', isOfRecord: true }];
      if (parts.has(verb)) return [{ actual: callee.object, expected: first, expects: 'part' }];
      return choosing.has(verb) && first.kind === 'function' ? returnsOf(first).flatMap(looksIn) : [];
    }
    default:
      return [];
  }
}

/** What is found to be so at a place. */
export const looksAround = (node: Node): Look[] => answersAround(node).flatMap(({ test, holds }) => holding(test, holds));

/** What is so where a test has an answer. */
function holding(test: Node, answer: boolean): Look[] {
  if (test.kind === 'unary' && test.operator === '!') return holding(test.argument, !answer);
  if (test.kind === 'logical')
    return answer || test.operator === '||' ? [test.left, test.right].flatMap((each) => holding(each, answer)) : [];
  if (test.kind === 'binary') return test.operator.startsWith('!') === answer ? [] : looksIn(test);
  return answer ? looksIn(test) : [];
}

const denied = /\b(?:not|false|isFalse|isNot\w*|to(?:Be|be)(?:Falsy|False|Null|Undefined)|notEqual|notOk|undefined|null)\b/;

/** Whether what `expect` or `assert` is given is expected not to be so. */
export function isDenied(call: CallNode, module: SourceModule): boolean {
  const { before, behind } = wordsAround(call, module);
  const [, other] = call.args;
  return denied.test(`${before} ${behind}`) || (other?.kind === 'literal' && other.value === false);
}

const asserted = /(?:^|\.)(?:assert(?:Exists)?|ok|isOk|exists|isDefined|isString|isNotNull)$/;
const expectedThere =
  /^(?:\.toBe(?:Truthy|Defined|String)\b|\.toBeTypeOf\(['"]string|\.not\.toBe(?:Null|Undefined|Falsy)\b|\.to\.(?:be\.)?(?:ok|exist|a\(['"]string)|\.to\.(?:not\.be|be\.not|not)\.(?:null|undefined|empty)\b)/;

/** Whether what it is given is expected to be there, whatever it is. */
export function isExpectedThere(call: CallNode, module: SourceModule): boolean {
  const { before, behind } = wordsAround(call, module);
  if (behind === '') return asserted.test(before);
  const asked = behind.replaceAll(/\s/g, '');
  const [found] = expectedThere.exec(asked) ?? [];
  // `.to.be.a('string').and.equal(key)` says what it is.
  return found !== undefined && /^(?:['"]?\)|\(\)|\(['"][^'"]*['"]\))?$/.test(asked.slice(found.length));
}

/** `.that.equals(key)`, `.and.is.a('string')` behind what names a property: what it is expected to be, where anything is; `open` where that is said otherwise. */
export function equalFurtherOn(call: CallNode): Expression | 'open' | undefined {
  for (let at: Node | undefined = call.parent, of: Node = call; at !== undefined; at = at.parent) {
    if (at.kind === 'member' && at.object === of) of = at;
    else if (at.kind === 'call' && at.callee === of && of.kind === 'member') {
      const [value] = at.args;
      if (!/^an?$/.test(of.property ?? ''))
        return equal.test(of.property ?? '') && value !== undefined && value.kind !== 'spread' ? value : 'open';
      of = at;
    } else return undefined;
  }
  return undefined;
}

const equal = /^(?:eq|eqls?|equals?)$/;

/** What is called, and what is asked of what it gives: `expect` and `.not.toBeNull()`. */
function wordsAround(call: CallNode, { text }: SourceModule): { readonly before: string; readonly behind: string } {
  let end: Node = call;
  while ((end.parent?.kind === 'member' && end.parent.object === end) || (end.parent?.kind === 'call' && end.parent.callee === end))
    end = end.parent;
  return { before: text.slice(call.callee.start, call.callee.end), behind: text.slice(call.end, end.end) };
}
