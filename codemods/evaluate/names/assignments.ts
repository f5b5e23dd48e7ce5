/** What a name may hold at a place: what it starts with, and what is assigned to it. */
import { none } from '../../syntax/lists.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { AssignNode, NameNode, Node, UnaryNode } from '../../syntax/tree.ts';
import { isWithin } from '../../syntax/link.ts';
import { type ForkAround, forksAround, isForked, type Item, orderOf } from './order.ts';

export interface Assignment {
  readonly node: AssignNode;
  /** Stands for what the name holds before it … */
  readonly before: object;
  /** … and for that with everything that is written into it. */
  readonly seen: object;
  /**
   * Whether it is run once for each declaration, and in the order of the source: it stands in no loop and in no function of its own. Then what it
   * assigns cannot hang on what is assigned later.
   */
  readonly isInOrder: boolean;
}

/** As a key, it stands for what the name holds at its declaration. */
export interface Assignments {
  /** In source order. */
  readonly all: readonly Assignment[];
  readonly byNode: ReadonlyMap<Node, Assignment>;
  /** All writes in their order, where one reckons with what is there: `+=`, `++`, or makes it over, whatever it was. */
  readonly reckoning: Reckoning | undefined;
  /** The functions and classes around its declaration … */
  readonly declaredIn: ReadonlySet<Node>;
  /** … and those around the places that assign to it or write into it. */
  readonly writtenIn: ReadonlySet<Node>;
}

interface Reckoning {
  readonly items: readonly Item[];
  /** Whether something stands around the whole life of the name. */
  readonly isRoot: (node: Node) => boolean;
}

const known = new WeakMap<Binding, Assignments>();
/** Most names are never assigned to. */
const unassigned: ReadonlyMap<Node, Assignment> = new Map();

export function assignmentsOf(binding: Binding): Assignments {
  const before = known.get(binding);
  if (before !== undefined) return before;
  const found = assignmentsTo(binding);
  known.set(binding, found);
  return found;
}

function assignmentsTo(binding: Binding): Assignments {
  const declaredIn = contextsAround(binding.declaration);
  const written = binding.references.filter(isWritten);
  if (written.length === 0) return { all: none, byNode: unassigned, reckoning: undefined, declaredIn, writtenIn: declaredIn };
  const around = new Set<Node>();
  for (let at: Node | undefined = binding.declaration; at !== undefined; at = at.parent) around.add(at);
  const assigned = new Set(written.map(assignmentOf).filter((node) => node !== undefined));
  const all = [...assigned].map((node): Assignment => ({ node, before: {}, seen: {}, isInOrder: isInOrder(node, binding, around) }));
  const writers = new Set<Node>();
  for (const reference of written)
    for (let at: Node | undefined = reference; at !== undefined && !around.has(at); at = at.parent) if (isContext(at)) writers.add(at);
  return {
    all: all.length === 0 ? none : all.toSorted((a, b) => a.node.start - b.node.start),
    byNode: all.length === 0 ? unassigned : new Map<Node, Assignment>(all.map((each) => [each.node, each])),
    reckoning: reckoningOf(binding, [...assigned], isRootOf(binding, around)),
    declaredIn,
    writtenIn: writers.size === 0 ? declaredIn : new Set([...declaredIn, ...writers]),
  };
}

/** Whether an assignment reckons with what is there, as `+=` and `-=` do; `||=` and the like give what they are given or leave it. */
export const isReckoning = ({ operator }: AssignNode): boolean => !['=', '||=', '??=', '&&='].includes(operator);

const contexts = new WeakMap<Node, ReadonlySet<Node>>();
const outermost: ReadonlySet<Node> = new Set();

/** The functions and classes around a place: all that is declared in one of them has the same. */
function contextsAround(place: Node): ReadonlySet<Node> {
  let nearest: Node | undefined = place;
  while (nearest !== undefined && !isContext(nearest)) nearest = nearest.parent;
  if (nearest === undefined) return outermost;
  const before = contexts.get(nearest);
  if (before !== undefined) return before;
  const found = new Set([nearest, ...(nearest.parent === undefined ? [] : contextsAround(nearest.parent))]);
  contexts.set(nearest, found);
  return found;
}

