import type { TemplateNode, TemplateText } from '../../syntax/tree.ts';
import type { ts } from './compiler.ts';
import type { Reader } from './reader.ts';

export function templateOf(node: ts.TemplateExpression, reader: Reader): TemplateNode {
  const parts = [node.head, ...node.templateSpans.map((span) => span.literal)];
  return {
    kind: 'template',
    texts: parts.map((part, index) => textOf(part, index === parts.length - 1, reader)),
    expressions: node.templateSpans.map((span) => reader.expression(span.expression)),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

/** Every part begins with a backtick or `}` and ends with `${`, the last one with a backtick. */
function textOf(part: ts.TemplateLiteralLikeNode, isLast: boolean, reader: Reader): TemplateText {
  return { start: reader.start(part) + 1, end: reader.end(part) - (isLast ? 1 : 2), value: part.text };
}
