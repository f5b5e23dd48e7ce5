/** unirest: https://github.com/Kong/unirest-nodejs#readme. Its chains change the request that they are called on. */
import type { Value } from '../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { authorized, headersOfCall, made, verbs } from '../shapes.ts';

const name = 'unirest';
const setters = new Set(['header', 'headers', 'set']);
const ending = new Set(['end', 'complete', 'then', 'catch', 'finally', 'as']);

function call(call: RuleCall): Value | undefined {
  const { args, on } = call;
  const [verb, ...more] = call.path.filter((each) => each !== 'default');
  if (more.length > 0) return undefined;
  if (on !== undefined) return verb === undefined || ending.has(verb) ? undefined : on;
  if (verb === undefined) return made(name, 'request', call, { method: args[0], url: args[1], headers: [given(args[2])] });
  return verbs.has(verb) ? made(name, 'request', call, { method: verb, url: args[0], headers: [given(args[1])] }) : undefined;
}

/** Headers and the callback may stand in the same place. */
const given = (value: Value | undefined): Value | undefined => (value?.type === 'function' ? undefined : value);

export const unirestRule: ClientRule = {
  name,
  modules: [name],
  call,
  additions(mutation, _request, ev) {
    if (mutation.kind !== 'call') return undefined;
    const method = mutation.path.join('.');
    if (setters.has(method)) return { headers: [headersOfCall(ev, mutation.node, mutation)] };
    return method === 'auth' ? { headers: [authorized(mutation)] } : undefined;
  },
  addsBy: [...setters, 'auth'],
  asksBy: ['auth', 'send'],
};
