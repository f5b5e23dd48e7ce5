/** Calls that v1 refuses, and v2 would carry out. */
import { fits, type RouteTemplate, v1Templates, v2Templates } from '../../src/contract/route-templates.ts';
import type { Request } from '../requests/requests.ts';
import type { Verdict } from './verdict.ts';

interface Asked {
  readonly request: Pick<Request, 'method'>;
  readonly verdict: Verdict;
}

/** The endpoint of v2 that does what v1 refuses, such as to delete a contact, by its method and path. */
export function endpointOfV2Alone({ request: { method }, verdict }: Asked): string | undefined {
  if (verdict.kind !== 'unknown-route' || method === undefined) return undefined;
  const path = verdict.route.replace(/^\/v1(?=\/)/, '');
  const endpointIn = (templates: readonly RouteTemplate[], version: string): string | undefined => {
    const segments = `/${version}${path}`.split('/');
    return templates.find((template) => template.endpoint.method === method && fits(template, segments))?.label;
  };
  return endpointIn(v1Templates, 'v1') === undefined ? endpointIn(v2Templates, 'v2') : undefined;
}
