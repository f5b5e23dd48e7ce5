/** Destructuring, where it declares names and where it assigns to what exists. */
import type { ArrayPattern, Expression, ObjectPattern, Pattern, PatternProperty } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import { declaredName, keyOf } from './names.ts';
import type { Reader } from './reader.ts';

type Target = Pattern | Expression;

/** What a declaration names. */
export function pattern(name: ts.BindingName, reader: Reader): Pattern {
  if (compiler.isIdentifier(name)) return declaredName(name, reader);
  return compiler.isObjectBindingPattern(name) ? objectPattern(name, reader) : arrayPattern(name, reader);
}

function objectPattern(node: ts.ObjectBindingPattern, reader: Reader): ObjectPattern {
  const properties: PatternProperty[] = [];
  let rest: Pattern | undefined;
  for (const element of node.elements) {
    const target = pattern(element.name, reader);
    if (element.dotDotDotToken) {
      rest = target;
      continue;
    }
    const key = element.propertyName
      ? keyOf(element.propertyName, reader)
      : { name: compiler.isIdentifier(element.name) ? element.name.text : '', keyStart: target.start, keyEnd: target.end };
    properties.push({
      kind: 'patternProperty',
      ...key,
      target,
      ...(element.initializer && { default: reader.expression(element.initializer) }),
      shorthand: element.propertyName === undefined,
      start: reader.start(element),
      end: reader.end(element),
    });
  }
  return { kind: 'objectPattern', properties, ...(rest && { rest }), start: reader.start(node), end: reader.end(node), parent: undefined };
}

function arrayPattern(node: ts.ArrayBindingPattern, reader: Reader): ArrayPattern {
  const elements = node.elements.map((element) => {
    if (compiler.isOmittedExpression(element)) return undefined;
    return {
      target: pattern(element.name, reader),
      ...(element.initializer && { default: reader.expression(element.initializer) }),
      isRest: element.dotDotDotToken !== undefined,
    };
  });
  return { kind: 'arrayPattern', elements, start: reader.start(node), end: reader.end(node), parent: undefined };
}

/** What an assignment writes to: the leaves are references. */
export function assigned(node: ts.Expression, reader: Reader): Target {
  if (compiler.isObjectLiteralExpression(node)) return assignedObject(node, reader);
  if (compiler.isArrayLiteralExpression(node)) return assignedArray(node, reader);
  return reader.expression(node);
}

function assignedObject(node: ts.ObjectLiteralExpression, reader: Reader): ObjectPattern {
  const properties: PatternProperty[] = [];
  let rest: Target | undefined;
  for (const property of node.properties) {
    if (compiler.isSpreadAssignment(property)) {
      rest = assigned(property.expression, reader);
    } else if (compiler.isShorthandPropertyAssignment(property)) {
      properties.push({
        kind: 'patternProperty',
        ...keyOf(property.name, reader),
        target: reader.expression(property.name),
        ...(property.objectAssignmentInitializer && { default: reader.expression(property.objectAssignmentInitializer) }),
        shorthand: true,
        start: reader.start(property),
        end: reader.end(property),
      });
    } else if (compiler.isPropertyAssignment(property)) {
      properties.push({
        kind: 'patternProperty',
        ...keyOf(property.name, reader),
        ...withDefault(property.initializer, reader),
        shorthand: false,
        start: reader.start(property),
        end: reader.end(property),
      });
    }
  }
  return { kind: 'objectPattern', properties, ...(rest && { rest }), start: reader.start(node), end: reader.end(node), parent: undefined };
}

function assignedArray(node: ts.ArrayLiteralExpression, reader: Reader): ArrayPattern {
  const elements = node.elements.map((element) => {
    if (compiler.isOmittedExpression(element)) return undefined;
    const isRest = compiler.isSpreadElement(element);
    return { ...withDefault(isRest ? element.expression : element, reader), isRest };
  });
  return { kind: 'arrayPattern', elements, start: reader.start(node), end: reader.end(node), parent: undefined };
}

function withDefault(node: ts.Expression, reader: Reader): { target: Target; default?: Expression } {
  if (!compiler.isBinaryExpression(node) || node.operatorToken.kind !== compiler.SyntaxKind.EqualsToken)
    return { target: assigned(node, reader) };
  return { target: assigned(node.left, reader), default: reader.expression(node.right) };
}
