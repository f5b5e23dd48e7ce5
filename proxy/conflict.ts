/** Completes the 409 on a duplicate contact, which in v1 carries the existing contact (api.md §4). */
import { stringify } from 'lossless-json';
import { Collector, decodeBody } from './body.ts';
import type { Sending } from './call.ts';
import type { Context } from './context.ts';
import { type Identity, contactInError, contactInList, identityOf } from './errors/existing-contact.ts';
import { type V2Error, parseJson } from './errors/read.ts';
import { parseBody } from './local.ts';
import { readResponseHead } from './response-head.ts';
import { bearer } from './fields.ts';

/**
 * Adds `data` and `existed: true`: from v2's body where it shows the contact, else by searching v2 for the phone number and then,
 * only where that finds nothing, for the email address; else without data and with a warning.
 * @returns the body, as an object or as JSON text whose numbers are exactly v2's
 */
export async function completeConflict(
  body: Readonly<Record<string, unknown>>,
  error: V2Error,
  sending: Sending,
  context: Context,
): Promise<object | string> {
  const { call, route, resourceId } = sending;
  if (route.id !== 'createContact' && route.id !== 'updateContact') return body;
  const identity = identityOf(sending.body === undefined ? undefined : parseBody(sending.body), context.assumptions);
  const contact =
    contactInError(error.json, identity, context.assumptions) ?? (await searchContact(identity, resourceId, sending, context));
  if (contact === undefined) {
    context.recorder.missingContact(
      call,
      identity.phone === undefined && identity.email === undefined ? 'no identity in the request body' : 'not found by search',
    );
    return { ...body, existed: true };
  }
  return stringify({ ...body, data: contact, existed: true }) ?? body;
}

async function searchContact(identity: Identity, except: string | undefined, sending: Sending, context: Context): Promise<unknown> {
  for (const value of [identity.phone, identity.email]) {
    if (value === undefined) continue;
    const text = await getList(value, sending, context);
    const contact = text === undefined ? undefined : contactInList(parseJson(text), identity, context.assumptions, except);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** The body of one GET /v2/contacts; undefined where v2 does not answer it with 200. */
function getList(search: string, { call, v2Key }: Sending, { upstream, assumptions, options }: Context): Promise<string | undefined> {
  const path = `/v2/contacts?${new URLSearchParams({ [assumptions.contactSearchParameter]: search })}`;
  return new Promise((resolve) => {
    const collector = new Collector(options.maxBody);
    let encoding: string | undefined;
    const sent = upstream.send(
      { method: 'GET', path, fields: ['Accept', 'application/json', ...bearer(v2Key)], body: null },
      {
        onInterim: () => undefined,
        onHead: (status, _statusText, fields) => {
          encoding = readResponseHead(fields).contentEncoding;
          if (status === 200) return;
          sent.cancel();
          resolve(undefined);
        },
        onData: (chunk) => {
          if (collector.add(chunk)) return;
          sent.cancel();
          resolve(undefined);
        },
        onEnd: () => resolve(decodeBody(collector.bytes(), encoding, options.maxBody)),
        onFailure: () => resolve(undefined),
      },
    );
    call.sent = sent;
  });
}
