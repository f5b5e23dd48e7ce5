import { callOrNew } from '../../syntax/construct.ts';
import { conditional } from '../../syntax/defaults.ts';
import type { AssignNode, Expression, LiteralNode, ObjectNode, OtherNode, PropertyNode, SpreadNode, UnaryNode } from '../../syntax/tree.ts';
import { chain, elements, given, spread } from './left-recursive.ts';
import { compiler, type ts } from './compiler.ts';
import { classOf, functionOf } from './functions.ts';
import { jsxElement, jsxFragment, jsxSelfClosing } from './jsx.ts';
import { keyOf, stringOf } from './names.ts';
import { assigned } from './patterns.ts';
import type { Reader } from './reader.ts';
import { templateOf } from './templates.ts';

export function expression(node: ts.Expression, reader: Reader): Expression {
  return chain(node, reader, leaf);
}

/** A method, so that each entry of the table may name the kind of node it is for. */
interface Read {
  read(node: ts.Node, reader: Reader): Expression;
}

const unary = (operator: string, node: ts.Node, argument: ts.Expression, reader: Reader): UnaryNode => ({
  kind: 'unary',
  operator,
  argument: reader.expression(argument),
  start: reader.start(node),
  end: reader.end(node),
  parent: undefined,
});

const literal = (value: LiteralNode['value'], node: ts.Node, reader: Reader): LiteralNode => ({
  kind: 'literal',
  value,
  start: reader.start(node),
  end: reader.end(node),
  parent: undefined,
});

const other = (what: string, children: readonly Expression[], node: ts.Node, reader: Reader): OtherNode => ({
  kind: 'other',
  what,
  children,
  start: reader.start(node),
  end: reader.end(node),
  parent: undefined,
});

const name = (text: string, node: ts.Node, reader: Reader): Expression => ({
  kind: 'name',
  name: text,
  start: reader.start(node),
  end: reader.end(node),
  parent: undefined,
});

