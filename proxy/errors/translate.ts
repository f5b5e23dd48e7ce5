/** From v2's error to v1's: by status first, then by whatever the body says. The table is the whole policy. */
import { STATUS_CODES } from 'node:http';
import { type Assumptions } from '../../src/contract/assumptions.ts';
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import { type V1ErrorRowId, errorStatus, v1ErrorBody } from '../../src/contract/errors.ts';
import { nextMidnight, retryAfterSeconds, secondsUntilMidnight } from '../retry-after.ts';
import { type V2Error, valueAt } from './read.ts';

export interface ErrorContext {
  readonly status: number;
  readonly error: V2Error;
  readonly endpointId: V1EndpointId;
  readonly access: 'read' | 'write';
  readonly method: string;
  /** v2's field by its lower-case name. */
  readonly field: (name: string) => string | undefined;
  readonly assumptions: Assumptions;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface V1Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Value of Retry-After, in seconds. */
  readonly retryAfter?: number;
}

/** Which row of v1's errors a v2 status means; a function where the status alone does not decide. */
const byStatus: Readonly<Record<number, V1ErrorRowId | ((context: ErrorContext) => V1ErrorRowId | undefined)>> = {
  400: 'badRequest',
  // We always send one key, so v2 can only mean that it does not accept it.
  401: ({ error, field }) => (/expir/i.test(`${error.code} ${error.message} ${field('www-authenticate')}`) ? 'expiredKey' : 'invalidKey'),
  403: ({ access, method, assumptions }) =>
    access === 'write' && (method !== 'PUT' || assumptions.putNeedsWrite) ? 'noPermission' : undefined,
  404: 'notFound',
  405: 'notFound',
  409: ({ endpointId }) => (endpointId === 'createContact' || endpointId === 'updateContact' ? 'contactExists' : undefined),
  410: 'notFound',
  415: 'badRequest',
  422: 'badRequest',
  429: ({ error }) =>
    error.code === 'API_DAILY_LIMIT' || /\bdaily\b|\bper day\b/i.test(error.message ?? '') ? 'dailyLimit' : 'rateLimited',
  500: 'serverFault',
};

/** The rows that this table gives, for the start-up check of the contract. */
export const translatedRows: readonly V1ErrorRowId[] = [
  'badRequest',
  'invalidKey',
  'expiredKey',
  'noPermission',
  'notFound',
  'contactExists',
  'rateLimited',
  'dailyLimit',
  'serverFault',
];

/** Rows whose text is documented: v2's wording must not replace it. */
const documentedText = new Set<V1ErrorRowId>(['invalidKey', 'expiredKey']);

/**
 * The v1 answer for a v2 error (status 400 and above). The existing contact of a 409 is added by existing-contact.ts.
 */
export function translateError(context: ErrorContext): V1Answer {
  const { status, error, assumptions } = context;
  const entry = byStatus[status];
  const row = typeof entry === 'function' ? entry(context) : entry;
  if (row === undefined)
    return {
      status,
      body: {
        success: false,
        error: error.message ?? STATUS_CODES[status] ?? 'Error',
        ...(error.code === undefined ? {} : { code: error.code }),
      },
    };
  const text = documentedText.has(row) || error.message === undefined ? {} : { error: error.message };
  const body = v1ErrorBody(row, assumptions, text);
  const answer = { status: errorStatus(row, assumptions), body: { ...body } };
  if (row === 'rateLimited') return { ...answer, retryAfter: retryAfterSeconds(context.field, context.now) };
  if (row === 'dailyLimit') return dailyLimit(answer, context);
  return answer;
}

function dailyLimit(answer: V1Answer, { error, assumptions, now }: ErrorContext): V1Answer {
  const said = (name: string): unknown =>
    valueAt(error.json, name) ??
    valueAt(error.json, `error.${name}`) ??
    valueAt(error.json, `error.details.${name}`) ??
    valueAt(error.json, `details.${name}`);
  const limit = Number(said('limit'));
  const resetAt = said('resetAt');
  const upgradeUrl = said('upgradeUrl');
  return {
    ...answer,
    body: {
      ...answer.body,
      limit: Number.isInteger(limit) ? limit : assumptions.dailyLimitFallback,
      resetAt: typeof resetAt === 'string' ? resetAt : nextMidnight(now),
      upgradeUrl: typeof upgradeUrl === 'string' ? upgradeUrl : assumptions.dailyLimitUpgradeUrl,
    },
    // Documented as the seconds until 00:00 UTC (api.md §7), whatever v2's hourly window says.
    retryAfter: secondsUntilMidnight(now),
  };
}
