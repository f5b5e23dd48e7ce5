/**
 * A file of AMD, read as what it would be in CommonJS: `define(['jquery', 'config'], function ($, config) { …; return api; })` is
 * `const $ = require('jquery'), config = require('config'); …; module.exports = api`. What is written otherwise stays a call that nobody knows.
 */
import { amdImportsIn, amdSpecifier, partsOfModules } from '../../find/modules/amd.ts';
import { walk } from '../../syntax/link.ts';
import type { AssignNode, CallNode, Expression, Node, ParamNode, ProgramNode, StringNode, SyntaxTree } from '../../syntax/tree.ts';

const [define, ...askers] = ['define', 'require', 'requirejs'];
const defining = /\bdefine\s*\(|\brequire(?:js)?\s*\(\s*\[/;

const asked = new WeakMap<Node, string>();

/** The file or package that a statement asks for which stands for a name of such a list. */
export const askedByAmd = (node: Node): string | undefined => asked.get(node);

export function withoutAmd(tree: SyntaxTree, text: string): SyntaxTree {
  const body = defining.test(text) ? statementsOf(tree.program) : undefined;
  return body === undefined ? tree : { ...tree, program: { ...tree.program, body } };
}

/** What a file asks for so, and of which nothing here says what it is there. */
export function unreadOfAmd({ program: { body } }: SyntaxTree, text: string): readonly string[] {
  const read = new Set(body.map(askedByAmd));
  return amdImportsIn(text).filter((each) => !read.has(each));
}

/** Of a file that is one module, and says nothing beside it but where modules are. */
function statementsOf({ body }: ProgramNode): readonly Node[] | undefined {
  const [call, ...others] = body.flatMap((node) => callOf(node, isModule) ?? []);
  if (call === undefined || others.length > 0) return undefined;
  const rest = body.filter((node) => callOf(node, isModule) === undefined);
  const inside = rest.every(saysNothing) ? insideOf(call) : undefined;
  return inside && [...rest.filter(({ end }) => end <= call.start), ...inside, ...rest.filter(({ start }) => start >= call.end)];
}

function callOf(node: Node, is: (call: CallNode) => boolean): CallNode | undefined {
  const [inside] = node.kind === 'other' && node.what === 'ExpressionStatement' ? node.children : [];
  return inside?.kind === 'call' && !inside.isNew && is(inside) ? inside : undefined;
}

/** `define(…)`, `require([…], …)`, `requirejs([…], …)` */
const isModule = ({ callee, args: [first] }: CallNode): boolean =>
  callee.kind === 'name' && (callee.name === define || (askers.includes(callee.name) && first?.kind === 'array'));

/** `'use strict'`, `require.config({…})` */
const saysNothing = (node: Node): boolean =>
  callOf(node, isConfiguring) !== undefined || (node.kind === 'other' && node.children.every(({ kind }) => kind === 'string'));

const isConfiguring = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' && callee.property === 'config' && callee.object.kind === 'name' && askers.includes(callee.object.name);

function insideOf({ callee, args }: CallNode): readonly Node[] | undefined {
  // By its own name it is asked for only where several are put into one file.
  const [first, ...more] = args[0]?.kind === 'string' ? args.slice(1) : args;
  const isDefined = callee.kind === 'name' && callee.name === define;
  if (first?.kind === 'object' && isDefined) return more.length === 0 ? [exported(first, first)] : undefined;
  const [names, made] = first?.kind === 'array' ? [first.elements, more[0]] : [undefined, first];
  if (made?.kind !== 'function' || made.body?.kind !== 'block') return undefined;
  const imports = names === undefined ? wrapped(made.params) : importsOf(names, made.params);
  const body = imports && bodyOf(made.body.body, isDefined);
  return body && !made.body.body.some(declaresParts) ? [...imports, ...body] : undefined;
}

/** `define(function (require, exports, module) {…})`: what it is given is what all files of CommonJS have. */
function wrapped(params: readonly ParamNode[]): readonly Node[] | undefined {
  const parts = [...partsOfModules];
  return params.every(({ target }, index) => target.kind === 'patternName' && target.name === parts[index]) ? [] : undefined;
}

function importsOf(names: readonly (Node | undefined)[], params: readonly ParamNode[]): readonly Node[] | undefined {
  if (params.length > names.length) return undefined;
  const found = names.map((name, index) => (name?.kind === 'string' ? importOf(name, params[index]) : undefined));
  return found.some((each) => each === undefined) ? undefined : found.flatMap((each) => each ?? []);
}

/** @returns none for a part of the module itself, undefined where the name that it gets is not a plain one */
function importOf(name: StringNode, param: ParamNode | undefined): readonly Node[] | undefined {
  const isPart = partsOfModules.has(name.value);
  const { target } = param ?? {};
  if (target?.kind !== undefined && (target.kind !== 'patternName' || param?.default !== undefined || param?.isRest === true))
    return undefined;
  if (isPart) return target === undefined || target.name === name.value ? [] : undefined;
  const { start, end } = name;
  const specifier = amdSpecifier(name.value);
  const source: StringNode = { ...name, value: specifier };
  const node: Node =
    target === undefined
      ? { kind: 'import', source, isType: false, specifiers: [], start, end }
      : { kind: 'variable', declares: 'const', target, init: requiring(source), start, end: target.end };
  asked.set(node, specifier);
  return [node];
}

const requiring = (source: StringNode): CallNode => {
  const { start, end } = source;
  return { kind: 'call', callee: { kind: 'name', name: 'require', start, end: start }, args: [source], isNew: false, start, end };
};

/** What the function does, and what it gives back; functions may be declared behind that. */
function bodyOf(body: readonly Node[], isDefined: boolean): readonly Node[] | undefined {
  const last = body.findIndex(({ kind }) => kind === 'return');
  if (body.some((node, index) => index !== last && returns(node))) return undefined;
  if (last === -1) return body;
  const given = body[last];
  if (given?.kind !== 'return' || !body.slice(last + 1).every(({ kind }) => kind === 'function')) return undefined;
  const { argument } = given;
  return body.toSpliced(last, 1, ...(argument === undefined ? [] : [isDefined ? exported(argument, given) : argument]));
}

function returns(node: Node): boolean {
  let isFound = false;
  walk(node, ({ kind }) => {
    isFound ||= kind === 'return';
    return kind !== 'function';
  });
  return isFound;
}

/** `module.exports = value` */
function exported(value: Expression, { start, end }: Pick<Node, 'start' | 'end'>): AssignNode {
  const object: Expression = { kind: 'name', name: 'module', start, end: start };
  const target: Expression = { kind: 'member', object, property: 'exports', propertyStart: start, propertyEnd: start, start, end: start };
  return { kind: 'assign', operator: '=', target, value, start, end };
}

/** Whether a name that stands for a part of the module stands for something else. */
function declaresParts(node: Node): boolean {
  let isFound = false;
  walk(node, (each) => {
    isFound ||= each.kind === 'patternName' && partsOfModules.has(each.name);
    return !isFound;
  });
  return isFound;
}
