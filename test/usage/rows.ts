/** Rows as the tests of the record need them. */
import { hourInMs } from '../../src/contract/times.ts';
import { callerId } from '../../src/usage/caller-id.ts';
import type { Caller, ComparisonRow, Counts, Kind, SavingCounts, SavingRow, Step, UsageRow } from '../../src/usage/model.ts';
import type { UsageBatch } from '../../src/usage/store/store.ts';
import { start } from './uses.ts';

export function callerOf(changes: Partial<Omit<Caller, 'id'>> = {}): Caller {
  const caller = { keyHash: 'a'.repeat(16), keyPrefix: 'key_', workspace: null, client: 'axios/1.7.0', name: null, ...changes };
  return { id: callerId(caller), ...caller };
}

export const kindOf = (changes: Partial<Kind> = {}): Kind => ({
  endpoint: 'GET /v1/messages/:id',
  method: 'GET',
  status: 200,
  outcome: 'translated',
  ...changes,
});

export const countsOf = (changes: Partial<Counts> = {}): Counts => ({
  calls: 1,
  v2Calls: 1,
  repeats: 0,
  duration: 10,
  longest: 10,
  first: start,
  last: start,
  ...changes,
});

export const rowOf = (minute: number, counts: Partial<Counts> = {}, caller = callerOf(), kind = kindOf()): UsageRow => ({
  minute,
  caller,
  kind,
  counts: countsOf({ first: minute * 60_000, last: minute * 60_000 + 1, ...counts }),
});

export const batchOf = (rows: readonly UsageRow[], changes: Partial<UsageBatch> = {}): UsageBatch => ({
  writer: 'one',
  replica: 'one',
  clock: start,
  rows,
  sources: [],
  session: { since: start, seen: start, ended: false },
  gaps: [],
  ...changes,
});

export const stepOf = (changes: Partial<Step> = {}): Step => ({
  id: 'step-1',
  at: start,
  replica: 'one',
  kind: 'tripped',
  rule: 'acme',
  detail: '12 of 200 calls failed: 6 %',
  ...changes,
});

export const comparisonOf = (changes: Partial<ComparisonRow> = {}): ComparisonRow => ({
  setup: 'setup-1',
  workspace: 'Acme',
  endpoint: 'GET /v1/messages/:id',
  kind: 'missing',
  path: 'data.price',
  v1: 'integer',
  v2: 'absent',
  count: 3,
  noise: 1,
  first: start,
  last: start + 5,
  ...changes,
});

export const savingOf = (counts: Partial<SavingCounts> = {}, hour = start / hourInMs, caller = callerOf()): SavingRow => ({
  hour,
  caller: caller.id,
  counts: { asked: 10, untranslated: 2, saved: [0, 3, 4, 5, 6], ...counts },
});
