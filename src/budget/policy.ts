/** How a workspace's hour on v2 is to be spent, as the configuration says under `budget`. Times are in milliseconds, shares from 0 to 1. */
import type { V1EndpointId } from '../contract/endpoints.ts';
import { hourInMs } from '../contract/times.ts';

type PerEndpoint<T> = Readonly<Partial<Record<V1EndpointId, T>>>;

export interface BudgetPolicy {
  /** v2 calls in an hour, in place of what the plan allows; undefined where neither says it. */
  readonly limit: number | undefined;
  /** The part of the hour that is kept for writes. */
  readonly reserve: number;
  /** How much of that part calls to an endpoint may use: without an entry writes all of it, and reads nothing. */
  readonly weights: PerEndpoint<number>;
  readonly pace: {
    /** How long a write may wait for a place; 0 for not at all. */
    readonly sends: number;
    /** Writes of one workspace that may wait at once. */
    readonly waiting: number;
  };
  /** Whether identical reads of one key that are in flight are asked once: all, or by endpoint. */
  readonly coalesce: boolean | PerEndpoint<boolean>;
  /** How long the answer of a read may be used again. */
  readonly reuse: PerEndpoint<number>;
  /** States that a message or a campaign does not leave, and how long an answer that shows one may be used again. */
  readonly final: { readonly states: readonly string[]; readonly for: number };
}

export interface Budget extends BudgetPolicy {
  /** Whether anything is refused, kept, or answered twice because of it; calls are counted all the same. */
  readonly enabled: boolean;
  /** What is different for single workspaces, by their names. */
  readonly workspaces: Readonly<Record<string, Partial<BudgetPolicy>>>;
}

export const usualPolicy: BudgetPolicy = {
  limit: undefined,
  reserve: 0.5,
  weights: {},
  pace: { sends: 0, waiting: 100 },
  coalesce: true,
  reuse: {},
  final: { states: [], for: hourInMs },
};

export const usualBudget: Budget = { ...usualPolicy, enabled: true, workspaces: {} };

/** Makes the function that finds the policy of a workspace: its own settings, and those of all for the rest. */
export function policies(budget: Budget): (workspace: string | null) => BudgetPolicy {
  const own = new Map(Object.entries(budget.workspaces).map(([name, different]) => [name, { ...budget, ...different }]));
  return (workspace) => (workspace === null ? undefined : own.get(workspace)) ?? budget;
}
