/** The hours that processes of one proxy share where nothing is recorded: in the memory of the one that they all ask. */
import { hourInMs } from '../contract/times.ts';
import { newFleet } from './fleet.ts';
import { type LedgerAnswers, type LedgerBatch, type LedgerStore, answerAll } from './ledger-store.ts';
import { type Shared, newShared } from './leases.ts';

/** What nobody has touched for so long has nothing left that matters: habits are those of a day. */
const forgottenAfter = 26 * hourInMs;

export class MemoryLedgerStore implements LedgerStore {
  readonly #fleet = newFleet();
  readonly #accounts = new Map<string, { readonly shared: Shared; touched: number }>();
  /** Until when somebody wants more of an account than there was. */
  readonly #wanted = new Map<string, number>();
  #forgotAt = -Infinity;

  async exchange(batch: LedgerBatch): Promise<LedgerAnswers> {
    const entries = batch.messages.map(({ account }) => this.#entryOf(account));
    const shared = entries.map((entry) => entry.shared);
    const answers = answerAll(batch, this.#fleet, shared, batch.clock, false);
    for (const [index, entry] of entries.entries()) {
      entry.touched = answers.now;
      const { account } = batch.messages[index] ?? {};
      if (account !== undefined) this.#wanted.set(account, entry.shared.wanted?.until ?? 0);
    }
    this.#forget(answers.now);
    return { ...answers, wanted: batch.beats ? [...this.#wanted.keys()] : [] };
  }

  #entryOf(account: string): { readonly shared: Shared; touched: number } {
    const known = this.#accounts.get(account) ?? { shared: newShared(), touched: 0 };
    this.#accounts.set(account, known);
    return known;
  }

  #forget(now: number): void {
    for (const [account, until] of this.#wanted) if (until <= now) this.#wanted.delete(account);
    if (Math.abs(now - this.#forgotAt) < hourInMs) return;
    this.#forgotAt = now;
    for (const [account, { touched }] of this.#accounts) if (now - touched > forgottenAfter) this.#accounts.delete(account);
  }
}
