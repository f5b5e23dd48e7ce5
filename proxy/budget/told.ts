/** What the budget did, in metrics and in the log: of workspaces of the configuration by name, of keys that are nobody's together. */
import { type Aggregator, Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import { type Taken, type Why } from '../../src/budget/account.ts';
import { hourInMs } from '../../src/contract/times.ts';
import type { Ledger } from '../../src/budget/ledger.ts';
import type { Accounts } from './accounts.ts';
import type { BudgetAccount } from './purpose.ts';
import type { Waiting } from './waiting.ts';

/** Stands for all keys that no workspace of the configuration has. */
const nobody = '_other';

/** Shares of an hour of which the log tells. */
const [nearlyAll, all] = [0.8, 1];

export class Told {
  readonly #logger: Logger;
  readonly #refused: Counter<'workspace' | 'why'>;
  readonly #byV2: Counter<'workspace'>;
  readonly #waited: Counter;

  constructor(registry: Registry, logger: Logger) {
    const registers = [registry];
    this.#logger = logger;
    this.#refused = new Counter({
      name: 'migrate_v2_budget_refused_total',
      help: 'Calls that the proxy itself answered with 429, as the hour of v2 was used up, kept for writes, or v2 had said so',
      labelNames: ['workspace', 'why'],
      registers,
    });
    this.#byV2 = new Counter({
      name: 'migrate_v2_budget_refused_by_v2_total',
      help: 'Calls that v2 itself answered with 429',
      labelNames: ['workspace'],
      registers,
    });
    this.#waited = new Counter({
      name: 'migrate_v2_budget_waited_total',
      help: 'Calls that were sent after they had waited for a place',
      registers,
    });
  }

  /** Shows where the hours of the workspaces stand. */
  watch(registry: Registry, { workspaces }: Accounts, ledger: Ledger, waiting: Waiting): void {
    const registers = [registry];
    const gauge = (
      name: string,
      help: string,
      // Of several processes, the one that knows the latest knows of the most calls.
      aggregator: Aggregator,
      figure: (standing: NonNullable<ReturnType<Ledger['standing']>>) => number | undefined,
    ): void => {
      const made: Gauge<'workspace'> = new Gauge({
        name,
        help,
        aggregator,
        labelNames: ['workspace'],
        registers,
        collect: () => {
          made.reset();
          for (const [workspace, account] of workspaces) {
            const standing = ledger.standing(account);
            const value = standing && figure(standing);
            if (value !== undefined) made.set({ workspace }, value);
          }
        },
      });
    };
    gauge('migrate_v2_budget_limit', 'v2 calls that a workspace may make in an hour', 'max', ({ limit }) => limit);
    gauge('migrate_v2_budget_left', 'v2 calls that are left of the hour', 'min', ({ limit, used }) => limit && Math.max(0, limit - used));
    gauge('migrate_v2_budget_kept', 'Of what is left, what is kept for writes', 'min', ({ limit, kept }) => limit && kept);
    const waits: Gauge = new Gauge({
      name: 'migrate_v2_budget_waiting',
      help: 'Calls that wait for a place in the hour',
      registers,
      collect: () => waits.set(waiting.count),
    });
  }

  /** A place was taken: the log tells once an hour that most of it, and that all of it is used. */
  taken(account: BudgetAccount, { used, limit }: Taken): void {
    if (limit === undefined) return;
    const share = used / limit;
    if (share < nearlyAll) account.told = 0;
    else if (share >= all) this.#tell(account, 100, { used, limit });
    else this.#tell(account, 80, { used, limit });
  }

  refused(account: BudgetAccount, why: Why, now: number): void {
    const hour = Math.floor(now / hourInMs);
    if (account.refused.hour !== hour) account.refused = { calls: 0, hour };
    account.refused.calls++;
    this.#refused.inc({ workspace: account.workspace ?? nobody, why });
  }

  refusedByV2(account: BudgetAccount): void {
    this.#byV2.inc({ workspace: account.workspace ?? nobody });
    this.#tell(account, 100, { byV2: true });
  }

  waited(): void {
    this.#waited.inc();
  }

  #tell(account: BudgetAccount, percent: 80 | 100, figures: object): void {
    if (account.told >= percent) return;
    account.told = percent;
    const line = { event: 'budget_used', percent, workspace: account.workspace ?? nobody, ...figures };
    if (percent === 100) this.#logger.warn(line, 'The hour of v2 is used up: reads and writes get 429 until there is more');
    else this.#logger.info(line, 'Most of the hour of v2 is used');
  }
}
