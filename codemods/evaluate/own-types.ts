/** Types of the project that have the name of a library's: an SDK's own `HttpClient` is not Angular's. */
import { escaped } from '../find/literals.ts';
import type { Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import type { World } from './program.ts';

/** Whether a type that is named in a module is declared by the project; one that is only handed on from a package is not. */
export function isOwnType({ world }: Evaluation, typeName: string, module: SourceModule): boolean {
  const owner = module.scopes.top(typeName)?.owner;
  if (owner?.kind !== 'import') return declares(module.text, typeName);
  const imported = owner.specifiers.find(({ local }) => local.name === typeName)?.imported ?? typeName;
  return isDeclaredBehind(world, module.file, owner.source.value, imported === 'default' ? typeName : imported, new Set());
}

function isDeclaredBehind(world: World, from: string, specifier: string, typeName: string, seen: Set<string>): boolean {
  const { file, text } = world.reached?.(from, specifier) ?? {};
  if (file === undefined || text === undefined || seen.has(file)) return false;
  seen.add(file);
  if (declares(text, typeName)) return true;
  const handedOn = [...text.matchAll(reExport)].filter(([, names]) => names === undefined || names.includes(typeName));
  return handedOn.some(([, , further = '']) => isDeclaredBehind(world, file, further, typeName, seen));
}

const reExport = /\bexport\s+(?:type\s+)?(?:\*|\{([^{}]*)\})\s*from\s*['"]([^'"]+)['"]/g;

const declares = (text: string, typeName: string): boolean => new RegExp(`\\b(?:class|interface)\\s+${escaped(typeName)}\\b`).test(text);
