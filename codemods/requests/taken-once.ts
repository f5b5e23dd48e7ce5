/** Rows that a program takes out of a table once, as it is configured: `const config = configs[process.env.NODE_ENV]`. They are stages of one thing. */
import type { SourceModule } from '../evaluate/module.ts';
import { forksAround } from '../evaluate/names/order.ts';
import { walk } from '../syntax/link.ts';
import type { Binding, Scopes } from '../syntax/scopes.ts';
import type { Expression, NameNode, Node } from '../syntax/tree.ts';
import { isKept } from './branches.ts';

/** Whether a name holds, or looks up, the row that the environment of the program names. */
export function isTakenOnce(holder: Node, { scopes }: SourceModule): boolean {
  if (holder.kind === 'member') return isOfEnvironment(holder.computed, scopes);
  if (holder.kind !== 'variable' || holder.each !== undefined || holder.init?.kind !== 'member') return false;
  const around = forksAround(holder, ({ kind }) => kind === 'program');
  if (around.some(({ kind }) => kind === 'loop')) return false;
  return isOfEnvironment(holder.init.computed, scopes);
}

/** Whether something is what the environment says, or is there without that: no call chooses it. */
function isOfEnvironment(chosen: Expression | undefined, scopes: Scopes, before: readonly Expression[] = []): boolean {
  if (chosen === undefined || before.includes(chosen)) return false;
  const names: NameNode[] = [];
  let isSaid = false;
  walk(chosen, (node) => {
    if (node.kind === 'name') names.push(node);
    isSaid ||= namesEnvironment(node);
  });
  const own = names.flatMap((name) => scopes.bindingOf(name) ?? []).filter(({ owner }) => owner.kind !== 'import');
  const isOwn = (binding: Binding): boolean => isKept(binding) && isOfEnvironment(startOf(binding), scopes, [...before, chosen]);
  return own.length === 0 ? isSaid : own.every(isOwn);
}

/** `process.env.NODE_ENV`, `stage`: by its last name. `env.SERVICE` may be any of several services, and what an object keeps as `this.env`, its user chooses. */
function namesEnvironment(node: Node): boolean {
  if (node.kind === 'member') return node.object.kind !== 'this' && ofStage.test(node.property ?? '');
  return node.kind === 'name' && ofStage.test(node.name) && !(node.parent?.kind === 'member' && node.parent.object === node);
}

const ofStage =
  /^(?:[A-Z\d_]+_)?(?:ENV|ENVIRONMENT|STAGE|MODE)$|^(?:[a-z][A-Za-z\d]*)?(?:Env|Environment|Stage|Mode)$|^(?:env|environment|stage|mode)$/;

/** What callers may give in the place of a default is named as that is: `(stage = process.env.NODE_ENV) => configs[stage]`. */
const startOf = ({ owner }: Binding): Expression | undefined =>
  owner.kind === 'variable' && owner.each === undefined ? owner.init : owner.kind === 'param' ? owner.default : undefined;
