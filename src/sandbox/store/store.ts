import type { Assumptions } from '../../contract/assumptions.ts';
import { type EventKind, secretPrefix } from '../../contract/events.ts';
import type { Channel } from '../../contract/fields.ts';
import type { Plan } from '../../contract/plans.ts';
import { timestamp, type Clock } from '../clock.ts';
import type { NextId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { Contacts, type Contact } from './contacts.ts';
import { Keys, type KeysState } from './keys.ts';
import { Records } from './records.ts';
import { Retention, type Stored } from './retention.ts';
import type { Campaign, Message, SavedWorkspace, WebhookEndpoint, Workspace } from './workspace.ts';

/** A contact, or the one that already has its phone number or email. */
export type ContactOrClash = { readonly contact: Contact } | { readonly clash: Contact };

type Saved<S extends Stored> = S extends Stored ? Omit<S, 'workspace'> & { readonly workspaceId: string } : never;
/** A record as a snapshot holds it. */
export type SavedRecord = Saved<Stored>;

/** Plain JSON. */
export interface StoreState {
  /** In the order of their creation. */
  readonly workspaces: readonly SavedWorkspace[];
  readonly keys: KeysState;
  /** In an order in which they can be added again. */
  readonly records: readonly SavedRecord[];
}

export interface StoreParts {
  readonly clock: Clock;
  readonly nextId: NextId;
  readonly assumptions: Assumptions;
  /** How many records are kept in all workspaces; each counts once for every KiB begun of what it holds. */
  readonly maxRecords: number;
  /** Is told how many records had to go to make room for others. */
  readonly onEvict: (count: number) => void;
}

/** Everything the service remembers; both versions work on it. It keeps the invariants, and knows nothing of HTTP. */
export class Store {
  readonly keys: Keys;
  readonly #workspaces = new Map<string, Workspace>();
  readonly #retention: Retention;
  readonly #parts: StoreParts;

  /**
   * @param state what to go on with; nothing where absent
   * @throws Error where the state breaks an invariant
   */
  constructor(parts: StoreParts, state: StoreState = { workspaces: [], keys: [], records: [] }) {
    this.#parts = parts;
    this.#retention = new Retention(parts.maxRecords);
    for (const saved of structuredClone(state.workspaces)) this.#open(saved);
    this.keys = new Keys(parts.clock, parts.nextId, { state: state.keys, workspaceOf: (id) => this.#workspaceOf(id) });
    for (const { workspaceId, ...saved } of structuredClone(state.records)) {
      const workspace = this.#workspaceOf(workspaceId);
      if (saved.kind === 'contact') mustFit(saved.record, workspace.contacts);
      this.#add({ ...saved, workspace });
    }
  }

  state(): StoreState {
    const state: StoreState = {
      workspaces: this.workspaces().map(({ id, name, plan, limits, createdAt }) => ({ id, name, plan, limits, createdAt })),
      keys: this.keys.state(),
      records: this.#retention.all().map(({ workspace, ...stored }) => ({ ...stored, workspaceId: workspace.id })),
    };
    // A copy, in which what is undefined is not there.
    return JSON.parse(JSON.stringify(state));
  }

  createWorkspace(name: string, plan: Plan): Workspace {
    return this.#open({ id: this.#parts.nextId('ws'), name, plan, limits: {}, createdAt: timestamp(this.#parts.clock) });
  }

  workspace(id: string): Workspace | undefined {
    return this.#workspaces.get(id);
  }

  /** All workspaces in the order of their creation. */
  workspaces(): readonly Workspace[] {
    return [...this.#workspaces.values()];
  }

  addMessage(workspace: Workspace, draft: { readonly channel: Channel; readonly to: string; readonly content: string }): Message {
    const { nextId, clock, assumptions } = this.#parts;
    const record: Message = {
      messageId: nextId('msg'),
      ...draft,
      status: assumptions.initialDeliveryStatus,
      createdAt: timestamp(clock),
    };
    this.#add({ kind: 'message', workspace, record });
    return record;
  }

  addContact(workspace: Workspace, fields: JsonObject): ContactOrClash {
    const clash = workspace.contacts.clash(fields);
    if (clash !== undefined) return { clash };
    const createdAt = timestamp(this.#parts.clock);
    const contact: Contact = { id: this.#parts.nextId('con'), fields, createdAt, updatedAt: createdAt };
    this.#add({ kind: 'contact', workspace, record: contact });
    return { contact };
  }

  /** Replaces all fields of a contact. */
  updateContact(workspace: Workspace, contact: Contact, fields: JsonObject): ContactOrClash {
    const clash = workspace.contacts.clash(fields, contact);
    if (clash !== undefined) return { clash };
    workspace.contacts.replaceFields(contact, fields);
    contact.updatedAt = timestamp(this.#parts.clock);
    this.#forget(this.#retention.resize({ kind: 'contact', workspace, record: contact }));
    return { contact };
  }

  deleteContact(workspace: Workspace, contact: Contact): void {
    this.#delete({ kind: 'contact', workspace, record: contact });
  }

  addCampaign(workspace: Workspace, fields: JsonObject): Campaign {
    const { nextId, clock, assumptions } = this.#parts;
    const status = assumptions.initialCampaignStatus;
    const record: Campaign = { id: nextId('cmp'), fields, status, stats: { sent: 0 }, createdAt: timestamp(clock) };
    this.#add({ kind: 'campaign', workspace, record });
    return record;
  }

  /** Replaces all fields of a campaign. */
  updateCampaign(workspace: Workspace, campaign: Campaign, fields: JsonObject): void {
    campaign.fields = fields;
    this.#forget(this.#retention.resize({ kind: 'campaign', workspace, record: campaign }));
  }

  sendCampaign(campaign: Campaign): void {
    campaign.status = this.#parts.assumptions.sentCampaignStatus;
  }

  addWebhook(workspace: Workspace, draft: { readonly url: string; readonly events: readonly EventKind[] }): WebhookEndpoint {
    const { nextId, clock } = this.#parts;
    const id = nextId('wh');
    const record: WebhookEndpoint = {
      id,
      ...draft,
      paused: false,
      secret: this.#newSecret(),
      failures: 0,
      createdAt: timestamp(clock),
    };
    this.#add({ kind: 'webhook', workspace, record });
    return record;
  }

  /** Gives an endpoint a new secret; the old one stops working at once (api.md §3). */
  regenerateSecret(webhook: WebhookEndpoint): void {
    webhook.secret = this.#newSecret();
  }

  deleteWebhook(workspace: Workspace, webhook: WebhookEndpoint): void {
    this.#delete({ kind: 'webhook', workspace, record: webhook });
  }

  #open(saved: SavedWorkspace): Workspace {
    const { contactPhoneField, contactEmailField } = this.#parts.assumptions;
    const contacts = new Contacts([contactPhoneField, contactEmailField]);
    const workspace: Workspace = { ...saved, messages: new Records(), contacts, campaigns: new Records(), webhooks: new Records() };
    this.#workspaces.set(workspace.id, workspace);
    return workspace;
  }

  #workspaceOf(id: string): Workspace {
    const workspace = this.#workspaces.get(id);
    if (workspace === undefined) throw new Error(`No workspace has the id ${id}`);
    return workspace;
  }

  #add(stored: Stored): void {
    // First, because it may fail: what cannot be written as JSON has no size.
    const gone = this.#retention.add(stored);
    const { kind, workspace, record } = stored;
    if (kind === 'message') workspace.messages.add(record.messageId, record);
    else if (kind === 'contact') workspace.contacts.add(record);
    else if (kind === 'campaign') workspace.campaigns.add(record.id, record);
    else workspace.webhooks.add(record.id, record);
    this.#forget(gone);
  }

  #delete(stored: Stored): void {
    this.#retention.delete(stored);
    this.#remove(stored);
  }

  #forget(gone: readonly Stored[]): void {
    for (const stored of gone) this.#remove(stored);
    if (gone.length > 0) this.#parts.onEvict(gone.length);
  }

  #remove({ kind, workspace, record }: Stored): void {
    if (kind === 'message') workspace.messages.delete(record.messageId);
    else if (kind === 'contact') workspace.contacts.delete(record);
    else if (kind === 'campaign') workspace.campaigns.delete(record.id);
    else workspace.webhooks.delete(record.id);
  }

  #newSecret(): string {
    return secretPrefix + this.#parts.nextId('secret').slice(secretIdPrefix.length);
  }
}

const secretIdPrefix = 'secret_';

/** The id that a signing secret was made from. */
export function secretId(secret: string): string {
  return secretIdPrefix + secret.slice(secretPrefix.length);
}

function mustFit({ id, fields }: Contact, contacts: Contacts): void {
  if (!contacts.canHold(fields)) throw new Error(`The phone number or email of the contact ${id} is no text`);
  const other = contacts.clash(fields);
  if (other !== undefined) throw new Error(`The contacts ${other.id} and ${id} share a phone number or email`);
}
