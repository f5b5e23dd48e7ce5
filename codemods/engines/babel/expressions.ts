import { conditional } from '../../syntax/defaults.ts';
import type { Expression, LiteralNode, OtherNode, PropertyNode, SpreadNode, UnaryNode } from '../../syntax/tree.ts';
import { callOf, chain, elements, spreadOf } from './left-recursive.ts';
import { classOf, functionOf } from './functions.ts';
import { jsxElement, jsxFragment } from './jsx.ts';
import { keyOf, keyText, nameEnd, stringOf } from './names.ts';
import { endOf, has, isNode, maybe, part, parts, startOf, word, type AstNode } from './nodes.ts';
import { assigned } from './patterns.ts';
import type { Reader } from './reader.ts';
import { templateOf } from './templates.ts';

export function expression(node: AstNode, reader: Reader): Expression {
  return chain(node, reader, leaf);
}

type Read = (node: AstNode, reader: Reader) => Expression;

const place = (node: AstNode): { start: number; end: number } => ({ start: startOf(node), end: endOf(node) });

const other = (what: string, children: readonly Expression[], node: AstNode): OtherNode => ({
  kind: 'other',
  what,
  children,
  ...place(node),
});

const literal = (value: LiteralNode['value'], node: AstNode): LiteralNode => ({ kind: 'literal', value, ...place(node) });

const kinds: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['Identifier', (node) => ({ kind: 'name', name: word(node, 'name'), start: startOf(node), end: nameEnd(node) })],
  ['StringLiteral', stringOf],
  ['DirectiveLiteral', stringOf],
  ['TemplateLiteral', templateOf],
  ['NumericLiteral', (node) => literal(Number(node.value), node)],
  ['BigIntLiteral', (node) => literal(Number(keyText(node)), node)],
  ['BooleanLiteral', (node) => literal(has(node, 'value'), node)],
  ['NullLiteral', (node) => literal(null, node)],
  ['RegExpLiteral', (node) => literal({ pattern: word(node, 'pattern'), flags: word(node, 'flags') }, node)],
  ['Literal', estreeLiteral],
  ['ThisExpression', (node) => ({ kind: 'this', ...place(node) })],
  ['Super', (node) => ({ kind: 'super', ...place(node) })],
  [
    'ObjectExpression',
    (node, reader) => ({
      kind: 'object',
      properties: parts(node, 'properties').map((property) => propertyOf(property, reader)),
      ...place(node),
    }),
  ],
  ['ArrayExpression', (node, reader) => ({ kind: 'array', elements: elements(node, 'elements', reader), ...place(node) })],
  ['ArrowFunctionExpression', (node, reader) => functionOf(node, reader)],
  ['FunctionExpression', (node, reader) => functionOf(node, reader)],
  ['ClassExpression', classOf],
  ['NewExpression', (node, reader) => callOf(node, reader.expression(part(node, 'callee')), reader)],
  ['Import', (node) => other('import', [], node)],
  ['ImportExpression', importCall],
  ['AssignmentExpression', assignment],
  [
    'ConditionalExpression',
    (node, reader) =>
      conditional({
        test: reader.expression(part(node, 'test')),
        whenTrue: reader.expression(part(node, 'consequent')),
        whenFalse: reader.expression(part(node, 'alternate')),
        ...place(node),
      }),
  ],
  ['UnaryExpression', unary],
  ['UpdateExpression', unary],
  ['AwaitExpression', (node, reader) => ({ kind: 'await', argument: reader.expression(part(node, 'argument')), ...place(node) })],
  ['YieldExpression', (node, reader) => other('YieldExpression', optional(node, 'argument', reader), node)],
  ['SequenceExpression', sequence],
  ['MetaProperty', metaProperty],
  ['PrivateName', (node) => other('PrivateIdentifier', [], node)],
  ['PrivateIdentifier', (node) => other('PrivateIdentifier', [], node)],
  ['JSXElement', jsxElement],
  ['JSXFragment', jsxFragment],
]);

