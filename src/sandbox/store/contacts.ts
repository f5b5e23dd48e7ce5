import type { Assumptions } from '../../contract/assumptions.ts';
import type { JsonObject } from '../values/json.ts';
import { phoneDigits } from '../values/phone-number.ts';
import { Records, type Page, type PageRequest } from './records.ts';

export interface Contact {
  readonly id: string;
  /** What clients wrote, phone and email included. */
  fields: JsonObject;
  readonly createdAt: string;
  updatedAt: string;
}

export interface ContactFilter {
  readonly text?: string;
  readonly matches?: (contact: Contact) => boolean;
}

/** The contacts by one of the fields that must be unique. */
interface Index {
  readonly field: string;
  /** What is the same for all ways of writing a value that count as one. */
  readonly plain: (value: string) => string;
  readonly byValue: Map<string, Contact>;
}

/** The contacts of one workspace: no two share a phone number or an email (api.md §2). */
export class Contacts {
  readonly #records = new Records<Contact>();
  /** Where a contact clashes in several fields, the first one's contact counts. */
  readonly #indexes: readonly Index[];

  constructor({ contactPhoneField, contactEmailField, contactIdentityExact: exact }: Assumptions) {
    this.#indexes = [
      { field: contactPhoneField, plain: (phone) => (exact ? phone : (phoneDigits(phone) ?? phone)), byValue: new Map() },
      { field: contactEmailField, plain: (email) => (exact ? email : email.toLowerCase()), byValue: new Map() },
    ];
  }

  get(id: string): Contact | undefined {
    return this.#records.get(id);
  }

  /** Whether a phone number and an email are texts, where they are there: null takes one away. */
  canHold(fields: JsonObject): boolean {
    return this.#indexes.every(({ field }) => typeof (fields[field] ?? '') === 'string');
  }

  /** The contact that already holds one of these fields' identities, leaving `except` out of account. */
  clash(fields: JsonObject, except?: Contact): Contact | undefined {
    for (const { field, plain, byValue } of this.#indexes) {
      const value = identity(fields, field);
      const holder = value === undefined ? undefined : byValue.get(plain(value));
      if (holder !== undefined && holder !== except) return holder;
    }
    return undefined;
  }

  /** Adds a contact that clashes with none. */
  add(contact: Contact): void {
    this.#records.add(contact.id, contact);
    this.#index(contact);
  }

  /** Replaces a contact's fields by ones that clash with none. */
  replaceFields(contact: Contact, fields: JsonObject): void {
    this.#unindex(contact);
    contact.fields = fields;
    this.#index(contact);
  }

  /** Deletes a contact; its phone number and email are free again. */
  delete(contact: Contact): void {
    this.#records.delete(contact.id);
    this.#unindex(contact);
  }

  /**
   * One page of the contacts, newest first.
   * @param filter only contacts whose phone number or email contains `text`, and which match
   */
  newestFirst(page: PageRequest, { text = '', matches = () => true }: ContactFilter = {}): Page<Contact> {
    const holdsText = ({ fields }: Contact): boolean => this.#indexes.some(({ field }) => identity(fields, field)?.includes(text));
    return this.#records.newestFirst(page, (contact) => (text === '' || holdsText(contact)) && matches(contact));
  }

  #index(contact: Contact): void {
    for (const { field, plain, byValue } of this.#indexes) {
      const value = identity(contact.fields, field);
      if (value !== undefined) byValue.set(plain(value), contact);
    }
  }

  #unindex(contact: Contact): void {
    for (const { field, plain, byValue } of this.#indexes) {
      const value = identity(contact.fields, field);
      if (value !== undefined) byValue.delete(plain(value));
    }
  }
}

/** The phone number or email that a field holds: a string with something in it. */
export function identity(fields: JsonObject, field: string): string | undefined {
  const value = fields[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
