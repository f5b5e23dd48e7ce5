/** Calls that v1 refuses, and v2 would carry out. */
import { fits, v2Templates } from '../../src/contract/route-templates.ts';
import type { Judged } from './bases/unseen-callers.ts';

/** The endpoint of v2 that does what v1 refuses, such as to delete a contact, by its method and path. */
export function endpointOfV2Alone({ request: { method }, verdict }: Pick<Judged, 'request' | 'verdict'>): string | undefined {
  if (verdict.kind !== 'unknown-route' || method === undefined) return undefined;
  const segments = verdict.route.replace(/^(?:\/v1)?(?=\/)/, '/v2').split('/');
  return v2Templates.find((template) => template.endpoint.method === method && fits(template, segments))?.label;
}
