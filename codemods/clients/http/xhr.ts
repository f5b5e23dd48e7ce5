/** XMLHttpRequest: https://xhr.spec.whatwg.org. The request is what `open` says; its headers are set after that. */
import { setBy } from '../../evaluate/writes/writes.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { HttpValue, Value } from '../../evaluate/values/values.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { made } from '../shapes.ts';

const name = 'XMLHttpRequest';

function call(call: RuleCall): Value | undefined {
  const [verb] = call.path;
  const [method, url] = call.args;
  if (verb === undefined) return call.node.isNew ? made(name, 'client', call, {}) : undefined;
  return verb === 'open' && call.on !== undefined ? made(name, 'request', call, { method, url, join: 'resolve' }) : undefined;
}

const setter = 'setRequestHeader';

function additions(mutation: Mutation, _request: HttpValue, ev: Evaluation): Additions | undefined {
  if (mutation.kind !== 'call' || mutation.path[0] !== setter) return undefined;
  const { node, module } = mutation;
  return { headers: [{ type: 'object', node, module, ...setBy(ev, node, mutation) }] };
}

export const xhrRule: ClientRule = { name, isOfPages: true, globals: [name], call, additions, addsBy: [setter], asksBy: ['open', 'send'] };
