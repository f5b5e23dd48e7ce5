/**
 * Expressions that begin with an expression: `a + b`, `a.b`, `a()`, `(a)`, `a as T` … They nest to the left without limit
 * (`'a' + b + …` of thousands of lines), so they are read from the innermost outwards, without recursion.
 */
import { callOrNew } from '../../syntax/construct.ts';
import { none } from '../../syntax/lists.ts';
import { taggedOf } from '../../syntax/tagged.ts';
import type { Expression, SpreadNode } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import { stringOf } from './names.ts';
import type { Element, Reader } from './reader.ts';
import { templateOf } from './templates.ts';

/** How a kind of expression is put on top of what it begins with. */
interface Link {
  /** @returns undefined where it does not begin with an expression after all */
  left(node: ts.Node): ts.Expression | undefined;
  make(node: ts.Node, left: Expression, reader: Reader): Expression;
}

const wrapper: Link = {
  left: (node: ts.ParenthesizedExpression) => node.expression,
  make: (_node, left) => left,
};

const member: Link = {
  left: (node: ts.PropertyAccessExpression) => node.expression,
  make: (node: ts.PropertyAccessExpression, object, reader) => ({
    kind: 'member',
    object,
    property: node.name.text,
    propertyStart: reader.start(node.name),
    propertyEnd: reader.end(node.name),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
};

const computedMember: Link = {
  left: (node: ts.ElementAccessExpression) => node.expression,
  make: (node: ts.ElementAccessExpression, object, reader) => {
    const computed = reader.expression(node.argumentExpression);
    const { start, end } = computed;
    return {
      kind: 'member',
      object,
      computed,
      propertyStart: start,
      propertyEnd: end,
      start: reader.start(node),
      end: reader.end(node),
      parent: undefined,
    };
  },
};

const call: Link = {
  left: (node: ts.CallExpression) => (node.expression.kind === compiler.SyntaxKind.ImportKeyword ? undefined : node.expression),
  make: (node: ts.CallExpression, callee, reader) =>
    callOrNew({
      kind: 'call',
      callee,
      args: given(node.arguments, reader),
      isNew: false,
      start: reader.start(node),
      end: reader.end(node),
      parent: undefined,
    }),
};

const tagged: Link = {
  left: (node: ts.TaggedTemplateExpression) => node.tag,
  make: (node: ts.TaggedTemplateExpression, tag, reader) => {
    const { template: inner } = node;
    const template = compiler.isNoSubstitutionTemplateLiteral(inner) ? stringOf(inner, reader) : templateOf(inner, reader);
    return taggedOf({ kind: 'tagged', tag, template, start: reader.start(node), end: reader.end(node), parent: undefined }, reader);
  },
};

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= compiler.SyntaxKind.FirstAssignment && operator <= compiler.SyntaxKind.LastAssignment;
}

const binary: Link = {
  left: (node: ts.BinaryExpression) => (isAssignment(node.operatorToken.kind) ? undefined : node.left),
  make: (node: ts.BinaryExpression, left, reader) => {
    const operator = compiler.tokenToString(node.operatorToken.kind) ?? '';
    const right = reader.expression(node.right);
    const end = reader.end(node);
    const start = reader.start(node);
    if (operator === '+') return { kind: 'concat', left, right, start, end, parent: undefined };
    if (operator === '||' || operator === '&&' || operator === '??')
      return { kind: 'logical', operator, left, right, start, end, parent: undefined };
    return { kind: 'binary', operator, left, right, start, end, parent: undefined };
  },
};

const links: Readonly<Partial<Record<ts.SyntaxKind, Link>>> = {
  [compiler.SyntaxKind.ParenthesizedExpression]: wrapper,
  [compiler.SyntaxKind.AsExpression]: wrapper,
  [compiler.SyntaxKind.SatisfiesExpression]: wrapper,
  [compiler.SyntaxKind.NonNullExpression]: wrapper,
  [compiler.SyntaxKind.TypeAssertionExpression]: wrapper,
  [compiler.SyntaxKind.ExpressionWithTypeArguments]: wrapper,
  [compiler.SyntaxKind.PropertyAccessExpression]: member,
  [compiler.SyntaxKind.ElementAccessExpression]: computedMember,
  [compiler.SyntaxKind.CallExpression]: call,
  [compiler.SyntaxKind.TaggedTemplateExpression]: tagged,
  [compiler.SyntaxKind.BinaryExpression]: binary,
};

/** @param leaf reads what begins with no expression */
export function chain(node: ts.Expression, reader: Reader, leaf: (node: ts.Expression, reader: Reader) => Expression): Expression {
  const outer: ts.Expression[] = [];
  let innermost = node;
  for (let left = links[node.kind]?.left(node); left; left = links[left.kind]?.left(left)) {
    outer.push(innermost);
    innermost = left;
  }
  let made = leaf(innermost, reader);
  for (let at = outer.pop(); at; at = outer.pop()) made = links[at.kind]?.make(at, made, reader) ?? made;
  return made;
}

/** The elements of an array. */
export const elements = (nodes: readonly ts.Expression[], reader: Reader): readonly Element[] =>
  nodes.map((node) => (compiler.isOmittedExpression(node) ? undefined : element(node, reader)));

/** The arguments of a call. */
export const given = (nodes: readonly ts.Expression[] | undefined, reader: Reader): readonly (Expression | SpreadNode)[] =>
  nodes === undefined || nodes.length === 0 ? none : nodes.map((node) => element(node, reader));

const element = (node: ts.Expression, reader: Reader): Expression | SpreadNode =>
  compiler.isSpreadElement(node) ? spread(node, reader) : reader.expression(node);

export function spread(node: ts.SpreadElement | ts.SpreadAssignment, reader: Reader): SpreadNode {
  return {
    kind: 'spread',
    argument: reader.expression(node.expression),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}
