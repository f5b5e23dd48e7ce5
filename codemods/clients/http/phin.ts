/** phin: https://github.com/ethanent/phin#readme. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { isOptions, made, option } from '../shapes.ts';

const name = 'phin';
/** The same with promises, and how TypeScript imports it. */
const itself = new Set(['default', 'promisified', 'phin']);

function call(call: RuleCall): Value | undefined {
  const [verb, ...more] = call.path.filter((each) => !itself.has(each));
  const [given] = call.args;
  if (more.length > 0 || given === undefined || (verb !== undefined && verb !== 'defaults') || call.on?.stage === 'request')
    return undefined;
  const isWhole = isOptions(given);
  // An address and options cannot both stand there.
  if (isWhole && optionsOf(given).length > 1) return undefined;
  const options = isWhole ? given : undefined;
  return made(name, verb === undefined ? 'request' : 'client', call, {
    url: isWhole ? option(call, options, 'url') : given,
    method: option(call, options, 'method') ?? (verb === undefined && call.on === undefined ? 'GET' : undefined),
    headers: [option(call, options, 'headers')],
  });
}

export const phinRule: ClientRule = { name, modules: [name], call };
