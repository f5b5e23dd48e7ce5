/** Prometheus metrics. Labels come from closed sets only, so that no client can add a series. */
import { type Aggregator, Counter, Gauge, Registry } from 'prom-client';
import { dayInMs } from '../../src/contract/times.ts';
import type { Use } from '../../src/usage/use.ts';
import { CallCounts } from './call-counts.ts';

/** Of a use, what the metrics count. */
type CountedCall = Pick<Use, 'endpoint' | 'status' | 'outcome' | 'duration' | 'v2Calls' | 'at'>;

export class Metrics {
  readonly registry = new Registry();
  readonly #calls: CallCounts;
  readonly #passed: CallCounts;
  readonly #refused: Counter<'code'>;
  readonly #compared: Counter<'result'>;
  #v2Calls = 0;
  /** Epoch milliseconds; 0 without a call. */
  #last = 0;

  /** @param sunset epoch milliseconds */
  constructor(sunset: number, now: () => number) {
    const registers = [this.registry];
    this.#calls = new CallCounts(this.registry, {
      total: { name: 'migrate_v2_deprecated_calls_total', help: 'Answered v1 calls by endpoint, status and outcome' },
      duration: { name: 'migrate_v2_call_duration_seconds', help: 'Time from the head of a v1 call to the end of its answer' },
    });
    this.#passed = new CallCounts(this.registry, {
      total: { name: 'migrate_v2_passed_calls_total', help: 'Answered v2 calls, which pass untranslated, by endpoint, status and outcome' },
      duration: { name: 'migrate_v2_passed_call_duration_seconds', help: 'Time from the head of a v2 call to the end of its answer' },
    });
    this.#refused = new Counter({
      name: 'migrate_v2_refused_requests_total',
      help: 'Requests that were not valid HTTP, by code',
      labelNames: ['code'],
      registers,
    });
    this.#compared = new Counter({
      name: 'migrate_v2_compared_calls_total',
      help: 'v1 calls that v2 was asked beside, by what was found: equal, noise, different or skipped',
      labelNames: ['result'],
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

  /** Counts one v1 call, answered at that instant; the duration is in milliseconds. */
  call({ endpoint, status, outcome, duration, v2Calls, at }: CountedCall): void {
    this.#v2Calls += v2Calls;
    this.#last = at;
    this.#calls.add(endpoint, status, outcome, duration);
  }

  /** Counts one v2 call, which nobody translated. */
  passed({ endpoint, status, duration }: CountedCall, outcome: string): void {
    this.#passed.add(endpoint, status, outcome, duration);
  }

  compared(result: 'equal' | 'noise' | 'different' | 'skipped'): void {
    this.#compared.inc({ result });
  }

  refused(code: string): void {
    this.#refused.inc({ code });
  }

  /**
   * Shows a number that others keep.
   * @param aggregator what those of several processes of one proxy are together
   */
  gauge(name: string, help: string, value: () => number, aggregator: Aggregator = 'max'): void {
    const gauge = new Gauge({
      name,
      help,
      aggregator,
      registers: [this.registry],
      collect() {
        gauge.set(value());
      },
    });
  }
}
