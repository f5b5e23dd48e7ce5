/** JSX is kept as far as it holds expressions: elements, attributes' values, containers. */
import type { Expression, MemberNode, Node, OtherNode, SpreadNode } from '../../syntax/tree.ts';
import { stringOf } from './names.ts';
import { endOf, maybe, part, parts, startOf, word, type AstNode } from './nodes.ts';
import type { Reader } from './reader.ts';

function other(what: string, children: readonly (Node | undefined)[], node: AstNode): OtherNode {
  return { kind: 'other', what, children: children.filter((child) => child !== undefined), start: startOf(node), end: endOf(node) };
}

export function jsxElement(node: AstNode, reader: Reader): OtherNode {
  const opening = part(node, 'openingElement');
  const attributes = parts(opening, 'attributes').map((attribute) => jsxAttribute(attribute, reader));
  const inside = parts(node, 'children').map((child) => jsxChild(child, reader));
  return other('JsxElement', [tagName(part(opening, 'name')), ...attributes, ...inside], node);
}

export function jsxFragment(node: AstNode, reader: Reader): OtherNode {
  const inside = parts(node, 'children').map((child) => jsxChild(child, reader));
  return other('JsxFragment', inside, node);
}

/** Lower-case names are the browser's own elements, no references. */
function tagName(node: AstNode): Expression | undefined {
  const isElement = node.type === 'JSXNamespacedName' || (node.type === 'JSXIdentifier' && /^[a-z]|-/.test(word(node, 'name')));
  return isElement && word(node, 'name') !== 'this' ? undefined : tagReference(node);
}

function tagReference(node: AstNode): Expression {
  const place = { start: startOf(node), end: endOf(node) };
  if (node.type !== 'JSXMemberExpression') {
    const name = word(node, 'name');
    return name === 'this' ? { kind: 'this', ...place } : { kind: 'name', name, ...place };
  }
  const property = part(node, 'property');
  const member: MemberNode = {
    kind: 'member',
    object: tagReference(part(node, 'object')),
    property: word(property, 'name'),
    propertyStart: startOf(property),
    propertyEnd: endOf(property),
    ...place,
  };
  return member;
}

function jsxAttribute(node: AstNode, reader: Reader): Node {
  if (node.type === 'JSXSpreadAttribute') return spread(node, part(node, 'argument'), reader);
  const value = maybe(node, 'value');
  return other('JsxAttribute', [value && jsxChild(value, reader)], node);
}

/** A string's value is what stands between the quotes: JSX knows no escapes, and entities are left as they are. */
function jsxChild(node: AstNode, reader: Reader): Node | undefined {
  switch (node.type) {
    case 'JSXText':
      return undefined;
    case 'StringLiteral':
    case 'Literal':
      return stringOf(node, reader, reader.text.slice(startOf(node) + 1, endOf(node) - 1));
    case 'JSXSpreadChild':
      return spread(node, part(node, 'expression'), reader);
    case 'JSXExpressionContainer': {
      const inner = part(node, 'expression');
      return other('JsxExpression', inner.type === 'JSXEmptyExpression' ? [] : [reader.expression(inner)], node);
    }
    default:
      return reader.expression(node);
  }
}

function spread(node: AstNode, argument: AstNode, reader: Reader): SpreadNode {
  return { kind: 'spread', argument: reader.expression(argument), start: startOf(node), end: endOf(node) };
}
