/** An expression by which a program gets hold of an object. */
import type { NameNode, Node, VariableNode } from '../../syntax/tree.ts';
import { functionAround } from '../calls/callees.ts';
import type { At } from '../evaluation.ts';
import type { SourceModule } from '../module.ts';
import type { Frame } from '../calls/frame.ts';

/** An expression that may give the object, or a pattern that takes it apart. */
export interface Named {
  readonly node: Node;
  readonly at: At;
  /** Whether it is a name of the object itself, or of the parameter of a function that is given it by such: what is written there is its own. */
  readonly isOwn: boolean;
  /** It holds the same as the object, and is another: `{ ...options }`. */
  readonly isCopy?: boolean;
}

/** Kinds that only look at what a name gives. */
const looking: ReadonlySet<Node['kind'] | undefined> = new Set(['template', 'concat', 'binary', 'tagged', undefined]);

/** Whether more may happen at a place than that something is read. */
export function isUsed(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind !== 'member' || parent.object !== node) return !looking.has(parent?.kind);
  const around = parent.parent;
  return around?.kind === 'other' ? around.what === 'ForOfStatement' : !looking.has(around?.kind);
}

/** Whether a name always is what it is declared as. */
export function isConstant(name: NameNode, { scopes }: SourceModule): boolean {
  const owner = scopes.bindingOf(name)?.owner;
  return owner?.kind === 'variable' && owner.declares === 'const';
}

/** Whether a variable is another name of what its only value names: `const same = options`, in one function. */
export function isSecondName(node: VariableNode, { scopes }: SourceModule): boolean {
  const { init, target, declares } = node;
  if (declares !== 'const' || target.kind !== 'patternName' || init?.kind !== 'name') return false;
  const of = scopes.bindingOf(init);
  return of?.owner.kind === 'variable' && of.owner.declares === 'const' && functionAround(of.owner) === functionAround(node);
}

/** Whether a variable names what an object of the same function holds: `const headers = options.headers`, `const { headers } = options`. */
export function isNameOfPart(node: VariableNode, { scopes }: SourceModule): boolean {
  const { init, target, declares } = node;
  const isTaken = target.kind === 'objectPattern' && target.properties.every((each) => each.target.kind === 'patternName' && !each.default);
  const whole = isTaken ? init : target.kind === 'patternName' ? memberOf(init) : undefined;
  const of = declares === 'const' && whole?.kind === 'name' ? scopes.bindingOf(whole)?.owner : undefined;
  return of?.kind === 'variable' && of.declares === 'const' && functionAround(of) === functionAround(node);
}

const memberOf = (node: Node | undefined): Node | undefined => (node?.kind === 'member' ? node.object : undefined);

/** Where what it names is declared. */
export const originOf = ({ node, at }: Named): Node =>
  node.kind === 'name' ? (at.module.scopes.bindingOf(node)?.declaration ?? node) : node;

export function isWithin(fn: Node, node: Node): boolean {
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) if (at === fn) return true;
  return false;
}

export function depthOf(frame: Frame | undefined): number {
  let depth = 0;
  for (let at = frame; at !== undefined; at = at.outer) if (at.call !== undefined) depth++;
  return depth;
}

export function isCalling(frame: Frame | undefined, owner: Node): boolean {
  for (let at = frame; at !== undefined; at = at.outer) if (at.owner === owner) return true;
  return false;
}
