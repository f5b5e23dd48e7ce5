/** A proxy of several processes: workers serve, and this one has whatever there is only one of. See docs/architecture/workers.md. */
import { hostname } from 'node:os';
import { pino } from 'pino';
import { createAdmin } from '../../../proxy/admin/admin.ts';
import { ClientMetrics } from '../../../proxy/metrics/clients.ts';
import { recordMetrics } from '../../../proxy/metrics/record.ts';
import type { ProxyServerOptions } from '../../../proxy/options.ts';
import { RoadLog, type StepStore } from '../../../proxy/road-log.ts';
import { addressOf, listen, type RunningProxy } from '../../../proxy/server.ts';
import { Stages } from '../../../proxy/stages.ts';
import { within } from '../../../proxy/within.ts';
import type { WorkspaceHour } from '../../budget/hours.ts';
import { MemoryLedgerStore } from '../../budget/memory-ledger-store.ts';
import type { Settings } from '../../config/settings.ts';
import type { Rollout } from '../../rollout/rules.ts';
import type { Step } from '../../usage/model.ts';
import type { OpenRecord } from '../../usage/open-record.ts';
import type { Telemetry } from '../../../proxy/telemetry/telemetry.ts';
import type { Log } from '../logger.ts';
import type { PrimaryDuties, Start } from './duties.ts';
import type { HandedOn } from './handed-on.ts';
import { OwnReplicas } from './own-replicas.ts';
import { partOf, rolloutPartOf } from './parts.ts';
import { Pool } from './pool.ts';
import { MergedRegistry } from './registry.ts';
import type { WorkerProcess } from './worker-process.ts';

/** How often journals are read, in milliseconds. */
const readEvery = 50;
/** How often workers are told whether all notes come through, and how long that holds. */
const hearsEvery = 250;
const hearsFor = 750;
/** How often workers are asked how they stand. */
const lookEvery = 1_000;
/** How long a worker that does not answer keeps others from noting a step. */
const longestNote = 1_000;
/** What a worker may take to end beyond the drain of its calls. */
const beyondDrain = 4_000;

export interface WorkersOptions extends Omit<ProxyServerOptions, 'usage' | 'ledgerStore' | 'notes' | 'telemetry'> {
  readonly record: OpenRecord;
  readonly telemetry: Telemetry | undefined;
  readonly log: Log;
  readonly handedOn: HandedOn;
}

export interface RunningWorkers extends RunningProxy {
  /** Puts other workers in the place of those that serve, one after the other. */
  renew(): Promise<void>;
}

/**
 * Starts a proxy of several processes.
 * @throws what keeps a worker from starting, as `startProxy`
 */
export async function startWorkers(settings: Settings<'proxy'>, options: WorkersOptions): Promise<RunningWorkers> {
  const primary = new Primary(settings, options);
  return primary.start();
}

class Primary {
  readonly #settings: Settings<'proxy'>;
  readonly #options: WorkersOptions;
  readonly #pool: Pool;
  readonly #registry: MergedRegistry;
  readonly #clients: ClientMetrics;
  readonly #ledger: OwnReplicas;
  readonly #road: RoadLog | undefined;
  readonly #stages: Stages | undefined;
  /** Steps, where nothing is recorded. */
  readonly #steps: Step[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  #draining: Promise<void> | undefined;