function leaf(node: AstNode, reader: Reader): Expression {
  return kinds.get(node.type)?.(node, reader) ?? unknown(node, reader);
}

function optional(node: AstNode, field: string, reader: Reader): Expression[] {
  const inner = maybe(node, field);
  return inner ? [reader.expression(inner)] : [];
}

function estreeLiteral(node: AstNode, reader: Reader): Expression {
  const { value, regex, bigint } = node;
  if (typeof regex === 'object' && regex !== null && 'pattern' in regex && 'flags' in regex) {
    return literal({ pattern: String(regex.pattern), flags: String(regex.flags) }, node);
  }
  if (typeof bigint === 'string') return literal(Number(keyText(node)), node);
  if (typeof value === 'string') return stringOf(node, reader);
  return literal(typeof value === 'number' || typeof value === 'boolean' ? value : null, node);
}

function importCall(node: AstNode, reader: Reader): Expression {
  const start = startOf(node);
  const callee: OtherNode = { kind: 'other', what: 'import', children: [], start, end: start + 'import'.length };
  const args = [reader.expression(part(node, 'source')), ...optional(node, 'options', reader)];
  return { kind: 'call', callee, args, isNew: false, ...place(node) };
}

function assignment(node: AstNode, reader: Reader): Expression {
  const operator = word(node, 'operator');
  const target = assigned(part(node, 'left'), reader);
  return { kind: 'assign', operator, target, value: reader.expression(part(node, 'right')), ...place(node) };
}

function unary(node: AstNode, reader: Reader): UnaryNode {
  return { kind: 'unary', operator: word(node, 'operator'), argument: reader.expression(part(node, 'argument')), ...place(node) };
}

/** `a, b, c` as two binary expressions. */
function sequence(node: AstNode, reader: Reader): Expression {
  const [first, ...more] = parts(node, 'expressions').map((inner) => reader.expression(inner));
  if (first === undefined) return unknown(node, reader);
  return more.reduce<Expression>((left, right, index) => {
    const end = index === more.length - 1 ? endOf(node) : right.end;
    return { kind: 'binary', operator: ',', left, right, start: startOf(node), end };
  }, first);
}

/** `import.meta` is a member of the name `import`. */
function metaProperty(node: AstNode): Expression {
  const meta = part(node, 'meta');
  const property = part(node, 'property');
  if (word(meta, 'name') !== 'import') return other('NewTarget', [], node);
  return {
    kind: 'member',
    object: { kind: 'name', name: 'import', ...place(meta) },
    property: word(property, 'name'),
    propertyStart: startOf(property),
    propertyEnd: endOf(property),
    ...place(node),
  };
}

function propertyOf(node: AstNode, reader: Reader): PropertyNode | SpreadNode {
  const spread = spreadOf(node, reader);
  if (spread) return spread;
  const isFunction = node.type === 'ObjectMethod' || has(node, 'method') || node.kind === 'get' || node.kind === 'set';
  const accessor = node.kind === 'get' || node.kind === 'set' ? node.kind : undefined;
  const value = maybe(node, 'value') ?? node;
  const key = keyOf(node, reader);
  return {
    kind: 'property',
    ...key,
    value: isFunction ? functionOf(value, reader, key.keyEnd) : reader.expression(value),
    shorthand: has(node, 'shorthand'),
    ...(accessor && { accessor }),
    ...place(node),
  };
}

/** Fields that hold no code. */
const aside =
  /^(loc|extra|range|original|tokens|(leading|trailing|inner)?comments|type(Annotation|Arguments|Parameters)|returnType|parent)$/i;

/** Proposals and dialects that the tree has no kind for: what they hold is kept. */
function unknown(node: AstNode, reader: Reader): OtherNode {
  const inside = Object.entries(node)
    .filter(([field]) => !aside.test(field))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
  const children = reader.statements(inside).toSorted((one, two) => one.start - two.start);
  return { kind: 'other', what: node.type, children, ...place(node) };
}
