/** redaxios: https://github.com/developit/redaxios. axios in a few lines: what it has of that is called the same, and it has no interceptors. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../evaluate/values/values.ts';
import { option, withBody } from '../shapes.ts';
import { calledAs } from './axios.ts';

const name = 'redaxios';

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default');
  const [verb = 'request'] = path;
  // What an instance creates has none of its own defaults.
  if (verb === 'create' && call.on !== undefined) return undefined;
  const options = call.args[verb === 'create' ? 0 : withBody.has(verb) ? 2 : 1];
  return isAskedOtherwise(call, options) ? undefined : calledAs(name, { ...call, path });
}

/** Whether something of the program asks in the place of `fetch`, or has the headers before. */
const isAskedOtherwise = (call: RuleCall, options: Value | undefined): boolean =>
  ['fetch', 'transformRequest'].some((each) => option(call, options, each) !== undefined);

export const redaxiosRule: ClientRule = { name, modules: [name], call, defaults: ['defaults'] };
