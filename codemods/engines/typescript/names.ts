/** Keys of properties and members, and names of types. */
import type { Expression, PatternName, StringNode } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import type { Reader } from './reader.ts';

export interface Key {
  readonly name?: string;
  readonly computed?: Expression;
  readonly keyStart: number;
  readonly keyEnd: number;
}

export function keyOf(key: ts.PropertyName, reader: Reader): Key {
  const place = { keyStart: reader.start(key), keyEnd: reader.end(key) };
  if (compiler.isComputedPropertyName(key)) return { computed: reader.expression(key.expression), ...place };
  return { name: compiler.isBigIntLiteral(key) ? key.text.slice(0, -1) : key.text, ...place };
}

export function declaredName(name: ts.Identifier, reader: Reader): PatternName {
  return { kind: 'patternName', name: name.text, start: reader.start(name), end: reader.end(name), parent: undefined };
}

export function stringOf(node: ts.StringLiteralLike, reader: Reader): StringNode {
  const start = reader.start(node);
  const mark = reader.text[start];
  return {
    kind: 'string',
    value: node.text,
    quote: mark === '"' || mark === '`' ? mark : "'",
    start,
    end: reader.end(node),
    parent: undefined,
  };
}

/** `HttpClient` for `HttpClient`, `HttpClient<T>`, `HttpClient | undefined`; `a.B` for `a.B`; `typeof a.b` as it is; else undefined. */
export function typeNameOf(type: ts.TypeNode | undefined): string | undefined {
  if (type === undefined) return undefined;
  if (compiler.isParenthesizedTypeNode(type)) return typeNameOf(type.type);
  if (compiler.isTypeReferenceNode(type)) return entityName(type.typeName);
  if (compiler.isTypeQueryNode(type)) return `typeof ${entityName(type.exprName)}`;
  if (!compiler.isUnionTypeNode(type)) return undefined;
  const named = type.types.filter((part) => !isNothing(part));
  return named.length === 1 ? typeNameOf(named[0]) : undefined;
}

function isNothing(type: ts.TypeNode): boolean {
  if (compiler.isLiteralTypeNode(type)) return type.literal.kind === compiler.SyntaxKind.NullKeyword;
  return type.kind === compiler.SyntaxKind.UndefinedKeyword || type.kind === compiler.SyntaxKind.VoidKeyword;
}

function entityName(name: ts.EntityName): string {
  return compiler.isIdentifier(name) ? name.text : `${entityName(name.left)}.${name.right.text}`;
}
