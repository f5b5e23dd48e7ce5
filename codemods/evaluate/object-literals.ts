/** Names that always are an object which is written out where it is declared, as far as the syntax says. */
import { combined } from './combined.ts';
import type { Evaluation } from './evaluation.ts';
import { modulesGivenBy } from './given-modules.ts';
import type { SourceModule } from './module.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { Expression } from '../syntax/tree.ts';

/** @returns whether an expression is an object literal, by however many constants and imports: no instance of a class then, and nothing is evaluated */
export function isObjectLiteral(ev: Evaluation, node: Expression, module: SourceModule): boolean {
  if (node.kind === 'object') return true;
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  return binding !== undefined && isDeclaredSo(ev, binding, module);
}

function isDeclaredSo(ev: Evaluation, { owner, declaration }: Binding, module: SourceModule): boolean {
  if (owner.kind === 'variable') {
    const { declares, target, init, each } = owner;
    const isOne = declares === 'const' && target.kind === 'patternName' && each === undefined;
    return isOne && init !== undefined && isObjectLiteral(ev, init, module);
  }
  if (owner.kind !== 'import') return false;
  const name = owner.specifiers.find(({ local }) => local === declaration)?.imported;
  const [from, ...others] = modulesGivenBy(ev, module, owner.source.value);
  const target = name === undefined ? undefined : from?.exports.get(name);
  if (from === undefined || from === module || others.length > 0 || target === undefined || !('declared' in target)) return false;
  if (combined(ev.rules).settingsIn(ev, owner.source.value, from) !== undefined) return false;
  const exported = from.scopes.declaredBy(target.declared);
  return exported?.owner.kind === 'variable' && isDeclaredSo(ev, exported, from);
}
