/**
 * Every error row of api.md §7: when it occurs, its status, its code and its text.
 * A text is documented, or the name of the open question that assumes it.
 */
import { keyTexts, v1Auth, v2Auth } from './auth.ts';
import type { AssumptionName, Assumptions } from './assumptions.ts';

export interface ErrorRow {
  readonly status: number;
  readonly condition: string;
  readonly code?: string;
  readonly text: { readonly documented: string } | { readonly assumed: AssumptionName };
  /** Where the row can occur: on v1 calls (the proxy must map it), only in v2 and the dashboard, or on v1 once it is switched off. */
  readonly where: 'v1' | 'v2' | 'sunset';
}

export const errorRows = {
  missingField: {
    status: 400,
    condition: 'A required field (channel, to, content) is missing',
    text: { assumed: 'missingFieldText' },
    where: 'v1',
  },
  invalidChannel: { status: 400, condition: 'channel is not WHATSAPP, SMS or EMAIL', text: { assumed: 'invalidChannelText' }, where: 'v1' },
  invalidJson: { status: 400, condition: 'The body is not valid JSON', text: { assumed: 'invalidJsonText' }, where: 'v1' },
  contentType: { status: 400, condition: 'Content-Type: application/json is missing', text: { assumed: 'contentTypeText' }, where: 'v1' },
  badRequest: { status: 400, condition: 'Any other fault of the request', text: { assumed: 'badRequestText' }, where: 'v1' },
  missingKey: {
    status: 401,
    condition: `${v1Auth.field} is missing, or the key came as ${v2Auth.fieldName}: ${v2Auth.scheme}`,
    text: { documented: keyTexts.missing },
    where: 'v1',
  },
  invalidKey: { status: 401, condition: 'The key is unknown or deleted', text: { documented: keyTexts.invalid }, where: 'v1' },
  expiredKey: { status: 401, condition: 'The key has expired', text: { documented: keyTexts.expired }, where: 'v1' },
  webhookLimit: {
    status: 402,
    condition: "Creating a webhook endpoint past the plan's limit",
    code: 'WEBHOOK_LIMIT',
    text: { assumed: 'webhookLimitText' },
    where: 'v2',
  },
  noPermission: {
    status: 403,
    condition: 'The key lacks the write permission',
    code: 'API_KEY_PERMISSION',
    text: { assumed: 'permissionText' },
    where: 'v1',
  },
  notFound: {
    status: 404,
    condition: 'The resource is not in the workspace, or the path is no endpoint',
    text: { assumed: 'notFoundText' },
    where: 'v1',
  },
  contactExists: {
    status: 409,
    condition: 'A contact with the same phone number or email exists; data holds it and existed is true',
    text: { assumed: 'contactExistsText' },
    where: 'v1',
  },
  rateLimited: {
    status: 429,
    condition: 'The key exceeded its limit per minute',
    code: 'API_KEY_RATE_LIMITED',
    text: { assumed: 'rateLimitedText' },
    where: 'v1',
  },
  dailyLimit: {
    status: 429,
    condition: "The workspace used the plan's calls for the day; limit, resetAt, upgradeUrl and Retry-After say more",
    code: 'API_DAILY_LIMIT',
    text: { assumed: 'dailyLimitText' },
    where: 'v1',
  },
  hourlyLimit: {
    status: 429,
    condition: "The workspace used the plan's v2 calls for the hour",
    text: { assumed: 'hourlyLimitText' },
    where: 'v2',
  },
  gone: { status: 410, condition: 'v1 is switched off', text: { assumed: 'sunsetText' }, where: 'sunset' },
  serverFault: {
    status: 500,
    condition: 'A fault of the server, or an unaccepted field in a contact body',
    text: { assumed: 'serverFaultText' },
    where: 'v1',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorRowId = keyof typeof errorRows;
/** The rows that a v1 call can meet. */
export type V1ErrorRowId = { [Id in ErrorRowId]: (typeof errorRows)[Id]['where'] extends 'v1' ? Id : never }[ErrorRowId];

/** The body of every v1 error: exactly these fields come first, in this order. */
export interface V1ErrorBody {
  readonly success: false;
  readonly error: string;
  readonly code?: string;
}

/**
 * The text of an error row.
 * @param field the name put where an assumed text says `{field}`
 */
export function errorText(id: ErrorRowId, assumptions: Assumptions, field = ''): string {
  const { text }: ErrorRow = errorRows[id];
  if ('documented' in text) return text.documented;
  return String(assumptions[text.assumed]).replace('{field}', field);
}

/** The status of an error row; those of the daily limit and of the sunset are open questions. */
export function errorStatus(id: ErrorRowId, assumptions: Assumptions): number {
  if (id === 'dailyLimit') return assumptions.dailyLimitStatus;
  return id === 'gone' ? assumptions.sunsetStatus : errorRows[id].status;
}

/** The v1 body of an error row (api.md §7), with its own text where none is given. */
export function v1ErrorBody(
  id: ErrorRowId,
  assumptions: Assumptions,
  options: { readonly error?: string; readonly field?: string } = {},
): V1ErrorBody {
  const { code }: ErrorRow = errorRows[id];
  const error = options.error ?? errorText(id, assumptions, options.field);
  return errorBody(error, code);
}

/** The body of any v1 error: the same wherever it is made (api.md §7). */
export const errorBody = (error: string, code?: string): V1ErrorBody =>
  code === undefined ? { success: false, error } : { success: false, error, code };
