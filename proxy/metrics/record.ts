/** How the record stands with its store, as metrics. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { RecordState } from '../../src/usage/usage-recorder.ts';

/** @param state asked at each collection; undefined where nothing is recorded */
export function recordMetrics(registry: Registry, state: () => RecordState): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: (state: RecordState) => number): void => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(value(state())) });
  };
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (made: Counter<Label>) => void,
  ): void => {
    const made: Counter<Label> = new Counter({
      name,
      help,
      labelNames,
      registers,
      collect: () => {
        made.reset();
        collect(made);
      },
    });
  };
  gauge('migrate_v2_usage_store_up', 'Whether the usage store takes what is recorded', ({ failing }) => (failing === undefined ? 1 : 0));
  gauge('migrate_v2_usage_backlog_rows', 'Rows of the record that wait for the usage store', ({ backlog }) => backlog);
  gauge(
    'migrate_v2_usage_last_write_timestamp_seconds',
    'When the usage store last took something',
    ({ written }) => (written ?? 0) / 1_000,
  );
  gauge(
    'migrate_v2_usage_coverage_ratio',
    'Share of the time since the start in which every v1 call was recorded',
    ({ coverage }) => coverage,
  );
  counter('migrate_v2_usage_dropped_calls_total', 'v1 calls that are missing in the record for good', [], (made) => made.inc(state().lost));
  counter('migrate_v2_usage_write_failures_total', 'Writes that the usage store did not take, by code', ['code'], (made) => {
    for (const [code, count] of Object.entries(state().failures)) made.inc({ code }, count);
  });
}
