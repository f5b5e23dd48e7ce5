/** The metrics of several processes as those of one proxy. */
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

type Metrics = MetricObjectWithValues<MetricValue<string>>[];

export class MergedRegistry extends Registry {
  readonly #of: () => Promise<readonly Metrics[]>;
  /** Counters of processes that have ended: they must not go back. */
  #ended: readonly Metrics[] = [];

  /** @param of the metrics of those that run, as they are now */
  constructor(of: () => Promise<readonly Metrics[]>) {
    super();
    this.#of = of;
  }

  /** Keeps what a process has counted that has ended. */
  keep(metrics: Metrics): void {
    const counted = metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
    this.#ended = [...this.#ended, counted];
  }

  override async metrics(): Promise<string> {
    const [own, others] = await Promise.all([super.metrics(), this.#merged()]);
    return `${await others.metrics()}${own}`;
  }

  override async getMetricsAsJSON(): Promise<Metrics> {
    const [own, others] = await Promise.all([super.getMetricsAsJSON(), this.#merged()]);
    return [...(await others.getMetricsAsJSON()), ...own];
  }

  async #merged(): Promise<Registry> {
    const ended = this.#ended;
    if (ended.length > 1) {
      const one = await AggregatorRegistry.aggregate([...ended]).getMetricsAsJSON();
      // Others may have ended meanwhile.
      this.#ended = [one, ...this.#ended.slice(ended.length)];
    }
    const running = await this.#of();
    return AggregatorRegistry.aggregate([...running, ...this.#ended]);
  }
}
