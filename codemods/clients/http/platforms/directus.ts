/** What extensions in the sandbox of Directus ask by: https://directus.io/docs/guides/extensions/api-extensions/sandbox. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { made, option } from '../../shapes.ts';

const name = 'directus';

/** `request(url, { method, headers, body })`, beside `log` and `sleep`. */
function call(call: RuleCall): Value | undefined {
  const [url, options] = call.args;
  if (call.path.join('.') !== 'request' || url === undefined) return undefined;
  return made(name, 'request', call, {
    url,
    method: option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'headers')],
  });
}

export const directusRule: ClientRule = { name, title: 'Directus', modules: ['directus:api'], call };
