/** The workers of a proxy: as many as there are to be, whatever becomes of one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Surroundings, WorkerProcess } from './worker-process.ts';

/** How soon another try follows where a worker ends before it serves, in milliseconds: each waits twice as long, as what keeps it from starting may last. */
const startAgain = 1_000;
const longestPause = 30_000;

export interface PoolOptions extends Surroundings {
  readonly size: number;
  readonly logger: Logger;
  /** Milliseconds that a worker may take to end its calls. */
  readonly patience: number;
  /** Is told of what workers that ended have said last. */
  readonly ended: (worker: WorkerProcess) => void;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #workers = new Set<WorkerProcess>();
  #rolling: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Those that have not ended. */
  get workers(): ReadonlySet<WorkerProcess> {
    return this.#workers;
  }

  /**
   * Starts all of them.
   * @throws what keeps one from starting
   */
  async open(): Promise<{ readonly url: string }> {
    const workers = Array.from({ length: this.#options.size }, (_, index) => this.#fork(index === 0));
    const [first] = await Promise.all(workers.map((worker) => worker.serves()));
    for (const worker of workers) void this.#replace(worker);
    if (first === undefined) throw new Error('There is no worker');
    return first;
  }

  /** Puts another worker in the place of each, one after the other. Those that come meanwhile are asked for once more. */
  renew(): Promise<void> {
    const before = this.#rolling ?? Promise.resolve();
    const rolling = before.then(() => this.#renew());
    this.#rolling = rolling;
    return rolling;
  }

  /** Ends all of them, at once. */
  async close(delay: number): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map((worker) => worker.leave(delay, this.#options.patience)));
  }

  async #renew(): Promise<void> {
    const { logger, patience } = this.#options;
    const old = [...this.#workers].filter(({ isServing }) => isServing);
    for (const worker of old) {
      if (this.#isClosed) return;
      if (!(await this.#add())) return logger.error({ event: 'workers_kept' }, 'A new worker does not start; the others serve on');
      await worker.leave(0, patience);
    }
    logger.info({ event: 'workers_renewed', workers: old.length }, 'All workers have been replaced');
  }

  #fork(warns: boolean): WorkerProcess {
    const worker = new WorkerProcess(this.#options, warns);
    this.#workers.add(worker);
    void this.#forget(worker);
    return worker;
  }

  /** Starts one more. @returns whether it serves */
  async #add(): Promise<boolean> {
    const { logger } = this.#options;
    const worker = this.#fork(false);
    try {
      await worker.serves();
    } catch (error) {
      logger.error({ event: 'worker_failed', pid: worker.pid, err: error }, 'A worker does not start');
      worker.isLeaving = true;
      void worker.leave(0, this.#options.patience);
      return false;
    }
    void this.#replace(worker);
    logger.info({ event: 'worker_started', pid: worker.pid });
    return true;
  }

  async #forget(worker: WorkerProcess): Promise<void> {
    await worker.over;
    this.#workers.delete(worker);
    this.#options.ended(worker);
  }

  /** Puts another in its place if it dies. */
  async #replace(worker: WorkerProcess): Promise<void> {
    const end = await worker.over;
    if (worker.isLeaving || this.#isClosed) return;
    this.#options.logger.error({ event: 'worker_died', pid: worker.pid, ...end }, 'A worker died; another one takes its place');
    for (let pause = startAgain; !this.#isClosed && !(await this.#add()); pause = Math.min(2 * pause, longestPause)) await sleep(pause);
  }
}
