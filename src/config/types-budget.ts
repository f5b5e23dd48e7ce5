/** The types of the hourly budget: from what the configuration has under `budget` to its policies. */
import { z } from 'zod';
import { type Budget, type BudgetPolicy, usualBudget, usualPolicy } from '../budget/policy.ts';
import { endpointIds, v1Endpoints } from '../contract/endpoints.ts';
import { hourInMs, minuteInMs } from '../contract/times.ts';
import { isNot, perEndpoint, table } from './tables.ts';
import { label } from './types-report.ts';
import { share } from './types-rollout.ts';
import { boolean, span, written } from './types.ts';

/** More than anybody could be allowed, and still exact in every sum. */
const mostCalls = 1_000_000_000;

const limit = written(`a number of calls an hour from 1 to ${mostCalls}`, (text) => {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= mostCalls ? value : undefined;
});

/** A time that a client would wait, or an answer be good for; `0` stands for not at all. */
const timeUpTo = (most: number, what: string) =>
  written(`a time up to ${what}: write 5s or 0`, (text) => {
    const value = text === '0' ? 0 : span.safeParse(text).data;
    return value !== undefined && value <= most ? value : undefined;
  });

/** A table of endpoints that read: what writes is never spared. */
const perRead = <T>(type: z.ZodType<T>) =>
  perEndpoint(type).superRefine((given, context) => {
    for (const id of endpointIds(v1Endpoints).filter((id) => id in given && v1Endpoints[id].access === 'write'))
      context.addIssue({ code: 'custom', path: [id], message: 'writes, and every write is sent' });
  });

const waiting = written('a whole number from 1 to 10000', (text) => {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= 10_000 ? value : undefined;
});

const finalTable = table('property of final', {
  states: z.array(label, isNot('a list of states')),
  for: timeUpTo(24 * hourInMs, '24h'),
}).transform((given) => ({ ...usualPolicy.final, ...given }));

/** A list of states is short for a table without a time. */
const final = z
  .unknown()
  .transform((input) => (Array.isArray(input) ? { states: input } : input))
  .pipe(finalTable);

const policyShape = {
  limit,
  reserve: share,
  weights: perEndpoint(share),
  pace: table('property of pace', { sends: timeUpTo(minuteInMs, '1m'), waiting }).transform((given) => ({ ...usualPolicy.pace, ...given })),
  coalesce: z.union([boolean, perRead(boolean)], isNot('true, false, or a table of v1 endpoints')),
  reuse: perRead(timeUpTo(hourInMs, '1h')),
  final,
};

const policy = table('property of the budget of a workspace', policyShape, { whole: isNot('a table') });

const budgetShape = { ...policyShape, enabled: boolean, workspaces: z.record(z.string(), policy, isNot('a table of workspaces')) };

/** The whole table under `budget`; `true` and `false` are short for one that is enabled, or not. */
export const budget = z
  .unknown()
  .transform((input) => (typeof input === 'boolean' ? { enabled: input } : input))
  .pipe(table('property of budget', budgetShape, { whole: isNot('true, false, nor a table') }))
  .transform((given): Budget => ({ ...usualBudget, ...without(given), workspaces: mapped(given.workspaces ?? {}) }));

/** What was given, without what was left out: an absent property would hide the usual one. */
function without(given: Partial<Budget>): Partial<Budget> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const mapped = (given: Readonly<Record<string, Partial<BudgetPolicy>>>): Budget['workspaces'] =>
  Object.fromEntries(Object.entries(given).map(([name, own]) => [name, without(own)]));
