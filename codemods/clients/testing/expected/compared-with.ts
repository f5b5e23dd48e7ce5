/** What stands on the other side of a comparison, for a value that is part of what is compared. */
import type { BinaryNode, CallNode, Expression, MemberNode, Node } from '../../../syntax/tree.ts';
import { matcherIn } from './expected-headers.ts';
import { isAt, isItem, item } from './list-items.ts';

/** What a value should be; `open` where nobody can tell from what stands there. */
export type Expected = Expression | 'open';

export const equality: ReadonlySet<string> = new Set(['===', '!==', '==', '!=']);
/** Functions that say whether two values are equal: of expectations with `expect`, and of `assert`. */
const equals =
  /^(?:to(?:Be|Equal|StrictEqual|MatchObject)|(?:not)?(?:deep)?(?:strict)?(?:equals?|eqls?)|eq|deepStrictEqual|notDeepStrictEqual|is|members)$/i;
/** … and whether one of several is. */
const holds = /^(?:toContain(?:Equal)?|includes?|contains?)$/;
const properties = /^(?:toHaveProperty|property|(?:deep)?nestedProperty|propertyVal)$/;
/** What comes out the same whatever a text is, as long as there is one. */
const indifferent =
  /^(?:to(?:Be(?:Defined|Undefined|Null|Truthy|Falsy|OneOf|TypeOf|InstanceOf|A|An)|HaveLength|HaveBeenCalled\w*)|ok|exist|exists|lengthOf|length|a|an|isDefined|isString|isUndefined|isNull|notEqual)$/;
const argument = /^\((\d+)\)$/;
/** Expectations of a call of a mock. */
const called = /^(?:to(?:HaveBeen|Be)\w*|(?:last|nth)?CalledWith|(?:alwaysC|c)alled\w*)$/;

export const isNothing = (node: Node): boolean =>
  (node.kind === 'literal' && (typeof node.value !== 'object' || node.value === null)) ||
  (node.kind === 'name' && node.name === 'undefined');

/** Nothing that a key could be taken for, as before a request. */
export const isEmpty = (node: Node): boolean => isNothing(node) || (node.kind === 'string' && node.value === '');

/** `key.length > 0`: whether there is one. */
export const asksLength = ({ property, parent }: MemberNode): boolean =>
  property === 'length' &&
  parent?.kind === 'binary' &&
  parent.operator === '>' &&
  parent.right.kind === 'literal' &&
  parent.right.value === 0;

/**
 * `expect(read).toBe(other)`, `assert.equal(read, other)`, `expect(calls).toEqual([{ key: other }])`.
 * @param path the names that lead to the value in what is compared
 * @param isInText whether more stands around the value there
 * @returns undefined where the call is none that compares
 */
export function expectedBy(call: CallNode, read: Node, path: readonly string[], isInText = false): readonly Expected[] | undefined {
  const { callee, args } = call;
  const root = rootOf(callee);
  const asked = (verb: string, others: CallNode['args']): readonly Expected[] =>
    isInText && path.length === 0 && holds.test(verb) ? ['open'] : asExpected(verb, others, path);
  const verb = callee.kind === 'member' ? (callee.property ?? '') : verbIn(root);
  if (
    root === 'assert' ||
    (verb !== '' && callee.kind === 'name') ||
    (verb !== '' && args[1] !== undefined && root !== 'expect' && equals.test(verb))
  )
    return verb === '' || indifferent.test(verb) ? [] : asked(verb, args.filter((arg) => arg !== read).slice(0, 1));
  if (args[0] !== read || !(root === 'expect' || root === 'chai')) return undefined;
  let at: Node = call;
  while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
  const matcher = at.parent;
  // `expect(read).to.be.null`
  if (at.kind !== 'member' || matcher?.kind !== 'call' || matcher.callee !== at) return [];
  return asked(at.property ?? '', matcher.args);
}

