/** superagent: https://ladjs.github.io/superagent/. Its chains change the request that they are called on. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { callsOf, type Passed, passedOn } from '../../evaluate/calls/all-callers.ts';
import { type FunctionValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { functionAround, nameOf } from '../../evaluate/calls/callees.ts';
import type { ClientRule, LibraryFunction, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { commonJsName } from '../../evaluate/module.ts';
import type { Node } from '../../syntax/tree.ts';
import { isOnlyCalledOnce, prefixedBy, replacedBy } from '../callbacks.ts';
import { authorized, headersOfCall, made, verbs } from '../shapes.ts';

const name = 'superagent';
/** What ends a chain gives something else. */
const ending = new Set(['then', 'catch', 'finally', 'pipe', 'toJSON', 'abort']);

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0) return undefined;
  if (on?.stage === 'request') return verb === undefined || ending.has(verb) ? undefined : on;
  if (verb === 'agent') return made(name, 'client', call, {});
  if (verb === undefined) {
    const [first, second] = args;
    return second === undefined || second.type === 'function'
      ? made(name, 'request', call, { url: first, method: 'GET' })
      : made(name, 'request', call, { url: second, method: first });
  }
  const method = verb === 'del' ? 'DELETE' : verb.toLowerCase();
  if (method === 'DELETE' || verbs.has(method)) return made(name, 'request', call, { url: args[0], method });
  // `agent.set(…)` gives back the agent.
  return on;
}

/** What `superagent-prefix` puts before paths, as a client with that for its base. */
const prefixed: LibraryFunction = (_ev, [base], node, { module }) =>
  base && { type: 'http', client: name, stage: 'client', node, module, origins: [], headers: [], base };

/** What a plugin puts before the path: `superagent-prefix`, or one like it. */
function prefixOf(ev: Evaluation, { node: { args }, ...at }: Extract<Mutation, { kind: 'call' }>): Value | undefined {
  const [plugin] = args;
  const given = plugin === undefined || plugin.kind === 'spread' ? undefined : ev.evaluate(plugin, at);
  return given?.type === 'http' ? given.base : given && prefixedBy(ev, given, 0, 'url');
}

/** Whether a plugin is used for nothing else than requests of this library: what else one is given to may be signed for another server. */
function isOfRequestsAlone(ev: Evaluation, { node, module }: FunctionValue): boolean {
  if (isOnlyCalledOnce(ev, { node, module })) return true;
  // What makes it stands for it, as above.
  const { parent } = node;
  const maker = parent?.kind === 'function' || parent?.kind === 'return' ? functionAround(node) : undefined;
  const places = maker === undefined ? [...passedOn(ev, node), ...callsOf(ev, node)] : callsOf(ev, maker);
  const known = new Set<Node>(places.map((place) => place.node));
  const declared = nameOf(maker ?? node);
  const named = (declared && module.scopes.declaredBy(declared)?.references) ?? [];
  return (
    places.length > 0 &&
    places.every((place) => isUsed(ev, place)) &&
    named.every((each) => known.has(each) || (each.parent !== undefined && known.has(each.parent)) || isExported(each))
  );
}

/** Whether a name says what a file exports: by that others are found. */
function isExported({ parent }: Node): boolean {
  const around = parent?.kind === 'property' ? parent.parent?.parent : parent;
  return around?.kind === 'assign' ? commonJsName(around.target) !== undefined : around?.kind.startsWith('export') === true;
}

function isUsed(ev: Evaluation, { node, module }: Passed): boolean {
  const call = node.parent;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || call.callee.property !== 'use' || call.args[0] !== node) return false;
  return optionsOf(ev.evaluate(call.callee.object, { module, frame: undefined })).every(
    (each) => each.type === 'http' && each.client === name,
  );
}

/** Whether a plugin, which gets the request, puts another address in the place of its own. */
const isMovedBy = (ev: Evaluation, { node: { args }, ...at }: Extract<Mutation, { kind: 'call' }>): boolean =>
  args.some(
    (plugin) => plugin.kind !== 'spread' && optionsOf(ev.evaluate(plugin, at)).some((each) => replacedBy(ev, each, 0, 'url').length > 0),
  );

export const superagentRule: ClientRule = {
  name,
  modules: [name, 'superagent-defaults'],
  functions: { 'superagent-prefix:': prefixed },
  call,
  additions(mutation: Mutation, _request, ev) {
    if (mutation.kind !== 'call') return undefined;
    switch (mutation.path.join('.')) {
      case 'set':
        return { headers: [headersOfCall(ev, mutation.node, mutation)] };
      case 'auth':
        return { headers: [authorized(mutation)] };
      case 'use': {
        const base = prefixOf(ev, mutation);
        if (base !== undefined) return { base };
        return isMovedBy(ev, mutation) ? { moved: unknown(mutation.node, mutation.module, 'assigned') } : undefined;
      }
      default:
        return undefined;
    }
  },
  addsBy: ['set', 'auth', 'use'],
  // What a plugin sets for a request of supertest's, too, is the key of another server.
  runs: ({ ev, path, on, args: [plugin] }) =>
    on !== undefined && plugin?.type === 'function' && path.join('.') === 'use' && isOfRequestsAlone(ev, plugin)
      ? [{ fn: plugin, args: [on] }]
      : [],
  asksBy: ['auth', 'send', 'del'],
};
