/** Whoever catches what is thrown anywhere: the names of a `catch`, and what `promise.catch(…)` is given. */
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { memoOf } from '../../../once.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import { namesIn } from '../../../syntax/scopes.ts';

export const catchersIn = memoOf(({ world }: Evaluation): { readonly names: readonly Place[]; readonly handlers: readonly Place[] } => {
  const modules = [...world.modules.values()];
  return {
    names: modules.flatMap((module) =>
      nodesOfKind(module.tree.program, 'block').flatMap(({ role, params }) =>
        role === 'catch' ? params.flatMap(namesIn).map((node) => ({ node, module })) : [],
      ),
    ),
    handlers: modules.flatMap((module) =>
      module.calls.flatMap(({ callee, args }) =>
        callee.kind === 'member' && callee.property === 'catch' ? args.map((node) => ({ node, module })) : [],
      ),
    ),
  };
});
