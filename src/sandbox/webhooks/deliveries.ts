/** Deliveries of events: rounds of attempts, the log of them, and what workspaces are told of endpoints that fail (api.md §6). */
import type { Assumptions } from '../../contract/assumptions.ts';
import { type deliveryFields, deliveryRules, type EventKind } from '../../contract/events.ts';
import type { Written } from '../../contract/fields.ts';
import { timestamp, type VirtualClock } from '../clock.ts';
import type { NextId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEndpoint, Workspace } from '../store/workspace.ts';
import type { AddressRules } from './address.ts';
import { attemptDelivery, type AttemptResult, type RaisedEvent } from './attempt.ts';
import { backoff } from './backoff.ts';
import { Journal, type JournalEntry } from './journal.ts';

/** One attempt at one endpoint, as the log shows it. */
export interface DeliveryAttempt extends AttemptResult {
  readonly id: string;
  readonly eventId: string;
  readonly event: EventKind;
  readonly webhookId: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** When it began, by the sandbox's clock; ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** When the event's endpoints are tried again, because one of them has failed. */
  readonly nextAttemptAt?: string;
}

/** What a workspace is told of an endpoint that keeps failing. */
export interface Notification {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** For people. */
  readonly message: string;
}

/** An event with a round to come, or with one under way. */
interface Pending {
  readonly workspaceId: string;
  readonly raised: RaisedEvent;
  /** Whether paused endpoints receive it too. */
  readonly evenPaused: boolean;
  /** From 1. */
  readonly round: number;
  /** When the round begins; milliseconds since the epoch. */
  readonly due: number;
}

/** A round that was under way is still to come: it is made again, as by a service that went down before it could take note of the answers. */
export interface DeliveriesState {
  readonly pending: readonly Pending[];
  readonly log: readonly JournalEntry<DeliveryAttempt>[];
  readonly notifications: readonly JournalEntry<Notification>[];
}

