/** Prometheus metrics. Labels come from closed sets only, so that no client can add a series. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { dayInMs } from '../../src/usage/model.ts';
import type { Outcome } from '../../src/usage/deprecated-use.ts';
import type { Use } from '../../src/usage/use.ts';

interface CallCount {
  readonly endpoint: string;
  readonly status: number;
  readonly outcome: Outcome;
  count: number;
}

/** Of a use, what the metrics count. */
type CountedCall = Pick<Use, 'endpoint' | 'status' | 'outcome' | 'duration' | 'v2Calls' | 'at'>;

export class Metrics {
  readonly registry = new Registry();
  readonly #calls = new Map<string, CallCount[]>();
  readonly #refused: Counter<'code'>;
  readonly #duration: Histogram;
  #v2Calls = 0;
  /** Epoch milliseconds; 0 without a call. */
  #last = 0;

  /** @param sunset epoch milliseconds */
  constructor(sunset: number, now: () => number) {
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
    const requests = new Counter({
      name: 'migrate_v2_upstream_requests_total',
      help: 'Requests that v2 was sent for v1 calls: what counts against its hourly limits',
      registers,
      collect: () => {
        requests.reset();
        requests.inc(this.#v2Calls);
      },
    });
    this.gauge(
      'migrate_v2_last_deprecated_call_timestamp_seconds',
      'When the last v1 call was answered; 0 without one',
      () => this.#last / 1_000,
    );
    this.gauge('migrate_v2_days_until_sunset', 'Days until v1 is switched off; negative after it', () => (sunset - now()) / dayInMs);
  }

  /** Counts one call, answered at that instant; the duration is in milliseconds. */
  call({ endpoint, status, outcome, duration, v2Calls, at }: CountedCall): void {
    this.#v2Calls += v2Calls;
    this.#last = at;
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
