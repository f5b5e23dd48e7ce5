/** What libraries give to functions of the project that they run: `.action((options) => …)`. */
import type { Place } from '../evaluate/budget.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { namesIn } from '../syntax/scopes.ts';
import type { CallNode, PatternName } from '../syntax/tree.ts';
import { calledBy } from './arguments.ts';
import type { DataflowQuery } from './dataflow-query.ts';

interface GivenName {
  readonly name: PatternName;
  readonly module: SourceModule;
}

/** The names by which functions have what they are given where a call runs them. */
export const namesGivenBy = (query: DataflowQuery, { node, module }: Place & { readonly node: CallNode }): GivenName[] =>
  query
    .values({ node: calledBy(node), module })
    .flatMap((callee) => query.ev.runs(callee, node, { module, frame: undefined }))
    .flatMap(({ fn }) =>
      fn.type === 'function'
        ? fn.node.params.flatMap(({ target }) => namesIn(target)).map((name): GivenName => ({ name, module: fn.module }))
        : [],
    );
