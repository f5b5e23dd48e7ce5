import { exact, none } from '../../syntax/lists.ts';
import { exportedIn, isDeclaredOnce, namespaceOf } from '../../syntax/namespace.ts';
import type { BlockNode, EnumNode, Node, OtherNode, VariableNode } from '../../syntax/tree.ts';
import { compiler, type ts } from './compiler.ts';
import { DeferredClass, DeferredExpression, DeferredFunction, DeferredVariable, type Later } from './deferred.ts';
import { block, classOf, declarationStart, functionOf, functionOutside } from './functions.ts';
import { exportAssignment, exportDeclaration, importDeclaration, importEquals } from './modules.ts';
import { declaredName, typeNameOf } from './names.ts';
import { assigned, pattern } from './patterns.ts';
import type { Reader } from './reader.ts';

/** A method, so that each entry of the table may name the kind of statement it is for. */
interface Read {
  read(node: ts.Node, reader: Reader): Node | readonly Node[];
}

const kinds: Readonly<Partial<Record<ts.SyntaxKind, Read['read']>>> = {
  // As the last of the statements it goes by the name `LastStatement` otherwise.
  [compiler.SyntaxKind.DebuggerStatement]: (node, reader) => other('DebuggerStatement', [], node, reader),
  [compiler.SyntaxKind.EmptyStatement]: () => none,
  [compiler.SyntaxKind.InterfaceDeclaration]: () => none,
  [compiler.SyntaxKind.TypeAliasDeclaration]: () => none,
  [compiler.SyntaxKind.NamespaceExportDeclaration]: () => none,
  [compiler.SyntaxKind.ExpressionStatement]: (node: ts.ExpressionStatement, reader) =>
    other('ExpressionStatement', [reader.expression(node.expression)], node, reader),
  [compiler.SyntaxKind.VariableStatement]: (node: ts.VariableStatement, reader) =>
    isAmbient(node) ? none : variables(node.declarationList, reader),
  [compiler.SyntaxKind.FunctionDeclaration]: functionOf,
  [compiler.SyntaxKind.ClassDeclaration]: classOf,
  [compiler.SyntaxKind.EnumDeclaration]: enumOf,
  [compiler.SyntaxKind.ModuleDeclaration]: namespace,
  [compiler.SyntaxKind.ImportDeclaration]: importDeclaration,
  [compiler.SyntaxKind.ImportEqualsDeclaration]: importEquals,
  [compiler.SyntaxKind.ExportDeclaration]: exportDeclaration,
  [compiler.SyntaxKind.ExportAssignment]: exportAssignment,
  [compiler.SyntaxKind.ReturnStatement]: (node: ts.ReturnStatement, reader) => ({
    kind: 'return',
    argument: node.expression && reader.expression(node.expression),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  }),
  [compiler.SyntaxKind.ThrowStatement]: (node: ts.ThrowStatement, reader) =>
    other('ThrowStatement', [reader.expression(node.expression)], node, reader),
  [compiler.SyntaxKind.Block]: block,
  [compiler.SyntaxKind.IfStatement]: (node: ts.IfStatement, reader) => {
    const branches = reader.statements(node.elseStatement ? [node.thenStatement, node.elseStatement] : [node.thenStatement]);
    return other('IfStatement', [reader.expression(node.expression), ...branches], node, reader);
  },
  [compiler.SyntaxKind.ForStatement]: (node: ts.ForStatement, reader) => {
    const head = [node.condition, node.incrementor].filter((part) => part !== undefined);
    const parts = [...initializer(node.initializer, reader), ...head.map((part) => reader.expression(part))];
    return loop(node, [...parts, ...reader.statements([node.statement])], reader);
  },
  [compiler.SyntaxKind.ForOfStatement]: forEach,
  [compiler.SyntaxKind.ForInStatement]: forEach,
  [compiler.SyntaxKind.WhileStatement]: (node: ts.WhileStatement, reader) =>
    loop(node, [reader.expression(node.expression), ...reader.statements([node.statement])], reader),
  [compiler.SyntaxKind.DoStatement]: (node: ts.DoStatement, reader) =>
    loop(node, [...reader.statements([node.statement]), reader.expression(node.expression)], reader),
  [compiler.SyntaxKind.TryStatement]: tryOf,
  [compiler.SyntaxKind.SwitchStatement]: switchOf,
  [compiler.SyntaxKind.LabeledStatement]: (node: ts.LabeledStatement, reader) =>
    other('LabeledStatement', reader.statements([node.statement]), node, reader),
  [compiler.SyntaxKind.WithStatement]: (node: ts.WithStatement, reader) =>
    other('WithStatement', [reader.expression(node.expression), ...reader.statements([node.statement])], node, reader),
};

