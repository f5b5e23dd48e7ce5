/**
 * The `fetch` that SvelteKit gives to what loads its pages and answers requests, where `handleFetch` of the project's hooks sets headers of what is asked:
 * https://svelte.dev/docs/kit/hooks#Server-hooks-handleFetch. Where a hook does anything else with a request, this is asked as by the global one.
 */
import { posix } from 'node:path';
import { everyOf } from '../../../evaluate/names/bindings.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { flat } from '../../../evaluate/values/text.ts';
import { type ExternalValue, type HttpValue, optionsOf, partsOf, unknown, type Value } from '../../../evaluate/values/values.ts';
import { memoOf } from '../../../once.ts';
import type { FunctionNode, NameNode, ParamNode } from '../../../syntax/tree.ts';
import { goesByRequest, guardOf, mayBegin, writtenAddress } from '../../servers/guards.ts';
import { objectOf } from '../../servers/incoming.ts';
import { exportedAs } from '../../servers/route-files.ts';
import { headersOfCall } from '../../shapes.ts';
import { answerMethods, fetchRequest } from '../fetch.ts';
import { allAskersAreSeen, asking, isHooks } from './sveltekit-events.ts';

const name = 'sveltekit-fetch';
/** What nobody imports: the name by which this `fetch` is known. */
const source = 'sveltekit event';

/** Files that name a `fetch` or an event, or have functions that are given one. */
const mayAsk = /\b(?:fetch|event)\b|\bexport\b[^\n]*\b(?:load|actions|fallback|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b/;

/** The hooks of a program that do no more than set headers, with the files that have them. */
const hooksIn = memoOf(({ modules }: World): ReadonlyMap<FunctionNode, SourceModule> => {
  const all = [...modules.values()];
  // What is asked by an event that nobody is given, or beside the hook itself, is not followed.
  const isOpen = all.some(({ text }) => text.includes('getRequestEvent')) || !allAskersAreSeen(all);
  const files = isOpen ? [] : all.filter(isHooks);
  return new Map(
    files.flatMap((module) =>
      exportedAs(/^handleFetch$/, module).flatMap((fn) =>
        fn.kind === 'function' && onlySetsHeaders(fn, module) ? [[fn, module] as const] : [],
      ),
    ),
  );
});

/** Whether it asks for nothing but the request that it is given, and changes nothing of that beside its headers. */
function onlySetsHeaders({ params: [param] }: FunctionNode, module: SourceModule): boolean {
  const [requests, fetches] = ['request', 'fetch'].map((each) => param && namesOf(param, each, module));
  if (requests === undefined || fetches === undefined) return false;
  const isPassed = (node: NameNode): boolean =>
    node.parent?.kind === 'call' && node.parent.callee !== node && fetches.some((each) => each === callee(node));
  return (
    requests.every((each) => isPassed(each) || isHarmless(each)) &&
    fetches.every(({ parent }) => parent?.kind === 'call' && parent.args.length === 1 && requests.some((each) => each === parent.args[0]))
  );
}

const callee = ({ parent }: NameNode): unknown => (parent?.kind === 'call' ? parent.callee : undefined);

/** `request.url`, `request.method`, `request.headers.set(…)` */
function isHarmless(request: NameNode): boolean {
  const { parent: read } = request;
  if (read?.kind !== 'member' || read.object !== request) return false;
  const { parent } = read;
  if (read.property !== 'headers')
    return /^(?:url|method)$/.test(read.property ?? '') && !(parent?.kind === 'assign' && parent.target === read);
  return (
    parent?.kind === 'member' &&
    parent.object === read &&
    /^(?:set|get|has)$/.test(parent.property ?? '') &&
    parent.parent?.kind === 'call' &&
    parent.parent.callee === parent
  );
}

/** Where a property of a parameter is named, `({ request, fetch }) => …`; undefined where it may be in other ways. */
function namesOf({ target }: ParamNode, property: string, { scopes }: SourceModule): readonly NameNode[] | undefined {
  if (target.kind !== 'objectPattern' || target.rest !== undefined) return undefined;
  const found = target.properties.find((each) => each.name === property)?.target;
  return found?.kind === 'patternName' ? scopes.declaredBy(found)?.references : undefined;
}

/** What the hook of the same application sees. */
function eventFetch({ world }: Evaluation, { file }: Pick<SourceModule, 'file'>): ExternalValue | undefined {
  if (!asking.test(file)) return undefined;
  const isSeen = [...hooksIn(world).values()].some(
    (hooks) => file.startsWith(`${posix.dirname(hooks.file)}/`) || posix.dirname(hooks.file) === '.',
  );
  return isSeen ? { type: 'external', source, path: ['fetch'] } : undefined;
}

/** The request that a hook is given stands for all that are made. */
function givenByPlatform(param: ParamNode, _index: number, module: SourceModule, { world }: Evaluation): Value | undefined {
  const { parent: fn } = param;
  if (fn?.kind !== 'function' || !hooksIn(world).has(fn)) return undefined;
  const request: HttpValue = {
    type: 'http',
    client: name,
    stage: 'client',
    node: param,
    module,
    headers: [],
    origins: [param, everyOf(name)],
  };
  return objectOf({ request }, { node: param, module });
}

function call(call: RuleCall): Value | undefined {
  if (call.path.join('.') !== 'fetch' || call.on !== undefined) return undefined;
  const asked = fetchRequest(name, call);
  return asked && { ...asked, origins: [...asked.origins, everyOf(name)] };
}

/** `if (request.url.startsWith(BASE)) request.headers.set('x-api-key', key)` */
function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path.join('.') !== 'headers.set') return undefined;
  const guard = guardOf(ev, mutation);
  if (guard === undefined) return goesByRequest(ev, mutation.node) ? undefined : { headers: [headersOfCall(ev, mutation.node, mutation)] };
  const headers = [headersOfCall(ev, mutation.node, mutation)];
  const { prefixes } = guard;
  const written = writtenAddress(request.url);
  if (written !== undefined) return guard.excludes(written) ? undefined : { headers, prefixes };
  const beginnings = prefixes.flatMap((each) => optionsOf(each).map((option) => flat(partsOf(option))));
  if (beginnings.length > 0 && !beginnings.some((each) => mayBegin(request.url, each))) return undefined;
  // Whose header that is hangs on where it goes.
  return { headers, prefixes, moved: unknown(mutation.node, mutation.module, 'assigned') };
}

export const svelteKitFetchRule: ClientRule = {
  name,
  title: "SvelteKit's fetch",
  modules: [source],
  call,
  additions,
  addsBy: ['headers'],
  answers: { to: ['fetch'], by: answerMethods },
  eventFetch,
  givenByPlatform,
  ambient: { mark: /\bhandleFetch\b/, reached: mayAsk },
};
