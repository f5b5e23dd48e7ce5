/** form-data: https://github.com/form-data/form-data#readme. A form that asks by itself, as Node does. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../evaluate/values/values.ts';
import { isOptions, made, option } from '../shapes.ts';
import { inParts } from './node-http.ts';

const name = 'form-data';

/** `form.submit('http://…', callback)`, `form.submit({ host, path, headers }, callback)` */
function call(call: RuleCall): Value | undefined {
  const { on, path, args, node, module } = call;
  const [verb, ...more] = path.filter((each) => each !== 'default');
  if (verb === undefined && node.isNew) return made(name, 'client', call, {});
  const [first] = args;
  // The type of its body, and what it is given: no key of its own.
  if (verb === 'getHeaders' && on !== undefined) return first ?? { type: 'object', node, module, entries: [], unknown: [] };
  if (verb !== 'submit' || more.length > 0 || on?.stage !== 'client' || first === undefined) return undefined;
  const options = isOptions(first) ? first : undefined;
  return made(name, 'request', call, {
    url: options === undefined ? first : inParts(call, options, 'http'),
    method: option(call, options, 'method') ?? 'POST',
    headers: [option(call, options, 'headers')],
  });
}

export const formDataRule: ClientRule = { name, modules: [name], call };
