/** Destructuring, where it declares names and where it assigns to what exists. */
import type { ArrayPattern, Expression, ObjectPattern, Pattern, PatternProperty } from '../../syntax/tree.ts';
import { declaredName, keyOf } from './names.ts';
import { endOf, has, holed, maybe, part, parts, startOf, type AstNode } from './nodes.ts';
import type { Reader } from './reader.ts';

/** What a leaf of the pattern is: a declared name, or a reference. */
type Leaf<T> = (node: AstNode) => T;

/** What a declaration names. */
export function pattern(node: AstNode, reader: Reader): Pattern {
  return patternOf(node, reader, declaredName);
}

/** What an assignment writes to: the leaves are references. */
export function assigned(node: AstNode, reader: Reader): Pattern | Expression {
  return patternOf(node, reader, (leaf) => reader.expression(leaf));
}

function patternOf<T extends Pattern | Expression>(node: AstNode, reader: Reader, leaf: Leaf<T>): T | ObjectPattern | ArrayPattern {
  if (node.type === 'ObjectPattern') return objectPattern(node, reader, leaf);
  return node.type === 'ArrayPattern' ? arrayPattern(node, reader, leaf) : leaf(node);
}

function objectPattern<T extends Pattern | Expression>(node: AstNode, reader: Reader, leaf: Leaf<T>): ObjectPattern {
  const properties: PatternProperty[] = [];
  let rest: Pattern | Expression | undefined;
  for (const property of parts(node, 'properties')) {
    const argument = maybe(property, 'argument');
    if (argument) {
      rest = patternOf(argument, reader, leaf);
      continue;
    }
    properties.push({
      kind: 'patternProperty',
      ...keyOf(property, reader),
      ...withDefault(part(property, 'value'), reader, leaf),
      shorthand: has(property, 'shorthand'),
      start: startOf(property),
      end: endOf(property),
    });
  }
  return { kind: 'objectPattern', properties, ...(rest && { rest }), start: startOf(node), end: patternEnd(node, '}', reader) };
}

function arrayPattern<T extends Pattern | Expression>(node: AstNode, reader: Reader, leaf: Leaf<T>): ArrayPattern {
  const elements = holed(node, 'elements').map((element) => {
    if (element === undefined) return undefined;
    const rest = element.type === 'RestElement' ? part(element, 'argument') : undefined;
    return { ...withDefault(rest ?? element, reader, leaf), isRest: rest !== undefined };
  });
  return { kind: 'arrayPattern', elements, start: startOf(node), end: patternEnd(node, ']', reader) };
}

function withDefault<T extends Pattern | Expression>(
  node: AstNode,
  reader: Reader,
  leaf: Leaf<T>,
): { target: Pattern | Expression; default?: Expression } {
  if (node.type !== 'AssignmentPattern') return { target: patternOf(node, reader, leaf) };
  return { target: patternOf(part(node, 'left'), reader, leaf), default: reader.expression(part(node, 'right')) };
}

/** Babel counts the annotated type to the pattern. */
function patternEnd(node: AstNode, bracket: string, reader: Reader): number {
  const type = maybe(node, 'typeAnnotation');
  return type ? reader.text.lastIndexOf(bracket, startOf(type)) + 1 : endOf(node);
}
