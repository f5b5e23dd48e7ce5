/** What workspaces are told of endpoints that fail. */
import type { Assumptions } from '../../contract/assumptions.ts';
import { deliveryRules } from '../../contract/events.ts';
import { timestamp, type Clock } from '../clock/clock.ts';
import type { NextId } from '../values/ids.ts';
import type { WebhookEndpoint } from '../store/workspace.ts';
import { backoff } from './backoff.ts';
import { Journal, type JournalEntry } from './journal.ts';

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

export interface NotificationsParts {
  readonly clock: Clock;
  readonly nextId: NextId;
  readonly assumptions: Assumptions;
  /** How many are kept (see Journal). */
  readonly maxRecords: number;
}

/** An attempt that is over. */
export interface CountedAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly delivered: boolean;
}

export class Notifications {
  readonly #parts: NotificationsParts;
  readonly #journal: Journal<Notification>;

  constructor(parts: NotificationsParts, entries: readonly JournalEntry<Notification>[]) {
    this.#parts = parts;
    this.#journal = new Journal(parts.maxRecords, entries);
  }

  /** What a workspace was told, the oldest first. */
  of(workspaceId: string): readonly Notification[] {
    return this.#journal.of(workspaceId);
  }

  state(): readonly JournalEntry<Notification>[] {
    return this.#journal.state();
  }

  /** Counts failures in a row; at the fifth the workspace is told, and the endpoint stays active (api.md §6). */
  count(workspaceId: string, webhook: WebhookEndpoint, { attempt, delivered }: CountedAttempt): void {
    const { assumptions } = this.#parts;
    if (delivered) webhook.failures = 0;
    else if (assumptions.webhookAttemptsCountAsDeliveries || backoff(attempt, assumptions) === undefined) webhook.failures += 1;
    else return;
    if (webhook.failures === deliveryRules.notifyAfter) this.#notify(workspaceId, webhook);
  }

  #notify(workspaceId: string, { id: webhookId, url, failures }: WebhookEndpoint): void {
    const { clock, nextId } = this.#parts;
    const message = `${failures} deliveries in a row to ${url} have failed. The endpoint stays active`;
    this.#journal.add(workspaceId, { id: nextId('ntf'), webhookId, url, at: timestamp(clock), message });
  }
}
