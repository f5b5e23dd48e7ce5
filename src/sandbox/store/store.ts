import type { Assumptions } from '../../contract/assumptions.ts';
import type { EventKind } from '../../contract/events.ts';
import type { Channel } from '../../contract/fields.ts';
import type { Plan } from '../../contract/plans.ts';
import { timestamp, type Clock } from '../clock/clock.ts';
import type { NextId } from '../values/ids.ts';
import type { JsonObject } from '../values/json.ts';
import { Contacts, type Contact } from './contacts.ts';
import { Keys } from './keys.ts';
import { Records } from './records.ts';
import { Retention } from './retention.ts';
import { mustFit, readRecord, saveRecord, type StoreState } from './saved.ts';
import { newSecret } from './secrets.ts';
import { put, remove, type Stored } from './stored.ts';
import type { Campaign, Message, SavedWorkspace, WebhookEndpoint, Workspace } from './workspace.ts';

/** A contact, or the one that already has its phone number or email. */
export type ContactOrClash = { readonly contact: Contact } | { readonly clash: Contact };

export interface StoreParts {
  readonly clock: Clock;
  readonly nextId: NextId;
  readonly assumptions: Assumptions;
  /** How many messages, contacts and campaigns are kept in all workspaces; each counts once for every KiB begun of what it holds. */
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
    for (const saved of structuredClone(state.records)) {
      const workspace = this.#workspaceOf(saved.workspaceId);
      const stored = readRecord(saved, workspace);
      if (stored.kind === 'contact') mustFit(stored.record, workspace.contacts);
      if (stored.kind === 'webhook') workspace.webhooks.add(stored.record.id, stored.record);
      else this.#add(stored);
    }
  }

  state(): StoreState {
    const records = this.#retention.all().map(saveRecord);
    const webhooks = this.workspaces().flatMap(({ id, webhooks }) =>
      webhooks.all().map((record) => ({ kind: 'webhook' as const, workspaceId: id, record })),
    );
    const workspaces = this.workspaces().map(({ id, name, plan, limits, createdAt }) => ({ id, name, plan, limits, createdAt }));
    return { workspaces: workspaces.map(copy), keys: this.keys.state().map(copy), records: [...records, ...webhooks].map(copy) };
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
    const stored: Stored = { kind: 'contact', workspace, record: contact };
    this.#retention.delete(stored);
    remove(stored);
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

  /** Sends a campaign, also one that was sent before. */
  sendCampaign(workspace: Workspace, campaign: Campaign): void {
    this.#moveCampaign(workspace, campaign, this.#parts.assumptions.sentCampaignStatus);
  }

  /** Moves a campaign on its way, or elsewhere; nothing happens where it is there already. */
  setCampaignStatus(workspace: Workspace, campaign: Campaign, status: string): void {
    if (status !== campaign.status) this.#moveCampaign(workspace, campaign, status);
  }

  /** At the end of its way a campaign has been sent to all contacts of the workspace. What was sent stays so, wherever it goes from there. */
  #moveCampaign(workspace: Workspace, campaign: Campaign, status: string): void {
    campaign.status = status;
    if (status !== this.#parts.assumptions.campaignStatuses.at(-1)) return;
    campaign.stats.sent += workspace.contacts.newestFirst({ page: 1, limit: 1 }).total;
  }

  addWebhook(workspace: Workspace, draft: { readonly url: string; readonly events: readonly EventKind[] }): WebhookEndpoint {
    const { nextId, clock } = this.#parts;
    const id = nextId('wh');
    const record: WebhookEndpoint = {
      id,
      ...draft,
      paused: false,
      secret: newSecret(this.#parts.nextId),
      failures: 0,
      createdAt: timestamp(clock),
    };
    workspace.webhooks.add(id, record);
    return record;
  }

  /** Gives an endpoint a new secret; the old one stops working at once (api.md §3). */
  regenerateSecret(webhook: WebhookEndpoint): void {
    webhook.secret = newSecret(this.#parts.nextId);
  }

  deleteWebhook(workspace: Workspace, webhook: WebhookEndpoint): void {
    workspace.webhooks.delete(webhook.id);
  }

  #open(saved: SavedWorkspace): Workspace {
    const contacts = new Contacts(this.#parts.assumptions);
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
    put(stored);
    this.#forget(gone);
  }

  #forget(gone: readonly Stored[]): void {
    for (const stored of gone) remove(stored);
    if (gone.length > 0) this.#parts.onEvict(gone.length);
  }
}

/** A copy, in which what is undefined is not there. One for each: all together may be longer than a text can be. */
function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}
