/** What libraries give to functions of the project: `.action((options) => …)`, `app.register(plugin, options)`. */
import type { Place } from '../../../evaluate/budget.ts';
import type { Receiver } from '../../../evaluate/libraries/client-rule.ts';
import { combined } from '../../../evaluate/libraries/combined.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { namesIn } from '../../../syntax/scopes.ts';
import type { CallNode, PatternName } from '../../../syntax/tree.ts';
import { calledBy } from './arguments.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isPrefixOfTests } from '../../servers/own-routes.ts';
import type { DataflowQuery } from '../dataflow-query.ts';

interface Receivers {
  readonly receivers: readonly Receiver[];
  /** What else gets it; undefined where nothing does. */
  readonly others: readonly Value[] | undefined;
}

/** The functions that get something, and nobody else does; undefined where that is not known. */
export const handedOn = ({ ev }: DataflowQuery, { node, module }: Place): readonly Receiver[] | undefined =>
  combined(ev.rules).handsOn(ev, node, module);

/** Who gets an argument of a call: functions that are run with it, or plugged in. */
export function receiversOf(query: DataflowQuery, { node, module }: Place, call: CallNode, callees: readonly Value[]): Receivers {
  const { ev } = query;
  const handed = handedOn(query, { node, module });
  if (handed !== undefined) return { receivers: handed, others: undefined };
  const run = callees.flatMap((callee) => ev.runs(callee, call, { module, frame: undefined })).map(({ fn }) => fn);
  const own = run.filter((fn) => fn.type === 'function');
  return {
    receivers: own.map((fn) => ({ params: fn.node.params, module: fn.module })),
    others: run.length === 0 ? callees : own.length < run.length ? run.filter(({ type }) => type !== 'function') : undefined,
  };
}

interface GivenName {
  readonly name: PatternName;
  readonly module: SourceModule;
}

/** The names by which functions have what they are given where a call runs them. */
export function namesGivenBy(query: DataflowQuery, { node, module }: Place & { readonly node: CallNode }): readonly GivenName[] {
  const runs = query.values({ node: calledBy(node), module }).flatMap((each) => query.ev.runs(each, node, { module, frame: undefined }));
  return runs.flatMap(({ fn }) =>
    fn.type === 'function'
      ? fn.node.params.flatMap(({ target }) => namesIn(target)).map((name): GivenName => ({ name, module: fn.module }))
      : [],
  );
}

/** `app.register(routes, { prefix })`: a plugin has the options, and the server begins its routes with one of them; that of a test has what the test asks. */
export function prefixGiven(query: DataflowQuery, { callee }: CallNode, options: Place): readonly Change[] {
  if (callee.kind !== 'member' || callee.property !== 'register') return [];
  const { modules } = query.ev.world;
  return query
    .values(options)
    .flatMap((value) => (value.type === 'object' ? value.entries : []))
    .flatMap(({ name, valueNode: node, module: { file } }) => {
      const module = modules.get(file);
      if (name !== 'prefix' || node === undefined || module === undefined) return [];
      return isTest(module) && isPrefixOfTests(query.ev, node, module, isTest) ? [] : query.carried({ node, module });
    });
}
