/** The webhooks of the document: what the service sends to receivers (api.md §6). */
import {
  deliveryFields,
  deliveryHead,
  deliveryRules,
  type EventKind,
  eventKindNames,
  eventKinds,
  messageReceivedFields,
} from '../contract/events.ts';
import { assumed, closedAsAssumed, described, text, textAmong, timestamp } from './schema.ts';
import type { Operation, Parameter, PathItem, Schema } from './types.ts';

/** One webhook for each kind of event. */
export function webhookItems(): Record<string, PathItem> {
  return Object.fromEntries(eventKindNames.map((kind) => [kind, { post: delivery(kind) }]));
}

function delivery(kind: EventKind): Operation {
  return {
    operationId: kind,
    summary: eventKinds[kind],
    // The receiver trusts the signature; no key of the API is sent.
    security: [],
    parameters: headOf(kind),
    requestBody: { required: true, content: { [deliveryHead.contentType]: { schema: bodyOf(kind) } } },
    responses: {
      '2XX': { description: `Arrived; must come within ${deliveryRules.timeout / 1_000} seconds` },
      default: {
        description: `Failed; sent again after ${deliveryRules.firstBackoff / 1_000} seconds and then after exponentially longer waits, at most ${deliveryRules.attempts} attempts in all. Redirects are not followed`,
      },
    },
  };
}

const header = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

function headOf(kind: EventKind): Parameter[] {
  const { userAgent, eventField, signatureField, signaturePrefix } = deliveryHead;
  const signature = `${signaturePrefix} and the lowercase hex HMAC-SHA256 of the raw body, keyed with the signing secret of the endpoint`;
  return [
    header('User-Agent', 'The sender', textAmong([userAgent])),
    header(eventField, 'The kind of the event', textAmong([kind])),
    header(signatureField, signature, { ...text, pattern: `^${signaturePrefix}[0-9a-f]{64}$` }),
  ];
}

function bodyOf(kind: EventKind): Schema {
  const data = kind === 'message.received' ? messageReceived : otherData;
  return closedAsAssumed(furtherFields, described(deliveryFields, { event: textAmong([kind]), data, timestamp }));
}

const furtherFields = 'Whether there are further fields is not shown';

const otherData: Schema = { type: 'object', additionalProperties: assumed('The data of this event is not shown', {}) };

const messageReceived = closedAsAssumed(
  furtherFields,
  described(messageReceivedFields, {
    messageId: text,
    conversationId: text,
    from: { ...text, pattern: String.raw`^[^+]` },
    text,
    contactId: text,
    contactName: text,
    contactPhone: { ...text, pattern: String.raw`^\+` },
    receivedAt: timestamp,
  }),
);