const isContext = ({ kind }: Node): boolean => kind === 'function' || kind === 'class';

/** The assignment that a name is the target of, or stands in the target of: `[base] = bases`. */
export function assignmentOf(reference: NameNode): AssignNode | undefined {
  let target: Node = reference;
  while (target.parent?.kind === 'arrayPattern' || isTargetIn(target.parent, target)) target = target.parent ?? target;
  const { parent } = target;
  return parent?.kind === 'assign' && parent.target === target ? parent : undefined;
}

const isTargetIn = (around: Node | undefined, node: Node): boolean =>
  around?.kind === 'objectPattern' || (around?.kind === 'patternProperty' && around.target === node);

function reckoningOf(binding: Binding, assigned: readonly AssignNode[], isRoot: (node: Node) => boolean): Reckoning | undefined {
  const counted = binding.references
    .map(({ parent }) => parent)
    .filter((node): node is UnaryNode => node?.kind === 'unary' && isCounting(node));
  const isRemade = (): boolean => assigned.some((node) => isOfItself(node, binding)) && !assigned.some((node) => isForked(node, isRoot));
  if (counted.length === 0 && !assigned.some(isReckoning) && !isRemade()) return undefined;
  const writes = [...assigned, ...counted].toSorted((a, b) => a.start - b.start);
  return { items: orderOf(writes, isRoot), isRoot };
}

/** `base = base.endsWith('/') ? base.slice(0, -1) : base`: nothing of what it was is left behind that. */
const isOfItself = ({ operator, target, value }: AssignNode, { references }: Binding): boolean =>
  operator === '=' && target.kind === 'name' && references.some((each) => isWithin(value, each));

const isCounting = ({ operator }: UnaryNode): boolean => operator === '++' || operator === '--';

/** What is run in parts, again and again or at another time between what puts something into a name and the name's declaration; the outermost first. */
export function forksOf(node: Node, binding: Binding): readonly ForkAround[] {
  const around = new Set<Node>();
  for (let at: Node | undefined = binding.declaration; at !== undefined; at = at.parent) around.add(at);
  return forksAround(node, isRootOf(binding, around));
}

/** @param around what stands around the declaration: the scope that it is made anew in, and all beyond */
function isRootOf({ owner }: Binding, around: ReadonlySet<Node>): (node: Node) => boolean {
  // A `var` lives as long as its function, whatever loop it is declared in.
  const isVar = owner.kind === 'variable' && owner.declares === 'var';
  return (node) => around.has(node) && (!isVar || isContext(node) || node.kind === 'program');
}

function isInOrder(node: AssignNode, binding: Binding, around: ReadonlySet<Node>): boolean {
  const isRoot = isRootOf(binding, around);
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (isRoot(at)) return true;
    if (isContext(at) || (at.kind === 'block' && at.role === 'loop')) return false;
  }
  return true;
}

/** Whether something may be put into what a name stands for: `config.base = …`, `config.set(…)`, `Object.assign(config, …)`, `setUp(config)`. */
function isWritten(reference: NameNode): boolean {
  if (assignmentOf(reference) !== undefined) return true;
  let whole: Node = reference;
  while (whole.parent?.kind === 'member' && whole.parent.object === whole) whole = whole.parent;
  const { parent } = whole;
  if (parent?.kind === 'call') return parent.callee === whole || parent.args[0] === whole || parent.callee.kind === 'name';
  return (parent?.kind === 'assign' && parent.target === whole) || parent?.kind === 'unary';
}

/** The assignment whose value a place stands in, where that comes in order: the place sees nothing of what is assigned from there on. */
export function assignmentAround(place: Node, { byNode }: Assignments): Assignment | undefined {
  if (byNode.size === 0) return undefined;
  for (let at = place.parent, inside = place; at !== undefined && !isContext(at); inside = at, at = at.parent) {
    const found = byNode.get(at);
    if (found?.isInOrder === true && found.node.value === inside) return found;
  }
  return undefined;
}
