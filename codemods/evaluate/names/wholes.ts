/** Who has all that a file exports as one value: `module.exports = { … }` by `require`, `export default { … }` by its import. */
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { commonJsName, type SourceModule } from '../module.ts';
import type { World } from '../program.ts';
import { givenFirst, isRequire, passedOnBy } from './specifiers.ts';

interface Whole {
  readonly places: { readonly node: Node; readonly module: SourceModule }[];
  /** Whether others have it in a way that is not followed. */
  isOpen: boolean;
}

const known = new WeakMap<World, ReadonlyMap<SourceModule, Whole>>();

/** The places that give it; undefined where these are not all. */
export function placesOfWhole(world: World, module: SourceModule): Whole['places'] | undefined {
  const found = known.get(world) ?? indexOf(world);
  known.set(world, found);
  const { places, isOpen } = found.get(module) ?? { places: [], isOpen: false };
  return isOpen ? undefined : places;
}

function indexOf(world: World): ReadonlyMap<SourceModule, Whole> {
  const found = new Map<SourceModule, Whole>();
  const add = (of: SourceModule | undefined, module: SourceModule, nodes: readonly Node[] | undefined): void => {
    if (of === undefined) return;
    const whole = found.get(of) ?? { places: [], isOpen: false };
    found.set(of, whole);
    whole.isOpen ||= nodes === undefined;
    for (const node of nodes ?? []) whole.places.push({ node, module });
  };
  for (const module of world.modules.values()) {
    const resolved = (specifier: string): SourceModule | undefined => world.resolve(module, specifier);
    const { program } = module.tree;
    add(
      module,
      module,
      nodesOfKind(program, 'member').filter((node) => isRead(node) && commonJsName(node) === '*'),
    );
    for (const call of module.calls) {
      const isImport = call.callee.kind === 'other' && call.callee.what === 'import';
      if (!isImport && !isRequire(call, module)) continue;
      for (const of of givenFirst(call).map(resolved))
        add(of, module, !isImport && of?.exports.has('default') !== true ? [call] : undefined);
    }
    for (const { source, specifiers } of nodesOfKind(program, 'import')) {
      const of = resolved(source.value);
      const isOfDefault = of?.exports.has('default') === true;
      for (const { imported, local } of specifiers) {
        // What a module exports by names is not what it exports by default.
        if (isOfDefault && imported !== 'default' && imported !== '*') continue;
        const isWhole = imported === 'default' || (imported === '*' && !isOfDefault);
        add(of, module, isWhole ? (module.scopes.declaredBy(local)?.references ?? []) : undefined);
      }
    }
    for (const specifier of passedOnBy(module)) add(resolved(specifier), module, undefined);
  }
  return found;
}

const isRead = (node: Node): boolean => node.parent?.kind !== 'assign' || node.parent.target !== node;
