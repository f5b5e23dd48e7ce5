import type { Assumptions } from '../../contract/assumptions.ts';
import type { PageRequest } from '../store/records.ts';

/** Which page a list's query asks for. Values that make no sense count as absent. */
export function paging(query: URLSearchParams, assumptions: Assumptions): PageRequest {
  return {
    page: positiveInteger(query.get('page')) ?? assumptions.pageDefault,
    limit: Math.min(positiveInteger(query.get('limit')) ?? assumptions.limitDefault, assumptions.limitMax),
  };
}

function positiveInteger(text: string | null): number | undefined {
  const value = text !== null && /^\d+$/.test(text) ? Number(text) : 0;
  return value > 0 && Number.isSafeInteger(value) ? value : undefined;
}
