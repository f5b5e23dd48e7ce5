/** How many calls were answered, how, and how fast: of v1 calls, and of those that pass untranslated. */
import { Counter, Histogram, type Registry } from 'prom-client';

interface Count {
  readonly endpoint: string;
  readonly status: number;
  readonly outcome: string;
  count: number;
}

interface Named {
  readonly name: string;
  readonly help: string;
}

/** Durations that are given to the histogram together. */
const atOnce = 100;

export class CallCounts {
  readonly #counts = new Map<string, Count[]>();
  readonly #duration: Histogram;
  /** In seconds; those that the histogram has yet to be given. */
  #durations: number[] = [];

  constructor(registry: Registry, { total: { name, help }, duration }: { readonly total: Named; readonly duration: Named }) {
    const registers = [registry];
    const counts = this.#counts;
    // Counted in a Map and handed over when asked: prom-client hashes its labels on every increment, and this is the hot path.
    const total = new Counter({
      name,
      help,
      labelNames: ['endpoint', 'status', 'outcome'],
      registers,
      collect() {
        total.reset();
        for (const { count, ...labels } of [...counts.values()].flat()) total.inc(labels, count);
      },
    });
    const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15];
    this.#duration = new Histogram({ ...duration, buckets, registers, collect: () => this.#observe() });
  }

  /** Many at once: prom-client's way from a duration to its bucket is long, and cold each time among all that a call does. */
  #observe(): void {
    for (const each of this.#durations) this.#duration.observe(each);
    this.#durations = [];
  }

  /** Counts one call; the duration is in milliseconds. The names come from closed sets. */
  add(endpoint: string, status: number, outcome: string, duration: number): void {
    let counts = this.#counts.get(endpoint);
    if (counts === undefined) this.#counts.set(endpoint, (counts = []));
    const known = counts.find((each) => each.status === status && each.outcome === outcome);
    if (known === undefined) counts.push({ endpoint, status, outcome, count: 1 });
    else known.count++;
    this.#durations.push(duration / 1000);
    if (this.#durations.length >= atOnce) this.#observe();
  }
}
