/** `fetchUtils.fetchJson` of react-admin: https://marmelab.com/react-admin/fetchJson.html. A `user` with a token is who it signs in as, before all headers that it is given. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { authorizedBy, made, option } from '../../shapes.ts';

const name = 'react-admin';

function call(call: RuleCall): Value | undefined {
  if (call.path.join('.') !== 'fetchUtils.fetchJson' || call.node.isNew) return undefined;
  const [url, options] = call.args;
  return made(name, 'request', call, {
    url,
    method: option(call, options, 'method') ?? 'GET',
    headers: [option(call, options, 'headers'), authorizedBy(call, options, 'user')],
  });
}

export const reactAdminRule: ClientRule = {
  name,
  isOfPages: true,
  modules: [name, 'ra-core'],
  call,
  asksThrough: 'fetch',
  asksBy: ['fetchJson'],
};
