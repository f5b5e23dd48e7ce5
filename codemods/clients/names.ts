/** How libraries put things under names, and how code asks for them: what their rules are made of. */
import type { Ask, AskNode, Carrying, Put, PutNode } from '../evaluate/libraries/provided.ts';
import type { CallNode, Expression, Node } from '../syntax/tree.ts';

/** A method, and what it is called on by its last name: `req.app.get(…)` is `get` of `app`. */
export interface Method {
  readonly method: RegExp;
  readonly on?: RegExp;
}

export interface Names extends Pick<Carrying, 'where'> {
  readonly space: string;
  /** `c.set(name, value)`, or a function of this name. */
  readonly puts?: Method;
  /** What is written to: `req` for `req.name = value`. */
  readonly writes?: RegExp;
  /** `c.get(name)`, with what is given where nothing is put there. */
  readonly asks?: Method;
  /** What has it as a property: `var` for `c.var.name`. */
  readonly reads?: RegExp;
  /** Whether there may be several containers with names of their own. */
  readonly isHeld?: boolean;
}

export const named = ({ where, space, puts, writes, asks, reads, isHeld = false }: Names): Carrying => ({
  where,
  puts(node): readonly Put[] {
    if (node.kind === 'assign' && writes !== undefined) return writtenBy(node, space, writes);
    if (node.kind !== 'call' || puts === undefined || !isCallOf(node, puts)) return [];
    const [key, value] = node.args;
    if (key === undefined || value === undefined || key.kind === 'spread' || value.kind === 'spread') return [];
    return [{ space, key, node: value, ...(isHeld && { holder: holderOf(node) }) }];
  },
  asks(node, name): Ask | undefined {
    const ask = asks && askedBy(node, space, asks);
    if (ask !== undefined) return isHeld && node.kind === 'call' ? { ...ask, holder: holderOf(node) } : ask;
    return reads !== undefined && name !== undefined && reads.test(ownerOf(node)) ? { space, key: name } : undefined;
  },
});

/** `c.get(name)`, `inject(name, otherwise)` */
export function askedBy(node: AskNode, space: string, method: Method): Ask | undefined {
  if (node.kind !== 'call' || !isCallOf(node, method)) return undefined;
  const [key, otherwise] = node.args;
  const isAsk = key !== undefined && key.kind !== 'spread' && node.args.length < 3 && otherwise?.kind !== 'spread';
  return isAsk ? { space, key, otherwise } : undefined;
}

function writtenBy({ target, value }: Extract<PutNode, { kind: 'assign' }>, space: string, holders: RegExp): readonly Put[] {
  if (target.kind !== 'member' || !holders.test(lastName(target.object))) return [];
  const key = target.property ?? target.computed;
  return key === undefined ? [] : [{ space, key, node: value }];
}

export function isCallOf({ callee, isNew }: CallNode, { method, on }: Method): boolean {
  if (isNew) return false;
  if (callee.kind === 'name') return on === undefined && method.test(callee.name);
  return callee.kind === 'member' && method.test(callee.property ?? '') && (on === undefined || on.test(lastName(callee.object)));
}

const holderOf = ({ callee }: CallNode): Expression | undefined => (callee.kind === 'member' ? callee.object : undefined);

/** What an expression is called: `locals` of `req.app.locals`, `useNuxtApp` of a call of that. */
export function lastName(node: Node): string {
  if (node.kind === 'name' || node.kind === 'patternName') return node.name;
  if (node.kind === 'member') return node.property ?? '';
  if (node.kind === 'call') return lastName(node.callee);
  return node.kind === 'this' ? 'this' : '';
}

/** What something is taken from by its name, as `lastName` says it; a parameter that a pattern takes apart has no name. */
export function ownerOf(node: AskNode): string {
  if (node.kind === 'member') return lastName(node.object);
  const pattern = node.kind === 'patternName' && node.parent?.kind === 'patternProperty' ? node.parent.parent : undefined;
  const around = pattern?.parent;
  if (around?.kind === 'variable') return around.init === undefined ? '' : lastName(around.init);
  if (around?.kind === 'patternProperty') return around.name ?? '';
  return around?.kind === 'param' ? '(parameter)' : '';
}
