/** Deliveries of events: rounds of attempts, and the log of them (api.md §6). */
import type { Assumptions } from '../../contract/assumptions.ts';
import type { deliveryFields, EventKind } from '../../contract/events.ts';
import type { Written } from '../../contract/fields.ts';
import { timestamp, type VirtualClock } from '../clock/clock.ts';
import type { NextId } from '../values/ids.ts';
import { isoOf, lastInstant } from '../clock/instants.ts';
import type { JsonObject } from '../values/json.ts';
import type { Store } from '../store/store.ts';
import type { WebhookEndpoint, Workspace } from '../store/workspace.ts';
import type { AddressRules } from './address.ts';
import { attemptDelivery, type AttemptResult, type RaisedEvent } from './attempt.ts';
import { backoff } from './backoff.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { type Notification, Notifications } from './notifications.ts';
import { type Pending, PendingEvents } from './pending.ts';
import { type SlotBounds, Slots } from './slots.ts';

/** One attempt at one endpoint, as the log shows it. */
export interface DeliveryAttempt extends AttemptResult {
  readonly id: string;
  readonly eventId: string;
  readonly event: EventKind;
  readonly webhookId: string;
  readonly url: string;
  /** From 1. */
  readonly attempt: number;
  /** When its round began, by the sandbox's clock; ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** When the event's endpoints are tried again, because one of them has failed; said once the attempts at all of them are over. */
  readonly nextAttemptAt?: string;
}

type UnnumberedAttempt = Omit<DeliveryAttempt, 'id' | 'nextAttemptAt'>;

/** Attempts that were under way are still to come: they are made again, as by a service that went down before it could take note of the answers. */
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
  /** Milliseconds for a receiver to answer, from the beginning of the attempt; of real time, since receivers do not know the sandbox's clock. */
  readonly timeout: number;
  /** How many attempts and notifications are kept (see Journal), and how many events that are not delivered; the oldest go first. */
  readonly maxRecords: number;
  /** Is told how many events were given up to make room for others. */
  readonly onEvict: (count: number) => void;
}

/**
 * How many attempts are under way at once. Each has a socket, and where thousands of events come together, the process would run out of
 * file descriptors: the log would blame the receivers for it. An endpoint that hangs keeps its slots for the whole timeout, so each has
 * one of its own, and only a part of the others.
 */
