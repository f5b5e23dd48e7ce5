/** Functions, classes and their decorators. */
import type { BlockNode, ClassNode, Expression, FunctionNode, MemberDeclaration, ParamNode } from '../../syntax/tree.ts';
import { declaredName, keyOf, typeNameOf } from './names.ts';
import { endOf, has, maybe, part, parts, startOf, word, type AstNode } from './nodes.ts';
import { pattern } from './patterns.ts';
import type { Reader } from './reader.ts';

export function block(node: AstNode, reader: Reader): BlockNode {
  return { kind: 'block', body: bodyOf(node, reader), params: [], start: startOf(node), end: endOf(node) };
}

/** The statements of a program or block: Babel keeps `'use strict'` apart. */
export function bodyOf(node: AstNode, reader: Reader): BlockNode['body'] {
  return reader.statements([...parts(node, 'directives'), ...parts(node, 'body')]);
}

function decoratorsOf(node: AstNode, reader: Reader): Expression[] {
  return parts(node, 'decorators').map((decorator) => reader.expression(part(decorator, 'expression')));
}

/**
 * Any function: declaration, expression, arrow, method, accessor, constructor.
 *
 * @param start where a method begins as a function: after its key
 */
export function functionOf(node: AstNode, reader: Reader, start = startOf(node)): FunctionNode {
  const isDeclaration = declarations.has(node.type);
  const name = isDeclaration || node.type === 'FunctionExpression' ? maybe(node, 'id') : undefined;
  const body = maybe(node, 'body');
  return {
    kind: 'function',
    ...(name && { name: declaredName(name) }),
    params: parts(node, 'params')
      .filter((param) => word(param, 'name') !== 'this')
      .map((param) => paramOf(param, reader)),
    ...(body && { body: body.type === 'BlockStatement' ? block(body, reader) : reader.expression(body) }),
    isArrow: node.type === 'ArrowFunctionExpression',
    isDeclaration,
    start,
    end: endOf(node),
  };
}

const declarations = new Set(['FunctionDeclaration', 'TSDeclareFunction', 'ComponentDeclaration', 'HookDeclaration']);

function paramOf(node: AstNode, reader: Reader): ParamNode {
  // `private http: …`, `component C(http: …)`, `...rest`, `a = 1`: one within the other.
  const declared = maybe(node, 'parameter') ?? maybe(node, 'local') ?? node;
  const rest = declared.type === 'RestElement' ? part(declared, 'argument') : undefined;
  const assignment = declared.type === 'AssignmentPattern' ? declared : undefined;
  const target = rest ?? (assignment ? part(assignment, 'left') : declared);
  const typeName = typeNameOf(maybe(target, 'typeAnnotation') ?? maybe(declared, 'typeAnnotation'));
  const decorators = [...decoratorsOf(node, reader), ...(declared === node ? [] : decoratorsOf(declared, reader))];
  return {
    kind: 'param',
    target: pattern(target, reader),
    ...(assignment && { default: reader.expression(part(assignment, 'right')) }),
    isRest: rest !== undefined,
    ...(typeName !== undefined && { typeName }),
    isField: node.type === 'TSParameterProperty',
    decorators,
    start: Math.min(startOf(node), ...parts(node, 'decorators').map(startOf)),
    end: endOf(node),
  };
}

export function classOf(node: AstNode, reader: Reader): ClassNode {
  const name = maybe(node, 'id');
  const superclass = maybe(node, 'superClass');
  return {
    kind: 'class',
    ...(name && { name: declaredName(name) }),
    ...(superclass && { superclass: reader.expression(superclass) }),
    members: parts(part(node, 'body'), 'body')
      .map((member) => memberOf(member, reader))
      .filter((member) => member !== undefined),
    decorators: decoratorsOf(node, reader),
    isDeclaration: node.type === 'ClassDeclaration',
    start: Math.min(startOf(node), ...parts(node, 'decorators').map(startOf)),
    end: endOf(node),
  };
}

/** @returns undefined for what is only a type */
function memberOf(node: AstNode, reader: Reader): MemberDeclaration | undefined {
  const place = { start: memberStart(node, reader), end: endOf(node) };
  if (node.type === 'StaticBlock') {
    const body: BlockNode = { ...block(node, reader), start: reader.text.indexOf('{', place.start) };
    const value: FunctionNode = { kind: 'function', params: [], body, isArrow: false, isDeclaration: false, ...place };
    return { kind: 'classMember', role: 'static block', isStatic: true, value, decorators: [], ...place };
  }
  const isField = fields.has(node.type);
  if (!isField && !methods.has(node.type)) return undefined;
  const { name, computed, keyEnd } = keyOf(node, reader);
  const value = maybe(node, 'value');
  const typeName = isField ? typeNameOf(maybe(node, 'typeAnnotation')) : undefined;
  return {
    kind: 'classMember',
    role: isField ? 'field' : roleOf(node),
    isStatic: has(node, 'static'),
    ...(computed ? { computed } : { name }),
    ...(isField
      ? value && { value: reader.expression(value) }
      : { value: functionOf(value ?? node, reader, node.kind === 'constructor' ? place.start : keyEnd) }),
    ...(typeName !== undefined && { typeName }),
    decorators: decoratorsOf(node, reader),
    ...place,
  };
}

/** Flow's parser leaves `static` before a private field out. */
function memberStart(node: AstNode, reader: Reader): number {
  const start = startOf(node);
  if (node.type !== 'ClassPrivateProperty' && node.type !== 'PropertyDefinition') return start;
  return has(node, 'static') && reader.text[start] === '#' ? reader.text.lastIndexOf('static', start) : start;
}

const fields = new Set(['ClassProperty', 'ClassPrivateProperty', 'ClassAccessorProperty', 'PropertyDefinition', 'AccessorProperty']);
const methods = new Set(['ClassMethod', 'ClassPrivateMethod', 'MethodDefinition', 'TSDeclareMethod']);

function roleOf({ kind }: AstNode): MemberDeclaration['role'] {
  return kind === 'constructor' || kind === 'get' || kind === 'set' ? kind : 'method';
}
