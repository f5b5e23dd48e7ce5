/** How many questions may be asked: never more at once than a bound, and never more in an hour than a share of what v2 allows the workspace. */
import { type Plan, plans } from '../../src/contract/plans.ts';
import { v2RequestsPerHour } from '../../src/contract/limits.ts';
import { hourInMs } from '../../src/contract/times.ts';

/** Without a plan in the configuration, the least that v2 allows anybody. */
const least = Math.min(...Object.values(v2RequestsPerHour).filter((limit) => limit !== undefined));

/** What v2 allows a workspace in an hour, as far as its plan says so. */
const limitOf = (plan: Plan | undefined): number => {
  const known: Partial<Record<Plan, number | undefined>> = v2RequestsPerHour;
  if (plan === undefined) return least;
  // The number of the largest plan is custom: at least that of the one below it.
  const smaller = plans.slice(0, plans.indexOf(plan) + 1).map((name) => known[name] ?? 0);
  return Math.max(least, ...smaller);
};

interface PlannedWorkspace {
  readonly name: string;
  readonly plan?: Plan | undefined;
}

interface Hour {
  readonly began: number;
  asked: number;
  /** Until when v2 was asked to be left alone. */
  blocked: number;
}

export class Allowance {
  readonly #plans: ReadonlyMap<string, Plan | undefined>;
  readonly #now: () => number;
  readonly #hours = new Map<string | null, Hour>();

  /** @param asked questions of the last hour, which other starts of this proxy or others have asked, by workspace */
  constructor(workspaces: readonly PlannedWorkspace[], asked: ReadonlyMap<string | null, number>, now: () => number) {
    this.#plans = new Map(workspaces.map(({ name, plan }) => [name, plan]));
    this.#now = now;
    for (const [workspace, count] of asked) this.#hours.set(workspace, { began: now(), asked: count, blocked: 0 });
  }

  /**
   * Takes one question out of a workspace's share.
   * @param share of the limit, from 0 to 1
   * @returns whether there was one left
   */
  take(workspace: string | null, share: number): boolean {
    if (!this.hasLeft(workspace, share)) return false;
    this.#hourOf(workspace).asked++;
    return true;
  }

  /** Whether there is a question left to take. */
  hasLeft(workspace: string | null, share: number): boolean {
    const hour = this.#hourOf(workspace);
    const limit = limitOf(workspace === null ? undefined : this.#plans.get(workspace));
    return this.#now() >= hour.blocked && hour.asked < Math.floor(limit * share);
  }

  /** Asks nothing more for a workspace for a while, as v2 has said that its limit is reached. */
  block(workspace: string | null, milliseconds: number): void {
    this.#hourOf(workspace).blocked = this.#now() + milliseconds;
  }

  /** Workspaces are those of the configuration, and one for all other keys: there is a bound to them. */
  #hourOf(workspace: string | null): Hour {
    const now = this.#now();
    const known = this.#hours.get(workspace);
    if (known !== undefined && now >= known.began && now < known.began + hourInMs) return known;
    const hour = { began: now, asked: 0, blocked: known?.blocked ?? 0 };
    this.#hours.set(workspace, hour);
    return hour;
  }
}
