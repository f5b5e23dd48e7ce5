import type { Channel } from '../../contract/fields.ts';
import type { JsonObject } from '../json.ts';
import type { Contacts } from './contacts.ts';
import type { Records } from './records.ts';

/** A message as the API shows it. */
export interface Message {
  readonly messageId: string;
  readonly channel: Channel;
  readonly to: string;
  readonly content: string;
  status: string;
  readonly createdAt: string;
}

export interface Campaign {
  readonly id: string;
  /** What clients wrote; apart from the rest, so that no field of theirs can pass for one of ours. */
  fields: JsonObject;
  status: string;
  readonly stats: { sent: number };
  readonly createdAt: string;
}

/** All data is scoped to a workspace (api.md §1). */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly messages: Records<Message>;
  readonly contacts: Contacts;
  readonly campaigns: Records<Campaign>;
}