export interface DeliveriesParts {
  /** Shows its time already, where there is a state to go on with. */
  readonly clock: VirtualClock;
  readonly store: Pick<Store, 'workspace'>;
  readonly nextId: NextId;
  readonly assumptions: Assumptions;
  readonly addresses: AddressRules;
  /** Milliseconds for a receiver to answer; of real time, since receivers do not know the sandbox's clock. */
  readonly timeout: number;
  /** How many attempts and notifications are kept (see Journal), and how many events that are not delivered; the oldest go first. */
  readonly maxRecords: number;
}

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #stopped = new AbortController();
  /** By the event, in the order in which they were raised. */
  readonly #pending = new Map<string, { readonly pending: Pending; readonly cancel: () => void }>();
  readonly #log: Journal<DeliveryAttempt>;
  readonly #notifications: Journal<Notification>;

  /** @param state what to go on with; nothing where absent */
  constructor(parts: DeliveriesParts, state: DeliveriesState = { pending: [], log: [], notifications: [] }) {
    this.#parts = parts;
    this.#log = new Journal(parts.maxRecords, state.log);
    this.#notifications = new Journal(parts.maxRecords, state.notifications);
    for (const pending of structuredClone(state.pending)) this.#schedule(pending);
  }

  /**
   * Makes an event, and delivers it to every endpoint of the workspace that has chosen its kind and is not paused.
   * @param only delivers it to this endpoint alone, as a user asked: whatever it has chosen, and even while it is paused. Whoever has
   *   paused a broken receiver wants to see that it answers before letting events through to it again
   */
  raise(workspace: Workspace, kind: EventKind, data: JsonObject, only?: WebhookEndpoint): RaisedEvent {
    const { clock, nextId } = this.#parts;
    const targets = only === undefined ? workspace.webhooks.all().filter(({ events, paused }) => !paused && events.includes(kind)) : [only];
    const body: Written<typeof deliveryFields> = { event: kind, data, timestamp: timestamp(clock) };
    const raised: RaisedEvent = {
      id: nextId('evt'),
      event: kind,
      timestamp: body.timestamp,
      body: JSON.stringify(body),
      webhookIds: targets.map(({ id }) => id),
    };
    const first = { workspaceId: workspace.id, raised, evenPaused: only !== undefined, round: 1, due: clock.now() };
    if (targets.length > 0) this.#schedule(first);
    return raised;
  }

  /** The attempts at a workspace's endpoints that are over, in the order in which they began. */
  log({ id }: Workspace): readonly DeliveryAttempt[] {
    return this.#log.of(id);
  }

  /** What a workspace was told, the oldest first. */
  notifications({ id }: Workspace): readonly Notification[] {
    return this.#notifications.of(id);
  }

  state(): DeliveriesState {
    const pending = structuredClone([...this.#pending.values()].map((one) => one.pending));
    return { pending, log: this.#log.state(), notifications: this.#notifications.state() };
  }

  /** Gives up what is under way and what is to come. From now on nothing is written any more. */
  stop(): void {
    this.#stopped.abort();
    for (const id of this.#pending.keys()) this.#giveUp(id);
  }

  #schedule(pending: Pending): void {
    if (this.#stopped.signal.aborted) return;
    const cancel = this.#parts.clock.at(pending.due, () => this.#round(pending));
    this.#pending.set(pending.raised.id, { pending, cancel });
    const [oldest] = this.#pending.keys();
    if (oldest !== undefined && this.#pending.size > this.#parts.maxRecords) this.#giveUp(oldest);
  }

  #giveUp(id: string): void {
    this.#pending.get(id)?.cancel();
    this.#pending.delete(id);
  }

  /** A round goes to all endpoints of the event; where one of them fails, the next one does so too (api.md §6). */
  async #round(pending: Pending): Promise<void> {
    const made = await Promise.all(this.#targets(pending).map((webhook) => this.#attempt(webhook, pending)));
    if (!this.#pending.has(pending.raised.id)) return;

    const { clock, assumptions } = this.#parts;
    const wait = made.every(({ delivered }) => delivered) ? undefined : backoff(pending.round, assumptions);
    // A slow receiver has used up real time meanwhile: what is waited for begins with the failure.
    const due = wait === undefined ? undefined : clock.now() + wait;
    for (const { webhook, delivered, enter } of made) {
      enter(due);
      this.#count(pending, webhook, delivered);
    }
    if (due === undefined) this.#pending.delete(pending.raised.id);
    else this.#schedule({ ...pending, round: pending.round + 1, due });
  }

  /** The event's endpoints as they are now: those that are still there and not paused. */
  #targets({ workspaceId, raised, evenPaused }: Pending): readonly WebhookEndpoint[] {
    const webhooks = this.#parts.store.workspace(workspaceId)?.webhooks;
    return raised.webhookIds.flatMap((id) => webhooks?.get(id) ?? []).filter(({ paused }) => evenPaused || !paused);
  }

  async #attempt(webhook: WebhookEndpoint, { workspaceId, raised, round }: Pending) {
    const { clock, nextId, addresses, timeout } = this.#parts;
    const { id: webhookId, url } = webhook;
    const begun = { id: nextId('dlv'), eventId: raised.id, event: raised.event, webhookId, url, attempt: round, at: timestamp(clock) };
    const write = this.#log.reserve(workspaceId);
    const result = await attemptDelivery(webhook, raised, { addresses, timeout, signal: this.#stopped.signal });
    const enter = (due: number | undefined): void =>
      write({ ...begun, ...result, ...(due !== undefined && { nextAttemptAt: new Date(due).toISOString() }) });
    return { webhook, delivered: result.delivered, enter };
  }

  /** Counts failures in a row; at the fifth the workspace is told, and the endpoint stays active (api.md §6). */
  #count({ workspaceId, round }: Pending, webhook: WebhookEndpoint, delivered: boolean): void {
    const { assumptions } = this.#parts;
    if (delivered) webhook.failures = 0;
    else if (assumptions.webhookAttemptsCountAsDeliveries || backoff(round, assumptions) === undefined) webhook.failures += 1;
    else return;
    if (webhook.failures === deliveryRules.notifyAfter) this.#notify(workspaceId, webhook);
  }

  #notify(workspaceId: string, { id: webhookId, url, failures }: WebhookEndpoint): void {
    const { clock, nextId } = this.#parts;
    const message = `${failures} deliveries in a row to ${url} have failed. The endpoint stays active`;
    this.#notifications.reserve(workspaceId)({ id: nextId('ntf'), webhookId, url, at: timestamp(clock), message });
  }
}
