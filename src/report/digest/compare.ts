/** What is new since a week ago: two reports of one record in, and one digest out. */
import type { LimitFit, Report, WorkspaceRow } from '../model.ts';
import type { Span } from '../span.ts';
import { dayInMs } from '../../contract/times.ts';
import { changesOf, ofWorkspace, whomOf } from './changes.ts';
import { aWeekAfter, firstSteps } from './first.ts';
import { type Comparison, type Digest, digestVersion, type LimitAhead, type PromiseDue, type UnknownKey } from './model.ts';
import { logsOf } from './past.ts';

/** Of an unknown key. */
const mostNamed = 3;

/**
 * @param now its last week begins at the end of the other one, a midnight
 * @param before the report as it was then, of the same record
 */
export function digestOf(now: Report, before: Report): Digest {
  const { burnDown, workspaces } = now;
  const week: Span = { since: burnDown.now.since, until: burnDown.now.until };
  const comparison = comparisonOf(now);
  const rows = new Map(workspaces.map((row) => [row.name, row]));
  const { comparable, recordedSince } = comparison;
  const facts: Omit<Digest, 'first' | 'changed'> = {
    version: digestVersion,
    made: now.made,
    of: now.of,
    week,
    before: { since: burnDown.before.since, until: burnDown.before.until },
    sunset: now.sunset,
    verdict: { now: now.verdict.state, before: recordedSince !== null && recordedSince < week.since ? before.verdict.state : null },
    comparison,
    calling: { now: burnDown.now, before: comparable ? burnDown.before : null },
    outlook: burnDown.outlook,
    misses: burnDown.misses.map((miss) => ({ ...miss, ...whomOf(rows.get(miss.workspace)) })),
    logs: logsOf(now, before),
    ...changesOf(now, week, comparable),
    unknownKeys: workspaces
      .filter(({ origin, accepted, now: { calls } }) => origin === 'unknown' && accepted && calls > 0)
      .map((row) => unknownKey(now, row, week))
      .toSorted((a, b) => b.calls - a.calls),
    limits: limitsAhead(now, before),
    brownouts: (now.rollout?.announced ?? []).toSorted((a, b) => a.since.localeCompare(b.since)),
    promises: workspaces.flatMap((row) => promiseDue(row, week)).toSorted((a, b) => a.until.localeCompare(b.until)),
  };
  return { ...facts, changed: isNews(facts), first: firstSteps(facts, now) };
}

function comparisonOf({ coverage, burnDown }: Report): Comparison {
  const { compared: needed, recordedSince } = coverage;
  const [recorded, recordedBefore] = [burnDown.now.recorded, burnDown.before.recorded];
  return { comparable: recorded >= needed && recordedBefore >= needed, recorded, recordedBefore, needed, recordedSince };
}

const some = (values: readonly string[]): readonly string[] => [...new Set(values)].slice(0, mostNamed);

function unknownKey(now: Report, row: WorkspaceRow, week: Span): UnknownKey {
  const clients = now.clients.filter(({ workspace }) => workspace === row.name);
  const latest = clients.toSorted((a, b) => (b.lastSeen ?? '').localeCompare(a.lastSeen ?? ''));
  return {
    name: row.name,
    hash: row.keys[0] ?? '',
    isNew: now.burnDown.new.some(({ workspace }) => workspace === row.name),
    first: row.firstSeen ?? week.since,
    last: row.lastSeen ?? week.until,
    calls: row.now.calls,
    products: some(latest.map(({ product }) => product)),
    networks: some(latest.flatMap(({ sources }) => sources.map(({ network }) => network))),
    probably: now.workspaces.filter(({ probably }) => probably.includes(row.name)).map(({ name }) => name),
  };
}

const worse = { unknown: 0, fits: 0, depends: 1, exceeds: 2 } as const satisfies Record<LimitFit['fit'], number>;

function limitsAhead(now: Report, before: Report): readonly LimitAhead[] {
  const ahead = now.workspaces.flatMap((row): LimitAhead[] => {
    const { fit, limit, sliding, smallestPlan } = row.limit;
    if ((fit !== 'exceeds' && fit !== 'depends') || limit?.perHour == null || sliding === null) return [];
    const then = before.workspaces.find(({ name, origin }) => name === row.name && origin === row.origin)?.limit;
    const was = then?.sliding == null ? null : then.fit;
    const isNew = worse[fit] > worse[was ?? 'unknown'];
    const { plan, perHour } = limit;
    return [{ ...ofWorkspace(row), plan, perHour, fit, before: was, isNew, v2Calls: sliding.v2Calls, smallestPlan }];
  });
  return ahead.toSorted((a, b) => Number(b.isNew) - Number(a.isNew) || b.v2Calls / b.perHour - a.v2Calls / a.perHour);
}

/** A promise that was kept is none any more. */
function promiseDue(row: WorkspaceRow, week: Span): readonly PromiseDue[] {
  const { mark, now } = row;
  if (mark?.status !== 'promised' || mark.until === null) return [];
  if (mark.past ? now.calls === 0 : mark.until >= aWeekAfter(week)) return [];
  return [{ ...ofWorkspace(row), until: mark.until, overdue: mark.past, note: mark.note }];
}

/** Where nobody can tell whether anything is new, that is worth telling. */
function isNews(digest: Omit<Digest, 'first' | 'changed'>): boolean {
  const { verdict, comparison, cameBack, newClients, leftClients, left, unknownKeys, limits, brownouts, promises, logs, week } = digest;
  return (
    !comparison.comparable ||
    verdict.now !== verdict.before ||
    [cameBack, digest.new, left, newClients, leftClients].some((list) => list.length > 0) ||
    [...unknownKeys, ...limits, ...logs.callers].some(({ isNew }) => isNew) ||
    logs.ended.some(({ until }) => until >= week.since) ||
    brownouts.some(({ since }) => since < aWeekAfter(week)) ||
    // Its day was over within the week, or comes.
    promises.some(({ until }) => Date.parse(until) + dayInMs > Date.parse(week.since))
  );
}
