/** For receivers of webhooks: does a delivery come from the service, and what does it say (api.md §6)? */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import { deliveryHead, secretPrefix } from '../contract/events.ts';
import { WebhookError } from './error.ts';
import { type WebhookEvent, parseEvent } from './event.ts';

const { contentType, signatureField, signaturePrefix } = deliveryHead;
const signaturePattern = new RegExp(`^${signaturePrefix}([0-9a-f]{64})$`);

/**
 * Verifies a delivery and reads it. Answer a WebhookError with its `status`.
 *
 * A valid signature stays valid: every delivery may come again (api.md §6 has each retry go to all endpoints), so handle events idempotently.
 * @param rawBody the bytes of the body exactly as they came: a Buffer or any Uint8Array, never a string and never parsed JSON
 * @param signatureHeader the value of X-Service-Signature as node:http or Headers.get give it
 * @param secret the endpoint's signing secret, `whsec_…`, whole; undefined, as an environment variable may be, is an error that says so
 * @throws WebhookError whose `code` says what is wrong
 */
export function verifyWebhook(
  rawBody: Uint8Array,
  signatureHeader: string | readonly string[] | null | undefined,
  secret: string | undefined,
): WebhookEvent {
  // The receiver's own faults come first: they show on the first call, whoever makes it.
  requireRaw(rawBody);
  requireSecret(secret);
  const given = readSignature(signatureHeader);
  // Keyed with the text of the secret, its prefix included.
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  // Of one length, as timingSafeEqual wants it: the form was checked. How long it takes says nothing of where the two differ.
  if (!timingSafeEqual(given, expected)) throw mismatch(secret);
  return parseEvent(rawBody);
}

/** @throws WebhookError WEBHOOK_BODY_NOT_RAW: what was decoded or parsed can be written back as other bytes than those that were signed */
function requireRaw(body: unknown): void {
  // Not instanceof: it is false for bytes that come from another realm, as in some test runners.
  if (types.isUint8Array(body)) return;
  const advice = types.isAnyArrayBuffer(body)
    ? 'pass new Uint8Array(buffer)'
    : `in Express give this route express.raw({ type: '${contentType}' }), before any express.json(), and pass req.body; ` +
      `with node:http pass Buffer.concat(chunks) without setEncoding; with fetch's Request pass new Uint8Array(await request.arrayBuffer())`;
  throw new WebhookError(
    'WEBHOOK_BODY_NOT_RAW',
    `verifyWebhook needs the raw bytes of the body (a Buffer or Uint8Array) and got ${describe(body)}: ${advice}`,
  );
}

function describe(body: unknown): string {
  if (typeof body === 'string') return 'a string';
  if (body === undefined || body === null) return String(body);
  if (types.isAnyArrayBuffer(body)) return 'an ArrayBuffer';
  return ArrayBuffer.isView(body) ? 'another kind of view' : 'what looks like a parsed body';
}

/** @throws WebhookError WEBHOOK_SECRET_MISSING */
function requireSecret(secret: unknown): asserts secret is string {
  if (typeof secret === 'string' && secret !== '') return;
  const form = `the endpoint's signing secret (${secretPrefix}…)`;
  throw new WebhookError('WEBHOOK_SECRET_MISSING', `There is no secret: pass ${form}, which is shown once when the endpoint is registered`);
}

/** @throws WebhookError WEBHOOK_SIGNATURE_MISSING or WEBHOOK_SIGNATURE_MALFORMED */
function readSignature(header: string | readonly string[] | null | undefined): Buffer {
  // A field that is sent twice comes as a list or, as node:http joins it, with a comma: neither is of the form. JavaScript can pass anything.
  const values: readonly unknown[] = [header ?? []].flat();
  const value = values.every((one) => typeof one === 'string') ? values.join() : 'no text';
  if (value === '') {
    throw new WebhookError('WEBHOOK_SIGNATURE_MISSING', `${signatureField} is missing: answer 401, the service signs every delivery`);
  }
  const hex = signaturePattern.exec(value)?.[1];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  const form = `${signaturePrefix} and 64 lowercase hex digits`;
  throw new WebhookError('WEBHOOK_SIGNATURE_MALFORMED', `${signatureField} must be sent once, as ${form}: answer 401`);
}

/** A secret that looks wrong is told here and not before: a signature that matches proves the secret right, whatever it looks like. */
function mismatch(secret: string): WebhookError {
  const looksRight = secret.startsWith(secretPrefix) && !/\s/.test(secret);
  const advice = looksRight
    ? 'answer 401. If the service did send it, the body is not byte for byte what came, or the secret is not this endpoint’s current one (regenerating ends the old one at once)'
    : `answer 401. The secret looks wrong: it must begin with ${secretPrefix} and hold no white space; an API key is none`;
  return new WebhookError('WEBHOOK_SIGNATURE_MISMATCH', `${signatureField} does not match the body: ${advice}`);
}
