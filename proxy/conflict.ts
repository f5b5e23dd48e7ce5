/** Completes the 409 on a duplicate contact, which in v1 carries the existing contact (api.md §4). */
import { stringify } from 'lossless-json';
import { v2Endpoints } from '../src/contract/endpoints.ts';
import type { ContactExistsAnswer, ListContactsQuery } from '../src/contract/fields.ts';
import { Collector, decodeBody } from './body.ts';
import type { Sending } from './call.ts';
import type { Context } from './context.ts';
import { type Identity, contactInError, contactInList, identitiesOf } from './errors/existing-contact.ts';
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
  const { call, route } = sending;
  if (route.id !== 'createContact' && route.id !== 'updateContact') return body;
  const sent = sending.body === undefined ? undefined : parseBody(sending.body);
  const identities = identitiesOf(sent, context.assumptions);
  const contact = contactInError(error.json, identities, sent) ?? (await searchContact(identities, sending, context));
  if (contact === undefined && !call.gone)
    context.recorder.missingContact(call, identities.length === 0 ? 'no identity in the request body' : 'not found by search');
  const shown: Partial<ContactExistsAnswer> = { data: contact, existed: true };
  return stringify({ ...body, ...shown }) ?? body;
}

/** A search finds whatever contains what it looks for, in any field: only a contact that has it as this identity is the existing one. */
async function searchContact(identities: readonly Identity[], sending: Sending, context: Context): Promise<object | undefined> {
  for (const identity of identities) {
    // Nobody is left to be answered: the search would only cost a call of the quota.
    if (sending.call.gone) return undefined;
    const text = await getList(identity.value, sending, context);
    const contact = text === undefined ? undefined : contactInList(parseJson(text), identity, sending.resourceId);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** The body of one GET of the list of contacts; undefined where v2 does not answer it with 200. */
function getList(search: string, { call, v2Key }: Sending, { upstream, assumptions, options }: Context): Promise<string | undefined> {
  // The largest page: newer contacts that contain what is looked for come first.
  const paging: ListContactsQuery = { limit: String(assumptions.limitMax) };
  const path = `${v2Endpoints.listContacts.path}?${new URLSearchParams({ [assumptions.contactSearchParameter]: search, ...paging })}`;
  return new Promise((resolve) => {
    const collector = new Collector(options.maxBody);
    let encoding: string | undefined;
    const sent = upstream.send(
      { method: 'GET', path, fields: ['Accept', 'application/json', ...bearer(v2Key)], body: null },
      {
        onSending: () => void call.v2Calls++,
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
