/**
 * What is put into names in different branches: `if (isShop) { url = shop; headers = … } else { url = ours; headers = … }`. As one branch alone is run in
 * the life of the names, the address of one and the headers of another go together in no request.
 */
import { assignmentsOf, forksOf } from '../evaluate/names/assignments.ts';
import { type ForkAround, isLeaving } from '../evaluate/names/order.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { walk } from '../syntax/link.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { AssignNode, Node, VariableNode } from '../syntax/tree.ts';

export interface Place {
  readonly node?: Node;
  readonly module?: SourceText;
}

/** @param others asked for where the first stand in branches at all, which few do */
export function areApart(one: readonly Place[], others: () => readonly Place[]): boolean {
  const put = one.map(putAt).filter(({ sides, replaced }) => sides.length > 0 || replaced.size > 0);
  return put.length > 0 && others().some((other) => put.some((each) => isApart(each, putAt(other))));
}

/** How something is put into a name. */
interface PutIn {
  readonly start: number;
  readonly sides: readonly Side[];
  /** Of what the name is declared with, the branches in which something else is put in its place, and where. */
  readonly replaced: ReadonlyMap<Node, number>;
}

/** One side of a fork. */
interface Side {
  readonly kind: ForkAround['kind'];
  /** The same for all that are decided by the same test. */
  readonly fork: unknown;
  /** The branch; where a test decides, whether it holds. */
  readonly side: unknown;
  readonly way: Node;
}

const nowhere: PutIn = { start: 0, sides: [], replaced: new Map() };

const isApart = (one: PutIn, other: PutIn): boolean =>
  one.sides.some((mine) => other.sides.some((each) => areOfOneFork(mine, each))) || isReplaced(one, other) || isReplaced(other, one);

const areOfOneFork = (one: Side, other: Side): boolean =>
  one.fork === other.fork && one.side !== other.side && (one.kind !== 'switch' || (isLeft(one.way) && isLeft(other.way)));

/** Whether what a name is declared with is gone by the time that something else is put into its own. */
const isReplaced = ({ replaced }: PutIn, { sides, start }: PutIn): boolean => sides.some(({ way }) => (replaced.get(way) ?? start) < start);

const known = new WeakMap<Node, PutIn>();

function putAt({ node, module }: Place): PutIn {
  if (node === undefined || module === undefined || !isScript(module)) return nowhere;
  const before = known.get(node);
  if (before !== undefined) return before;
  const put = putterAround(node);
  const found = put === undefined ? nowhere : put.kind === 'assign' ? assignedIn(put, node, module) : declaredIn(put, node, module);
  known.set(node, found);
  return found;
}

/** The branches that an assignment stands in, where it is run once for each declaration of what it assigns to, or writes into. */
function assignedIn(assign: AssignNode, node: Node, module: SourceModule): PutIn {
  let target: Node = assign.target;
  while (target.kind === 'member') target = target.object;
  const binding = target.kind === 'name' ? module.scopes.bindingOf(target) : undefined;
  return binding?.owner.kind === 'variable' ? { ...nowhere, start: assign.start, sides: sidesOf(node, binding, module) } : nowhere;
}

function declaredIn({ target, start }: VariableNode, node: Node, module: SourceModule): PutIn {
  const binding = target.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
  if (binding === undefined) return nowhere;
  const assigned = assignmentsOf(binding).all.filter((each) => each.node.operator === '=');
  const replaced = assigned.flatMap((each): [Node, number][] => {
    const way = sidesOf(each.node, binding, module).at(-1)?.way;
    return way === undefined ? [] : [[way, each.node.start]];
  });
  return { start, sides: sidesOf(node, binding, module), replaced: new Map(replaced) };
}

function sidesOf(node: Node, binding: Binding, module: SourceModule): readonly Side[] {
  const forks = forksOf(node, binding);
  if (!forks.every(({ kind }) => kind === 'branch' || kind === 'switch')) return [];
  return forks.map(({ kind, node: fork, way }) => {
    const test = testOf(fork);
    const key = test === undefined || kind === 'switch' ? undefined : lastingText(test, module);
    return key === undefined ? { kind, fork, side: way, way } : { kind, fork: key, side: isWhenTrue(fork, way), way };
  });
}

const testOf = (fork: Node): Node | undefined =>
  fork.kind === 'conditional' ? fork.test : fork.kind === 'other' && fork.what === 'IfStatement' ? fork.children[0] : undefined;

const isWhenTrue = (fork: Node, way: Node): boolean =>
  (fork.kind === 'conditional' ? fork.whenTrue : fork.kind === 'other' && fork.children[1]) === way;

/** The text of a test that comes out the same wherever it stands in a function: of names that nothing is assigned to, and of literals. */
function lastingText(test: Node, { file, text, scopes }: SourceModule): string | undefined {
  let isLasting = true;
  const declared: number[] = [];
  walk(test, (node) => {
    const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
    if (node.kind === 'name') isLasting &&= binding !== undefined && isParamOrVariable(binding) && isKept(binding);
    // What an object has may change.
    else isLasting &&= lasting.has(node.kind) && !(node.kind === 'binary' && node.operator === 'in');
    if (binding !== undefined) declared.push(binding.declaration.start);
    return isLasting;
  });
  return isLasting && declared.length > 0 ? `${file} ${declared.join(' ')} ${text.slice(test.start, test.end)}` : undefined;
}

const lasting: ReadonlySet<Node['kind']> = new Set(['string', 'literal', 'binary', 'unary']);

/** Nothing is assigned to it, nor is it counted up or down. */
export const isKept = (binding: Binding): boolean => {
  const { all, reckoning } = assignmentsOf(binding);
  return all.length === 0 && reckoning === undefined;
};

const isParamOrVariable = ({ owner }: Binding): boolean => owner.kind === 'param' || owner.kind === 'variable';

/** What puts a value that is written there into a name. */
function putterAround(node: Node): AssignNode | VariableNode | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'assign' && at.kind !== 'variable' && at.kind !== 'function' && at.kind !== 'class')
    at = at.parent;
  return (at?.kind === 'assign' && at.operator === '=') || at?.kind === 'variable' ? at : undefined;
}

/** Whether a clause of a switch does not go on with the next. */
function isLeft(clause: Node): boolean {
  let last: Node | undefined = clause.kind === 'other' ? clause.children.at(-1) : undefined;
  while (last?.kind === 'block' && last.role === undefined) last = last.body.at(-1);
  return isLeaving(last) || (last?.kind === 'other' && /^(?:Break|Continue)Statement$/.test(last.what));
}