export const attemptsAtOnce: SlotBounds = { parties: 1024, each: 16, shared: 256 };

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #stopped = new AbortController();
  readonly #pending: PendingEvents;
  readonly #log: Journal<DeliveryAttempt>;
  readonly #notifications: Notifications;
  readonly #slots = new Slots(attemptsAtOnce);
  /** The attempt that began last. */
  #lastAttempt: Promise<void> | undefined;

  /** @param state what to go on with; nothing where absent */
  constructor(parts: DeliveriesParts, state: DeliveriesState = { pending: [], log: [], notifications: [] }) {
    this.#parts = parts;
    this.#log = new Journal(parts.maxRecords, state.log);
    this.#notifications = new Notifications(parts, state.notifications);
    this.#pending = new PendingEvents({ ...parts, run: (pending) => this.#round(pending) });
    for (const pending of structuredClone(state.pending)) this.#pending.schedule(pending);
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
    const first = { workspaceId: workspace.id, raised, evenPaused: only !== undefined, round: 1, due: clock.now(), over: [] };
    if (targets.length > 0 && !this.#stopped.signal.aborted) this.#pending.schedule(first);
    return raised;
  }

  /** The attempts at a workspace's endpoints that are over: in the order of their ends, or of their beginnings while the clock stands still. */
  log({ id }: Workspace): readonly DeliveryAttempt[] {
    return this.#log.of(id);
  }

  /** What a workspace was told, the oldest first. */
  notifications({ id }: Workspace): readonly Notification[] {
    return this.#notifications.of(id);
  }

  state(): DeliveriesState {
    return { pending: this.#pending.state(), log: this.#log.state(), notifications: this.#notifications.state() };
  }

  /** Gives up what is under way and what is to come. From now on nothing is written any more. */
  stop(): void {
    this.#stopped.abort();
    this.#pending.clear();
  }

  /** A round goes to all endpoints of the event; where one of them fails, the next one does so too (api.md §6). */
  async #round(pending: Pending): Promise<void> {
    const { clock, assumptions } = this.#parts;
    const noted = new Set(pending.over.map(({ webhookId }) => webhookId));
    const left = pending.raised.webhookIds.filter((id) => !noted.has(id));
    await Promise.all(left.map((id) => this.#attempt(id, pending)));
    const over = this.#pending.over(pending);
    // It was given up meanwhile.
    if (over === undefined) return;
    const wait = over.every(({ delivered }) => delivered) ? undefined : backoff(pending.round, assumptions);
    if (wait === undefined) return this.#pending.delete(pending);
    // A slow receiver has used up real time meanwhile: what is waited for begins with the failure.
    const due = Math.min(clock.now() + wait, lastInstant);
    const nextAttemptAt = isoOf(due);
    for (const { logId } of over) this.#log.amend(logId, (attempt) => ({ ...attempt, nextAttemptAt }));
    this.#pending.schedule({ ...pending, round: pending.round + 1, due, over: [] });
  }

  /**
   * An attempt takes effect when it is over: a receiver that hangs keeps nobody from seeing what the others said.
   *
   * While the clock stands still, also as it is being turned, all that is under way began at one instant. It takes effect in the order in
   * which it began, however fast receivers are: the log, its ids and who is notified do not depend on the network then.
   */
  #attempt(webhookId: string, pending: Pending): Promise<void> {
    const before = this.#parts.clock.stands ? this.#lastAttempt : undefined;
    const made = this.#make(webhookId, pending);
    const effect = async (): Promise<void> => {
      const attempt = await made;
      await before;
      if (attempt !== undefined && this.#pending.has(pending)) this.#enter(attempt, pending);
    };
    this.#lastAttempt = effect();
    return this.#lastAttempt;
  }

  /** @returns undefined where nothing was sent, as the endpoint is not there for this event any more, or the event was given up */
  async #make(webhookId: string, pending: Pending): Promise<UnnumberedAttempt | undefined> {
    const { clock, addresses, timeout } = this.#parts;
    const { raised, round } = pending;
    // Of the round: how long an attempt waits for a slot is real time, which the sandbox's clock does not count.
    const at = timestamp(clock);
    const endpoint = (): WebhookEndpoint | undefined => this.#receiver(webhookId, pending);
    return this.#slots.run(webhookId, async () => {
      const url = endpoint()?.url;
      if (url === undefined || !this.#pending.has(pending)) return undefined;
      const result = await attemptDelivery(url, raised, { addresses, endpoint, timeout, signal: this.#stopped.signal });
      return result && { eventId: raised.id, event: raised.event, webhookId, url, attempt: round, at, ...result };
    });
  }

  /**
   * An endpoint of the event as it is now. Whoever has paused or deleted it since, or chosen other events, wants no more of this one: in
   * each attempt counts what the user has set last. What he adds does not count: an event is one of those who were to receive it at first.
   */
  #receiver(webhookId: string, { workspaceId, raised, evenPaused }: Pending): WebhookEndpoint | undefined {
    const webhook = this.#webhook(webhookId, workspaceId);
    const wanted = webhook !== undefined && !webhook.paused && webhook.events.includes(raised.event);
    return evenPaused || wanted ? webhook : undefined;
  }

  #webhook(id: string, workspaceId: string): WebhookEndpoint | undefined {
    return this.#parts.store.workspace(workspaceId)?.webhooks.get(id);
  }

  #enter(attempt: UnnumberedAttempt, pending: Pending): void {
    const { webhookId, delivered } = attempt;
    const { workspaceId } = pending;
    const logId = this.#parts.nextId('dlv');
    this.#log.add(workspaceId, { id: logId, ...attempt });
    this.#pending.note(pending, { webhookId, delivered, logId });
    // Of an endpoint that was deleted meanwhile, nobody wants to be told any more.
    const webhook = this.#webhook(webhookId, workspaceId);
    if (webhook !== undefined) this.#notifications.count(workspaceId, webhook, attempt);
  }
}
