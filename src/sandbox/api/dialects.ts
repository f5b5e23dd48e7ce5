/** How v2 writes its errors. Its shape is not shown (api.md §7), so the sandbox speaks the usual ones, and the proxy must cope with each. */
import { STATUS_CODES } from 'node:http';
import type { ErrorDialect } from '../../contract/dialects.ts';
import type { JsonObject } from '../values/json.ts';

export { errorDialects, type ErrorDialect } from '../../contract/dialects.ts';

export interface V2Error {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
  /** The contact that a 409 is about. */
  readonly existing?: JsonObject;
}

interface Dialect {
  readonly contentType: string;
  readonly content: (error: V2Error) => string;
}

const dialects = {
  /** Like v1's errors (api.md §7). */
  v1: {
    contentType: 'application/json; charset=utf-8',
    content: ({ message, code, existing }) =>
      JSON.stringify({ success: false, error: message, code, ...(existing && { data: existing, existed: true }) }),
  },
  nested: {
    contentType: 'application/json; charset=utf-8',
    content: ({ message, code }) => JSON.stringify({ error: { code, message } }),
  },
  /** RFC 9457: `type` is about:blank when absent, and then the title is the status's phrase (§4.2.1). */
  problem: {
    contentType: 'application/problem+json',
    content: ({ status, message, code, existing }) =>
      JSON.stringify({ title: STATUS_CODES[status], status, detail: message, code, existing }),
  },
  text: { contentType: 'text/plain; charset=utf-8', content: ({ message }) => message },
} as const satisfies Record<ErrorDialect, Dialect>;

/** Writes an error in a dialect. */
export function writeDialect(dialect: ErrorDialect, error: V2Error): { readonly contentType: string; readonly content: string } {
  const { contentType, content } = dialects[dialect];
  return { contentType, content: content(error) };
}
