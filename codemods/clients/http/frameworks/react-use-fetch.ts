/** Hooks of React that take what `fetch` does: https://mantine.dev/hooks/use-fetch/, https://developers.raycast.com/utilities/react-hooks/usefetch. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import { currentOf } from '../../shapes.ts';
import { fetchRequest } from '../fetch.ts';

const name = 'fetch-hooks';

function call(call: RuleCall): Value | undefined {
  const [hook, ...more] = call.path;
  const isHook = call.on === undefined && more.length === 0 && /^(?:useFetch|default)?$/.test(hook ?? '');
  const [url, ...rest] = call.args;
  const address = currentOf(call, url);
  return isHook && address !== undefined ? fetchRequest(name, { ...call, args: [address, ...rest] }) : undefined;
}

export const fetchHooksRule: ClientRule = {
  name,
  title: 'useFetch of Mantine, Raycast and react-fetch-hook',
  modules: ['@mantine/hooks', '@raycast/utils', 'react-fetch-hook'],
  call,
  asksBy: ['useFetch'],
};
