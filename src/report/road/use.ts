/** Which rule the recorded calls come under: those that are in force now, over the calls of the last day. */
import { dayInMs } from '../../contract/times.ts';
import type { Rule } from '../../rollout/rules.ts';
import { type CallFacts, selector } from '../../rollout/select.ts';
import type { Caller, Kind } from '../../usage/model.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import { type Workspace, workspaceOfCaller } from '../../usage/workspaces.ts';
import type { Use } from './model.ts';

/** So far back, in milliseconds. */
const countedTime = dayInMs;

export interface Counted {
  readonly since: number;
  readonly until: number;
  /** By the name of the rule. */
  readonly rules: ReadonlyMap<string, Use>;
  readonly unmatched: Use;
}

export interface CountOptions {
  readonly rules: readonly Rule[];
  readonly workspaces: readonly Workspace[];
  readonly now: number;
}

/** Rules that hold at an instant: one that refuses ends. */
export const rulesAt = (rules: readonly Rule[], now: number): readonly Rule[] => rules.filter(({ until = Infinity }) => now < until);

/** Counts the calls under each rule. */
export async function countUse(reader: UsageReader, { rules, workspaces, now }: CountOptions): Promise<Counted> {
  const factsOf = factsWith(workspaces);
  const callers = new Map((await reader.callers()).map((caller) => [caller.id, caller]));
  const select = selector(rulesAt(rules, now));
  const tallies = new Map<string | undefined, Tally>();
  const since = now - countedTime;
  for await (const { caller: id, kind, counts } of reader.totals({ since, until: now })) {
    const caller = callers.get(id);
    if (caller === undefined) continue;
    const name = select(factsOf(caller, kind))?.name;
    const tally = tallies.get(name) ?? { calls: 0, errors: 0, clients: new Set(), keys: new Set() };
    tallies.set(name, tally);
    tally.calls += counts.calls;
    if (kind.status >= 400) tally.errors += counts.calls;
    tally.clients.add(id);
    if (caller.keyHash !== null) tally.keys.add(caller.keyHash);
  }
  return {
    since,
    until: now,
    rules: new Map(rules.map(({ name }) => [name, useOf(tallies.get(name))])),
    unmatched: useOf(tallies.get(undefined)),
  };
}

interface Tally {
  calls: number;
  errors: number;
  readonly clients: Set<number>;
  readonly keys: Set<string>;
}

const useOf = (tally: Tally | undefined): Use => ({
  calls: tally?.calls ?? 0,
  clients: tally?.clients.size ?? 0,
  keys: tally?.keys.size ?? 0,
  errors: tally?.errors ?? 0,
});

/** Makes the function that gives what rules may ask of a recorded call; of its key, the record has the beginning. */
function factsWith(workspaces: readonly Workspace[]): (caller: Caller, kind: Pick<Kind, 'endpoint' | 'method'>) => CallFacts {
  const workspaceOf = workspaceNameOf(workspaces);
  return (caller, { endpoint, method }) => ({
    key: caller.keyPrefix ?? undefined,
    keyHash: caller.keyHash ?? undefined,
    workspace: workspaceOf(caller),
    client: caller.client,
    endpoint,
    method,
  });
}

/**
 * Makes the function that names the workspace of a recorded caller. Where the beginning of its key is not enough, what the proxy called it counts,
 * which knew the whole; as long as there is such a workspace.
 */
export function workspaceNameOf(
  workspaces: readonly Workspace[],
): (caller: Pick<Caller, 'keyHash' | 'keyPrefix' | 'workspace'>) => string | null {
  const find = workspaceOfCaller(workspaces);
  const names = new Set(workspaces.map(({ name }) => name));
  return (caller) => find(caller)?.name ?? (caller.workspace !== null && names.has(caller.workspace) ? caller.workspace : null);
}
