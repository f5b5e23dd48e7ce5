/** Every place that names a binding, in its own file and in those that take it from there. */
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Binding } from '../syntax/scopes.ts';
import type { Node } from '../syntax/tree.ts';

export interface Place {
  readonly node: Node;
  readonly module: SourceModule;
}

export interface Readers {
  /** The references to a binding; of an exported one also those of other files. */
  of(binding: Binding, module: SourceModule): readonly Place[];
  /** What other files take from a file. Which of its exports it is, their values say. */
  ofModule(module: SourceModule): readonly Place[];
}

export function readersIn({ world }: Evaluation): Readers {
  const takers = new Map<SourceModule, { readonly places: Place[]; readonly passing: Set<SourceModule> }>();
  const takersOf = (module: SourceModule): { readonly places: Place[]; readonly passing: Set<SourceModule> } => {
    const known = takers.get(module) ?? { places: [], passing: new Set() };
    takers.set(module, known);
    return known;
  };
  for (const module of world.modules.values()) {
    for (const node of module.tree.program.body) {
      if ((node.kind !== 'import' && node.kind !== 'export') || node.source === undefined) continue;
      const target = world.resolve(module, node.source.value);
      if (target === undefined) continue;
      if (node.kind === 'export') takersOf(target).passing.add(module);
      else {
        const bindings = node.specifiers.flatMap(({ local }) => module.scopes.declaredBy(local) ?? []);
        takersOf(target).places.push(...bindings.flatMap(({ references }) => references.map((reference) => ({ node: reference, module }))));
        // `import { a } from './a'; export { a }`
        if (bindings.some((binding) => isExported(binding, module))) takersOf(target).passing.add(module);
      }
    }
    for (const call of module.calls) {
      const [specifier] = call.args;
      const isTaking = (call.callee.kind === 'name' && call.callee.name === 'require') || call.callee.kind === 'other';
      if (!isTaking || specifier?.kind !== 'string') continue;
      const target = world.resolve(module, specifier.value);
      if (target !== undefined) takersOf(target).places.push({ node: call, module });
    }
  }
  const ofModule = (module: SourceModule, seen: ReadonlySet<SourceModule> = new Set()): readonly Place[] => {
    if (seen.has(module)) return [];
    const { places, passing } = takersOf(module);
    return [...places, ...[...passing].flatMap((other) => ofModule(other, new Set(seen).add(module)))];
  };
  return {
    of: (binding, module) => [
      ...binding.references.map((node) => ({ node, module })),
      ...(isExported(binding, module) ? ofModule(module) : []),
    ],
    ofModule: (module) => ofModule(module),
  };
}

/** Whether other files can take a binding. */
export const isExported = (binding: Binding, module: SourceModule): boolean =>
  [...module.exports.values()].some(
    (target) =>
      ('declared' in target && target.declared === binding.declaration) ||
      ('reference' in target && module.scopes.bindingOf(target.reference) === binding) ||
      ('node' in target &&
        (target.node === binding.owner || (target.node.kind === 'name' && module.scopes.bindingOf(target.node) === binding))),
  );
