/** Variables whose default is the machine itself, as developers have it: where the program is run for others, they hold another address, which may be ours. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { envOf } from '../../verdict/bases/environment.ts';
import { isLoopback, isNobodys } from '../../verdict/bases/hosts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

/** @returns the variable in `process.env.API_URL || 'http://localhost:3000'` of a request with v1's key to a path of v1, which nothing sets */
export function localDefaultOf({ request, verdict, keys, byDefault }: RequestSite): string | undefined {
  if (verdict.kind !== 'foreign' || !isLoopback(verdict.host) || isNobodys(verdict.host) || keys.length === 0 || request.isMock)
    return undefined;
  if ([request, ...request.callers].some(({ module }) => isTest(module)) || !/\/v1(?:[/?#]|$)/.test(flat(request.url ?? [])))
    return undefined;
  return byDefault.flatMap(({ url }) => envOf(url?.[0])?.name ?? [])[0];
}
