/** Every refusal that an answer can be: a row of the error table (api.md §7), or one of the sandbox's reasons without a row of its own. */
import type { Assumptions } from '../contract/assumptions.ts';
import { v2Auth } from '../contract/auth.ts';
import { type ErrorRow, type ErrorRowId, errorRows, errorStatus, errorText } from '../contract/errors.ts';
import { sendMessageFields } from '../contract/fields.ts';
import { anyOf, assumed, assumedText, type Mark, text, textAmong } from './schema.ts';
import type { Api, Schema } from './types.ts';

export type ProblemId = ErrorRowId | 'contactIdentity' | 'webhookUrl' | 'webhookEvents' | 'unacceptedField' | 'bodyTooLarge';

export interface Problem {
  readonly status: number;
  /** When it occurs. */
  readonly condition: string;
  readonly code?: string;
  /** The schema of its text. */
  readonly text: Schema;
  /** Where the status is not shown. */
  readonly mark?: Mark;
  /** What its body holds besides, in v1's shape. */
  readonly adds?: 'contact' | 'dailyLimit';
  readonly retryAfter?: { readonly description: string; readonly mark?: Mark };
}

/** The problems of one version: a contact field that is not accepted is a question of its own on v2. */
export function problemsOf(api: Api, assumptions: Assumptions): Record<ProblemId, Problem> {
  return {
    ...rowProblems(api, assumptions),
    contactIdentity: badBody('A contact would have neither phone number nor email', 'contactIdentityText', assumptions),
    webhookUrl: badBody('The URL of a webhook endpoint is not https or not public', 'webhookUrlText', assumptions),
    webhookEvents: badBody('The events of a webhook endpoint are no list of event kinds', 'webhookEventsText', assumptions),
    unacceptedField: unacceptedField(api, assumptions),
    bodyTooLarge: {
      status: 413,
      condition: 'The body is larger than the sandbox reads',
      text,
      mark: "The sandbox's own bound; the reference of the API names none",
    },
  };
}

function rowProblems(api: Api, assumptions: Assumptions): Record<ErrorRowId, Problem> {
  const problems = Object.entries(errorRows).map(([id, row]: [string, ErrorRow]) => [
    id,
    {
      status: errorStatus(id as ErrorRowId, assumptions),
      condition: conditions[api][id as ErrorRowId] ?? row.condition,
      ...(row.code !== undefined && { code: row.code }),
      text: rowText(id as ErrorRowId, row, assumptions),
      ...further(assumptions)[id as ErrorRowId],
    },
  ]);
  // Object.fromEntries forgets the ids, here and above; they are exactly those of the table.
  return Object.fromEntries(problems) as Record<ErrorRowId, Problem>;
}

/** A row of the table speaks of all situations and both versions at once; these are said by one version, and where the others have no place. */
const conditions: Record<Api, Partial<Record<ErrorRowId, string>>> = {
  v1: { serverFault: 'A fault of the server' },
  v2: {
    serverFault: 'A fault of the server',
    missingKey: `${v2Auth.fieldName}: ${v2Auth.scheme} is missing`,
    contactExists: 'A contact with the same phone number or email exists',
  },
};

/** What the table of errors does not say of its rows. */
function further({ rateLimitRetryAfter }: Assumptions): Partial<Record<ErrorRowId, Partial<Problem>>> {
  const untilNext = (window: string): Partial<Problem> =>
    rateLimitRetryAfter ? { retryAfter: { description: `Seconds until the next ${window}`, mark: 'rateLimitRetryAfter' } } : {};
  return {
    badRequest: { mark: 'A 400 for other faults is not shown' },
    contactExists: { adds: 'contact' },
    rateLimited: untilNext('minute'),
    dailyLimit: { adds: 'dailyLimit', mark: 'dailyLimitStatus', retryAfter: { description: 'Seconds until 00:00 UTC' } },
    hourlyLimit: { mark: 'The answer past the hourly limit is not shown', ...untilNext('hour') },
    gone: { mark: 'sunsetStatus' },
  };
}

function unacceptedField(api: Api, assumptions: Assumptions): Problem {
  const condition = 'A contact body holds a field that is not accepted';
  const { serverFault, badRequest } = rowProblems(api, assumptions);
  if (api === 'v1') return { ...serverFault, condition };
  const status = assumptions.v2UnacceptedFieldStatus;
  return { status, condition, text: (status < 500 ? badRequest : serverFault).text, mark: 'v2UnacceptedFieldStatus' };
}

function badBody(
  condition: string,
  name: 'contactIdentityText' | 'webhookUrlText' | 'webhookEventsText',
  assumptions: Assumptions,
): Problem {
  const text = assumedText(name, [assumptions[name]]);
  return { status: errorRows.badRequest.status, condition, text, mark: 'Which status this has is not shown' };
}

/** api.md shows three texts, those of the 401s; on v1 it is an open question which of them two of its situations have. */
function rowText(id: ErrorRowId, { text }: ErrorRow, assumptions: Assumptions): Schema {
  if ('assumed' in text) {
    const fields = id === 'missingField' ? sendMessageFields.map(({ name }) => name) : [''];
    return assumedText(
      text.assumed,
      fields.map((field) => errorText(id, assumptions, field)),
    );
  }
  const question = situations[id];
  const other =
    question === undefined || assumptions[question] === text.documented ? [] : [assumed(question, textAmong([assumptions[question]]))];
  return anyOf([textAmong([text.documented]), ...other]);
}

const situations: Partial<Record<ErrorRowId, 'bearerOnV1Text' | 'repeatedKeyText'>> = {
  missingKey: 'bearerOnV1Text',
  invalidKey: 'repeatedKeyText',
};
