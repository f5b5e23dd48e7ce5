/** Finding the existing contact that a v1 409 must carry: in v2's error body, or in a list that v2 gives. */
import { isLosslessNumber } from 'lossless-json';
import type { Assumptions } from '../../src/contract/assumptions.ts';
import { isRecord, valueAt } from './read.ts';

/** A phone number or an email that the client sent, and the field of a contact that holds it: what can collide. */
export interface Identity {
  readonly field: string;
  readonly value: string;
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

/** The identities in a contact body, by the assumed field names; the phone number first, as v1 lets it win. */
export function identitiesOf(body: unknown, { contactPhoneField, contactEmailField }: Assumptions): readonly Identity[] {
  return [contactPhoneField, contactEmailField].flatMap((field) => {
    const value = valueAt(body, field);
    return typeof value === 'string' && value !== '' ? [{ field, value }] : [];
  });
}

/**
 * The existing contact in the body of a 409, in any of the usual places.
 * @param sent the request body: what holds nothing but fields of it is an echo of the request, not a contact
 */
export function contactInError(json: unknown, identities: readonly Identity[], sent: unknown): object | undefined {
  const isEcho = (candidate: object): boolean => isRecord(sent) && Object.keys(candidate).every((field) => Object.hasOwn(sent, field));
  const candidates = contactPlaces
    .map((place) => valueAt(json, place))
    .filter(isContact)
    .filter((value) => !isEcho(value));
  for (const identity of identities) {
    const matching = holderOf(identity, candidates);
    if (matching !== undefined) return matching;
  }
  // v1's own form says plainly that `data` is the contact, whatever its fields are called.
  const data = valueAt(json, 'data');
  return valueAt(json, 'existed') === true && isContact(data) ? data : undefined;
}

/** The contact of a list that has this identity and is not the one being updated. */
export function contactInList(json: unknown, identity: Identity, except: string | undefined): object | undefined {
  const lists = [json, ...listPlaces.map((place) => valueAt(json, place))];
  const list: readonly unknown[] = lists.find((candidate) => Array.isArray(candidate)) ?? [];
  return holderOf(
    identity,
    list.filter(isContact).filter(({ id }) => id !== except),
  );
}

/**
 * The contact of an answer that shows one, alone or in one of the usual envelopes.
 * @param id that of the contact that was asked for
 * @param identities those that collided: it has one of them or, where it shows neither, at least that id
 */
export function contactInAnswer(json: unknown, id: string, identities: readonly Identity[]): object | undefined {
  if (valueAt(json, 'success') === false) return undefined;
  const contact = ['data.contact', 'data', 'contact', ''].map((place) => (place === '' ? json : valueAt(json, place))).find(isContact);
  if (contact === undefined) return undefined;
  const shown = identities.filter(({ field }) => valueAt(contact, field) !== undefined);
  const isTheOne =
    shown.length > 0
      ? shown.some(({ field, value }) => isAlike(valueAt(contact, field), value))
      : Object.values(contact).some((value) => textOf(value) === id);
  return isTheOne ? contact : undefined;
}

/** Whether v2 holds a value that was sent, where its punctuation of a phone number may be another. */
function isAlike(held: unknown, sent: string): boolean {
  const text = textOf(held);
  if (text === undefined) return false;
  return normalised(text) === normalised(sent) || (/^[\d\s()./+-]+$/.test(sent) && digits(text) === digits(sent));
}

function digits(phone: string): string {
  return phone.replaceAll(/[\s()./-]|^\+/g, '');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || isLosslessNumber(value) ? String(value) : undefined;
}

function isContact(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !Array.isArray(value) && Object.keys(value).length > 0;
}

/** The contact that is written as the client wrote it, or else one that differs only in case and in spaces around. */
function holderOf({ field, value }: Identity, contacts: readonly Record<string, unknown>[]): object | undefined {
  const alike = contacts.filter((contact) => normalised(valueAt(contact, field)) === normalised(value));
  return alike.find((contact) => valueAt(contact, field) === value) ?? alike[0];
}

function normalised(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().toLowerCase() : undefined;
}
