/** What libraries give to functions of the project that they run: `.action((options) => …)`. */
import type { Place } from '../evaluate/budget.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { optionsOf } from '../evaluate/values.ts';
import { namesIn } from '../syntax/scopes.ts';
import type { CallNode, PatternName } from '../syntax/tree.ts';
import { calledBy } from './arguments.ts';
import type { DataflowQuery } from './dataflow-query.ts';

interface GivenName {
  readonly name: PatternName;
  readonly module: SourceModule;
}

interface Given {
  readonly names: readonly GivenName[];
  /** Whether who calls decides what runs them there: nobody knows what they get. */
  readonly isOpen: boolean;
}

/** The names by which functions have what they are given where a call runs them. */
export function namesGivenBy(query: DataflowQuery, { node, module }: Place & { readonly node: CallNode }): Given {
  const callee = calledBy(node);
  const runs = query.values({ node: callee, module }).flatMap((each) => query.ev.runs(each, node, { module, frame: undefined }));
  const names = runs.flatMap(({ fn }) =>
    fn.type === 'function'
      ? fn.node.params.flatMap(({ target }) => namesIn(target)).map((name): GivenName => ({ name, module: fn.module }))
      : [],
  );
  const isOpen =
    names.length > 0 && optionsOf(query.ev.evaluate(callee, { module, frame: undefined })).some(({ type }) => type === 'param');
  return { names, isOpen };
}
