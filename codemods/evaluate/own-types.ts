/** Types of the project that have the name of a library's: an SDK's own `HttpClient` is not Angular's. */
import { escaped } from '../find/literals.ts';
import type { Evaluation } from './evaluation.ts';
import { exportedValue } from './exports.ts';
import type { SourceModule } from './module.ts';

/** Whether a type that is named in a module is declared by the project; one that is only handed on from a package is not. */
export function isOwnType(ev: Evaluation, typeName: string, module: SourceModule): boolean {
  const owner = module.scopes.top(typeName)?.owner;
  if (owner?.kind !== 'import') return declares(module, typeName);
  const imported = owner.specifiers.find(({ local }) => local.name === typeName)?.imported ?? typeName;
  const from = ev.world.resolve(module, owner.source.value);
  if (from === undefined) return false;
  return declares(from, imported === 'default' ? typeName : imported) || exportedValue(ev, from, imported)?.type === 'class';
}

const declares = ({ text }: SourceModule, typeName: string): boolean =>
  new RegExp(`\\b(?:class|interface)\\s+${escaped(typeName)}\\b`).test(text);
