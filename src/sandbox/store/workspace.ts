import type { EventKind } from '../../contract/events.ts';
import type { Channel } from '../../contract/fields.ts';
import type { Plan } from '../../contract/plans.ts';
import type { JsonObject } from '../values/json.ts';
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

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** The kinds of events it receives. */
  events: readonly EventKind[];
  /** A paused endpoint receives nothing; only a user pauses one (api.md §3). */
  paused: boolean;
  /** Signs the deliveries; shown when it was made and never again. */
  secret: string;
  /** Failed deliveries since the last one that arrived. */
  failures: number;
  readonly createdAt: string;
}

/** A workspace's own numbers, in place of its plan's. */
export interface CustomLimits {
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly perHour?: number;
  readonly webhookEndpoints?: number;
}

/** A workspace without its data. */
export interface SavedWorkspace {
  readonly id: string;
  name: string;
  plan: Plan;
  limits: CustomLimits;
  readonly createdAt: string;
}

/** All data is scoped to a workspace (api.md §1). */
export interface Workspace extends SavedWorkspace {
  readonly messages: Records<Message>;
  readonly contacts: Contacts;
  readonly campaigns: Records<Campaign>;
  readonly webhooks: Records<WebhookEndpoint>;
}
