/** In which order a name is written to, as far as statements say it: what runs one after the other, in one of several branches, or any number of times. */
import type { Scopes } from '../../syntax/scopes.ts';
import type { AssignNode, BlockNode, Node, UnaryNode } from '../../syntax/tree.ts';

/** `path = a`, `path += a`, `count++`. */
export interface WriteStep {
  readonly kind: 'step';
  readonly node: AssignNode | UnaryNode;
  /** Stands for what the name holds after it. */
  readonly after: object;
}

/** Something of which a part is run, or all of it again and again, or at some other time. */
export interface Fork {
  readonly kind: 'branch' | 'switch' | 'try' | 'loop' | 'function';
  readonly node: Node;
  readonly ways: Way[];
  readonly after: object;
}

/** One part of it. */
export interface Way {
  readonly node: Node;
  readonly items: Item[];
}

export type Item = WriteStep | Fork;

/**
 * @param writes in source order
 * @param isRoot whether something stands around the whole life of the name
 */
export function orderOf(writes: readonly WriteStep['node'][], isRoot: (node: Node) => boolean): readonly Item[] {
  const items: Item[] = [];
  for (const node of writes) {
    let into = items;
    for (const { kind, node: fork, way } of forksAround(node, isRoot)) {
      const last = into.at(-1);
      const found: Fork =
        last !== undefined && last.node === fork && last.kind !== 'step' ? last : { kind, node: fork, ways: [], after: {} };
      if (found !== last) into.push(found);
      const known = found.ways.find((each) => each.node === way) ?? { node: way, items: [] };
      if (!found.ways.includes(known)) found.ways.push(known);
      into = known.items;
    }
    into.push({ kind: 'step', node, after: {} });
  }
  return items;
}

/** Whether something is run on some ways only, or at another time. */
export const isForked = (node: Node, isRoot: (node: Node) => boolean): boolean => forksAround(node, isRoot).length > 0;

export interface ForkAround {
  readonly kind: Fork['kind'];
  readonly node: Node;
  readonly way: Node;
}

/** The outermost first. */
export function forksAround(node: Node, isRoot: (node: Node) => boolean): ForkAround[] {
  const found: ForkAround[] = [];
  for (let inside = node, around = node.parent; around !== undefined && !isRoot(around); inside = around, around = around.parent) {
    const fork = forkAt(around, inside);
    if (fork !== undefined) found.unshift(fork);
  }
  return found;
}

function forkAt(around: Node, inside: Node): ForkAround | undefined {
  switch (around.kind) {
    case 'conditional':
      return inside === around.test ? undefined : { kind: 'branch', node: around, way: inside };
    case 'logical':
      return inside === around.left ? undefined : { kind: 'branch', node: around, way: inside };
    case 'block':
      return around.role === 'loop' ? { kind: 'loop', node: around, way: around } : undefined;
    case 'function':
    case 'class':
      return { kind: 'function', node: around, way: around };
    case 'other':
      if (around.what === 'IfStatement') return inside === around.children[0] ? undefined : { kind: 'branch', node: around, way: inside };
      if (around.what === 'TryStatement') return { kind: 'try', node: around, way: inside };
      return around.what.endsWith('Clause') && around.parent !== undefined
        ? { kind: 'switch', node: around.parent, way: around }
        : undefined;
    default:
      return undefined;
  }
}

/** The parts of a fork that write nothing, and after which the program goes on behind it. */
export function hasWayAround({ kind, node, ways }: Fork): boolean {
  if (kind !== 'branch') return kind === 'switch';
  if (node.kind === 'logical') return true;
  const all = node.kind === 'conditional' ? [node.whenTrue, node.whenFalse] : node.kind === 'other' ? node.children.slice(1) : [];
  return all.length < 2 || all.some((each) => !isLeaving(each) && !ways.some((way) => way.node === each));
}

