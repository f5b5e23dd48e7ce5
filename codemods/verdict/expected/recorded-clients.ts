/** Of which requests a test expects something, by the client whose calls a mock recorded. */
import { scopeOfNest } from '../../clients/http/frameworks/nest.ts';
import type { Request } from '../../requests/requests.ts';
import type { Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../request-sites.ts';

/** Those of the client whose requests a mock recorded, or for whose function it stands; all, where none of them is seen. */
export function ofClient(
  { request: { recordedOf, recordedBy, origins, call } }: RequestSite,
  all: readonly RequestSite[],
): readonly RequestSite[] {
  const byMethod = recordedBy === undefined ? [] : all.filter(({ request }) => mayBeAskedBy(request, recordedBy));
  const found = byMethod.length > 0 ? byMethod : all;
  const recorded = (recordedOf?.origins ?? []).filter((origin) => typeof origin !== 'string');
  const made = new Set<Node | string>(
    recorded.length > 0 ? recorded : origins.filter((origin) => typeof origin !== 'string' && origin !== call),
  );
  const own = made.size === 0 ? [] : found.filter(({ request }) => request.origins.some((origin) => made.has(origin)));
  return own.length > 0 || recordedOf?.isAlone === true ? own : found;
}

/** Whether `axios.post` may have made it: not `axios.get`, nor another package. */
const mayBeAskedBy = ({ method, origins }: Request, by: NonNullable<Request['recordedBy']>): boolean =>
  (method ?? by.method) === by.method && (by.origin === undefined || origins.some((origin) => packageOf(origin) === packageOf(by.origin)));

/** A page's global, and what Nest hands on, are the package itself. */
const packageOf = (origin: Request['origins'][number] | undefined): Request['origins'][number] | undefined =>
  typeof origin === 'string' ? origin.replace(/^global /, '').replace(scopeOfNest, '') : origin;
