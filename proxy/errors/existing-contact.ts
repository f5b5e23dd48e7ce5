/** Finding the existing contact that a v1 409 must carry: in v2's error body, or in a list that v2 gives. */
import type { Assumptions } from '../../src/contract/assumptions.ts';
import { isRecord, valueAt } from './read.ts';

/** What the client sent that can collide. */
export interface Identity {
  readonly phone?: string;
  readonly email?: string;
}

const contactPlaces = [
  'data',
  'data.contact',
  'data.existing',
  'contact',
  'existing',
  'existingContact',
  'existing_contact',
  'error.data',
  'error.contact',
  'error.existing',
  'error.existingContact',
  'error.details',
  'error.details.contact',
  'error.details.existing',
  'details',
  'details.contact',
  'details.existing',
  'errors.0.contact',
  'errors.0.existing',
  'meta.contact',
  'meta.existing',
];
const listPlaces = ['data', 'contacts', 'items', 'results', 'data.contacts', 'data.items', 'data.results'];

/** The identity in a contact body, by the assumed field names. */
export function identityOf(body: unknown, assumptions: Assumptions): Identity {
  const phone = valueAt(body, assumptions.contactPhoneField);
  const email = valueAt(body, assumptions.contactEmailField);
  return {
    ...(typeof phone === 'string' && phone !== '' ? { phone } : {}),
    ...(typeof email === 'string' && email !== '' ? { email } : {}),
  };
}

/** The existing contact in the body of a 409, in any of the usual places. */
export function contactInError(json: unknown, identity: Identity, assumptions: Assumptions): unknown {
  const candidates = contactPlaces.map((place) => valueAt(json, place)).filter(isContact);
  const matching = candidates.find((candidate) => sharesIdentity(candidate, identity, assumptions));
  if (matching !== undefined) return matching;
  // v1's own form says plainly that `data` is the contact, whatever its fields are called.
  return valueAt(json, 'existed') === true ? candidates[0] : undefined;
}

/** The contact of a list that shares the identity and is not the one being updated. */
export function contactInList(json: unknown, identity: Identity, assumptions: Assumptions, except: string | undefined): unknown {
  const lists = [json, ...listPlaces.map((place) => valueAt(json, place))];
  const list = lists.find((candidate) => Array.isArray(candidate)) ?? [];
  return Array.isArray(list)
    ? list.find((entry) => isContact(entry) && entry['id'] !== except && sharesIdentity(entry, identity, assumptions))
    : undefined;
}

function isContact(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !Array.isArray(value) && Object.keys(value).length > 0;
}

function sharesIdentity(contact: Record<string, unknown>, { phone, email }: Identity, assumptions: Assumptions): boolean {
  return same(contact[assumptions.contactPhoneField], phone) || same(contact[assumptions.contactEmailField], email);
}

function same(value: unknown, sent: string | undefined): boolean {
  return typeof value === 'string' && sent !== undefined && value.trim().toLowerCase() === sent.trim().toLowerCase();
}
