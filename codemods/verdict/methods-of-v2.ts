/** Calls that v1 refuses, and v2 would carry out. */
import { fits, v2Templates } from '../../src/contract/route-templates.ts';
import type { Judged } from './bases/unseen-callers.ts';

/** Whether v1 refuses what v2 would do: moved along, `method: isGone ? 'DELETE' : 'GET'` would begin to delete. */
export function isOfV2Alone({ request: { method }, verdict }: Judged): boolean {
  if (verdict.kind !== 'unknown-route' || method === undefined) return false;
  const segments = verdict.route.replace(/^\/v1(?=\/)/, '/v2').split('/');
  return v2Templates.some((template) => template.endpoint.method === method && fits(template, segments));
}
