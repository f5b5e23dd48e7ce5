/** The names by which other files know a binding: through imports, re-exports and `require`. */
import type { Binding } from '../../syntax/scopes.ts';
import type { NameNode, PatternName } from '../../syntax/tree.ts';
import { assignmentsOf } from './assignments.ts';
import type { Place } from '../budget.ts';
import type { SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { withStar } from './stars.ts';

export interface Alias {
  readonly binding: Binding;
  readonly module: SourceModule;
}

interface Index {
  readonly aliases: Map<Binding, Alias[]>;
  /** What each of them means, in the file that exports it. */
  readonly meant: Map<Binding, Alias>;
}

const known = new WeakMap<World, Index>();

/** @returns the bindings of other files that mean the same */
export const aliasesOf = (world: World, binding: Binding): readonly Alias[] => indexIn(world).aliases.get(binding) ?? [];

/** @returns what a name that is imported means where it is exported, as far as that is one of the files */
export const meantByAlias = (world: World, binding: Binding): Alias | undefined => indexIn(world).meant.get(binding);

/** What a name is declared as: in its own file, or in the one that it is imported from. */
export function declarationOf(world: World, name: NameNode, module: SourceModule): Alias | undefined {
  const binding = module.scopes.bindingOf(name);
  return binding && (meantByAlias(world, binding) ?? { binding, module });
}

/** What a name always stands for, by the syntax alone: a constant, a function, an enum, of its file or of the one that it is imported from. */
export function standsFor(world: World, name: NameNode, module: SourceModule): Place | undefined {
  const meant = declarationOf(world, name, module);
  if (meant === undefined) return undefined;
  const { owner, again } = meant.binding;
  if (owner.kind === 'function' || owner.kind === 'enum') return { node: owner, module: meant.module };
  const isFixed = owner.kind === 'variable' && owner.target.kind === 'patternName' && owner.each === undefined && again.length === 0;
  const init = isFixed && assignmentsOf(meant.binding).all.length === 0 ? owner.init : undefined;
  return init && { node: init, module: meant.module };
}

/** What `import * as schemas` has under a name: any of the file. */
export function fileNamed(world: World, name: NameNode, module: SourceModule): Place | undefined {
  const { owner } = module.scopes.bindingOf(name) ?? {};
  const isWhole = owner?.kind === 'import' && owner.specifiers.some(({ local, imported }) => local.name === name.name && imported === '*');
  const from = isWhole ? world.resolve(module, owner.source.value) : undefined;
  return from && { node: from.tree.program, module: from };
}

function indexIn(world: World): Index {
  const index = known.get(world) ?? indexOf(world);
  known.set(world, index);
  return index;
}

function indexOf(world: World): Index {
  const index: Index = { aliases: new Map(), meant: new Map() };
  for (const module of world.modules.values()) {
    for (const { specifier, imported, local } of importsIn(module)) {
      const target = world.resolve(module, specifier);
      const meant = target === undefined ? undefined : exportedBinding(world, target, imported, new Set());
      const binding = module.scopes.declaredBy(local);
      if (meant === undefined || binding === undefined) continue;
      index.meant.set(binding, meant);
      const aliases = index.aliases.get(meant.binding);
      if (aliases === undefined) index.aliases.set(meant.binding, [{ binding, module }]);
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

function exportedBinding(world: World, module: SourceModule, name: string, seen: Set<SourceModule>): Alias | undefined {
  if (seen.has(module)) return undefined;
  seen.add(module);
  const target = module.exports.get(name);
  const { whole } = module;
  const here = (binding: Binding | undefined): Alias | undefined => binding && { binding, module };
  if (target === undefined && (name === '*' || name === 'default'))
    return whole?.kind === 'name' ? here(module.scopes.bindingOf(whole)) : undefined;
  if (target === undefined) return throughStars(world, module, name, seen);
  if ('declared' in target) return here(module.scopes.declaredBy(target.declared));
  if ('reference' in target) return here(module.scopes.bindingOf(target.reference));
  if ('node' in target) return target.node.kind === 'name' ? here(module.scopes.bindingOf(target.node)) : undefined;
  const next = world.resolve(module, target.specifier);
  return next === undefined ? undefined : exportedBinding(world, next, target.name, seen);
}

function throughStars(world: World, module: SourceModule, name: string, seen: Set<SourceModule>): Alias | undefined {
  for (const next of withStar(world, module, name)) {
    const found = exportedBinding(world, next, name, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
