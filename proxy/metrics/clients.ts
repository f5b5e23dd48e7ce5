/**
 * Counters of single clients, for those who want them. A client that once has a series keeps it, since a counter must not go back; all others
 * are counted together as `_other`, so that no client can add series without end.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import { dayInMs, hourInMs } from '../../src/contract/times.ts';

/** Who a client is, to a metric. */
export interface ClientLabels {
  readonly workspace: string;
  readonly client: string;
  /** The hash of its key. */
  readonly key: string;
}

interface Seen {
  labels: ClientLabels;
  /** Calls since it was first seen, or since it has a series. */
  calls: number;
  /** Epoch milliseconds. */
  last: number;
}

const others: ClientLabels = { workspace: '_other', client: '_other', key: '_other' };
/** Clients that are remembered; more of them within a day are not told apart. */
const remembered = 10_000;
const windows = { '5m': 300_000, '1h': hourInMs, '24h': dayInMs } as const;

export class ClientMetrics {
  readonly #most: number;
  readonly #now: () => number;
  readonly #seen = new Map<string, Map<string, Seen>>();
  #count = 0;
  readonly #named = new Set<Seen>();
  #others = 0;

  /** @param most clients that get a series of their own, the busiest first */
  constructor(registry: Registry, most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
    const registers = [registry];
    const active = new Gauge({
      name: 'migrate_v2_active_clients',
      aggregator: 'omit',
      help: 'Clients that called v1 within the window, told apart by key, User-Agent product and the configured header',
      labelNames: ['window'],
      registers,
      collect: () => {
        this.#forget();
        for (const [window, length] of Object.entries(windows)) active.set({ window }, this.#since(this.#now() - length));
      },
    });
    if (most === 0) return;
    const calls = new Counter({
      name: 'migrate_v2_client_calls_total',
      aggregator: 'omit',
      help: 'Answered v1 calls of the busiest clients; all others are _other',
      labelNames: ['workspace', 'client', 'key'],
      registers,
      collect: () => {
        this.#name();
        calls.reset();
        for (const { labels, calls: count } of this.#named) calls.inc({ ...labels }, count);
        calls.inc({ ...others }, this.#others);
      },
    });
  }

  /**
   * Counts one call. Runs for every call: two look-ups, and no text is made for a client that is known.
   * @param product by which clients are told apart
   * @param shown what of it may be shown: the first time that this is all, it stays so
   */
  call(key: string, product: string, shown: string, workspace: string | null, at: number): void {
    let ofKey = this.#seen.get(key);
    if (ofKey === undefined) this.#seen.set(key, (ofKey = new Map()));
    let seen = ofKey.get(product);
    if (seen === undefined) {
      if (this.#count >= remembered) return void this.#others++;
      this.#count++;
      ofKey.set(product, (seen = { labels: { workspace: workspace ?? '', client: shown, key }, calls: 0, last: at }));
    }
    if (shown === product && seen.labels.client !== shown) seen.labels = { ...seen.labels, client: shown };
    seen.calls++;
    seen.last = at;
    if (!this.#named.has(seen)) this.#others++;
  }

  /** Gives what is left of the series to the busiest that have none; their counters begin at zero. */
  #name(): void {
    const free = this.#most - this.#named.size;
    if (free <= 0) return;
    const unnamed = [...this.#all()].filter((seen) => !this.#named.has(seen)).toSorted((a, b) => b.calls - a.calls);
    for (const seen of unnamed.slice(0, free)) {
      seen.calls = 0;
      this.#named.add(seen);
    }
  }

  /** Forgets whom no window holds any more, so that there is room for others. */
  #forget(): void {
    const oldest = this.#now() - windows['24h'];
    for (const [key, ofKey] of this.#seen) {
      for (const [client, seen] of ofKey) {
        if (seen.last >= oldest || this.#named.has(seen)) continue;
        ofKey.delete(client);
        this.#count--;
      }
      if (ofKey.size === 0) this.#seen.delete(key);
    }
  }

  #since(time: number): number {
    let count = 0;
    for (const { last } of this.#all()) if (last >= time) count++;
    return count;
  }

  *#all(): Generator<Seen> {
    for (const ofKey of this.#seen.values()) yield* ofKey.values();
  }
}
