/** Health checks of Nest that ask an address: https://docs.nestjs.com/recipes/terminus#setting-up-a-http-healthcheck. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { made, option } from '../../shapes.ts';

const name = '@nestjs/terminus';

/** `pingCheck(key, url, options)`, `responseCheck(key, url, isHealthy, options)` */
const options = new Map([
  ['pingCheck', 2],
  ['responseCheck', 3],
]);

function call(call: RuleCall): Value | undefined {
  const [method = '', ...more] = call.path;
  if (call.on === undefined) return method === 'HttpHealthIndicator' && call.node.isNew ? made(name, 'client', call, {}) : undefined;
  const at = options.get(method);
  if (at === undefined || more.length > 0 || call.on.stage !== 'client') return undefined;
  const given = call.args[at];
  // Another client may have a base and headers of its own.
  if (option(call, given, 'httpClient') !== undefined) return undefined;
  return made(name, 'request', call, {
    url: call.args[1],
    method: option(call, given, 'method') ?? 'GET',
    headers: [option(call, given, 'headers')],
  });
}

export const nestTerminusRule: ClientRule = { name, title: 'Nest Terminus', modules: [name], types: ['HttpHealthIndicator'], call };
