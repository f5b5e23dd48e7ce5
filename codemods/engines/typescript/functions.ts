/** Functions, classes and their decorators. */
import { exact, none } from '../../syntax/lists.ts';
import type { BlockNode, ClassNode, Expression, FunctionNode, MemberDeclaration, ParamNode } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import { declaredName, keyOf, typeNameOf } from './names.ts';
import { pattern } from './patterns.ts';
import type { Reader } from './reader.ts';

export function block(node: ts.Block | ts.ModuleBlock, reader: Reader): BlockNode {
  return {
    kind: 'block',
    body: reader.statements(node.statements),
    params: none,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

export const decoratorsOf = (node: ts.HasDecorators, reader: Reader): readonly Expression[] =>
  (node.modifiers && compiler.getDecorators(node))?.map((decorator) => reader.expression(decorator.expression)) ?? none;

/** White space and comments. */
const trivia = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;

/** Where a declaration begins after `export` and `default`, which are not part of it in the tree. */
export function declarationStart(node: ts.Node & { readonly modifiers?: ts.NodeArray<ts.ModifierLike> }, reader: Reader): number {
  const first = node.modifiers?.[0];
  const last = node.modifiers?.findLast(
    ({ kind }) => kind === compiler.SyntaxKind.ExportKeyword || kind === compiler.SyntaxKind.DefaultKeyword,
  );
  if (first === undefined || last === undefined || compiler.isDecorator(first)) return reader.start(node);
  trivia.lastIndex = reader.end(last);
  return reader.end(last) + (trivia.exec(reader.text)?.[0].length ?? 0);
}

/** Any function: declaration, expression, arrow, method, accessor, constructor. Only declarations and expressions have names of their own. */
export const functionOf = (node: ts.FunctionLikeDeclaration, reader: Reader): FunctionNode => ({
  kind: 'function',
  ...functionOutside(node, reader),
  params: exact(node.parameters.filter((param) => !isThis(param)).map((param) => paramOf(param, reader))),
  body: node.body && (compiler.isBlock(node.body) ? block(node.body, reader) : reader.expression(node.body)),
  parent: undefined,
});

/** What there is to say of a function without looking into it. */
export function functionOutside(
  node: ts.FunctionLikeDeclaration,
  reader: Reader,
): Omit<FunctionNode, 'kind' | 'params' | 'body' | 'parent'> {
  const named = compiler.isFunctionDeclaration(node) || compiler.isFunctionExpression(node) ? node.name : undefined;
  return {
    name: named && declaredName(named, reader),
    isArrow: compiler.isArrowFunction(node),
    isDeclaration: compiler.isFunctionDeclaration(node),
    start: functionStart(node, reader),
    end: reader.end(node),
  };
}

/** A method or accessor is a function after its key. */
function functionStart(node: ts.FunctionLikeDeclaration, reader: Reader): number {
  if (compiler.isFunctionDeclaration(node)) return declarationStart(node, reader);
  return compiler.isMethodDeclaration(node) || compiler.isAccessor(node) ? reader.end(node.name) : reader.start(node);
}

/** TypeScript's `function f(this: Window)`: a type. */
function isThis(param: ts.ParameterDeclaration): boolean {
  return compiler.isIdentifier(param.name) && param.name.text === 'this';
}

function paramOf(node: ts.ParameterDeclaration, reader: Reader): ParamNode {
  return {
    kind: 'param',
    target: pattern(node.name, reader),
    default: node.initializer && reader.expression(node.initializer),
    isRest: node.dotDotDotToken !== undefined,
    typeName: typeNameOf(node.type),
    isField: node.modifiers?.some((modifier) => !compiler.isDecorator(modifier)) ?? false,
    decorators: decoratorsOf(node, reader),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

export function classOf(node: ts.ClassLikeDeclaration, reader: Reader): ClassNode {
  const superclass = node.heritageClauses?.find(({ token }) => token === compiler.SyntaxKind.ExtendsKeyword)?.types[0]?.expression;
  return {
    kind: 'class',
    ...(node.name && { name: declaredName(node.name, reader) }),
    ...(superclass && { superclass: reader.expression(superclass) }),
    members: node.members.map((member) => memberOf(member, reader)).filter((member) => member !== undefined),
    decorators: decoratorsOf(node, reader),
    isDeclaration: compiler.isClassDeclaration(node),
    start: declarationStart(node, reader),
    end: reader.end(node),
    parent: undefined,
  };
}

/** @returns undefined for what is only a type */
function memberOf(node: ts.ClassElement, reader: Reader): MemberDeclaration | undefined {
  const place = { start: reader.start(node), end: reader.end(node) };
  if (compiler.isClassStaticBlockDeclaration(node)) {
    const body = block(node.body, reader);
    const value: FunctionNode = { kind: 'function', params: [], body, isArrow: false, isDeclaration: false, ...place };
    return { kind: 'classMember', role: 'static block', isStatic: true, value, decorators: [], ...place };
  }
  if (compiler.isConstructorDeclaration(node)) {
    const value = functionOf(node, reader);
    return { kind: 'classMember', role: 'constructor', isStatic: false, name: 'constructor', value, decorators: [], ...place };
  }
  const role = roleOf(node);
  if (role === undefined) return undefined;
  const { name, computed } = keyOf(node.name as ts.PropertyName, reader);
  const field = compiler.isPropertyDeclaration(node) ? node : undefined;
  const typeName = typeNameOf(field?.type);
  const value = field ? field.initializer && reader.expression(field.initializer) : functionOf(node as ts.MethodDeclaration, reader);
  return {
    kind: 'classMember',
    role,
    isStatic: compiler.canHaveModifiers(node) && (node.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.StaticKeyword) ?? false),
    ...(computed ? { computed } : { name }),
    ...(value && { value }),
    ...(typeName !== undefined && { typeName }),
    decorators: decoratorsOf(node as ts.MethodDeclaration, reader),
    ...place,
  };
}

function roleOf(node: ts.ClassElement): MemberDeclaration['role'] | undefined {
  if (compiler.isPropertyDeclaration(node)) return 'field';
  if (compiler.isMethodDeclaration(node)) return 'method';
  if (compiler.isGetAccessorDeclaration(node)) return 'get';
  return compiler.isSetAccessorDeclaration(node) ? 'set' : undefined;
}
