/** The facts that api.md shows, as an OpenAPI document says them: from the tables of the contract where they have one. */
import type { Endpoint } from '../../src/contract/endpoints.ts';
import { type ErrorRow, type ErrorRowId, errorRows } from '../../src/contract/errors.ts';
import { deliveryFields, type EventKind, messageReceivedFields } from '../../src/contract/events.ts';
import {
  contactExistsAnswer,
  dailyLimitAnswer,
  type Field,
  listContactsParameters,
  sendMessageAnswer,
  sendMessageFields,
} from '../../src/contract/fields.ts';
import type { ProblemId } from '../../src/openapi/problems.ts';
import type { Api } from '../../src/openapi/types.ts';

type Properties = Readonly<Record<string, unknown>>;

/** The schemas of fields as their table shows them. */
const propertiesOf = (fields: readonly Field[]): Properties =>
  Object.fromEntries(fields.map(({ name, type, values }) => [name, { type, ...(values && { enum: values }) }]));
const withAll = (properties: Properties): Properties => ({ type: 'object', properties, required: Object.keys(properties) });

/** §2. Which of these an answer has is not shown. */
const message = { type: 'object', properties: propertiesOf([...sendMessageAnswer, ...sendMessageFields]) };

/** §4. Of all successes, only the messageId of a message that was sent is shown. */
export const sendAnswer = { type: 'object', properties: propertiesOf(sendMessageAnswer) };
export const sendBody = withAll(propertiesOf(sendMessageFields));

export const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 1 } };
export const paging = Object.fromEntries(
  // Their names alone: neither types nor bounds are shown.
  listContactsParameters.map(({ name }) => [name, { name, in: 'query', required: false, schema: {} }]),
);

/** §7: seconds until 00:00 UTC, with the daily limit, which is one of the answers that can have its status. */
export const dailyRetryAfter = { schema: { type: 'integer', minimum: 0, anyOf: [{}] } };

const milliseconds = { type: 'string', format: 'date-time', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$` };

/** §§2, 6. */
export function deliveryBody(kind: EventKind): Properties {
  const received = withAll({
    ...propertiesOf(messageReceivedFields),
    from: { type: 'string', pattern: '^[^+]' },
    contactPhone: { type: 'string', pattern: String.raw`^\+` },
    receivedAt: milliseconds,
  });
  const data = kind === 'message.received' ? received : { type: 'object' };
  return withAll({ ...propertiesOf(deliveryFields), event: { type: 'string', const: kind }, data, timestamp: milliseconds });
}

const additions: Partial<Record<ProblemId, Properties>> = {
  contactExists: {
    ...propertiesOf(contactExistsAnswer),
    data: { $ref: '#/components/schemas/Contact' },
    existed: { type: 'boolean', const: true },
  },
  dailyLimit: { ...propertiesOf(dailyLimitAnswer), resetAt: { type: 'string', format: 'date-time', pattern: 'Z$' } },
};

/** §7: v1's shape of errors. */
function v1Error(problem: ProblemId, row: ErrorRow | undefined): Properties {
  return withAll({
    success: { type: 'boolean', const: false },
    error: { type: 'string', ...(row !== undefined && 'documented' in row.text && { const: row.text.documented }) },
    ...(row?.code !== undefined && { code: { type: 'string', const: row.code } }),
    ...additions[problem],
  });
}

const componentOf = (problem: ProblemId): string => `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}Error`;

/** The components of a version. The shapes of v2's errors are not shown. */
export function schemas(api: Api): Properties {
  if (api === 'v2') return { Message: message };
  const rows = Object.entries<ErrorRow>(errorRows).filter(([, { where }]) => where !== 'v2');
  const withoutRow = (['contactIdentity', 'unacceptedField', 'bodyTooLarge'] as const).map((problem) => [problem, undefined] as const);
  // Object.entries is typed string; the table is a literal, so its keys are exactly the ids.
  const errors = [...(rows as [ErrorRowId, ErrorRow][]), ...withoutRow].map(([problem, row]) => [
    componentOf(problem),
    v1Error(problem, row),
  ]);
  return { Message: message, ...Object.fromEntries(errors) };
}

type Shown = ErrorRowId | 'unacceptedField';

const ofOneEndpoint: Readonly<Record<string, readonly Shown[]>> = {
  'v1 sendMessage': ['missingField', 'invalidChannel'],
  'v2 sendMessage': ['missingField', 'invalidChannel'],
  'v1 getMessage': ['notFound'],
  'v2 getMessage': ['notFound'],
  'v1 createContact': ['contactExists', 'unacceptedField'],
  'v2 createContact': ['contactExists'],
  'v1 updateContact': ['unacceptedField'],
  'v2 createWebhook': ['webhookLimit'],
};

/** The problems of an endpoint with their statuses, as in `404 NotFoundError`. */
export function answers(api: Api, endpointId: string, { method, body }: Endpoint): string[] {
  const problems: readonly Shown[] = [
    ...(['invalidKey', 'expiredKey', 'serverFault'] as const),
    ...(api === 'v1' ? (['missingKey', 'rateLimited'] as const) : []),
    ...(body === 'none' ? [] : (['contentType', 'invalidJson'] as const)),
    ...(method === 'POST' ? (['noPermission'] as const) : []),
    ...(ofOneEndpoint[`${api} ${endpointId}`] ?? []),
  ];
  const statusOf = (problem: Shown): number => errorRows[problem === 'unacceptedField' ? 'serverFault' : problem].status;
  return problems.map((problem) => `${statusOf(problem)} ${componentOf(problem)}`).toSorted();
}
