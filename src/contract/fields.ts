/** Fields that api.md §2 and §4 show. Everything else about a resource's shape is an open question (assumptions.ts). */

export interface Field {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'object' | 'integer';
  readonly values?: readonly string[];
  readonly note: string;
}

interface JsonTypes {
  readonly string: string;
  readonly boolean: boolean;
  readonly object: object;
  readonly integer: number;
}
/** What a table of fields looks like in JSON, so that whoever writes a field by another name or type does not compile. */
export type Written<Fields extends readonly Field[]> = { readonly [F in Fields[number] as F['name']]: JsonTypes[F['type']] };

export const channels = ['WHATSAPP', 'SMS', 'EMAIL'] as const;
export type Channel = (typeof channels)[number];

/** The required fields of a send request, in the order in which they are checked. */
export const sendMessageFields = [
  { name: 'channel', type: 'string', values: channels, note: 'The channel to send over' },
  { name: 'to', type: 'string', note: 'The recipient' },
  { name: 'content', type: 'string', note: 'The text of the message' },
] as const satisfies readonly Field[];

export const listContactsParameters = [
  { name: 'page', type: 'integer', note: 'Type, bounds and default are not shown' },
  { name: 'limit', type: 'integer', note: 'Type, bounds and default are not shown' },
] as const satisfies readonly Field[];

/** The query of a list of contacts, as it is written; v2 is assumed to page like v1. */
export type ListContactsQuery = { readonly [Parameter in (typeof listContactsParameters)[number]['name']]?: string };

/** What the v1 answer to a send shows. */
export const sendMessageAnswer = [
  { name: 'messageId', type: 'string', note: 'Used with GET /v1/messages/:id' },
] as const satisfies readonly Field[];

/** The v1 error body: `success`, `error` and, on some errors, `code`. */
export const v1ErrorFields = [
  { name: 'success', type: 'boolean', note: 'Always false' },
  { name: 'error', type: 'string', note: 'The message' },
  { name: 'code', type: 'string', note: 'Only on some errors' },
] as const satisfies readonly Field[];

/** What the 409 on a duplicate contact adds. */
export const contactExistsAnswer = [
  { name: 'data', type: 'object', note: 'The existing contact' },
  { name: 'existed', type: 'boolean', note: 'Always true' },
] as const satisfies readonly Field[];

export type ContactExistsAnswer = Written<typeof contactExistsAnswer>;

/** What the daily-limit answer adds. */
export const dailyLimitAnswer = [
  { name: 'limit', type: 'integer', note: 'Calls a day that the plan allows' },
  { name: 'resetAt', type: 'string', note: 'ISO 8601 UTC timestamp' },
  { name: 'upgradeUrl', type: 'string', note: 'A path' },
] as const satisfies readonly Field[];
export type DailyLimitAnswer = Written<typeof dailyLimitAnswer>;
