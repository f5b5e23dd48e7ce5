import type { Assumptions } from '../../contract/assumptions.ts';
import { type EventKind, secretPrefix } from '../../contract/events.ts';
import type { Channel } from '../../contract/fields.ts';
import type { Plan } from '../../contract/plans.ts';
import { timestamp, type Clock } from '../clock.ts';
import type { NextId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { Contacts, type Contact } from './contacts.ts';
import { Keys } from './keys.ts';
import { Records } from './records.ts';
import type { Campaign, Message, WebhookEndpoint, Workspace } from './workspace.ts';

/** A contact, or the one that already has its phone number or email. */
export type ContactOrClash = { readonly contact: Contact } | { readonly clash: Contact };

/** Everything the service remembers; both versions work on it. It keeps the invariants, and knows nothing of HTTP. */
export class Store {
  readonly keys: Keys;
  readonly #workspaces = new Map<string, Workspace>();
  readonly #clock: Clock;
  readonly #nextId: NextId;
  readonly #assumptions: Assumptions;

  constructor(clock: Clock, nextId: NextId, assumptions: Assumptions) {
    this.keys = new Keys(clock, nextId);
    this.#clock = clock;
    this.#nextId = nextId;
    this.#assumptions = assumptions;
  }

  createWorkspace(name: string, plan: Plan): Workspace {
    const { contactPhoneField, contactEmailField } = this.#assumptions;
    const workspace: Workspace = {
      id: this.#nextId('ws'),
      name,
      plan,
      limits: {},
      createdAt: timestamp(this.#clock),
      messages: new Records(),
      contacts: new Contacts([contactPhoneField, contactEmailField]),
      campaigns: new Records(),
      webhooks: new Records(),
    };
    this.#workspaces.set(workspace.id, workspace);
    return workspace;
  }

  workspace(id: string): Workspace | undefined {
    return this.#workspaces.get(id);
  }

  /** All workspaces in the order of their creation. */
  workspaces(): readonly Workspace[] {
    return [...this.#workspaces.values()];
  }

  addMessage(workspace: Workspace, draft: { readonly channel: Channel; readonly to: string; readonly content: string }): Message {
    const messageId = this.#nextId('msg');
    const message: Message = { messageId, ...draft, status: this.#assumptions.initialDeliveryStatus, createdAt: timestamp(this.#clock) };
    workspace.messages.add(messageId, message);
    return message;
  }

  addContact(workspace: Workspace, fields: JsonObject): ContactOrClash {
    const clash = workspace.contacts.clash(fields);
    if (clash !== undefined) return { clash };
    const createdAt = timestamp(this.#clock);
    const contact: Contact = { id: this.#nextId('con'), fields, createdAt, updatedAt: createdAt };
    workspace.contacts.add(contact);
    return { contact };
  }

  /** Replaces all fields of a contact. */
  updateContact(workspace: Workspace, contact: Contact, fields: JsonObject): ContactOrClash {
    const clash = workspace.contacts.clash(fields, contact);
    if (clash !== undefined) return { clash };
    workspace.contacts.replaceFields(contact, fields);
    contact.updatedAt = timestamp(this.#clock);
    return { contact };
  }

  deleteContact(workspace: Workspace, contact: Contact): void {
    workspace.contacts.delete(contact);
  }

  addCampaign(workspace: Workspace, fields: JsonObject): Campaign {
    const id = this.#nextId('cmp');
    const status = this.#assumptions.initialCampaignStatus;
    const campaign: Campaign = { id, fields, status, stats: { sent: 0 }, createdAt: timestamp(this.#clock) };
    workspace.campaigns.add(id, campaign);
    return campaign;
  }

  /** Replaces all fields of a campaign. */
  updateCampaign(campaign: Campaign, fields: JsonObject): void {
    campaign.fields = fields;
  }

  sendCampaign(campaign: Campaign): void {
    campaign.status = this.#assumptions.sentCampaignStatus;
  }

  addWebhook(workspace: Workspace, draft: { readonly url: string; readonly events: readonly EventKind[] }): WebhookEndpoint {
    const id = this.#nextId('wh');
    const webhook: WebhookEndpoint = {
      id,
      ...draft,
      paused: false,
      secret: this.#newSecret(),
      failures: 0,
      createdAt: timestamp(this.#clock),
    };
    workspace.webhooks.add(id, webhook);
    return webhook;
  }

  /** Gives an endpoint a new secret; the old one stops working at once (api.md §3). */
  regenerateSecret(webhook: WebhookEndpoint): void {
    webhook.secret = this.#newSecret();
  }

  deleteWebhook(workspace: Workspace, webhook: WebhookEndpoint): void {
    workspace.webhooks.delete(webhook.id);
  }

  #newSecret(): string {
    return secretPrefix + this.#nextId('secret').slice('secret_'.length);
  }
}
