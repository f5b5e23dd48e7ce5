/** The part of v2's hour that comparing may use of a workspace: an account of its own, beside the workspace's, from which its questions are paid as well. */
import { isDenied } from '../../src/budget/account.ts';
import type { Account } from '../../src/budget/ledger.ts';
import { v2RequestsPerHour } from '../../src/contract/limits.ts';
import type { HourlyBudget } from '../budget/budget.ts';
import type { BudgetAccount } from '../budget/purpose.ts';
import type { KeyOwner } from '../recorded-call.ts';

/** Where nobody has said what v2 allows, the least that it allows anybody. */
const least = Math.min(...Object.values(v2RequestsPerHour).filter((limit) => limit !== undefined));

/** Stands for the keys that no workspace has, so that there is a bound to them. */
const nobody = 'nobody';

/** Why there is no question left. */
export type NoneLeft = 'share used up' | 'limit reached';

export class ComparingShare {
  readonly #budget: HourlyBudget;
  readonly #now: () => number;

  constructor(budget: HourlyBudget, now: () => number) {
    this.#budget = budget;
    this.#now = now;
  }

  /** Why nothing can be asked for a key now, as far as that is known at once. */
  spent(owner: KeyOwner | undefined, share: number): NoneLeft | undefined {
    const workspace = this.#workspaceOf(owner);
    const until = workspace && this.#budget.ledger.standing(workspace)?.blockedUntil;
    if (until !== undefined && this.#now() < until) return 'limit reached';
    const account = this.#accountOf(workspace, share);
    const { limit = 0 } = account.terms;
    return (this.#budget.ledger.standing(account)?.used ?? 0) + 1 > limit ? 'share used up' : undefined;
  }

  /** Takes one question out of the share. @returns why there is none */
  async take(owner: KeyOwner | undefined, share: number): Promise<NoneLeft | undefined> {
    const granted = await this.#budget.ledger.take(this.#accountOf(this.#workspaceOf(owner), share), 0);
    return isDenied(granted) ? 'share used up' : undefined;
  }

  #workspaceOf(owner: KeyOwner | undefined): BudgetAccount | undefined {
    return owner?.workspace == null ? undefined : this.#budget.accounts.workspaces.get(owner.workspace);
  }

  #accountOf(workspace: BudgetAccount | undefined, share: number): Account {
    const limit = workspace === undefined ? undefined : (this.#budget.ledger.standing(workspace)?.limit ?? workspace.terms.limit);
    const window = workspace?.terms.window ?? this.#budget.accounts.window;
    return { id: `comparing ${workspace?.id ?? nobody}`, terms: { limit: Math.floor((limit ?? least) * share), reserve: 0, window } };
  }
}
