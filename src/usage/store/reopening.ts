/** A writer that opens its store again where it is gone: a database that restarts, or a disk that comes back, must not end the record. */
import type { LedgerAnswers, LedgerBatch } from '../../budget/ledger-store.ts';
import type { Gap, Step } from '../model.ts';
import { StoreError } from './error.ts';
import type { Retention, UsageBatch, ProxyStore } from './store.ts';

const closed = (): StoreError => new StoreError('STORE_UNAVAILABLE', 'The usage record is closed');

export class ReopeningWriter implements ProxyStore {
  readonly hashSecret: string;
  readonly #open: () => Promise<ProxyStore>;
  #writer: Promise<ProxyStore> | undefined;
  #closed = false;

  /**
   * @param open opens the store anew
   * @param first the store as it was opened; undefined where it could not be yet, which the first write tries again
   * @param hashSecret of the hashes that this process makes
   */
  constructor(open: () => Promise<ProxyStore>, first: ProxyStore | undefined, hashSecret: string) {
    this.#open = open;
    this.#writer = first === undefined ? undefined : Promise.resolve(first);
    this.hashSecret = hashSecret;
  }

  async write(batch: UsageBatch): Promise<void> {
    await this.#use((writer) => writer.write(batch));
  }

  async maintain(now: number, retention: Retention): Promise<void> {
    await this.#use((writer) => writer.maintain(now, retention));
  }

  async note(step: Step): Promise<void> {
    await this.#use((writer) => writer.note(step));
  }

  async steps(): Promise<readonly Step[]> {
    return this.#use((writer) => writer.steps());
  }

  /** Its trouble ends nothing: it has less patience than the record. */
  async exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    if (this.#closed) throw closed();
    return (await (this.#writer ??= this.#reopen())).exchange(batch);
  }

  async close(losses?: readonly Gap[]): Promise<void> {
    this.#closed = true;
    await this.#leave(losses);
  }

  async #use<T>(work: (writer: ProxyStore) => Promise<T>): Promise<T> {
    if (this.#closed) throw closed();
    const opening = (this.#writer ??= this.#reopen());
    try {
      return await work(await opening);
    } catch (error) {
      // A store that is locked or full is there, and waits for somebody; one that cannot be reached may come back as another.
      const isThere = error instanceof StoreError && (error.code === 'STORE_LOCKED' || error.code === 'STORE_FULL');
      if (!isThere && this.#writer === opening) await this.#leave();
      throw error;
    }
  }

  /** A store that could not be opened is none to keep, whatever the reason: the next write tries again. */
  #reopen(): Promise<ProxyStore> {
    const opening = this.#open();
    opening.catch(() => {
      if (this.#writer === opening) this.#writer = undefined;
    });
    return opening;
  }

  async #leave(losses?: readonly Gap[]): Promise<void> {
    const opening = this.#writer;
    this.#writer = undefined;
    // What never opened, or cannot be closed any more, has nothing left to give.
    await opening?.then((writer) => writer.close(losses)).catch(() => undefined);
  }
}