  constructor(settings: Settings<'proxy'>, options: WorkersOptions) {
    const { record, logger, log, metricsClients, telemetry, drainTimeout } = options;
    this.#settings = settings;
    this.#options = options;
    this.#ledger = new OwnReplicas(record.ledgerStore ?? new MemoryLedgerStore());
    this.#registry = new MergedRegistry(async () => {
      await this.#look();
      return [...this.#pool.workers].flatMap(({ state }) => (state === undefined ? [] : [state.metrics]));
    });
    this.#clients = new ClientMetrics(this.#registry, metricsClients, Date.now);
    const { usage } = record;
    if (usage !== undefined) recordMetrics(this.#registry, () => usage.state);
    telemetry?.follow(this.#registry);
    this.#pool = new Pool({
      size: settings.workers,
      logger,
      start: () => this.#start(),
      patience: drainTimeout + beyondDrain,
      duties: (self) => this.#dutiesFor(self),
      journal: {
        use: (use, product) => {
          if (product !== undefined) this.#clients.call(use.key?.hash ?? '', product, use.client, use.workspace, use.at);
          usage?.add(use);
        },
        lost: (calls) => usage?.miss(calls),
      },
      log: (lines) => log.relay(lines),
      ended: ({ state }) => state && this.#registry.keep(state.metrics),
    });
    if (options.rollout !== undefined) {
      const { rollout: rules, replica = hostname(), baseline = new Map(), assumptions } = options;
      this.#road = new RoadLog({ store: this.#stepStore, replica, logger: pino({ enabled: false }), now: Date.now });
      const sunset = Date.parse(assumptions.sunsetAt);
      this.#stages = new Stages({ rules, road: this.#road, logger, sunset, now: Date.now, baseline, named: () => undefined });
    }
  }

  async start(): Promise<RunningWorkers> {
    const pool = this.#pool;
    const options = this.#options;
    const { record, handedOn, rollout } = options;
    const stages = this.#stages;
    const hours = (): readonly WorkspaceHour[] => mergedHours([...pool.workers]);
    await this.#road?.follow();
    record.notes?.listen({ note: (text) => this.#tellAll('note', text), missed: () => this.#tellAll('note', undefined) });
    handedOn.changed = (what) => {
      if ('keys' in what) this.#tellAll('keys', what.keys);
      else this.#tellAll('rollout', this.#partOf(what.rollout));
    };
    const isGone = (): boolean => [...pool.workers].some(({ state }) => state?.isGone === true);
    const admin = createAdmin(
      {
        registry: this.#registry,
        hours: async () => {
          await this.#look();
          return hours();
        },
        ready: () => this.#isReady(),
        road: stages && {
          live: () => ({ ...stages.live(), isGone: isGone() }),
          get rollout() {
            return stages.rollout;
          },
          road: stages.road,
        },
        now: Date.now,
      },
      { token: options.adminToken, pages: options.pages, isDraining: () => this.#draining !== undefined },
    );
    await listen(admin, options.admin);
    const { url } = await pool.open();
    this.#every(readEvery, () => this.#readJournals());
    this.#every(hearsEvery, () => this.#hears && this.#tellAll('hears', hearsFor));
    this.#every(lookEvery, () => void this.#look());
    const drain = async (): Promise<void> => {
      await pool.close(options.drainDelay);
      for (const timer of this.#timers) clearInterval(timer);
      options.keyMap?.close();
      rollout?.close();
      stages?.close();
      admin.closeAllConnections();
      admin.close();
    };
    return {
      url,
      adminUrl: addressOf(admin, 'http'),
      warn: () => undefined,
      hours,
      drain: () => (this.#draining ??= drain()),
      renew: () => pool.renew(),
    };
  }

  /** What a worker is told as it starts. */
  #start(): Omit<Start, 'warns'> {
    const {
      record: _record,
      log: _log,
      logger: _logger,
      handedOn,
      telemetry,
      rollout,
      keyMap: _keyMap,
      pages: _pages,
      now: _now,
      ...plain
    } = this.#options;
    return {
      options: partOf(plain, this.#settings.workers),
      keys: handedOn.keys,
      rollout: rollout && this.#partOf(rollout.current),
      hasTelemetry: telemetry !== undefined,
      logLevel: this.#settings.logLevel,
    };
  }

  #partOf(rollout: Rollout): Rollout {
    return rolloutPartOf(rollout, this.#settings.workers);
  }

  #dutiesFor(self: WorkerProcess): Omit<PrimaryDuties, 'begin' | 'started'> {
    const { record, telemetry } = this.#options;
    const store = this.#stepStore;
    return {
      exchange: (batch) => this.#ledger.exchange(batch),
      note: (step) => store.note(step),
      steps: () => store.steps(),
      tell: (text) => {
        for (const worker of this.#pool.workers) if (worker !== self) worker.tell('note', text);
        record.notes?.tell(text);
      },
      compared: (comparison) => record.usage?.addComparison(comparison),
      skipped: (skipped) => record.usage?.addSkipped(skipped),
      ended: (ending) => void this.#stages?.guard(ending),
      event: ({ line, use }) => telemetry?.add(line, use),
    };
  }

  /** Of the record, or of this process where there is none; what is noted all workers know before whoever notes it goes on. */
  get #stepStore(): StepStore {
    const { usage } = this.#options.record;
    return {
      steps: async () => usage?.steps() ?? this.#steps,
      note: async (step) => {
        if (usage !== undefined) await usage.note(step);
        else if (!this.#steps.some(({ id }) => id === step.id)) this.#steps.push(step);
        const serving = [...this.#pool.workers].filter(({ isServing }) => isServing);
        await within(longestNote, Promise.all([this.#road?.look(), ...serving.map((worker) => worker.lookAtRoad())]));
      },
    };
  }

  get #hears(): boolean {
    const { record, replicas = [] } = this.#options;
    return record.notes === undefined ? replicas.length <= 1 && this.#ledger.areAll : record.notes.hears;
  }

  async #isReady(): Promise<boolean> {
    await this.#look();
    const serving = [...this.#pool.workers].filter(({ isServing }) => isServing);
    return serving.length > 0 && serving.every(({ state }) => state?.isReady === true);
  }

  async #look(): Promise<void> {
    this.#readJournals();
    const asked = [...this.#pool.workers].filter(({ isServing }) => isServing).map((worker) => worker.look());
    await Promise.all(asked);
  }

  #readJournals(): void {
    for (const worker of this.#pool.workers) worker.read();
  }

  #tellAll(...told: Parameters<WorkerProcess['tell']>): void {
    for (const worker of this.#pool.workers) worker.tell(...told);
  }

  #every(interval: number, work: () => void): void {
    this.#timers.push(setInterval(work, interval));
  }
}

/** Of each workspace, what the worker knows that has heard of it last; refusals are those of all. */
function mergedHours(workers: readonly WorkerProcess[]): readonly WorkspaceHour[] {
  const merged = new Map<string, WorkspaceHour>();
  for (const hour of workers.flatMap(({ state }) => state?.hours ?? [])) {
    const known = merged.get(hour.workspace);
    const isLater = known === undefined || hour.until > known.until || (hour.until === known.until && hour.used > known.used);
    merged.set(hour.workspace, { ...(isLater ? hour : known), refused: hour.refused + (known?.refused ?? 0) });
  }
  return [...merged.values()];
}
