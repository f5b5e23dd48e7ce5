/** Cloud Code of Parse Server: https://docs.parseplatform.org/cloudcode/guide/#networking. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { made, option } from '../../shapes.ts';

const name = 'Parse';

function call(call: RuleCall): Value | undefined {
  const [first, verb, ...more] = call.path.filter((each) => each !== 'default');
  const [options] = call.args;
  if (first !== 'Cloud' || verb !== 'httpRequest' || more.length > 0 || options === undefined) return undefined;
  return made(name, 'request', call, {
    url: option(call, options, 'url'),
    method: option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'headers')],
  });
}

/** A server has it as a global, and whoever imports it there gets the same. */
export const parseCloudRule: ClientRule = {
  name,
  title: 'Parse Cloud Code',
  globals: [name],
  modules: ['parse/node', 'parse/node.js'],
  call,
};
