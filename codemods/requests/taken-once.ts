/** Rows that a program takes out of a table once, as it is configured: `const config = configs[process.env.NODE_ENV]`. They are stages of one thing. */
import type { SourceModule } from '../evaluate/module.ts';
import { forksAround } from '../evaluate/order.ts';
import { walk } from '../syntax/link.ts';
import type { Binding, Scopes } from '../syntax/scopes.ts';
import type { Expression, NameNode, Node } from '../syntax/tree.ts';
import { isKept } from './branches.ts';

/** Whether a name holds the row that a module takes as it is loaded, or in a function the one that its environment names. */
export function isTakenOnce(holder: Node, { scopes }: SourceModule): boolean {
  if (holder.kind !== 'variable' || holder.each !== undefined || holder.init?.kind !== 'member') return false;
  const around = forksAround(holder, ({ kind }) => kind === 'program');
  if (around.some(({ kind }) => kind === 'loop')) return false;
  return around.every(({ kind }) => kind !== 'function') || isOfEnvironment(holder.init.computed, scopes);
}

/** Whether something is what the environment says, or is there without that: no call chooses it. */
function isOfEnvironment(chosen: Expression | undefined, scopes: Scopes, before: readonly Expression[] = []): boolean {
  if (chosen === undefined || before.includes(chosen)) return false;
  const names: NameNode[] = [];
  let isSaid = false;
  walk(chosen, (node) => {
    if (node.kind === 'name') names.push(node);
    isSaid ||= (node.kind === 'name' && isEnvironment(node.name)) || (node.kind === 'member' && isEnvironment(node.property));
  });
  const own = names.flatMap((name) => scopes.bindingOf(name) ?? []).filter(({ owner }) => owner.kind !== 'import');
  const isOwn = (binding: Binding): boolean => isKept(binding) && isOfEnvironment(startOf(binding), scopes, [...before, chosen]);
  return own.length === 0 ? isSaid : own.every(isOwn);
}

const isEnvironment = (name = ''): boolean => /env(?![a-z])|ENV/.test(name);

/** What callers may give in the place of a default is named as that is: `(stage = process.env.NODE_ENV) => configs[stage]`. */
const startOf = ({ owner }: Binding): Expression | undefined =>
  owner.kind === 'variable' && owner.each === undefined ? owner.init : owner.kind === 'param' ? owner.default : undefined;
