/** Where routers of the program's own servers are mounted: `app.use('/partners', router)`. */
import type { Place } from '../../evaluate/budget.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

const known = new WeakMap<Evaluation, ReadonlyMap<Node, readonly string[]>>();

/** @returns what the paths of a route's router begin with, each as far as it is known; `''` where that may be anything */
export function mountsOf(ev: Evaluation, { node, module }: Place): readonly string[] {
  const callee = node.parent?.kind === 'call' && node.parent.args[0] === node ? node.parent.callee : undefined;
  const router = callee?.kind === 'member' && callee.object.kind === 'name' ? callee.object : undefined;
  const made = router && madeAt(ev, router, module);
  if (router === undefined || made === undefined || !isOnlyMounted(module, router)) return anywhere;
  const mounts = known.get(ev) ?? mountsIn(ev);
  known.set(ev, mounts);
  return mounts.get(made) ?? anywhere;
}

const anywhere = [''];

function mountsIn(ev: Evaluation): ReadonlyMap<Node, readonly string[]> {
  const found = new Map<Node, string[]>();
  for (const module of ev.world.modules.values())
    for (const call of module.calls)
      for (const arg of isMount(call) ? call.args : []) {
        const made = arg.kind === 'name' ? madeAt(ev, arg, module) : undefined;
        if (made !== undefined) found.set(made, [...(found.get(made) ?? []), pathOf(call)]);
      }
  return found;
}

const isMount = ({ callee }: CallNode): boolean => callee.kind === 'member' && callee.property === 'use';

const pathOf = ({ args: [path] }: CallNode): string =>
  path?.kind === 'string' && path.value.startsWith('/') ? path.value.replace(/\/$/, '') : '';

/** The call of a package that made what a name stands for. */
function madeAt(ev: Evaluation, node: Node, module: SourceModule): Node | undefined {
  const value = ev.evaluate(node, { module, frame: undefined });
  return value.type === 'unknown' && value.node?.kind === 'call' ? value.node : undefined;
}

/** Whether nothing is done with a router where it is made but that it gets its routes, is mounted and is exported. */
function isOnlyMounted({ scopes }: SourceModule, router: Node): boolean {
  const binding = router.kind === 'name' ? scopes.bindingOf(router) : undefined;
  return (
    binding?.owner.kind === 'variable' &&
    binding.owner.declares === 'const' &&
    binding.references.every((each) => {
      const { parent } = each;
      if (parent?.kind === 'call') return isMount(parent) && parent.callee !== each;
      return parent?.kind === 'member' ? parent.object === each : /^(?:export|assign|return|property)/.test(parent?.kind ?? '');
    })
  );
}
