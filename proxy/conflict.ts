/** Completes the 409 on a duplicate contact, which in v1 carries the existing contact (api.md §4). */
import { stringify } from 'lossless-json';
import { bearer, v2Auth } from '../src/contract/auth.ts';
import { v2Endpoints } from '../src/contract/endpoints.ts';
import type { ContactExistsAnswer, ListContactsQuery } from '../src/contract/fields.ts';
import { Collector } from './body.ts';
import { readText } from './content.ts';
import type { Call } from './call.ts';
import { type Identity, contactInAnswer, contactInError, contactInList, identitiesOf } from './errors/existing-contact.ts';
import { type V2Error, parseJson } from './errors/read.ts';
import { parseBody } from './v1-rules.ts';
import { type ResponseHead, fieldValue, readResponseHead } from './response-head.ts';
import type { Translation } from './translation.ts';

/**
 * Adds `data` and `existed: true`: from v2's body where it shows the contact, else with one GET where its head says which it is, else by
 * searching v2 for the phone number and then, only where that finds nothing, for the email address; else without data and with a warning.
 * @param fields those of v2's answer, names and values in turn
 * @returns the body, as an object or as JSON text whose numbers are exactly v2's
 */
export async function completeConflict(
  call: Call,
  translation: Translation,
  body: Readonly<Record<string, unknown>>,
  { error, fields }: { readonly error: V2Error; readonly fields: readonly string[] },
): Promise<object | string> {
  const { assumptions, recorder } = call.context;
  if (translation.route.endpoint.conflict === undefined) return body;
  const sent = await sentJson(call, translation);
  const identities = identitiesOf(sent, assumptions);
  const contact =
    contactInError(error.json, identities, sent) ??
    (await getNamedContact(call, translation, { fields, identities })) ??
    (await searchContact(call, translation, identities));
  if (contact === undefined && !call.gone)
    recorder.missingContact(call, identities.length === 0 ? 'no identity in the request body' : 'not found by search');
  const shown: Partial<ContactExistsAnswer> = { data: contact, existed: true };
  return stringify({ ...body, ...shown }) ?? body;
}

/** What the client sent. v2 has read it, so that nobody knows the charset does not matter to fields that are ASCII, as phone numbers are. */
async function sentJson({ head, context }: Call, { sentBody }: Translation): Promise<unknown> {
  if (sentBody === undefined) return undefined;
  const read = await readText(sentBody, head, context.options.maxBody);
  return parseBody('text' in read ? read.text : sentBody.toString());
}

/** The contact that v2 names in Location or Content-Location. */
async function getNamedContact(
  call: Call,
  translation: Translation,
  { fields, identities }: { readonly fields: readonly string[]; readonly identities: readonly Identity[] },
): Promise<object | undefined> {
  if (call.gone) return undefined;
  const base = new URL(call.context.options.v2Base);
  const updated = decodedId(translation.resourceId ?? '');
  const named = ['location', 'content-location']
    .map((name) => addressOfContact(fieldValue(fields, name), base))
    .find((address) => address !== undefined && address.id !== updated);
  if (named === undefined) return undefined;
  const text = await get(call, named.path, translation);
  return text === undefined ? undefined : contactInAnswer(parseJson(text), named.id, identities);
}

/** Where a contact is at v2, and its id without percent-encoding. */
interface ContactAddress {
  readonly path: string;
  readonly id: string;
}

/**
 * What v2 writes for a contact's address. The v2 key goes where this leads: to nowhere but a contact, and at v2 itself.
 * @param address relative to the collection, as it is called for both endpoints that can conflict
 */
export function addressOfContact(address: string | undefined, base: URL): ContactAddress | undefined {
  const prefix = base.pathname.replace(/\/+$/, '');
  const collection = new URL(`${base.origin}${prefix}${v2Endpoints.listContacts.path}`);
  if (address === undefined || !URL.canParse(address, collection.href)) return undefined;
  const { origin, pathname, search, username, password } = new URL(address, collection);
  if (origin !== base.origin || username + password !== '') return undefined;
  // Behind a gateway, v2 may not know the path before its own.
  const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  const [, encoded] = /^\/v2\/contacts\/([^/]+)$/.exec(path) ?? [];
  const id = encoded === undefined ? undefined : decodedId(encoded);
  // What would be a delimiter, or be decoded again, could lead to something else behind a gateway (RFC 3986 §2.4).
  return id === undefined || /[/\\?#%\p{Cc}]/u.test(id) ? undefined : { path: path + search, id };
}

/** Two ids are the same whether or not their characters are encoded (RFC 3986 §6.2.2.2). */
function decodedId(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** A search finds whatever contains what it looks for, in any field: only a contact that has it as this identity is the existing one. */
async function searchContact(call: Call, translation: Translation, identities: readonly Identity[]): Promise<object | undefined> {
  const { assumptions } = call.context;
  for (const identity of identities) {
    // Nobody is left to be answered: the search would only cost a call of the quota.
    if (call.gone) return undefined;
    // The largest page: newer contacts that contain what is looked for come first.
    const paging: ListContactsQuery = { limit: String(assumptions.limitMax) };
    const query = new URLSearchParams({ [assumptions.contactSearchParameter]: identity.value, ...paging });
    const text = await get(call, `${v2Endpoints.listContacts.path}?${query}`, translation);
    const contact = text === undefined ? undefined : contactInList(parseJson(text), identity, translation.resourceId);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** The body of one GET; undefined where v2 does not answer it with 200, or it cannot be read. */
function get(call: Call, path: string, { v2Key, purpose }: Translation): Promise<string | undefined> {
  const { upstream, options } = call.context;
  return new Promise((resolve) => {
    const collector = new Collector(options.maxBody);
    let head: ResponseHead | undefined;
    const sent = upstream.send(
      {
        method: 'GET',
        path,
        fields: ['Accept', 'application/json', 'Accept-Encoding', 'identity', v2Auth.fieldName, bearer(v2Key)],
        body: null,
        // It only completes an answer, and so is no write.
        purpose: { ...purpose, endpoint: undefined, weight: 0 },
      },
      {
        onSending: () => void call.v2Calls++,
        onInterim: () => undefined,
        onHead: (status, _statusText, fields) => {
          head = readResponseHead(fields);
          if (status === 200) return;
          sent.cancel();
          resolve(undefined);
        },
        onData: (chunk) => {
          if (collector.add(chunk)) return;
          sent.cancel();
          resolve(undefined);
        },
        onEnd: () => resolve(textIn(collector.bytes(), head, options.maxBody)),
        onFailure: () => resolve(undefined),
        onRefused: () => resolve(undefined),
      },
    );
    call.sent = sent;
  });
}

async function textIn(bytes: Buffer, head: ResponseHead | undefined, limit: number): Promise<string | undefined> {
  const read = head === undefined ? undefined : await readText(bytes, head, limit);
  return read !== undefined && 'text' in read ? read.text : undefined;
}
