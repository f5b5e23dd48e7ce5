/** What has happened on the road, known to every replica: read from the record again and again, and written to it. */
import type { Logger } from 'pino';
import { type Road, type StepKind, roadOf } from '../src/rollout/road.ts';
import type { Step } from '../src/usage/model.ts';

/** Where steps are kept, for all replicas and beyond a restart. */
export interface StepStore {
  steps(): Promise<readonly Step[]>;
  note(step: Step): Promise<void>;
}

/** How often the record is asked what others have done, in milliseconds. */
const lookEvery = 1_000;

export interface RoadLogOptions {
  /** Undefined where nothing is recorded: the road is then this process's alone, and begins anew with it. */
  readonly store: StepStore | undefined;
  readonly replica: string;
  readonly logger: Logger;
  readonly now: () => number;
}

export class RoadLog {
  readonly #options: RoadLogOptions;
  /** Steps of this process that the store has not shown yet, by their ids. */
  readonly #own = new Map<string, Step>();
  #stored: readonly Step[] = [];
  #state: Road<Step> = roadOf<Step>([]);
  #looking: NodeJS.Timeout | undefined;
  #failing = false;
  #closed = false;

  constructor(options: RoadLogOptions) {
    this.#options = options;
  }

  get replica(): string {
    return this.#options.replica;
  }

  get state(): Road<Step> {
    return this.#state;
  }

  /** All steps, in the order in which the record took them; then those that it has not taken yet. */
  get steps(): readonly Step[] {
    const known = new Set(this.#stored.map(({ id }) => id));
    return [...this.#stored, ...[...this.#own.values()].filter(({ id }) => !known.has(id))];
  }

  /** Reads what the record has, and goes on to; what cannot be read stays as it was. */
  async follow(): Promise<void> {
    await this.look();
    // Not an interval: a slow store is asked again once it has answered.
    if (this.#options.store !== undefined && !this.#closed) this.#looking = setTimeout(() => void this.follow(), lookEvery).unref();
  }

  /**
   * Notes a step. It holds here at once, and for others as soon as they have read it.
   * @param same makes the same step of every replica one: `true` for one of this replica, a text for one that all share
   * @returns once the record has it, or cannot have it
   */
  async note(kind: StepKind, rule: string, detail: string, same?: true | string): Promise<void> {
    const { replica, now, store } = this.#options;
    const of = same === true ? replica : (same ?? crypto.randomUUID());
    const step: Step = { id: `${kind} ${rule} ${of}`, at: now(), replica, kind, rule, detail };
    this.#own.set(step.id, step);
    this.#fold();
    await store?.note(step).catch((error: unknown) => this.#failed(error));
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#looking);
  }

  /** Reads what the record has now. */
  async look(): Promise<void> {
    const { store } = this.#options;
    if (store === undefined) return;
    try {
      this.#stored = await store.steps();
      this.#failing = false;
    } catch (error) {
      return this.#failed(error);
    }
    const known = new Set(this.#stored.map(({ id }) => id));
    // What the record did not take is offered again: others have to know of it.
    for (const step of this.#own.values()) {
      if (known.has(step.id)) this.#own.delete(step.id);
      else await store.note(step).catch((error: unknown) => this.#failed(error));
    }
    this.#fold();
  }

  #fold(): void {
    const before = this.#state;
    this.#state = roadOf(this.steps);
    const { logger } = this.#options;
    if (before.stopped === undefined && this.#state.stopped !== undefined)
      logger.warn({ event: 'rollout_stopped' }, 'The roll-out is stopped: v1 answers every call, until somebody resumes');
    if (before.stopped !== undefined && this.#state.stopped === undefined)
      logger.warn({ event: 'rollout_resumed' }, 'The roll-out goes on');
    for (const rule of this.#state.tripped.keys())
      if (!before.tripped.has(rule))
        logger.warn({ event: 'rollout_taken_back', rule }, `The rule "${rule}" is taken back, until somebody releases it`);
    for (const rule of before.tripped.keys())
      if (!this.#state.tripped.has(rule)) logger.warn({ event: 'rollout_released', rule }, `The rule "${rule}" is released`);
  }

  #failed(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    this.#options.logger.error(
      { event: 'rollout_unrecorded', code },
      'The steps of the roll-out cannot be read or written; this proxy goes on as it knows',
    );
  }
}
