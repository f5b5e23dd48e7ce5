import { exportedIn, isDeclaredOnce, namespaceOf } from '../../syntax/namespace.ts';
import type { BlockNode, EnumNode, Node, OtherNode, VariableNode } from '../../syntax/tree.ts';
import { block, bodyOf, classOf, functionOf } from './functions.ts';
import { exportAll, exportAssignment, exportDefault, exportNamed, importDeclaration, importEquals } from './modules.ts';
import { declaredName, keyText, typeNameOf } from './names.ts';
import { endOf, isNode, maybe, part, parts, startOf, type AstNode } from './nodes.ts';
import { assigned, pattern } from './patterns.ts';
import type { Reader } from './reader.ts';

type Read = (node: AstNode, reader: Reader) => Node | readonly Node[];

const nothing: readonly Node[] = [];

const none: Read = () => nothing;

/** Expressions and statements in the order of their fields. */
const plain =
  (what: string, ...fields: string[]): Read =>
  (node, reader) => ({ kind: 'other', what, children: inside(node, fields, reader), start: startOf(node), end: endOf(node) });

const loop =
  (...fields: string[]): Read =>
  (node, reader) =>
    loopOf(node, inside(node, fields, reader));

function inside(node: AstNode, fields: readonly string[], reader: Reader): Node[] {
  return reader.statements(fields.map((field) => maybe(node, field)).filter((field) => field !== undefined));
}

const kinds: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['EmptyStatement', none],
  ['TSNamespaceExportDeclaration', none],
  ['Directive', plain('ExpressionStatement', 'value')],
  ['ExpressionStatement', plain('ExpressionStatement', 'expression')],
  ['VariableDeclaration', (node, reader) => (isAmbient(node) ? nothing : variables(node, reader))],
  ['FunctionDeclaration', functionOf],
  ['TSDeclareFunction', functionOf],
  ['ComponentDeclaration', functionOf],
  ['HookDeclaration', functionOf],
  ['ClassDeclaration', classOf],
  ['TSEnumDeclaration', enumOf],
  ['EnumDeclaration', enumOf],
  ['TSModuleDeclaration', namespace],
  ['ImportDeclaration', importDeclaration],
  ['TSImportEqualsDeclaration', importEquals],
  ['ExportNamedDeclaration', exportNamed],
  ['ExportDefaultDeclaration', exportDefault],
  ['ExportAllDeclaration', exportAll],
  ['TSExportAssignment', exportAssignment],
  ['ReturnStatement', returnOf],
  ['ThrowStatement', plain('ThrowStatement', 'argument')],
  ['BlockStatement', block],
  ['IfStatement', plain('IfStatement', 'test', 'consequent', 'alternate')],
  ['ForStatement', loop('init', 'test', 'update', 'body')],
  ['ForOfStatement', forEach],
  ['ForInStatement', forEach],
  ['WhileStatement', loop('test', 'body')],
  ['DoWhileStatement', loop('body', 'test')],
  ['TryStatement', plain('TryStatement', 'block', 'handler', 'finalizer')],
  ['CatchClause', catchOf],
  ['SwitchStatement', switchOf],
  ['LabeledStatement', plain('LabeledStatement', 'body')],
  ['WithStatement', plain('WithStatement', 'object', 'body')],
  ['BreakStatement', plain('BreakStatement')],
  ['ContinueStatement', plain('ContinueStatement')],
  ['DebuggerStatement', plain('DebuggerStatement')],
]);

/** Declarations of types, in Flow and TypeScript. */
const types = /^(TypeAlias|OpaqueType|InterfaceDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|Declare\w+)$/;

/** What is no statement is read as an expression. */
export function statements(nodes: readonly AstNode[], reader: Reader): Node[] {
  return nodes.flatMap((node) => {
    if (types.test(node.type)) return nothing;
    return kinds.get(node.type)?.(node, reader) ?? reader.expression(node);
  });
}

