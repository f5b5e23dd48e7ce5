/** A comparison of what was read of a request: with what is written there, with nothing, or with what nobody can tell. */
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Entry } from '../../../evaluate/values/values.ts';
import type { Node } from '../../../syntax/tree.ts';

export type Compared = Pick<Entry, 'module' | 'node' | 'valueNode' | 'value' | 'opening'>;

export const unvalued = (node: Node, module: SourceModule): Compared => ({
  node,
  module,
  valueNode: undefined,
  value: () => ({ type: 'literal', value: undefined }),
});

/** What is done with it nobody can tell: what it has to be there, a person says. */
export const open = (node: Node, module: SourceModule): Compared => ({
  node,
  module,
  valueNode: undefined,
  value: () => ({ type: 'unknown', node, module }),
});
