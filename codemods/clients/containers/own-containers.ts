/** Containers that projects write for themselves: `container.register('client', () => …)`, `getService('client')`. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression } from '../../syntax/tree.ts';
import { madeBy } from './injection.ts';
import { askedBy, isCallOf, type Method } from '../names.ts';

const space = 'own container';
const isOwn = true;
const container = /container|services?$|registry|locator|injector|^(?:c|di|ioc|deps|scope)$/i;
const puttingMethod: Method = {
  method: /^(?:register\w*|provide|bind|set|add|singleton|factory|value|constant|define|share|instance)$/,
  on: container,
};
const puttingFunction: Method = { method: /^(?:register|provide|set|bind|define)\w*$/ };
const askingMethod: Method = { method: /^(?:get|resolve|make|use|inject|service|lookup)\w*$/, on: container };
const askingFunction: Method = { method: /^(?:get|resolve|use|inject|lookup)\w*$/ };

function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'call' || !isCallOf(node, node.callee.kind === 'name' ? puttingFunction : puttingMethod)) return [];
  const [key, value, ...more] = node.args;
  if (key === undefined || value === undefined || key.kind === 'spread' || value.kind === 'spread' || more.length > 1) return [];
  return [{ space, key, isOwn, holder: holderOf(node), node: value, value: (ev, at) => keptOrMade(ev, value, at) }];
}

/** Whether a function is kept or called, the container says, which is not followed: one that makes something to be asked is called. */
function keptOrMade(ev: Evaluation, node: Expression, at: At): Value {
  const value = ev.evaluate(node, at);
  if (value.type !== 'function' && value.type !== 'class') return value;
  const made = madeBy(ev, value, node, at);
  return optionsOf(made).every(isService) ? made : value;
}

const isService = (value: Value): boolean =>
  value.type === 'object' || value.type === 'instance' || (value.type === 'http' && value.stage === 'client');

function asks(node: AskNode): Ask | undefined {
  if (node.kind !== 'call') return undefined;
  const ask = askedBy(node, space, node.callee.kind === 'name' ? askingFunction : askingMethod);
  return ask && { ...ask, otherwise: undefined, isOwn, holder: holderOf(node) };
}

/** What has the names: of a function the file that it stands in. */
const holderOf = ({ callee }: CallNode): Expression => (callee.kind === 'member' ? callee.object : callee);

export const ownContainers: ClientRule = {
  name: 'containers',
  carries: [{ where: /container|service|registry|locator|injector/i, puts, asks }],
};
