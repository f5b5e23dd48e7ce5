/** Strings, keys of properties and members, and names of types. */
import type { Expression, PatternName, StringNode } from '../../syntax/tree.ts';
import { endOf, has, maybe, part, parts, startOf, word, type AstNode } from './nodes.ts';
import type { Reader } from './reader.ts';

export interface Key {
  readonly name?: string;
  readonly computed?: Expression;
  readonly keyStart: number;
  readonly keyEnd: number;
}

/** @param node has `key`, and `computed` where that stands between brackets */
export function keyOf(node: AstNode, reader: Reader): Key {
  const key = part(node, 'key');
  if (!has(node, 'computed')) return { name: keyText(key), keyStart: startOf(key), keyEnd: nameEnd(key) };
  const keyStart = reader.text.lastIndexOf('[', startOf(key));
  return { computed: reader.expression(key), keyStart, keyEnd: reader.text.indexOf(']', endOf(key)) + 1 };
}

/** The name of an identifier, or the text of a string or number. */
export function keyText(key: AstNode): string {
  if (key.type === 'PrivateName') return `#${word(part(key, 'id'), 'name')}`;
  if (key.type === 'PrivateIdentifier') return `#${word(key, 'name')}`;
  if (key.type === 'Identifier' || key.type === 'JSXIdentifier') return word(key, 'name');
  // A big integer's text ends in `n` in ESTree only.
  if (key.type === 'BigIntLiteral' || typeof key.bigint === 'string') return (word(key, 'bigint') || word(key, 'value')).replace(/n$/, '');
  return typeof key.value === 'number' ? String(key.value) : word(key, 'value');
}

export function declaredName(node: AstNode): PatternName {
  return { kind: 'patternName', name: word(node, 'name'), start: startOf(node), end: nameEnd(node) };
}

/** Babel counts the annotated type to the name. */
export function nameEnd(node: AstNode): number {
  const isAnnotated = maybe(node, 'typeAnnotation') !== undefined || has(node, 'optional');
  return isAnnotated ? startOf(node) + word(node, 'name').length : endOf(node);
}

/** @param value where it is not the node's own */
export function stringOf(node: AstNode, reader: Reader, value = word(node, 'value')): StringNode {
  const start = startOf(node);
  const mark = reader.text[start];
  return { kind: 'string', value, quote: mark === '"' || mark === '`' ? mark : "'", start, end: endOf(node) };
}

/** `HttpClient` for `HttpClient`, `HttpClient<T>`, `?HttpClient`, `HttpClient | undefined`; `a.B` for `a.B`; `typeof a.b` as it is; else undefined. */
export function typeNameOf(type: AstNode | undefined): string | undefined {
  switch (type?.type) {
    case 'TypeAnnotation':
    case 'TSTypeAnnotation':
    case 'TSParenthesizedType':
    case 'NullableTypeAnnotation':
      return typeNameOf(maybe(type, 'typeAnnotation'));
    case 'TSTypeReference':
      return entityName(part(type, 'typeName'));
    case 'TSTypeQuery':
      return `typeof ${entityName(part(type, 'exprName'))}`;
    case 'GenericTypeAnnotation':
      return entityName(part(type, 'id'));
    case 'TSUnionType':
    case 'UnionTypeAnnotation': {
      const named = parts(type, 'types').filter((item) => !nothing.has(item.type));
      return named.length === 1 ? typeNameOf(named[0]) : undefined;
    }
    default:
      return undefined;
  }
}

const nothing = new Set(['TSUndefinedKeyword', 'TSNullKeyword', 'TSVoidKeyword', 'VoidTypeAnnotation', 'NullLiteralTypeAnnotation']);

function entityName(node: AstNode): string {
  if (node.type === 'TSQualifiedName') return `${entityName(part(node, 'left'))}.${word(part(node, 'right'), 'name')}`;
  if (node.type === 'QualifiedTypeIdentifier') return `${entityName(part(node, 'qualification'))}.${word(part(node, 'id'), 'name')}`;
  return word(node, 'name');
}