/** Whether what comes behind something is never run after it. */
export function isLeaving(node: Node | undefined): boolean {
  switch (node?.kind) {
    case 'return':
      return true;
    case 'block':
      // Only `while (true)` is known to go on until something in it leaves.
      if (node.role === 'loop') return node.body[0]?.kind === 'literal' && node.body[0].value === true;
      return isSwitch(node) ? areLeaving(node.body.slice(1)) : isLeaving(node.body.at(-1));
    case 'other': {
      const [first, ...rest] = node.children;
      if (node.what === 'IfStatement') return rest.length === 2 && rest.every(isLeaving);
      if (node.what === 'TryStatement')
        return [first, ...rest.filter(isCatch)].every(isLeaving) || rest.some((each) => !isCatch(each) && isLeaving(each));
      return node.what === 'ThrowStatement';
    }
    default:
      return false;
  }
}

export const isCatch = (node: Node): boolean => node.kind === 'block' && node.role === 'catch';

const isSwitch = ({ body }: BlockNode): boolean => body[1]?.kind === 'other' && body[1].what.endsWith('Clause');

/** Whether one of the clauses is always run, and each that holds something ends in leaving. */
const areLeaving = (clauses: readonly Node[]): boolean =>
  clauses.some((clause) => clause.kind === 'other' && clause.what === 'DefaultClause') &&
  clauses.every((clause, index) => {
    const last = clause.kind === 'other' ? clause.children.at(-1) : undefined;
    return isLeaving(last) || (index < clauses.length - 1 && last?.kind !== 'block' && !holdsStatement(clause));
  });

const holdsStatement = (clause: Node): boolean =>
  clause.kind === 'other' && clause.children.length > (clause.what === 'DefaultClause' ? 0 : 1);

/** Every write in items, wherever it stands. */
export function stepsIn(items: readonly Item[]): WriteStep[] {
  return items.flatMap((item) => (item.kind === 'step' ? [item] : item.ways.flatMap((way) => stepsIn(way.items))));
}

/** The writes that stand in functions of their own: these run at any time. */
export function deferredIn(items: readonly Item[]): WriteStep[] {
  return items.flatMap((item) => {
    if (item.kind === 'step') return [];
    return item.ways.flatMap((way) => (item.kind === 'function' ? stepsIn(way.items) : deferredIn(way.items)));
  });
}

/** The outermost function or class around a place, within what stands around the whole life of the name. */
export function functionAround(place: Node, isRoot: (node: Node) => boolean): Node | undefined {
  let found: Node | undefined;
  for (let at = place.parent; at !== undefined && !isRoot(at); at = at.parent)
    if (at.kind === 'function' || at.kind === 'class') found = at;
  return found;
}

/** Whether a function is only run when all writes are over: it is made, or first named, after the last of them, and sees what that left. */
export function isRunAfter(fn: Node, steps: readonly WriteStep[], isRoot: (node: Node) => boolean, scopes: Scopes): boolean {
  const seen = new Set<Node>();
  const isAfter = (node: Node): boolean => {
    if (seen.has(node)) return true;
    seen.add(node);
    const name = node.kind === 'function' && node.isDeclaration ? node.name : undefined;
    // A declared function is there from the beginning, for whoever names it.
    if (name !== undefined)
      return scopes.declaredBy(name)?.references.every((reference) => isAfter(functionAround(reference, isRoot) ?? reference)) ?? false;
    return steps.every((step) => step.node.end <= node.start) && !isRepeated(node);
  };
  const isRepeated = (node: Node): boolean => {
    for (let at = node.parent; at !== undefined && !isRoot(at); at = at.parent) {
      const { start } = at;
      if (at.kind === 'block' && at.role === 'loop' && steps.some((step) => step.node.start >= start)) return true;
    }
    return false;
  };
  return isAfter(fn);
}

/** The fork of a function, wherever it stands. */
export function forkOf(fn: Node, items: readonly Item[]): Way | undefined {
  for (const item of items) {
    if (item.kind === 'step') continue;
    for (const way of item.ways) {
      const found = item.node === fn ? way : forkOf(fn, way.items);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