/** Of functions that say all in their names, as Deno's do: `assertEquals`, `assertStringIncludes`. */
function verbIn(name: string): string {
  const [, first = '', rest = ''] = /^assert(?:String|Array)?([A-Z])(\w*)$/.exec(name) ?? [];
  return first.toLowerCase() + rest;
}

function rootOf(callee: Node): string {
  let at = callee;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'name' ? at.name : '';
}

/** `console.log(seen)`, `logger.debug(seen)`. */
export const isShowing = (callee: Node): boolean => /^(?:console|log|logger|debug)$/.test(rootOf(callee));

function asExpected(verb: string, args: CallNode['args'], path: readonly string[]): readonly Expected[] {
  const [first, second] = args;
  const [name, ...rest] = path;
  const index = argument.exec(name ?? '')?.[1];
  if (index !== undefined) return called.test(verb) ? asGiven(verb, args, Number(index), rest) : ['open'];
  if (indifferent.test(verb)) return [];
  if (first === undefined || first.kind === 'spread') return ['open'];
  if (/members$/i.test(verb) && name !== item) return ['open'];
  if (equals.test(verb)) return comparedIn(first, path);
  // A part of a text is a part of it behind the scheme, too.
  if (holds.test(verb))
    return name === undefined ? (first.kind === 'literal' ? ['open'] : []) : comparedIn(first, name === item ? rest : path);
  if (!properties.test(verb) || first.kind !== 'string' || name === undefined) return ['open'];
  if (first.value !== name || second === undefined) return [];
  return second.kind === 'spread' ? ['open'] : comparedIn(second, rest);
}

/** `toHaveBeenCalledWith(…)`, and `toHaveBeenNthCalledWith(1, …)`. */
function asGiven(verb: string, args: CallNode['args'], index: number, path: readonly string[]): readonly Expected[] {
  if (!verb.endsWith('With')) return [];
  const given = args[/nth/i.test(verb) ? index + 1 : index];
  if (args.some(({ kind }) => kind === 'spread')) return ['open'];
  return given === undefined || given.kind === 'spread' ? [] : comparedIn(given, path);
}

/** What a value is there that is part of an expression, as far as it stands there. */
export function comparedIn(node: Node, path: readonly string[]): readonly Expected[] {
  const [name, ...rest] = path;
  const matcher = node.kind === 'call' && node.callee.kind === 'member' ? node.callee.property : undefined;
  if (matcher !== undefined && /^any(?:thing)?$/.test(matcher)) return [];
  if (name === undefined) return comparedText(node);
  if (isNothing(node)) return [];
  if (node.kind === 'array' && isItem(name))
    return node.elements.flatMap((each, index) =>
      each?.kind === 'spread' ? ['open'] : each === undefined || !isAt(name, index) ? [] : comparedIn(each, rest),
    );
  if (node.kind === 'object')
    return node.properties.flatMap((each) => {
      if (each.kind !== 'property' || each.name === undefined) return ['open'];
      return each.name === name ? comparedIn(each.value, rest) : [];
    });
  const [inner] = node.kind === 'call' && /^(?:object|array)Containing$/.test(matcher ?? '') ? node.args : [];
  // What a list contains may stand anywhere in it.
  const isAnywhere = matcher === 'arrayContaining' && name !== item;
  return inner === undefined || inner.kind === 'spread' || isAnywhere ? ['open'] : comparedIn(inner, path);
}

function comparedText(node: Node): readonly Expected[] {
  const matcher = node.kind === 'call' ? matcherIn(node) : undefined;
  if (matcher !== undefined) return matcher === 'stringMatching' ? ['open'] : [];
  if (node.kind === 'array' || node.kind === 'object' || node.kind === 'spread' || node.kind === 'function') return ['open'];
  // What is compared, or assigned, is an expression.
  return isNothing(node) ? [] : [node as Expression];
}

/** The other operand of a comparison, unless it is compared with nothing at all. */
export function otherSide({ left, right }: BinaryNode, node: Node): Expression | undefined {
  const other = left === node ? right : left;
  return isNothing(other) ? undefined : other;
}
