import { exact } from './lists.ts';
import type { Node, ProgramNode } from './tree.ts';

type Visit = (child: Node) => void;

function all(nodes: readonly (Node | undefined)[], visit: Visit): void {
  for (const child of nodes) if (child) visit(child);
}

/** Without a list of them: every node of every file comes by here several times. */
function some(visit: Visit, one: Node | undefined, other?: Node, third?: Node): void {
  if (one) visit(one);
  if (other) visit(other);
  if (third) visit(third);
}

/**
 * Calls `visit` with each child of a node, in source order; with nothing below the children.
 */
export function eachChild(node: Node, visit: Visit): void {
  switch (node.kind) {
    case 'string':
    case 'literal':
    case 'name':
    case 'patternName':
    case 'this':
    case 'super':
      return;
    case 'template':
      return all(node.expressions, visit);
    case 'member':
      return some(visit, node.object, node.computed);
    case 'call':
      visit(node.callee);
      return all(node.args, visit);
    case 'tagged':
      return some(visit, node.tag, node.template);
    case 'spread':
    case 'unary':
    case 'await':
      return visit(node.argument);
    case 'return':
      return some(visit, node.argument);
    case 'property':
      return some(visit, node.computed, node.value);
    case 'object':
      return all(node.properties, visit);
    case 'array':
      return all(node.elements, visit);
    case 'concat':
    case 'binary':
    case 'logical':
      visit(node.left);
      return visit(node.right);
    case 'conditional':
      return some(visit, node.test, node.whenTrue, node.whenFalse);
    case 'assign':
      visit(node.target);
      return visit(node.value);
    case 'function':
      some(visit, node.name);
      all(node.params, visit);
      return some(visit, node.body);
    case 'param':
      all(node.decorators, visit);
      return some(visit, node.target, node.default);
    case 'class':
      all(node.decorators, visit);
      some(visit, node.name, node.superclass);
      return all(node.members, visit);
    case 'classMember':
      all(node.decorators, visit);
      return some(visit, node.computed, node.value);
    case 'objectPattern':
      all(node.properties, visit);
      return some(visit, node.rest);
    case 'patternProperty':
      return some(visit, node.computed, node.target, node.default);
    case 'arrayPattern':
      return all(
        node.elements.flatMap((element) => (element ? [element.target, element.default] : [])),
        visit,
      );
    case 'variable':
      return some(visit, node.target, node.init);
    case 'enum':
      visit(node.name);
      return all(
        node.members.map((member) => member.value),
        visit,
      );
    case 'import':
      all(
        node.specifiers.map((specifier) => specifier.local),
        visit,
      );
      return visit(node.source);
    case 'export':
      all(
        node.specifiers.map((specifier) => specifier.reference),
        visit,
      );
      return some(visit, node.source);
    case 'exportDeclaration':
      return all(node.declarations, visit);
    case 'block':
      all(node.params, visit);
      return all(node.body, visit);
    case 'other':
      return all(node.children, visit);
    case 'program':
      return all(node.body, visit);
  }
}

/** The children of a node, in source order. */
export function children(node: Node): Node[] {
  const found: Node[] = [];
  eachChild(node, (child) => found.push(child));
  return found;
}

/**
 * Visits a node and all below it, parents before children, in source order. Uses no stack of its own calls, so no depth of
 * nesting is too much.
 *
 * @param visit may return false to leave out what is below the node
 */
export function walk(node: Node, visit: (node: Node) => void | boolean): void {
  if (node.kind === 'program') return walkProgram(node, visit);
  const waiting: Node[] = [node];
  const push = (child: Node): void => void waiting.push(child);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (visit(next) === false) continue;
    const first = waiting.length;
    eachChild(next, push);
    reverseFrom(waiting, first);
  }
}

/** The nodes of a program as `walk` comes by them, and behind each where those below it end. */
interface Order {
  readonly nodes: readonly Node[];
  readonly ends: Int32Array;
}

/** A program is walked about ten times, each time the same way. */
const orders = new WeakMap<ProgramNode, Order>();

function walkProgram(program: ProgramNode, visit: (node: Node) => void | boolean): void {
  const { nodes, ends } = orders.get(program) ?? orderOf(program);
  for (let at = 0; at < nodes.length;) at = visit(nodes[at] as Node) === false ? (ends[at] as number) : at + 1;
}

type OfKind<Kind extends Node['kind']> = Extract<Node, { readonly kind: Kind }>;

const byKind = new WeakMap<ProgramNode, ReadonlyMap<Node['kind'], readonly Node[]>>();

/** The nodes of a kind, as `walk` comes by them: for whoever looks at few of all nodes. */
export function nodesOfKind<Kind extends Node['kind']>(program: ProgramNode, kind: Kind): readonly OfKind<Kind>[] {
  const known = byKind.get(program);
  const nodes = known ?? groupedOf(program);
  if (known === undefined) byKind.set(program, nodes);
  // They are grouped by just this.
  return (nodes.get(kind) ?? []) as readonly OfKind<Kind>[];
}

function groupedOf(program: ProgramNode): ReadonlyMap<Node['kind'], readonly Node[]> {
  const groups = new Map<Node['kind'], Node[]>();
  for (const node of (orders.get(program) ?? orderOf(program)).nodes) {
    const group = groups.get(node.kind);
    if (group === undefined) groups.set(node.kind, [node]);
    else group.push(node);
  }
  for (const [kind, nodes] of groups) groups.set(kind, nodes.slice());
  return groups;
}

/** @param meet is called with every child and its parent */
function orderOf(program: ProgramNode, meet?: (child: Node, parent: Node) => void): Order {
  const nodes: Node[] = [];
  const parents: number[] = [];
  const waiting: Node[] = [program];
  const waitingFor: number[] = [0];
  let at = 0;
  let parent: Node = program;
  const push = (child: Node): void => {
    meet?.(child, parent);
    waiting.push(child);
    waitingFor.push(at);
  };
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    parent = next;
    at = nodes.push(next) - 1;
    parents.push(waitingFor.pop() as number);
    const first = waiting.length;
    eachChild(next, push);
    reverseFrom(waiting, first);
  }
  const ends = new Int32Array(nodes.length);
  // What comes last is below what comes before it.
  for (let index = nodes.length - 1; index >= 0; index--) {
    const end = Math.max(ends[index] as number, index + 1);
    ends[index] = end;
    const parent = parents[index] as number;
    ends[parent] = Math.max(ends[parent] as number, end);
  }
  const order = { nodes: exact(nodes), ends };
  orders.set(program, order);
  return order;
}

/** Turns round what stands at the end of a list. */
function reverseFrom(list: Node[], first: number): void {
  for (let low = first, high = list.length - 1; low < high; low++, high--) {
    const node = list[low] as Node;
    list[low] = list[high] as Node;
    list[high] = node;
  }
}

/** Sets `parent` on every node below the program. */
export function link(program: ProgramNode): void {
  orderOf(program, (child, parent) => {
    child.parent = parent;
  });
}

/** Whether a name among some stands anywhere in a node. */
export function mentionsAny(node: Node, names: ReadonlySet<string>): boolean {
  let isFound = false;
  walk(node, (each) => {
    isFound ||= each.kind === 'name' && names.has(each.name);
    return !isFound;
  });
  return isFound;
}

/** Whether a node stands in another of its file, or is it. */
export const isWithin = (around: Node, { start, end }: Node): boolean => around.start <= start && end <= around.end;

/** The nearest of some nodes that a node stands in, itself first. */
export function nearestOf(node: Node, some: ReadonlySet<Node>): Node | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && !some.has(at)) at = at.parent;
  return at;
}
