/** From v2's error to v1's: by the code of a limit, else by status, then by whatever the body says. The tables are the whole policy. */
import { isLosslessNumber } from 'lossless-json';
import { STATUS_CODES } from 'node:http';
import { type Assumptions } from '../../src/contract/assumptions.ts';
import type { V1Endpoint } from '../../src/contract/endpoints.ts';
import type { DailyLimitAnswer } from '../../src/contract/fields.ts';
import { type V1ErrorRowId, errorBody, errorRows, errorStatus, v1ErrorBody } from '../../src/contract/errors.ts';
import { nextMidnight, retryAfterSeconds, secondsUntilMidnight } from '../retry-after.ts';
import { type V2Error, valueAt } from './read.ts';

export interface ErrorContext {
  readonly status: number;
  readonly error: V2Error;
  readonly endpoint: V1Endpoint;
  /** v2's field by its lower-case name. */
  readonly field: (name: string) => string | undefined;
  readonly assumptions: Assumptions;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface V1Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Value of Retry-After. */
  readonly retryAfter?: string;
}

/** What a v2 status means: the rows of v1's errors that it can be, and which of them this one is. */
interface Meaning {
  readonly rows: readonly V1ErrorRowId[];
  readonly pick: (context: ErrorContext) => V1ErrorRowId | undefined;
}

/** `pick` can give no other rows than those named, so that the start-up check of the contract can rely on them. */
const oneOf = <Row extends V1ErrorRowId>(rows: readonly Row[], pick: (context: ErrorContext) => Row | undefined): Meaning => ({
  rows,
  pick,
});
const always = (row: V1ErrorRowId): Meaning => oneOf([row], () => row);

const byStatus: Readonly<Record<number, Meaning>> = {
  400: always('badRequest'),
  // We always send one key, so v2 can only mean that it does not accept it.
  401: oneOf(['expiredKey', 'invalidKey'], ({ error, field }) =>
    /expir/i.test(`${error.code} ${error.message} ${field('www-authenticate')}`) ? 'expiredKey' : 'invalidKey',
  ),
  403: oneOf(['noPermission'], ({ endpoint: { access, method }, assumptions }) =>
    access === 'write' && (method !== 'PUT' || assumptions.putNeedsWrite) ? 'noPermission' : undefined,
  ),
  404: always('notFound'),
  405: always('notFound'),
  409: oneOf(['contactExists'], ({ endpoint }) => (endpoint.conflict === undefined ? undefined : 'contactExists')),
  410: always('notFound'),
  415: always('badRequest'),
  422: always('badRequest'),
  429: oneOf(['dailyLimit', 'rateLimited'], ({ error }) =>
    /\bdaily\b|\bper day\b/i.test(error.message ?? '') ? 'dailyLimit' : 'rateLimited',
  ),
  500: always('serverFault'),
};

/** Limits that v2 names by v1's code mean the same at any 4xx: which status they have on v2, and the daily one on v1, is not shown. */
const byCode: Readonly<Record<string, V1ErrorRowId>> = {
  [errorRows.dailyLimit.code]: 'dailyLimit',
  [errorRows.rateLimited.code]: 'rateLimited',
};

/** The rows that this table gives, for the start-up check of the contract. */
export const translatedRows: readonly V1ErrorRowId[] = Object.values(byStatus).flatMap(({ rows }) => rows);

/**
 * The v1 answer for a v2 error (status 400 and above). The existing contact of a 409 is added by existing-contact.ts.
 */
export function translateError(context: ErrorContext): V1Answer {
  const { status, error, assumptions } = context;
  const row = (status < 500 ? byCode[error.code ?? ''] : undefined) ?? byStatus[status]?.pick(context);
  if (row === undefined) return untranslated(context);
  // v2's wording says more than an assumed text, but a documented one is what clients compare with.
  const text = 'documented' in errorRows[row].text || error.message === undefined ? {} : { error: error.message };
  const body = v1ErrorBody(row, assumptions, text);
  const answer = { status: errorStatus(row, assumptions), body: { ...body } };
  if (row === 'rateLimited') return { ...answer, retryAfter: String(retryAfterSeconds(context.field, context.now)) };
  if (row === 'dailyLimit') return dailyLimit(answer, context);
  return answer;
}

/** A status for which v1 has no row: v2's own, in v1's shape. */
function untranslated({ status, error, field }: ErrorContext): V1Answer {
  const retryAfter = status === 503 ? field('retry-after') : undefined;
  return {
    status,
    body: { ...errorBody(error.message ?? STATUS_CODES[status] ?? 'Error', error.code) },
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

function dailyLimit(answer: V1Answer, { error, assumptions, now }: ErrorContext): V1Answer {
  const said = (name: keyof DailyLimitAnswer): unknown =>
    valueAt(error.json, name) ??
    valueAt(error.json, `error.${name}`) ??
    valueAt(error.json, `error.details.${name}`) ??
    valueAt(error.json, `details.${name}`);
  const limit = numberOf(said('limit'));
  const resetAt = said('resetAt');
  const upgradeUrl = said('upgradeUrl');
  const details: DailyLimitAnswer = {
    limit: Number.isInteger(limit) ? limit : assumptions.dailyLimitFallback,
    resetAt: isTimestamp(resetAt) ? resetAt : nextMidnight(now),
    upgradeUrl: isPath(upgradeUrl) ? upgradeUrl : assumptions.dailyLimitUpgradeUrl,
  };
  return {
    ...answer,
    body: { ...answer.body, ...details },
    // Documented as the seconds until 00:00 UTC (api.md §7), whatever v2's hourly window says.
    retryAfter: String(secondsUntilMidnight(now)),
  };
}

// Other texts are not what v1 clients know these fields to hold (api.md §7), and might quote what was sent, a key included.
const isTimestamp = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const isPath = (value: unknown): value is string => typeof value === 'string' && /^\/(?!\/)\S*$/.test(value);

/** A number as JSON has it, or as text; NaN for anything else. A lossless number throws where it is asked for a value too large to be one. */
function numberOf(value: unknown): number {
  if (isLosslessNumber(value)) return Number(value.value);
  return typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
}
