/** What a body must hold (api.md §§2, 4, 7). Each check gives the refusal to answer with, if there is one. */
import type { Assumptions } from '../../contract/assumptions.ts';
import { channels, type Channel, type sendMessageFields } from '../../contract/fields.ts';
import type { JsonObject } from '../values/json.ts';
import { badRequest, type Refusal } from './outcome.ts';
import { identity } from '../store/contacts.ts';

export interface MessageDraft {
  readonly channel: Channel;
  readonly to: string;
  readonly content: string;
}

/** The message that a send body asks for. A value that is no text counts as missing, like an empty one. */
export function messageDraft({ channel: name, to, content }: JsonObject): MessageDraft | Refusal {
  if (!isText(name)) return missing('channel');
  if (!isText(to)) return missing('to');
  if (!isText(content)) return missing('content');
  const channel = channels.find((one) => one === name);
  return channel === undefined ? { refused: 'invalidChannel' } : { channel, to, content };
}

function missing(field: (typeof sendMessageFields)[number]['name']): Refusal {
  return { refused: 'missingField', field };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export interface ContactChecks {
  /** A body's fields by themselves: their names, and the types of phone and email. */
  fields(body: JsonObject): Refusal | undefined;
  /** A contact as it would be: it has a phone number or an email. */
  identity(fields: JsonObject): Refusal | undefined;
}

export function contactChecks(assumptions: Assumptions): ContactChecks {
  const identityFields = [assumptions.contactPhoneField, assumptions.contactEmailField];
  const accepted = new Set([...assumptions.contactFields, ...identityFields]);
  return {
    fields(body) {
      // null takes a phone number or an email away.
      if (identityFields.some((field) => !isAbsent(body[field]) && typeof body[field] !== 'string')) return badRequest;
      return Object.keys(body).every((name) => accepted.has(name)) ? undefined : { refused: 'unacceptedField' };
    },
    identity(fields) {
      if (identityFields.some((field) => identity(fields, field) !== undefined)) return undefined;
      return { refused: 'badRequest', error: assumptions.contactIdentityText };
    },
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The fields of a campaign are not shown: any object is one, only a name must be text. */
export function checkCampaign({ name }: JsonObject): Refusal | undefined {
  return isAbsent(name) || typeof name === 'string' ? undefined : badRequest;
}
