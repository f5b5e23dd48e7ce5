/**
 * Expressions that begin with an expression: `a + b`, `a.b`, `a()`, `a as T` … They nest to the left without limit, so they
 * are read from the innermost outwards, without recursion.
 */
import { callOrNew } from '../../syntax/construct.ts';
import { taggedOf } from '../../syntax/tagged.ts';
import type { ArrayNode, CallNode, Expression, SpreadNode } from '../../syntax/tree.ts';
import { keyText } from './names.ts';
import { endOf, has, holed, maybe, part, startOf, word, type AstNode } from './nodes.ts';
import type { Reader } from './reader.ts';
import { templateOf } from './templates.ts';

/** How a type of expression is put on top of what it begins with. */
interface Link {
  readonly left: string;
  make(node: AstNode, left: Expression, reader: Reader): Expression;
}

const wrapper: Link = { left: 'expression', make: (_node, left) => left };

const member: Link = {
  left: 'object',
  make(node, object, reader) {
    const key = part(node, 'property');
    const place = { start: startOf(node), end: endOf(node) };
    if (!has(node, 'computed')) {
      return { kind: 'member', object, property: keyText(key), propertyStart: startOf(key), propertyEnd: endOf(key), ...place };
    }
    const computed = reader.expression(key);
    return { kind: 'member', object, computed, propertyStart: computed.start, propertyEnd: computed.end, ...place };
  },
};

const call: Link = { left: 'callee', make: (node, callee, reader) => callOf(node, callee, reader) };

const tagged: Link = {
  left: 'tag',
  make: (node, tag, reader) =>
    taggedOf({ kind: 'tagged', tag, template: templateOf(part(node, 'quasi'), reader), start: startOf(node), end: endOf(node) }, reader),
};

const binary: Link = {
  left: 'left',
  make(node, left, reader) {
    const operator = word(node, 'operator');
    const right = reader.expression(part(node, 'right'));
    const place = { start: startOf(node), end: endOf(node) };
    if (operator === '+') return { kind: 'concat', left, right, ...place };
    if (operator === '||' || operator === '&&' || operator === '??') return { kind: 'logical', operator, left, right, ...place };
    return { kind: 'binary', operator, left, right, ...place };
  },
};

const links: ReadonlyMap<string, Link> = new Map([
  ['TSAsExpression', wrapper],
  ['TSSatisfiesExpression', wrapper],
  ['TSNonNullExpression', wrapper],
  ['TSTypeAssertion', wrapper],
  ['TSInstantiationExpression', wrapper],
  ['TypeCastExpression', wrapper],
  ['AsExpression', wrapper],
  ['AsConstExpression', wrapper],
  ['SatisfiesExpression', wrapper],
  ['ParenthesizedExpression', wrapper],
  ['ChainExpression', wrapper],
  ['MemberExpression', member],
  ['OptionalMemberExpression', member],
  ['CallExpression', call],
  ['OptionalCallExpression', call],
  ['TaggedTemplateExpression', tagged],
  ['BinaryExpression', binary],
  ['LogicalExpression', binary],
]);

/** @param leaf reads what begins with no expression */
export function chain(node: AstNode, reader: Reader, leaf: (node: AstNode, reader: Reader) => Expression): Expression {
  const outer: { at: AstNode; link: Link }[] = [];
  let innermost = node;
  for (let link = links.get(node.type); link; link = links.get(innermost.type)) {
    outer.push({ at: innermost, link });
    innermost = part(innermost, link.left);
  }
  let made = leaf(innermost, reader);
  for (let next = outer.pop(); next; next = outer.pop()) made = next.link.make(next.at, made, reader);
  return made;
}

export function callOf(node: AstNode, callee: Expression, reader: Reader): CallNode {
  return callOrNew({
    kind: 'call',
    callee,
    args: elements(node, 'arguments', reader).filter((arg) => arg !== undefined),
    isNew: node.type === 'NewExpression',
    start: startOf(node),
    end: endOf(node),
  });
}

/** Arguments, or the elements of an array. */
export function elements(node: AstNode, field: string, reader: Reader): ArrayNode['elements'] {
  return holed(node, field).map((item) => item && (spreadOf(item, reader) ?? reader.expression(item)));
}

/** @returns undefined where the node is no spread */
export function spreadOf(node: AstNode, reader: Reader): SpreadNode | undefined {
  const argument = /^(Experimental)?Spread/.test(node.type) ? maybe(node, 'argument') : undefined;
  return argument && { kind: 'spread', argument: reader.expression(argument), start: startOf(node), end: endOf(node) };
}
