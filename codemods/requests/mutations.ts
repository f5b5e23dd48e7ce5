/** What is done to clients, requests and packages after they were made: writes, deletions and `Object.assign`. */
import type { Mutation } from '../evaluate/libraries/client-rule.ts';
import type { AssignNode, CallNode, Node, UnaryNode } from '../syntax/tree.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { originOf } from '../evaluate/libraries/library.ts';
import { type ExternalValue, type HttpValue, optionsOf } from '../evaluate/values/values.ts';

/** By what it is done to: where a client or request was made, or the name of a package. */
export type Mutations = Map<Node | string, Mutation[]>;

/** One more of those that stand under a key. */
export const push = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
};

/** `Object.assign(client.defaults.headers, { … })`: what is done to the client. */
export function recordAssign(ev: Evaluation, call: CallNode, at: At, mutations: Mutations): void {
  const [target] = call.args;
  if (target?.kind !== 'member') return;
  for (const option of optionsOf(ev.evaluate(target, at))) {
    const of = option.type === 'method' ? option.receiver : option;
    const made = of.type === 'http' ? madeAt(of) : of.type === 'external' ? { origin: originOf(of) } : undefined;
    const path = option.type === 'method' ? option.path : option.type === 'external' ? pathOf(option) : [];
    if (made !== undefined && path.length > 0)
      push(mutations, made.origin, { ...at, of: made.of, kind: 'call', node: call, path: [...path, 'assign'] });
  }
}

/** The names that lead to something of a package or global. */
export const pathOf = ({ source, path }: ExternalValue): readonly string[] => (source === '' ? path.slice(1) : path);

/** Where a client or request was made itself: what is done to it is done to nothing that it was made from. */
export function madeAt({ origins, madeBy }: HttpValue): Made | undefined {
  const origin = origins.at(-1);
  return origin === undefined ? undefined : { origin, of: madeBy?.get(origin) };
}

/** Where something was made, and by which call of the factory that it stands in. */
interface Made {
  readonly origin: Node | string;
  readonly of?: Mutation['of'];
}

/** `a.b = c` or `delete a.b`. */
export type Write = AssignNode | UnaryNode;
/** What is written or deleted. */
export const targetOf = (write: Write): Node => (write.kind === 'assign' ? write.target : write.argument);

/** What `a.b.c` begins with. */
export function rootOf(node: Node): Node {
  let at = node;
  while (at.kind === 'member') at = at.object;
  return at;
}

/** A write or deletion: of a client, a request or a package if one is on the way to what is written. */
export function recordWrite(ev: Evaluation, write: Write, at: At, mutations: Mutations): void {
  const chain: Extract<Node, { kind: 'member' }>[] = [];
  let root = targetOf(write);
  while (root.kind === 'member') {
    chain.unshift(root);
    root = root.object;
  }
  // From the root up: the first that is a client or a package; what follows is the path into it.
  let owner: Node = root;
  for (const [index, member] of chain.entries()) {
    const value = ev.evaluate(owner, at);
    let isFound = false;
    for (const option of optionsOf(value)) {
      const made: Made | undefined =
        option.type === 'http' ? madeAt(option) : option.type === 'external' ? { origin: originOf(option) } : undefined;
      if (made === undefined) continue;
      isFound = true;
      const path = [...(option.type === 'external' ? pathOf(option) : []), ...chain.slice(index).map(({ property }) => property)];
      const computed = chain.at(-1)?.computed;
      const done = { ...at, of: made.of, path, computed };
      push(
        mutations,
        made.origin,
        write.kind === 'assign' ? { ...done, kind: 'write', node: write, value: write.value } : { ...done, kind: 'delete', node: write },
      );
    }
    if (isFound) return;
    owner = member;
  }
}
