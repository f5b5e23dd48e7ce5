/** What tests put their own functions in the place of. */
import { globalObjects } from '../../evaluate/language/builtins.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { ExternalValue } from '../../evaluate/values/values.ts';
import { variableOf } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';

/** Methods that say what a mock answers, and give back the mock. */
export const settings = /^(?:mock[A-Z]\w*|returns|resolves|rejects|throws|calls[A-Z]\w*|yields|with\w*|onCall|on(?:First|Second)Call)$/;

/** What a mock is put in the place of: `vi.stubGlobal('$fetch', mock)`, `globalThis.fetch = mock`. */
export function replacedBy(made: Node, module: SourceModule): ExternalValue | undefined {
  const { scopes } = module;
  const { parent } = made;
  // `vi.fn().mockResolvedValue(…)` is still the mock.
  const isSet = parent?.kind === 'member' && settings.test(parent.property ?? '');
  if (isSet && parent.parent?.kind === 'call' && parent.parent.callee === parent) return replacedBy(parent.parent, module);
  const binding = variableOf(made, scopes);
  for (const reference of [made, ...(binding?.references ?? [])]) {
    const name = globalFor(reference);
    if (name !== undefined) return { type: 'external', source: '', path: [name] };
  }
  return undefined;
}

function globalFor(reference: Node): string | undefined {
  const { parent } = reference;
  if (parent?.kind === 'assign') {
    const { target } = parent;
    const isGlobal = target.kind === 'member' && target.object.kind === 'name' && globalObjects.has(target.object.name);
    return isGlobal && parent.value === reference ? target.property : undefined;
  }
  const [key, value] =
    parent?.kind === 'call' && parent.callee.kind === 'member' && parent.callee.property === 'stubGlobal' ? parent.args : [];
  return value === reference && key?.kind === 'string' ? key.value : undefined;
}
