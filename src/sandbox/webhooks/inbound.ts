/** Inbound messages: what arrives in the inbox, and the message.received that it raises (api.md §6). */
import crypto from 'node:crypto';
import type { Assumptions } from '../../contract/assumptions.ts';
import type { MessageReceived } from '../../contract/events.ts';
import { timestamp, type Clock } from '../clock/clock.ts';
import type { NextId } from '../values/ids.ts';
import { phoneDigits } from '../values/phone-number.ts';
import { identity, type Contact } from '../store/contacts.ts';
import type { Store } from '../store/store.ts';
import type { Workspace } from '../store/workspace.ts';

export interface InboundMessage {
  /** The sender's number, with or without a leading plus; spaces, dashes and parentheses do not count. */
  readonly from: string;
  readonly text: string;
  /** What the sender calls himself on the channel. */
  readonly name?: string | undefined;
}

export interface InboundParts {
  readonly clock: Clock;
  readonly store: Store;
  readonly nextId: NextId;
  readonly assumptions: Assumptions;
}

/**
 * Takes a message into the inbox: finds the contact with the sender's number, or makes one.
 * Where unknown numbers make no contact (assumption inboundCreatesContact), contactId is empty: the field is documented as a string.
 * @param from the digits of the sender's number
 * @returns the data of message.received
 */
export function takeInbound(workspace: Workspace, { from, text, name = '' }: InboundMessage, parts: InboundParts): MessageReceived {
  const phone = `+${from}`;
  const contact = find(workspace, from, parts.assumptions) ?? create(workspace, { phone, name }, parts);
  return {
    // Inbound messages are in the inbox, not among those that GET /v2/messages lists: api.md names no operation that reads them.
    messageId: parts.nextId('msg'),
    conversationId: conversationId(workspace, contact?.id ?? phone),
    from,
    text,
    contactId: contact?.id ?? '',
    contactName: (contact && nameOf(contact)) || name,
    contactPhone: phone,
    receivedAt: timestamp(parts.clock),
  };
}

/** However the contact's number is written: clients may have done so with a plus or without, with spaces or without. */
function find(workspace: Workspace, digits: string, { contactPhoneField }: Assumptions): Contact | undefined {
  const hasNumber = ({ fields }: Contact): boolean => phoneDigits(identity(fields, contactPhoneField) ?? '') === digits;
  return workspace.contacts.newestFirst({ page: 1, limit: 1 }, { matches: hasNumber }).entries[0];
}

function create(
  workspace: Workspace,
  { phone, name }: { readonly phone: string; readonly name: string },
  { store, assumptions: { inboundCreatesContact, contactPhoneField, contactFields } }: InboundParts,
): Contact | undefined {
  if (!inboundCreatesContact) return undefined;
  const named = name !== '' && contactFields.includes('name');
  const added = store.addContact(workspace, { [contactPhoneField]: phone, ...(named && { name }) });
  return 'contact' in added ? added.contact : undefined;
}

/** One conversation for each contact. It follows from the contact's id, so that there is nothing to remember. */
function conversationId({ id }: Workspace, contact: string): string {
  return `conv_${crypto.hash('sha256', `${id}/${contact}`).slice(0, 24)}`;
}

/** The fields of a contact are assumed (contactFields); of those by default, these hold a name. */
function nameOf({ fields }: Contact): string {
  const text = (field: string): string => identity(fields, field) ?? '';
  return text('name') || `${text('firstName')} ${text('lastName')}`.trim();
}
