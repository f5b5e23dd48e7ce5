import { type EventKind, type MessageReceived, deliveryFields } from '../contract/events.ts';
import type { Written } from '../contract/fields.ts';
import { WebhookError } from './error.ts';

type JsonObject = Readonly<Record<string, unknown>>;
type Delivery<Kind extends string, Data extends object> = Written<typeof deliveryFields> & { readonly event: Kind; readonly data: Data };

declare const unlisted: unique symbol;
/**
 * A kind that the service may add one day. It is branded, and no plain `string`: a string could be any listed kind too, and comparing `event`
 * would no longer tell the type of `data`.
 */
export type UnlistedEventKind = `${string}.${string}` & { readonly [unlisted]: true };

/** What a delivery says (api.md §6); its `event` tells the type of its `data`. Only the data of message.received is shown. */
export type WebhookEvent =
  | Delivery<'message.received', MessageReceived>
  | Delivery<Exclude<EventKind, 'message.received'>, JsonObject>
  | Delivery<UnlistedEventKind, JsonObject>;

/**
 * Reads the body of a delivery that is known to be the service's. The fields inside `data` are taken as documented: an event that really
 * happened should not be lost because one of them is not.
 * @throws WebhookError WEBHOOK_BODY_INVALID where it is not JSON in UTF-8, or lacks a field that every delivery has
 */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const value = parseJson(body);
  if (isEvent(value)) return value;
  const fields = deliveryFields.map(({ name, type }) => `${name} (${type})`).join(', ');
  throw new WebhookError('WEBHOOK_BODY_INVALID', `The body is rightly signed but no delivery: it must be a JSON object with ${fields}`);
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookError('WEBHOOK_BODY_INVALID', 'The body is rightly signed but not JSON in UTF-8', { cause });
  }
}

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

function isEvent(value: unknown): value is WebhookEvent {
  return isObject(value) && deliveryFields.every(({ name, type }) => (type === 'object' ? isObject : isString)(value[name]));
}

const isString = (value: unknown): boolean => typeof value === 'string';
