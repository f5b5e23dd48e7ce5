/** TanStack Query, React Query before: https://tanstack.com/query. A query's function is called with its key. */
import type { ClientRule, RuleCall, Run } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { World } from '../../../evaluate/program.ts';
import { optionsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { cacheKey, givenTo } from '../../values/query-keys.ts';
import { objectOf } from '../../servers/incoming.ts';
import { first } from '../../pass-through.ts';
import { made, option } from '../../shapes.ts';

const name = 'tanstack-query';
/** What asks, of hooks and of the client that keeps the answers. */
const asking =
  /^(?:(?:use|create|inject)(?:Suspense)?(?:Infinite)?Query|(?:use)?[pP]refetch(?:Infinite)?Query|(?:fetch|ensure)(?:Infinite)?Query(?:Data)?)$/;
/** What names answers that are kept. */
const naming = /^(?:(?:invalidate|refetch|reset|cancel|remove)Queries|(?:set|get)Quer(?:y|ies)(?:Data|State|Defaults))$/;

function call(call: RuleCall): Value | undefined {
  const [verb = '', ...more] = call.path;
  if (more.length > 0) return undefined;
  if (verb === 'useQueryClient' || verb === 'QueryClient') return made(name, 'client', call, {});
  if (asking.test(verb)) return cacheKey(name, call, keyOf(call), givenTo(functionsOf(call), 'queryKey'));
  return naming.test(verb) ? cacheKey(name, call, keyOf(call), 'named') : undefined;
}

/** `{ queryKey }`, or the first argument itself. */
const keyOf = (call: RuleCall): Value | undefined =>
  call.args[0]?.type === 'object' ? option(call, call.args[0], 'queryKey') : call.args[0];

function runs(call: RuleCall): Run[] {
  const { path, node, module } = call;
  const [verb = '', ...more] = path;
  const open = unknown(node, module);
  if (more.length > 0 || !asking.test(verb)) return isQuiet(verb) ? [] : [{ fn: open, args: [] }];
  const fns = functionsOf(call);
  const context = objectOf({ queryKey: keyOf(call) ?? open }, call);
  return (fns.length === 0 ? [open] : fns).map((fn) => ({ fn, args: [context] }));
}

/** What asks: the query's own function, or those of the clients. */
function functionsOf(call: RuleCall): Value[] {
  const [options, second] = call.args;
  const own =
    options?.type === 'object' ? option(call, options, 'queryFn') : second?.type === 'object' ? option(call, second, 'queryFn') : second;
  return (own === undefined || own.type === 'literal' ? functionsOfClients(call.ev) : [own]).flatMap(optionsOf);
}

/** What is told of answers, and not what they are. */
const isQuiet = (verb: string): boolean => /^(?:useQueryClient|QueryClient)$/.test(verb) || (naming.test(verb) && !verb.startsWith('set'));

const known = new WeakMap<World, readonly Value[]>();

/** `new QueryClient({ defaultOptions: { queries: { queryFn } } })` */
function functionsOfClients(ev: Evaluation): readonly Value[] {
  const before = known.get(ev.world);
  if (before !== undefined) return before;
  const found = [...ev.world.modules.values()].flatMap((module) => {
    if (!module.text.includes('QueryClient')) return [];
    const at = { module, frame: undefined };
    return module.calls.flatMap((node) => {
      const of = node.isNew ? ev.evaluate(node.callee, at) : undefined;
      if (of?.type !== 'external' || of.path.at(-1) !== 'QueryClient') return [];
      const [options = unknown(node, module)] = ev.args(node, at);
      const fn = ['defaultOptions', 'queries', 'queryFn'].reduce((value, each) => ev.member(value, each, node, at), options);
      return fn.type === 'literal' || fn.type === 'unknown' ? [] : [fn];
    });
  });
  known.set(ev.world, found);
  return found;
}

const packages = ['react-query', 'vue-query', 'solid-query', 'svelte-query', 'angular-query-experimental', 'query-core'].map(
  (each) => `@tanstack/${each}`,
);

const byDefault = /\bdefaultOptions\b[^;]*\bqueryFn\b/;
const asked = /\bqueryKey\s*:|\b(?:use|create|inject)\w*Query\(/;
/** `['v1', 'messages']`, and what speaks of such a key elsewhere. */
const inSegments = /\[\s*(?:[^[\]]*,\s*)?(['"`])v1\1\s*[,\]]/;
const named = /\bqueryKey\b[^;]{0,300}(['"`])v1\1|(?:Queries|Quer(?:y|ies)(?:Data|State|Defaults))\(\s*\[\s*(['"`])v1\2/;
const orNamed = new RegExp(`${byDefault.source}|${named.source}`);

const reachedBy = (text: string): RegExp => (byDefault.test(text) ? asked : inSegments.test(text) ? orNamed : byDefault);

export const tanstackQueryRule: ClientRule = {
  name,
  title: 'TanStack Query',
  modules: [...packages, 'react-query', 'vue-query'],
  call,
  runs,
  isKeyed: (verb) => asking.test(verb) || naming.test(verb),
  givesBack: ['queryOptions', 'infiniteQueryOptions'],
  functions: Object.fromEntries(
    [...packages, 'react-query'].flatMap((each) => ['queryOptions', 'infiniteQueryOptions'].map((fn) => [`${each}:${fn}`, first] as const)),
  ),
  // What all queries of a client are asked by may have the base and the key, and these nothing of v1.
  ambient: { mark: /\bqueryKey\b/, reached: reachedBy },
};
