/** Events that are being delivered: when their next rounds begin, and how many of them are kept. */
import type { VirtualClock } from '../clock/clock.ts';
import { kibOf } from '../values/kib.ts';
import type { RaisedEvent } from './attempt.ts';

/** An attempt that is over, of a round in which others may be under way. */
export interface AttemptOver {
  readonly webhookId: string;
  readonly delivered: boolean;
  /** Its entry in the log. */
  readonly logId: string;
}

/** An event with a round to come, or with one under way. Plain JSON. */
export interface Pending {
  readonly workspaceId: string;
  readonly raised: RaisedEvent;
  /** Whether a user asked for it to go to one endpoint: whatever that has chosen, and even while it is paused. */
  readonly evenPaused: boolean;
  /** From 1. */
  readonly round: number;
  /** When the round begins; milliseconds since the epoch. */
  readonly due: number;
  /** The attempts of the round that are over: they are not made again. */
  readonly over: readonly AttemptOver[];
}

interface Held {
  pending: Pending;
  readonly order: number;
  readonly cost: number;
  cancel: () => void;
}

export interface PendingEventsParts {
  readonly clock: VirtualClock;
  /** How many events are kept, each counted once for every KiB begun of its body; the oldest go first. The newest one stays. */
  readonly maxRecords: number;
  /** Is told how many events had to go to make room for others. */
  readonly onEvict: (count: number) => void;
  /** Makes a round. */
  readonly run: (pending: Pending) => Promise<void>;
}

export class PendingEvents {
  readonly #parts: PendingEventsParts;
  /** By the event, in the order in which they were raised. */
  readonly #events = new Map<string, Held>();
  #raised = 0;
  #total = 0;

  constructor(parts: PendingEventsParts) {
    this.#parts = parts;
  }

  /** Sets the next round of an event, which is a new one or has a round behind it. Rounds of one instant run in the order of their events. */
  schedule(pending: Pending): void {
    const { clock, run } = this.#parts;
    const { id, body } = pending.raised;
    const { order, cost } = this.#events.get(id) ?? this.#enter(kibOf(body));
    const held: Held = { pending, order, cost, cancel: () => undefined };
    // Entered first: a round that is due now begins within the call that sets it.
    this.#events.set(id, held);
    held.cancel = clock.at(pending.due, () => run(pending), { order, owner: this });
    this.#makeRoom(id);
  }

  has({ raised }: Pending): boolean {
    return this.#events.has(raised.id);
  }

  /** Takes note of an attempt of the event's round. */
  note({ raised }: Pending, attempt: AttemptOver): void {
    const held = this.#events.get(raised.id);
    if (held !== undefined) held.pending = { ...held.pending, over: [...held.pending.over, attempt] };
  }

  /** The attempts of the event's round that are over; undefined where the event has ended. */
  over({ raised }: Pending): readonly AttemptOver[] | undefined {
    return this.#events.get(raised.id)?.pending.over;
  }

  /** Ends an event: it has no round to come. */
  delete({ raised }: Pending): void {
    const held = this.#events.get(raised.id);
    if (held === undefined) return;
    held.cancel();
    this.#events.delete(raised.id);
    this.#total -= held.cost;
  }

  state(): readonly Pending[] {
    return structuredClone([...this.#events.values()].map(({ pending }) => pending));
  }

  /** Ends all events, in one pass: there may be many. */
  clear(): void {
    this.#parts.clock.clear(this);
    this.#events.clear();
    this.#total = 0;
  }

  #enter(cost: number): Pick<Held, 'order' | 'cost'> {
    this.#total += cost;
    return { order: ++this.#raised, cost };
  }

  #makeRoom(newest: string): void {
    let gone = 0;
    for (const [id, { pending }] of this.#events) {
      if (this.#total <= this.#parts.maxRecords || id === newest) break;
      this.delete(pending);
      gone++;
    }
    if (gone > 0) this.#parts.onEvict(gone);
  }
}
