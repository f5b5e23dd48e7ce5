/** The names by which other files know a binding: through imports, re-exports and `require`. */
import type { Binding } from '../syntax/scopes.ts';
import type { PatternName } from '../syntax/tree.ts';
import type { SourceModule } from './module.ts';
import type { World } from './program.ts';
import { withStar } from './stars.ts';

export interface Alias {
  readonly binding: Binding;
  readonly module: SourceModule;
}

const known = new WeakMap<World, ReadonlyMap<Binding, readonly Alias[]>>();

/** @returns the bindings of other files that mean the same */
export function aliasesOf(world: World, binding: Binding): readonly Alias[] {
  const index = known.get(world) ?? indexOf(world);
  known.set(world, index);
  return index.get(binding) ?? [];
}

function indexOf(world: World): Map<Binding, Alias[]> {
  const index = new Map<Binding, Alias[]>();
  for (const module of world.modules.values()) {
    for (const { specifier, imported, local } of importsIn(module)) {
      const target = world.resolve(module, specifier);
      const meant = target === undefined ? undefined : exportedBinding(world, target, imported, new Set());
      const binding = module.scopes.declaredBy(local);
      if (meant === undefined || binding === undefined) continue;
      const aliases = index.get(meant);
      if (aliases === undefined) index.set(meant, [{ binding, module }]);
      else aliases.push({ binding, module });
    }
  }
  return index;
}

interface Import {
  readonly specifier: string;
  /** `*` for the whole of `module.exports`. */
  readonly imported: string;
  readonly local: PatternName;
}

function importsIn({ tree, calls }: SourceModule): Import[] {
  const imports = tree.program.body.flatMap((node): Import[] =>
    node.kind === 'import' ? node.specifiers.map(({ imported, local }) => ({ specifier: node.source.value, imported, local })) : [],
  );
  const required = calls.flatMap(({ callee, args: [specifier], parent }): Import[] => {
    if (callee.kind !== 'name' || callee.name !== 'require' || specifier?.kind !== 'string' || parent?.kind !== 'variable') return [];
    const { target } = parent;
    if (target.kind === 'patternName') return [{ specifier: specifier.value, imported: '*', local: target }];
    if (target.kind !== 'objectPattern') return [];
    return target.properties.flatMap(({ name, target: local }) =>
      name !== undefined && local.kind === 'patternName' ? [{ specifier: specifier.value, imported: name, local }] : [],
    );
  });
  return [...imports, ...required];
}

function exportedBinding(world: World, module: SourceModule, name: string, seen: Set<SourceModule>): Binding | undefined {
  if (seen.has(module)) return undefined;
  seen.add(module);
  const target = module.exports.get(name);
  const { whole } = module;
  if (target === undefined && (name === '*' || name === 'default'))
    return whole?.kind === 'name' ? module.scopes.bindingOf(whole) : undefined;
  if (target === undefined) return throughStars(world, module, name, seen);
  if ('declared' in target) return module.scopes.declaredBy(target.declared);
  if ('reference' in target) return module.scopes.bindingOf(target.reference);
  if ('node' in target) return target.node.kind === 'name' ? module.scopes.bindingOf(target.node) : undefined;
  const next = world.resolve(module, target.specifier);
  return next === undefined ? undefined : exportedBinding(world, next, target.name, seen);
}

function throughStars(world: World, module: SourceModule, name: string, seen: Set<SourceModule>): Binding | undefined {
  for (const next of withStar(world, module, name)) {
    const found = exportedBinding(world, next, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
