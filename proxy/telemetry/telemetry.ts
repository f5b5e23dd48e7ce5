/**
 * What goes to a collector of OpenTelemetry: every metric that /metrics has, from time to time, and one event for each deprecated use. A call adds
 * to a list that is bounded, and does nothing else; what finds no room there, or no collector, is counted and told.
 */
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { DeprecatedUse } from '../../src/usage/deprecated-use.ts';
import type { Use } from '../../src/usage/use.ts';
import { within } from '../within.ts';

/** An event that waits: made into what a collector takes when it is sent. */
export interface WaitingEvent {
  readonly line: DeprecatedUse;
  readonly use: Use;
}

/** What sends; each resolves once the collector has taken it, and rejects where it has not. */
export interface Exporters {
  events(events: readonly WaitingEvent[]): Promise<void>;
  metrics(registry: Registry): Promise<void>;
  close(): Promise<void>;
}

export interface TelemetryOptions {
  readonly exporters: Exporters;
  readonly logger: Logger;
  /** Milliseconds between two times that metrics are sent. */
  readonly interval: number;
  /** Events that may wait, and that are sent together. */
  readonly room?: number;
  readonly batch?: number;
  readonly now?: () => number;
}

/** How long an event waits for others, in milliseconds. */
const gathering = 1_000;
/** Between two lines of the log about the same. */
const quiet = 60_000;

export class Telemetry {
  readonly #exporters: Exporters;
  readonly #logger: Logger;
  readonly #room: number;
  readonly #batch: number;
  readonly #now: () => number;
  readonly #interval: NodeJS.Timeout;
  #registry: Registry | undefined;
  #waiting: WaitingEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #measuring: Promise<void> | undefined;
  #closed = false;
  #dropped = 0;
  readonly #failures = { events: 0, metrics: 0 };
  #told = -Infinity;

  constructor({ exporters, logger, interval, room = 2_048, batch = 512, now = Date.now }: TelemetryOptions) {
    this.#exporters = exporters;
    this.#logger = logger;
    this.#room = room;
    this.#batch = batch;
    this.#now = now;
    this.#interval = setInterval(() => void this.#sendMetrics(), interval).unref();
  }

  /** Says which metrics are sent, and adds those of its own. */
  follow(registry: Registry): void {
    this.#registry = registry;
    const registers = [registry];
    const dropped = new Counter({
      name: 'migrate_v2_telemetry_dropped_events_total',
      help: 'Events about deprecated use that no collector has got',
      registers,
      collect: () => {
        dropped.reset();
        dropped.inc(this.#dropped);
      },
    });
    const failures = new Counter({
      name: 'migrate_v2_telemetry_failures_total',
      help: 'Times that the collector took nothing, by what was sent',
      labelNames: ['signal'],
      registers,
      collect: () => {
        failures.reset();
        for (const [signal, count] of Object.entries(this.#failures)) failures.inc({ signal }, count);
      },
    });
  }

  /** Adds an event; never throws, and never waits. */
  add(line: DeprecatedUse, use: Use): void {
    if (this.#closed || this.#waiting.length >= this.#room) return this.#drop(1, 'more came than the collector takes');
    this.#waiting.push({ line, use });
    if (this.#waiting.length === this.#batch) this.#arm(0);
    else this.#arm(gathering);
  }

  /**
   * Sends what is left.
   * @param ms milliseconds after which what was not taken is given up
   */
  async close(ms: number): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#interval);
    await within(ms, this.#sendAll());
    if (this.#waiting.length > 0) this.#drop(this.#waiting.splice(0).length, 'the proxy has ended');
    if (this.#dropped > 0)
      this.#logger.warn(
        { event: 'telemetry_lost', dropped: this.#dropped },
        `No collector has got ${this.#dropped} events about deprecated use`,
      );
  }

  async #sendAll(): Promise<void> {
    await this.#sending;
    // A collector that is not there would let the rest wait in vain, each batch for its whole time.
    const before = this.#failures.events;
    while (this.#waiting.length > 0 && this.#failures.events === before) await this.#send();
    await this.#measuring;
    await this.#sendMetrics();
    await this.#exporters.close();
  }

  #arm(delay: number): void {
    if (this.#sending !== undefined || (this.#timer !== undefined && delay > 0)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#sending = this.#send().finally(() => {
        this.#sending = undefined;
        if (this.#waiting.length > 0 && !this.#closed) this.#arm(this.#waiting.length >= this.#batch ? 0 : gathering);
      });
    }, delay).unref();
  }

  async #send(): Promise<void> {
    const events = this.#waiting.splice(0, this.#batch);
    try {
      await this.#exporters.events(events);
    } catch (error) {
      this.#failures.events++;
      this.#drop(events.length, reasonOf(error));
    }
  }

  #sendMetrics(): Promise<void> {
    const registry = this.#registry;
    if (registry === undefined || this.#measuring !== undefined) return this.#measuring ?? Promise.resolve();
    this.#measuring = this.#exporters
      .metrics(registry)
      .catch((error: unknown) => {
        this.#failures.metrics++;
        this.#tell({ event: 'telemetry_fails', signal: 'metrics' }, `The collector did not take the metrics: ${reasonOf(error)}`);
      })
      .finally(() => (this.#measuring = undefined));
    return this.#measuring;
  }

  #drop(events: number, why: string): void {
    this.#dropped += events;
    this.#tell(
      { event: 'telemetry_fails', signal: 'events', dropped: this.#dropped },
      `Events about deprecated use do not get to the collector: ${why}`,
    );
  }

  /** A collector that is away would have a line of the log for each call. */
  #tell(fields: object, message: string): void {
    const now = this.#now();
    if (now - this.#told < quiet) return;
    this.#told = now;
    this.#logger.warn(fields, message);
  }
}

/** What an exporter says may hold what the collector answered, and where it is: of these, only status and code are told. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `it answered with ${code}`;
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? code : 'it cannot be reached';
}
