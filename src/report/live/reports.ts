/** The reports of the live page, made in a thread of their own. */
import { Worker } from 'node:worker_threads';
import type { Answer, Ask, LiveSource, Rendered } from './messages.ts';
import { Pace } from './pace.ts';
import type { LiveView } from './view.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

/** There is no report, for a reason that people may see. */
export class NoReport extends Error {
  readonly code = 'NO_REPORT';
}

interface Waiting {
  readonly resolve: (rendered: Rendered) => void;
  readonly reject: (error: NoReport) => void;
}

export class Reports {
  readonly pace = new Pace();
  readonly #source: LiveSource;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #asked = 0;

  constructor(source: LiveSource) {
    this.#source = source;
  }

  /**
   * Renders a view of a report that is as new as the pace allows.
   * @throws NoReport
   */
  render(view: LiveView): Promise<Rendered> {
    const ask: Ask = { id: ++this.#asked, view, notBefore: this.pace.notBefore(Date.now()) };
    this.#worker ??= this.#start();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    this.#worker.postMessage(ask);
    return new Promise((resolve, reject) => this.#waiting.set(ask.id, { resolve, reject }));
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Without the flags of the program: see store/sqlite/writer.ts.
    const worker = new Worker(entry, { workerData: this.#source, name: 'usage-report', execArgv: [] });
    worker.unref();
    worker.on('message', (answer: Answer) => this.#answered(answer));
    // One that failed is replaced by the next question.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new NoReport('The thread that makes reports has ended'));
      this.#waiting.clear();
    });
    return worker;
  }

  #answered(answer: Answer): void {
    this.pace.spend(answer.took);
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('rendered' in answer) waiting?.resolve(answer.rendered);
    else waiting?.reject(new NoReport(answer.failed));
  }
}