export function statements(nodes: readonly ts.Statement[], reader: Reader): readonly Node[] {
  return exact(nodes.flatMap((node) => withExport(node, converted(node, reader), reader)));
}

const converted = (node: ts.Statement, reader: Reader): Node | readonly Node[] =>
  kinds[node.kind]?.(node, reader) ?? other(compiler.SyntaxKind[node.kind], none, node, reader);

const withExport = (node: ts.Statement, read: Node | readonly Node[], reader: Reader): Node | readonly Node[] =>
  isExported(node) ? exported(node, read, reader) : read;

/** How a statement is had once more. */
type Again = (node: ts.Statement, index: number) => Later<unknown>['again'];

/** The statements at the top level of a file, those that may be large without their inside. */
export function outermost(nodes: readonly ts.Statement[], reader: Reader, again: Again): readonly Node[] {
  return exact(
    nodes.flatMap((node, index) => withExport(node, deferred(node, reader, () => again(node, index)) ?? converted(node, reader), reader)),
  );
}

function deferred(node: ts.Statement, reader: Reader, againOf: () => Later<unknown>['again']): Node | readonly Node[] | undefined {
  const again = againOf();
  if (compiler.isExpressionStatement(node)) {
    return new DeferredExpression({ start: reader.start(node), end: reader.end(node) }, { again, read: readExpression });
  }
  if (compiler.isFunctionDeclaration(node)) return new DeferredFunction(functionOutside(node, reader), { again, read: readFunction });
  if (compiler.isClassDeclaration(node)) {
    const name = node.name && declaredName(node.name, reader);
    return new DeferredClass(name, { start: declarationStart(node, reader), end: reader.end(node) }, { again, read: readClass });
  }
  if (!compiler.isVariableStatement(node) || isAmbient(node)) return undefined;
  const [variable, ...others] = node.declarationList.declarations;
  // Of several variables each would be parsed once more with all others.
  if (variable === undefined || others.length > 0) return undefined;
  const { initializer } = variable;
  const outside = outsideOf(variable, declaresOf(node.declarationList), reader);
  if (initializer === undefined || !isFunction(initializer)) return new DeferredVariable(outside, { again, read: readInitializer });
  const init = new DeferredFunction(functionOutside(initializer, reader), { again, read: readInitialFunction });
  return { kind: 'variable', ...outside, init, each: undefined, parent: undefined };
}

const isFunction = (node: ts.Node | undefined): node is ts.ArrowFunction | ts.FunctionExpression =>
  node !== undefined && (compiler.isArrowFunction(node) || compiler.isFunctionExpression(node));

const reading =
  <Kind extends ts.Statement, Inside>(is: (node: ts.Node) => node is Kind, read: (node: Kind, reader: Reader) => Inside) =>
  (node: ts.Statement, reader: Reader): Inside => {
    if (!is(node)) throw new TypeError(`a statement has become another: ${compiler.SyntaxKind[node.kind]}`);
    return read(node, reader);
  };

const readFunction = reading(compiler.isFunctionDeclaration, functionOf);
const readClass = reading(compiler.isClassDeclaration, classOf);
const readExpression = reading(compiler.isExpressionStatement, ({ expression }, reader) => [reader.expression(expression)]);
const initializerOf = ({ declarationList }: ts.VariableStatement): ts.Expression | undefined =>
  declarationList.declarations[0]?.initializer;
const readInitializer = reading(compiler.isVariableStatement, (node, reader) => {
  const initializer = initializerOf(node);
  return initializer && reader.expression(initializer);
});
const readInitialFunction = reading(
  (node): node is ts.VariableStatement => compiler.isVariableStatement(node) && isFunction(initializerOf(node)),
  (node, reader) => functionOf(initializerOf(node) as ts.ArrowFunction | ts.FunctionExpression, reader),
);

function isExported(node: ts.Statement): boolean {
  return compiler.canHaveModifiers(node) && (node.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword) ?? false);
}

