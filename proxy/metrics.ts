/** Prometheus metrics. Labels come from closed sets only, so that no client can add a series. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Outcome } from '../src/usage/deprecated-use.ts';

interface CallCount {
  readonly endpoint: string;
  readonly status: number;
  readonly outcome: Outcome;
  count: number;
}

export class Metrics {
  readonly registry = new Registry();
  readonly #calls = new Map<string, CallCount[]>();
  readonly #refused: Counter<'code'>;
  readonly #duration: Histogram;

  constructor() {
    const registers = [this.registry];
    const calls = this.#calls;
    // Counted in a Map and handed over when asked: prom-client hashes its labels on every increment, and this is the hot path.
    const total = new Counter({
      name: 'migrate_v2_deprecated_calls_total',
      help: 'Answered v1 calls by endpoint, status and outcome',
      labelNames: ['endpoint', 'status', 'outcome'],
      registers,
      collect() {
        total.reset();
        for (const { endpoint, status, outcome, count } of [...calls.values()].flat()) total.inc({ endpoint, status, outcome }, count);
      },
    });
    this.#refused = new Counter({
      name: 'migrate_v2_refused_requests_total',
      help: 'Requests that were not valid HTTP, by code',
      labelNames: ['code'],
      registers,
    });
    this.#duration = new Histogram({
      name: 'migrate_v2_call_duration_seconds',
      help: 'Time from the head of a v1 call to the end of its answer',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15],
      registers,
    });
  }

  /** Counts one call; the duration is in milliseconds. */
  call(endpoint: string, status: number, outcome: Outcome, duration: number): void {
    let counts = this.#calls.get(endpoint);
    if (counts === undefined) this.#calls.set(endpoint, (counts = []));
    const known = counts.find((each) => each.status === status && each.outcome === outcome);
    if (known === undefined) counts.push({ endpoint, status, outcome, count: 1 });
    else known.count++;
    this.#duration.observe(duration / 1000);
  }

  refused(code: string): void {
    this.#refused.inc({ code });
  }

  /** Shows a number that others keep. */
  gauge(name: string, help: string, value: () => number): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        gauge.set(value());
      },
    });
  }
}
