import { STATUS_CODES } from 'node:http';
import { errorRows } from '../../contract/errors.ts';
import type { Refusal } from '../service/outcome.ts';
import type { Fault } from './rule.ts';

/** The refusal that a version answers with under an `error`: its own for a limit and for a fault of the server, else the status's phrase. */
export function refusalOf({ status, retryAfter }: Extract<Fault, { readonly kind: 'error' }>, api: 'v1' | 'v2'): Refusal {
  const after = retryAfter !== undefined && { retryAfter };
  if (status === errorRows.rateLimited.status) return { refused: api === 'v1' ? 'rateLimited' : 'hourlyLimit', ...after };
  if (status === errorRows.serverFault.status) return { refused: 'serverFault', ...after };
  return { refused: 'serverFault', status, error: STATUS_CODES[status] ?? `Status ${status}`, ...after };
}