const kinds: Readonly<Partial<Record<ts.SyntaxKind, Read['read']>>> = {
  [compiler.SyntaxKind.Identifier]: (node: ts.Identifier, reader) => name(node.text, node, reader),
  [compiler.SyntaxKind.StringLiteral]: stringOf,
  [compiler.SyntaxKind.NoSubstitutionTemplateLiteral]: stringOf,
  [compiler.SyntaxKind.TemplateExpression]: templateOf,
  [compiler.SyntaxKind.NumericLiteral]: (node: ts.NumericLiteral, reader) => literal(Number(node.text), node, reader),
  [compiler.SyntaxKind.BigIntLiteral]: (node: ts.BigIntLiteral, reader) => literal(Number(node.text.slice(0, -1)), node, reader),
  [compiler.SyntaxKind.TrueKeyword]: (node, reader) => literal(true, node, reader),
  [compiler.SyntaxKind.FalseKeyword]: (node, reader) => literal(false, node, reader),
  [compiler.SyntaxKind.NullKeyword]: (node, reader) => literal(null, node, reader),
  [compiler.SyntaxKind.RegularExpressionLiteral]: regex,
  [compiler.SyntaxKind.ThisKeyword]: (node, reader) => ({
    kind: 'this',
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
  [compiler.SyntaxKind.SuperKeyword]: (node, reader) => ({
    kind: 'super',
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
  [compiler.SyntaxKind.ObjectLiteralExpression]: objectOf,
  [compiler.SyntaxKind.ArrayLiteralExpression]: (node: ts.ArrayLiteralExpression, reader) => ({
    kind: 'array',
    elements: elements(node.elements, reader),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
  [compiler.SyntaxKind.ArrowFunction]: functionOf,
  [compiler.SyntaxKind.FunctionExpression]: functionOf,
  [compiler.SyntaxKind.ClassExpression]: classOf,
  [compiler.SyntaxKind.NewExpression]: (node: ts.NewExpression, reader) =>
    callOrNew({
      kind: 'call',
      callee: reader.expression(node.expression),
      args: given(node.arguments, reader),
      isNew: true,
      start: reader.start(node),
      end: reader.end(node),
      parent: undefined,
    }),
  // Only calls of `import` come here: all others begin with an expression.
  [compiler.SyntaxKind.CallExpression]: (node: ts.CallExpression, reader) => ({
    kind: 'call',
    callee: other('import', [], node.expression, reader),
    args: given(node.arguments, reader),
    isNew: false,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
  [compiler.SyntaxKind.BinaryExpression]: assignment,
  [compiler.SyntaxKind.ConditionalExpression]: (node: ts.ConditionalExpression, reader) =>
    conditional({
      test: reader.expression(node.condition),
      whenTrue: reader.expression(node.whenTrue),
      whenFalse: reader.expression(node.whenFalse),
      start: reader.start(node),
      end: reader.end(node),
      parent: undefined,
    }),
  [compiler.SyntaxKind.PrefixUnaryExpression]: (node: ts.PrefixUnaryExpression, reader) =>
    unary(compiler.tokenToString(node.operator) ?? '', node, node.operand, reader),
  [compiler.SyntaxKind.PostfixUnaryExpression]: (node: ts.PostfixUnaryExpression, reader) =>
    unary(compiler.tokenToString(node.operator) ?? '', node, node.operand, reader),
  [compiler.SyntaxKind.TypeOfExpression]: (node: ts.TypeOfExpression, reader) => unary('typeof', node, node.expression, reader),
  [compiler.SyntaxKind.DeleteExpression]: (node: ts.DeleteExpression, reader) => unary('delete', node, node.expression, reader),
  [compiler.SyntaxKind.VoidExpression]: (node: ts.VoidExpression, reader) => unary('void', node, node.expression, reader),
  [compiler.SyntaxKind.AwaitExpression]: (node: ts.AwaitExpression, reader) => ({
    kind: 'await',
    argument: reader.expression(node.expression),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
  [compiler.SyntaxKind.YieldExpression]: (node: ts.YieldExpression, reader) =>
    other('YieldExpression', node.expression ? [reader.expression(node.expression)] : [], node, reader),
  [compiler.SyntaxKind.MetaProperty]: metaProperty,
  [compiler.SyntaxKind.JsxElement]: jsxElement,
  [compiler.SyntaxKind.JsxSelfClosingElement]: jsxSelfClosing,
  [compiler.SyntaxKind.JsxFragment]: jsxFragment,
};

function leaf(node: ts.Expression, reader: Reader): Expression {
  return kinds[node.kind]?.(node, reader) ?? other(compiler.SyntaxKind[node.kind], [], node, reader);
}

function regex(node: ts.RegularExpressionLiteral, reader: Reader): LiteralNode {
  const end = node.text.lastIndexOf('/');
  return literal({ pattern: node.text.slice(1, end), flags: node.text.slice(end + 1) }, node, reader);
}

/** `import.meta` is a member of the name `import`. */
function metaProperty(node: ts.MetaProperty, reader: Reader): Expression {
  if (node.keywordToken !== compiler.SyntaxKind.ImportKeyword) return other('NewTarget', [], node, reader);
  const start = reader.start(node);
  return {
    kind: 'member',
    object: { kind: 'name', name: 'import', start, end: start + 'import'.length },
    property: node.name.text,
    propertyStart: reader.start(node.name),
    propertyEnd: reader.end(node.name),
    start,
    end: reader.end(node),
  };
}

function assignment(node: ts.BinaryExpression, reader: Reader): AssignNode {
  const operator = compiler.tokenToString(node.operatorToken.kind) ?? '';
  return {
    kind: 'assign',
    operator,
    target: operator === '=' ? assigned(node.left, reader) : reader.expression(node.left),
    value: reader.expression(node.right),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

function objectOf(node: ts.ObjectLiteralExpression, reader: Reader): ObjectNode {
  const properties = node.properties.map((property) => propertyOf(property, reader));
  return { kind: 'object', properties, start: reader.start(node), end: reader.end(node), parent: undefined };
}

function propertyOf(node: ts.ObjectLiteralElementLike, reader: Reader): PropertyNode | SpreadNode {
  if (compiler.isSpreadAssignment(node)) return spread(node, reader);
  const { name, computed, keyStart, keyEnd } = keyOf(node.name, reader);
  return {
    kind: 'property',
    name,
    computed,
    keyStart,
    keyEnd,
    value: valueOf(node, reader),
    shorthand: compiler.isShorthandPropertyAssignment(node),
    accessor: compiler.isGetAccessor(node) ? 'get' : compiler.isSetAccessor(node) ? 'set' : undefined,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

function valueOf(node: Exclude<ts.ObjectLiteralElementLike, ts.SpreadAssignment>, reader: Reader): Expression {
  if (compiler.isShorthandPropertyAssignment(node)) return reader.expression(node.name);
  return compiler.isPropertyAssignment(node) ? reader.expression(node.initializer) : functionOf(node, reader);
}
