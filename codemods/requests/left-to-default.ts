/** Functions that others may call, too, and leave something out: what stands there for that counts beside what is seen to be given. */
import type { SourceModule } from '../evaluate/module.ts';
import type { World } from '../evaluate/program.ts';
import { walk } from '../syntax/link.ts';
import type { Node } from '../syntax/tree.ts';
import type { Owner } from './call-paths.ts';

/** Whether a function is exported and has a default for something that it is given; of a class, whether anything in it has. */
export function isLeftToDefaults(world: World, owner: Owner): boolean {
  const { parent } = owner;
  const declared = parent?.kind === 'classMember' ? parent.parent : owner;
  return declared !== undefined && exportedIn(world).has(declared) && hasDefault(declared);
}

const exported = new WeakMap<World, ReadonlySet<Node>>();

function exportedIn(world: World): ReadonlySet<Node> {
  const known = exported.get(world) ?? new Set([...world.modules.values()].flatMap(exportsOf));
  exported.set(world, known);
  return known;
}

function exportsOf(module: SourceModule): Node[] {
  const { scopes, whole } = module;
  const named = [...module.exports.values()].flatMap((each): (Node | undefined)[] => {
    if ('node' in each) return [each.node];
    if ('declared' in each) return [scopes.declaredBy(each.declared)?.owner];
    return 'reference' in each ? [each.reference] : [];
  });
  const members = whole?.kind === 'object' ? whole.properties.flatMap((each) => (each.kind === 'property' ? [each.value] : [])) : [whole];
  return [...named, ...members].flatMap((node) => (node === undefined ? [] : [meantBy(node, module)]));
}

/** The function or class that is exported by a name or as a constant. */
function meantBy(node: Node, { scopes }: SourceModule): Node {
  const owner = node.kind === 'name' ? (scopes.bindingOf(node)?.owner ?? node) : node;
  return owner.kind === 'variable' && owner.init !== undefined ? owner.init : owner;
}

const withDefault = new WeakMap<Node, boolean>();

function hasDefault(declared: Node): boolean {
  const known = withDefault.get(declared);
  if (known !== undefined) return known;
  let found = false;
  walk(declared, (node) => {
    found ||= isDefault(node);
    return !found;
  });
  withDefault.set(declared, found);
  return found;
}

/** `(base = '…')`, `({ base = '…' })`, `options.base || '…'` and `{ base: '…', ...options }`. */
function isDefault(node: Node): boolean {
  if (node.kind === 'param' || node.kind === 'patternProperty') return node.default !== undefined;
  if (node.kind === 'logical') return node.operator !== '&&';
  return node.kind === 'spread' && node.parent?.kind === 'object';
}