function variables(node: AstNode, reader: Reader): VariableNode[] {
  // `using` cannot be assigned to either.
  const declares = node.kind === 'let' || node.kind === 'var' ? node.kind : 'const';
  return parts(node, 'declarations').map((declarator) => {
    const name = part(declarator, 'id');
    const init = maybe(declarator, 'init');
    const typeName = typeNameOf(maybe(name, 'typeAnnotation'));
    return {
      kind: 'variable',
      declares,
      target: pattern(name, reader),
      ...(init && { init: reader.expression(init) }),
      ...(typeName !== undefined && { typeName }),
      start: startOf(declarator),
      end: endOf(declarator),
    };
  });
}

function returnOf(node: AstNode, reader: Reader): Node {
  const argument = maybe(node, 'argument');
  return { kind: 'return', ...(argument && { argument: reader.expression(argument) }), start: startOf(node), end: endOf(node) };
}

function loopOf(node: AstNode, body: readonly Node[]): BlockNode {
  return { kind: 'block', role: 'loop', body, params: [], start: startOf(node), end: endOf(node) };
}

/** `for (x of y)`, where `x` is not declared there, is an assignment of something in `y`. */
function forEach(node: AstNode, reader: Reader): BlockNode {
  const head = part(node, 'left');
  const over = reader.expression(part(node, 'right'));
  const body = inside(node, ['body'], reader);
  if (head.type === 'VariableDeclaration') {
    const each = node.type === 'ForOfStatement' ? 'value' : 'key';
    const declared = variables(head, reader).map((variable): VariableNode => ({ ...variable, init: over, each, end: over.end }));
    return loopOf(node, [...declared, ...body]);
  }
  const value: OtherNode = { kind: 'other', what: node.type, children: [over], start: over.start, end: over.end };
  const target = assigned(head, reader);
  return loopOf(node, [{ kind: 'assign', operator: '=', target, value, start: target.start, end: over.end }, ...body]);
}

function catchOf(node: AstNode, reader: Reader): BlockNode {
  const param = maybe(node, 'param');
  return {
    kind: 'block',
    role: 'catch',
    params: param ? [pattern(param, reader)] : [],
    body: bodyOf(part(node, 'body'), reader),
    start: startOf(node),
    end: endOf(node),
  };
}

function switchOf(node: AstNode, reader: Reader): BlockNode {
  const clauses = parts(node, 'cases').map((clause): OtherNode => {
    const what = maybe(clause, 'test') ? 'CaseClause' : 'DefaultClause';
    const children = [...inside(clause, ['test'], reader), ...reader.statements(parts(clause, 'consequent'))];
    return { kind: 'other', what, children, start: startOf(clause), end: endOf(clause) };
  });
  return {
    kind: 'block',
    body: [...inside(node, ['discriminant'], reader), ...clauses],
    params: [],
    start: startOf(node),
    end: endOf(node),
  };
}

function enumOf(node: AstNode, reader: Reader): EnumNode {
  const members = [...parts(node, 'members'), ...(isNode(node.body) ? parts(node.body, 'members') : [])];
  return {
    kind: 'enum',
    name: declaredName(part(node, 'id')),
    members: members.map((member) => {
      const value = maybe(member, 'initializer') ?? maybe(member, 'init');
      return { name: keyText(part(member, 'id')), ...(value && { value: reader.expression(value) }) };
    }),
    start: startOf(node),
    end: endOf(node),
  };
}

/** `declare const api: Api`, `declare global { … }`: only says of what type something is that stands elsewhere. */
const isAmbient = (node: AstNode): boolean => node['declare'] === true;

/** What a namespace exports is no export of the file. */
function namespace(node: AstNode, reader: Reader): Node | readonly Node[] {
  const body = maybe(node, 'body');
  if (body === undefined || isAmbient(node)) return nothing;
  const place = { start: startOf(node), end: endOf(node) };
  const id = part(node, 'id');
  // `namespace A.B {}`
  const inner = body.type === 'TSModuleDeclaration' ? [exportedIn(namespace(body, reader), place)] : bodyOf(body, reader);
  const name = id.type === 'Identifier' ? declaredName(id) : undefined;
  return namespaceOf(name !== undefined && isDeclaredOnce(name.name, reader.text) ? name : undefined, inner, place);
}
