/** Keys of properties and members, and names of types. */
import type { Expression, PatternName, StringNode } from '../../syntax/tree.ts';
import { ts } from './compiler.ts';
import type { Reader } from './reader.ts';

export interface Key {
  readonly name?: string;
  readonly computed?: Expression;
  readonly keyStart: number;
  readonly keyEnd: number;
}

export function keyOf(key: ts.PropertyName, reader: Reader): Key {
  const place = { keyStart: reader.start(key), keyEnd: key.end };
  if (ts.isComputedPropertyName(key)) return { computed: reader.expression(key.expression), ...place };
  return { name: ts.isBigIntLiteral(key) ? key.text.slice(0, -1) : key.text, ...place };
}

export function declaredName(name: ts.Identifier, reader: Reader): PatternName {
  return { kind: 'patternName', name: name.text, start: reader.start(name), end: name.end };
}

export function stringOf(node: ts.StringLiteralLike, reader: Reader): StringNode {
  const start = reader.start(node);
  const mark = reader.text[start];
  return { kind: 'string', value: node.text, quote: mark === '"' || mark === '`' ? mark : "'", start, end: node.end };
}

/** `HttpClient` for `HttpClient`, `HttpClient<T>`, `HttpClient | undefined`; `a.B` for `a.B`; else undefined. */
export function typeNameOf(type: ts.TypeNode | undefined): string | undefined {
  if (type === undefined) return undefined;
  if (ts.isParenthesizedTypeNode(type)) return typeNameOf(type.type);
  if (ts.isTypeReferenceNode(type)) return entityName(type.typeName);
  if (!ts.isUnionTypeNode(type)) return undefined;
  const named = type.types.filter((part) => !isNothing(part));
  return named.length === 1 ? typeNameOf(named[0]) : undefined;
}

function isNothing(type: ts.TypeNode): boolean {
  if (ts.isLiteralTypeNode(type)) return type.literal.kind === ts.SyntaxKind.NullKeyword;
  return type.kind === ts.SyntaxKind.UndefinedKeyword || type.kind === ts.SyntaxKind.VoidKeyword;
}

function entityName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : `${entityName(name.left)}.${name.right.text}`;
}
