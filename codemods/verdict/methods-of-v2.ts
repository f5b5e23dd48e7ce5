/** Calls that v1 refuses, and v2 would carry out. */
import { newInV2 } from '../../src/contract/route-templates.ts';
import type { Judged } from './bases/unseen-callers.ts';

/** The endpoint of v2 that does what v1 refuses, such as to delete a contact. */
export const endpointOfV2Alone = ({ request: { method }, verdict }: Pick<Judged, 'request' | 'verdict'>): string | undefined =>
  verdict.kind === 'unknown-route' && method !== undefined ? newInV2(method, verdict.route) : undefined;
