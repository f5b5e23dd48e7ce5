/** The writer of an embedded store: its database lives in a thread of its own, so that no query ever stops the calls. */
import { Worker } from 'node:worker_threads';
import type { LedgerAnswers, LedgerBatch } from '../../../budget/ledger-store.ts';
import type { Gap, Step } from '../../model.ts';
import { StoreError } from '../error.ts';
import type { Retention, UsageBatch, ProxyStore } from '../store.ts';
import { leaveLoss } from './losses.ts';
import { type Failed, pack, type Reply, type Work, type WriterData } from './messages.ts';

/** What was asked for, which is nothing but for some. */
type Answered = Extract<Reply, { readonly id: number }>;

interface Waiting {
  readonly resolve: (reply: Answered) => void;
  readonly reject: (error: StoreError) => void;
}

const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
/** MiB of short-lived memory of the thread: what it is given at once is small, and V8 would let it have 128. */
const mostYoung = 6;
const errorOf = ({ code, message }: Failed): StoreError => new StoreError(code, message);

class SqliteWriter implements ProxyStore {
  readonly hashSecret: string;
  readonly #path: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  #broken: StoreError | undefined;

  constructor(worker: Worker, path: string, hashSecret: string) {
    this.#path = path;
    this.hashSecret = hashSecret;
    this.#worker = worker;
    worker.on('message', (reply: Reply) => this.#answered(reply));
    worker.on('error', (error) =>
      this.#break(new StoreError('STORE_UNAVAILABLE', `The thread of the usage record failed: ${error.message}`, error)),
    );
    worker.on('exit', () => this.#break(new StoreError('STORE_UNAVAILABLE', 'The usage record is closed')));
    // Only what is under way keeps the process.
    worker.unref();
  }

  async write(batch: UsageBatch): Promise<void> {
    const packed = pack(batch);
    await this.#ask({ write: packed }, [packed.rows.buffer]);
  }

  async maintain(now: number, retention: Retention): Promise<void> {
    await this.#ask({ maintain: { now, retention } });
  }

  async note(step: Step): Promise<void> {
    await this.#ask({ note: step });
  }

  async steps(): Promise<readonly Step[]> {
    return (await this.#ask({ steps: true })).steps ?? [];
  }

  async exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    const { answers } = await this.#ask({ exchange: batch });
    if (answers === undefined) throw new StoreError('STORE_THREAD', 'The thread of the usage record gave no answer');
    return answers;
  }

  async close(losses: readonly Gap[] = []): Promise<void> {
    for (const loss of losses) leaveLoss(this.#path, loss);
    if (this.#broken === undefined) await this.#ask({ close: true });
  }

  #ask(work: Work, transfer: ArrayBuffer[] = []): Promise<Answered> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    const id = ++this.#requests;
    this.#worker.ref();
    this.#worker.postMessage({ ...work, id }, transfer);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #answered(reply: Reply): void {
    if (!('id' in reply)) return;
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.failed === undefined) waiting?.resolve(reply);
    else waiting?.reject(errorOf(reply.failed));
  }

  #break(error: StoreError): void {
    this.#broken ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#broken);
    this.#waiting.clear();
  }
}

/**
 * Opens an embedded store for writing; makes it where there is none, in a folder that is there.
 * @param path of its file
 * @param hashSecret of the hashes in one that is made
 * @throws StoreError
 */
export async function openSqliteWriter(path: string, hashSecret: string): Promise<ProxyStore> {
  const { worker, reply } = await startThread({ path, hashSecret });
  if ('opened' in reply) return new SqliteWriter(worker, path, reply.opened);
  throw 'notOpened' in reply ? errorOf(reply.notOpened) : notStarted('it said nothing');
}

/** Starts the thread, and waits for what it says first. */
async function startThread(workerData: WriterData): Promise<{ readonly worker: Worker; readonly reply: Reply }> {
  try {
    // The flags of the program are its own: what it preloads would begin once more in here, and `--input-type` lets no file be run.
    const worker = new Worker(entry, {
      workerData,
      name: 'usage-record',
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: mostYoung },
    });
    const reply = await new Promise<Reply>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    return { worker, reply };
  } catch (cause) {
    throw notStarted(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

const notStarted = (reason: string, cause?: unknown): StoreError =>
  new StoreError(
    'STORE_THREAD',
    `The thread that writes the usage record does not start (${reason}): leave migrate-v2 out of what a bundler packs, and let Node start threads`,
    cause,
  );