/** `export const …`, `export default function …`; exported types leave none. */
function exported(node: ts.Statement, read: Node | readonly Node[], reader: Reader): Node | readonly Node[] {
  const declarations = [read].flat();
  if (declarations.length === 0) return none;
  const isDefault =
    compiler.canHaveModifiers(node) && (node.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.DefaultKeyword) ?? false);
  return {
    kind: 'exportDeclaration',
    isDefault,
    isAssignment: false,
    declarations,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

function other(what: string, children: readonly Node[], node: ts.Node, reader: Reader): OtherNode {
  return { kind: 'other', what, children: exact(children), start: reader.start(node), end: reader.end(node), parent: undefined };
}

function variables(list: ts.VariableDeclarationList, reader: Reader): VariableNode[] {
  const declares = declaresOf(list);
  return list.declarations.map((node) => ({
    kind: 'variable',
    ...outsideOf(node, declares, reader),
    init: node.initializer && reader.expression(node.initializer),
    each: undefined,
    parent: undefined,
  }));
}

const outsideOf = (node: ts.VariableDeclaration, declares: VariableNode['declares'], reader: Reader) => ({
  declares,
  target: pattern(node.name, reader),
  typeName: typeNameOf(node.type),
  start: reader.start(node),
  end: reader.end(node),
});

function declaresOf({ flags }: ts.VariableDeclarationList): VariableNode['declares'] {
  // `using` cannot be assigned to either.
  if (flags & (compiler.NodeFlags.Const | compiler.NodeFlags.Using)) return 'const';
  return flags & compiler.NodeFlags.Let ? 'let' : 'var';
}

function initializer(node: ts.ForInitializer | undefined, reader: Reader): Node[] {
  if (node === undefined) return [];
  return compiler.isVariableDeclarationList(node) ? variables(node, reader) : [reader.expression(node)];
}

function loop(node: ts.Statement, body: readonly Node[], reader: Reader): BlockNode {
  return {
    kind: 'block',
    role: 'loop',
    body: exact(body),
    params: none,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

/** `for (x of y)`, where `x` is not declared there, is an assignment of something in `y`. */
function forEach(node: ts.ForInOrOfStatement, reader: Reader): BlockNode {
  const over = reader.expression(node.expression);
  const body = reader.statements([node.statement]);
  if (compiler.isVariableDeclarationList(node.initializer)) {
    const each = compiler.isForOfStatement(node) ? 'value' : 'key';
    const declared = variables(node.initializer, reader).map((variable): VariableNode => ({
      ...variable,
      init: over,
      each,
      end: over.end,
    }));
    return loop(node, [...declared, ...body], reader);
  }
  const value: OtherNode = { kind: 'other', what: compiler.SyntaxKind[node.kind], children: [over], start: over.start, end: over.end };
  const target = assigned(node.initializer, reader);
  return loop(node, [{ kind: 'assign', operator: '=', target, value, start: target.start, end: over.end }, ...body], reader);
}

function tryOf(node: ts.TryStatement, reader: Reader): OtherNode {
  const parts: Node[] = [block(node.tryBlock, reader)];
  if (node.catchClause) parts.push(catchOf(node.catchClause, reader));
  if (node.finallyBlock) parts.push(block(node.finallyBlock, reader));
  return other('TryStatement', parts, node, reader);
}

function catchOf(node: ts.CatchClause, reader: Reader): BlockNode {
  return {
    kind: 'block',
    role: 'catch',
    params: node.variableDeclaration ? [pattern(node.variableDeclaration.name, reader)] : [],
    body: reader.statements(node.block.statements),
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

function switchOf(node: ts.SwitchStatement, reader: Reader): BlockNode {
  const clauses = node.caseBlock.clauses.map((clause) => {
    const test = compiler.isCaseClause(clause) ? [reader.expression(clause.expression)] : [];
    return other(compiler.SyntaxKind[clause.kind], [...test, ...reader.statements(clause.statements)], clause, reader);
  });
  return {
    kind: 'block',
    body: exact([reader.expression(node.expression), ...clauses]),
    params: none,
    start: reader.start(node),
    end: reader.end(node),
    parent: undefined,
  };
}

function enumOf(node: ts.EnumDeclaration, reader: Reader): EnumNode {
  return {
    kind: 'enum',
    name: declaredName(node.name, reader),
    members: node.members.map((member) => ({
      name: compiler.isComputedPropertyName(member.name) ? member.name.expression.getText() : member.name.text,
      ...(member.initializer && { value: reader.expression(member.initializer) }),
    })),
    start: declarationStart(node, reader),
    end: reader.end(node),
    parent: undefined,
  };
}

/** `declare const api: Api`, `declare global { … }`: only says of what type something is that stands elsewhere. */
const isAmbient = ({ modifiers }: ts.VariableStatement | ts.ModuleDeclaration): boolean =>
  modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.DeclareKeyword) ?? false;

/** What a namespace exports is no export of the file. */
function namespace(node: ts.ModuleDeclaration, reader: Reader): Node | readonly Node[] {
  const { body } = node;
  if (!body || isAmbient(node)) return none;
  const place = { start: declarationStart(node, reader), end: reader.end(node) };
  // `namespace A.B {}`
  const inner = compiler.isModuleDeclaration(body)
    ? [exportedIn(namespace(body, reader), place)]
    : compiler.isModuleBlock(body)
      ? reader.statements(body.statements)
      : none;
  const name = compiler.isIdentifier(node.name) ? declaredName(node.name, reader) : undefined;
  return namespaceOf(name !== undefined && isDeclaredOnce(name.name, reader.text) ? name : undefined, inner, place);
}
