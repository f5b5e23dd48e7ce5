/** JSX is kept as far as it holds expressions: elements, attributes' values, containers. */
import { exact } from '../../syntax/lists.ts';
import type { Expression, Node, OtherNode, SpreadNode, StringNode } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import type { Reader } from './reader.ts';

function other(what: string, children: readonly (Node | undefined)[], node: ts.Node, reader: Reader): OtherNode {
  return {
    kind: 'other',
    what,
    children: exact(children.filter((child) => child !== undefined)),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

export function jsxElement(node: ts.JsxElement, reader: Reader): OtherNode {
  const inside = node.children.map((child) => jsxChild(child, reader));
  return other('JsxElement', [...jsxOpening(node.openingElement, reader), ...inside], node, reader);
}

export function jsxSelfClosing(node: ts.JsxSelfClosingElement, reader: Reader): OtherNode {
  return other('JsxElement', jsxOpening(node, reader), node, reader);
}

export function jsxFragment(node: ts.JsxFragment, reader: Reader): OtherNode {
  const inside = node.children.map((child) => jsxChild(child, reader));
  return other('JsxFragment', inside, node, reader);
}

function jsxOpening(node: ts.JsxOpeningLikeElement, reader: Reader): (Node | undefined)[] {
  return [tagName(node.tagName, reader), ...node.attributes.properties.map((attribute) => jsxAttribute(attribute, reader))];
}

/** Lower-case names are the browser's own elements, no references. */
function tagName(tag: ts.JsxTagNameExpression, reader: Reader): Expression | undefined {
  if (compiler.isJsxNamespacedName(tag) || (compiler.isIdentifier(tag) && /^[a-z]|-/.test(tag.text))) return undefined;
  return reader.expression(tag);
}

function jsxAttribute(node: ts.JsxAttributeLike, reader: Reader): Node {
  if (compiler.isJsxSpreadAttribute(node)) return spread(node, node.expression, reader);
  const { initializer } = node;
  const value =
    initializer === undefined
      ? undefined
      : compiler.isStringLiteral(initializer)
        ? jsxString(initializer, reader)
        : jsxChild(initializer, reader);
  return other('JsxAttribute', [value], node, reader);
}

/** Its value is what stands between the quotes: JSX knows no escapes, and entities are left as they are. */
function jsxString(node: ts.StringLiteral, reader: Reader): StringNode {
  const start = reader.start(node);
  const value = reader.text.slice(start + 1, reader.end(node) - 1);
  return { kind: 'string', value, quote: reader.text[start] === '"' ? '"' : "'", start, end: reader.end(node), parent: undefined };
}

function jsxChild(node: ts.JsxChild, reader: Reader): Node | undefined {
  if (compiler.isJsxText(node)) return undefined;
  if (!compiler.isJsxExpression(node)) return reader.expression(node);
  if (node.expression && node.dotDotDotToken) return spread(node, node.expression, reader);
  return other('JsxExpression', [node.expression && reader.expression(node.expression)], node, reader);
}

function spread(node: ts.Node, argument: ts.Expression, reader: Reader): SpreadNode {
  return { kind: 'spread', argument: reader.expression(argument), start: reader.start(node), end: reader.end(node), parent: undefined };
}
