/** Outgoing webhook calls: the kinds of events, and how they are delivered (api.md §6). */
import type { Field, Written } from './fields.ts';

/** The kinds of events, and when each is emitted. */
export const eventKinds = {
  'lead.created': 'A funnel or form captured a lead',
  'booking.created': 'A booking was made',
  'order.created': 'A storefront order was placed',
  'message.received': 'An inbound message arrived in the inbox',
  'test.ping': 'A user clicked Test on an endpoint',
} as const;

export type EventKind = keyof typeof eventKinds;

/** The kinds, typed. */
// Object.keys is typed string[]; the table is a literal, so its keys are exactly the kinds.
export const eventKindNames = Object.keys(eventKinds) as readonly EventKind[];

/** The head of every delivery. */
export const deliveryHead = {
  method: 'POST',
  contentType: 'application/json',
  userAgent: 'Service-Webhooks/1.0',
  eventField: 'X-Service-Event',
  signatureField: 'X-Service-Signature',
  /** The signature follows: the lowercase hex HMAC-SHA256 of the exact body, keyed with the endpoint's secret. */
  signaturePrefix: 'sha256=',
} as const;

/** What every signing secret begins with. */
export const secretPrefix = 'whsec_';

/** Times in milliseconds. */
export const deliveryRules = {
  /** A receiver must answer 2xx within this time. */
  timeout: 8_000,
  /** Per event and endpoint, the first one included. */
  attempts: 5,
  /** Before the first retry; the following ones wait exponentially longer. */
  firstBackoff: 5_000,
  /** After so many consecutive failed deliveries the workspace is notified. */
  notifyAfter: 5,
} as const;

/** The body of every delivery. */
export const deliveryFields = [
  { name: 'event', type: 'string', values: eventKindNames, note: 'The event kind' },
  { name: 'data', type: 'object', note: 'What happened; only that of message.received is shown' },
  { name: 'timestamp', type: 'string', note: 'ISO 8601 UTC with milliseconds' },
] as const satisfies readonly Field[];

/** The data of message.received. */
export const messageReceivedFields = [
  { name: 'messageId', type: 'string', note: '' },
  { name: 'conversationId', type: 'string', note: '' },
  { name: 'from', type: 'string', note: 'The sender’s number without a plus sign' },
  { name: 'text', type: 'string', note: '' },
  { name: 'contactId', type: 'string', note: '' },
  { name: 'contactName', type: 'string', note: '' },
  { name: 'contactPhone', type: 'string', note: 'With a leading plus sign' },
  { name: 'receivedAt', type: 'string', note: 'ISO 8601 UTC with milliseconds' },
] as const satisfies readonly Field[];

export type MessageReceived = Written<typeof messageReceivedFields>;
