/** gaxios: https://github.com/googleapis/gaxios. One description for a request, with what its instance has for defaults; the packages of Google's clients ask by it. */
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { manifestsAround } from '../../evaluate/names/manifests.ts';
import { type HttpValue, type JoinStyle, unknown, type Value } from '../../evaluate/values/values.ts';
import { writtenHeader } from '../../evaluate/writes/writes.ts';
import { made, option } from '../shapes.ts';

const name = 'gaxios';
/** What asks in the place of `fetch`, or makes the address itself. */
const askers = ['adapter', 'fetchImplementation', 'paramsSerializer'];

/** Since version 7 an address is resolved from its base; before, it was written behind it. */
function joinIn({ module, ev }: RuleCall): JoinStyle {
  const [version] = manifestsAround(module.file, ev.world).flatMap((text) => /"gaxios"\s*:\s*"\D*(\d+)/.exec(text)?.[1] ?? []);
  return version !== undefined && Number(version) < 7 ? 'append' : 'resolve';
}

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseURL'),
  url: option(call, options, 'url'),
  method: option(call, options, 'method'),
  headers: [option(call, options, 'headers')],
  moved: askers.some((each) => option(call, options, each) !== undefined) ? unknown(call.node, call.module, 'assigned') : undefined,
  join: joinIn(call),
});

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [first, ...more] = call.path.filter((each) => each !== 'default');
  if (on === undefined && first === 'Gaxios')
    return call.node.isNew && more.length === 0 ? made(name, 'client', call, config(call, args[0])) : undefined;
  const [verb, ...further] = on === undefined && first === 'instance' ? more : [first, ...more];
  if (further.length > 0 || on?.stage === 'request') return undefined;
  if (verb === 'request') {
    const described = config(call, args[0]);
    return made(name, 'request', call, { ...described, method: described.method ?? on?.method ?? 'GET' });
  }
  // As `fetch` is called; of a function of its own only instances have it.
  if (verb !== 'fetch' || (on === undefined && first !== 'instance')) return undefined;
  const described = config(call, args[1]);
  return made(name, 'request', call, { ...described, url: args[0], method: described.method ?? on?.method ?? 'GET' });
}

function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  const { node, module, path } = mutation;
  const [first, second] = path;
  const elsewhere = { moved: unknown(node, module, 'assigned') };
  if (mutation.kind === 'call') return first === 'defaults' || path.join('.') === 'interceptors.request.add' ? elsewhere : undefined;
  if (first !== 'defaults') return undefined;
  if (second !== 'headers') return elsewhere;
  const isAll = mutation.kind === 'write' && path.length === 2;
  return { headers: [isAll ? ev.evaluate(mutation.value, mutation) : writtenHeader(ev, mutation.node, mutation)] };
}

export const gaxiosRule: ClientRule = {
  name,
  modules: [name],
  types: ['Gaxios'],
  call,
  additions,
  addsBy: ['defaults', 'interceptors'],
  ambient: { mark: /\bgaxios\b[^]*(?:interceptors\s*\.\s*request|\.\s*defaults\b)/, reached: /\bgaxios\b/, isSilent: true },
  asksBy: ['add'],
  defaults: ['defaults'],
};
