/** xior: https://github.com/suhaotian/xior. Instances, interceptors and defaults as axios has them, over `fetch`; plug-ins stand around its requests. */
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { type HttpValue, unknown, type Value } from '../../evaluate/values/values.ts';
import { made, option } from '../shapes.ts';
import { axiosRule, calledAs, config } from './axios.ts';

const name = 'xior';

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default' && each !== 'Xior');
  const options = call.args[0];
  const isMade = call.on === undefined && (call.node.isNew ? path.length === 0 : path[0] === 'create');
  // Its class asks for nothing, and what stands in the place of fetch may ask otherwise.
  if (call.on === undefined)
    return isMade && option(call, options, 'fetch') === undefined
      ? made(name, 'client', call, { ...config(call, options), join: 'slash' })
      : undefined;
  return path[0] === 'create' ? undefined : calledAs(name, { ...call, path });
}

function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path.join('.') !== 'plugins.use') return axiosRule.additions?.(mutation, request, ev);
  const { node, module } = mutation;
  const [plugIn] = node.args;
  const from = plugIn?.kind === 'call' ? ev.evaluate(plugIn.callee, mutation) : undefined;
  return from?.type === 'external' && repeating.test(from.source) ? undefined : { moved: unknown(node, module, 'assigned') };
}

/** Its own plug-ins that ask again, later, or not at all. */
const repeating = /^xior\/plugins\/(?:error-retry|throttle|cache|error-cache|dedupe|progress)$/;

export const xiorRule: ClientRule = {
  name,
  modules: [name],
  types: ['XiorInstance'],
  call,
  additions,
  addsBy: ['defaults', 'interceptors', 'plugins'],
  defaults: ['defaults'],
  retries: ['xior/plugins/error-retry'],
  throttles: ['xior/plugins/throttle'],
};
