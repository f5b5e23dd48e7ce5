/**
 * Whether the notes of the workers are those of all that write to v2 for the same workspaces. To the store each worker is a replica of its own: where
 * it knows of more than there are here, somebody else shares the record.
 */
import { goneAfter } from '../../budget/fleet.ts';
import type { LedgerAnswers, LedgerBatch, LedgerStore } from '../../budget/ledger-store.ts';

/** One that has fallen silent is counted by the store for longer than here: in between the workers take it for somebody else's. */
const silentFor = goneAfter - 1_000;

export class OwnReplicas implements LedgerStore {
  readonly #store: LedgerStore;
  readonly #clock: () => number;
  readonly #heard = new Map<string, number>();
  #all = 0;

  constructor(store: LedgerStore, clock = (): number => performance.now()) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Whether there is nobody but the workers, as far as the store has said. */
  get areAll(): boolean {
    const now = this.#clock();
    for (const [replica, at] of this.#heard) if (now - at > silentFor) this.#heard.delete(replica);
    return this.#all <= this.#heard.size;
  }

  async exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    const answers = await this.#store.exchange(batch);
    if (batch.beats) this.#heard.set(batch.replica, this.#clock());
    this.#all = answers.replicas;
    return answers;
  }
}
