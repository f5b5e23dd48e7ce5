import type { StringNode, TemplateNode, TemplateText } from '../../syntax/tree.ts';
import { stringOf } from './names.ts';
import { endOf, isNode, parts, startOf, type AstNode } from './nodes.ts';
import type { Reader } from './reader.ts';

/** A template without expressions is a string. */
export function templateOf(node: AstNode, reader: Reader): TemplateNode | StringNode {
  const quasis = parts(node, 'quasis');
  const [first] = quasis;
  if (first && quasis.length === 1) return stringOf(node, reader, cooked(first));
  // ESTree's texts include the marks around them, Babel's do not.
  const hasMarks = first !== undefined && startOf(first) === startOf(node);
  return {
    kind: 'template',
    texts: quasis.map((quasi, index) => textOf(quasi, hasMarks, index === quasis.length - 1)),
    expressions: parts(node, 'expressions').map((inner) => reader.expression(inner)),
    start: startOf(node),
    end: endOf(node),
  };
}

function textOf(quasi: AstNode, hasMarks: boolean, isLast: boolean): TemplateText {
  const after = isLast ? '`' : '${';
  const start = startOf(quasi) + (hasMarks ? 1 : 0);
  return { start, end: endOf(quasi) - (hasMarks ? after.length : 0), value: cooked(quasi) };
}

/** Escapes that no text has (`\2`) are allowed behind a tag, which reads them as they are written. */
function cooked({ value }: AstNode): string {
  if (typeof value !== 'object' || value === null || isNode(value)) return '';
  const texts = ['cooked', 'raw'].map((name): unknown => Reflect.get(value, name));
  return texts.find((text): text is string => typeof text === 'string') ?? '';
}
