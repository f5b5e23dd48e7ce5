/** What to do first, of all that a digest tells. */
import { weekInMs } from '../burn-down/activity.ts';
import { isLeftAlone } from '../marks.ts';
import type { Report } from '../model.ts';
import { iso } from '../period.ts';
import type { Span } from '../span.ts';
import { ofWorkspace } from './changes.ts';
import type { Digest, FirstStep, OfWorkspace } from './model.ts';

/** More is no beginning. */
const most = 5;
const mostNames = 3;

/** What falls due before it is due soon. */
export const aWeekAfter = ({ until }: Span): string => iso(Date.parse(until) + weekInMs);

/** The most urgent first: what undoes what was reached, what has a date, what is new, and what is large. */
export function firstSteps(digest: Omit<Digest, 'first' | 'changed'>, now: Report): readonly FirstStep[] {
  const { week, verdict, cameBack, unknownKeys, limits, brownouts, promises, logs } = digest;
  const urgent: readonly FirstStep[] = [
    ...(isBroken(digest) ? [{ step: 'mend_record' } as const] : []),
    ...logs.ended.map(({ name, until }) => ({ step: 'import_logs' as const, name, until })),
    ...cameBack.map((row) => ({ step: 'ask_why_back' as const, ...whose(row) })),
    ...sendThrough(logs),
    ...promises.filter(({ overdue }) => overdue).map((row) => ({ step: 'ask_promise' as const, until: row.until, ...whose(row) })),
    ...brownouts
      .filter(({ since }) => since < aWeekAfter(week))
      .map(({ name, since }) => ({ step: 'announce_brownout' as const, name, since })),
    ...unknownKeys.map(({ name, hash, probably }) => ({ step: 'name_key' as const, name, hash, probably })),
    ...digest.new.map((row) => ({ step: 'ask_newcomer' as const, ...whose(row) })),
    ...limits.filter(({ isNew }) => isNew).map((row) => ({ step: 'plan_limit' as const, smallestPlan: row.smallestPlan, ...whose(row) })),
  ];
  if (urgent.length > 0) return urgent.filter((step, index) => urgent.findIndex((each) => isOfSame(each, step)) === index).slice(0, most);
  // A part says nothing of v1 as a whole.
  if (verdict.now === 'safe') return now.of === null ? [{ step: 'switch_off' }] : [];
  return busiest(now);
}

/** Nobody is to be asked twice. */
const isOfSame = (a: FirstStep, b: FirstStep): boolean => a === b || ('workspace' in a && 'workspace' in b && a.workspace === b.workspace);

/** Whoever they are, it is one thing to do: find out where they call. */
function sendThrough({ calls, callers }: Digest['logs']): readonly FirstStep[] {
  if (calls.length === 0) return [];
  const names = [...new Set(callers.flatMap(({ workspace }) => workspace ?? []))].slice(0, mostNames);
  const clients = calls.reduce((sum, each) => sum + each.clients, 0);
  return [{ step: 'send_through_proxy', clients, sources: [...new Set(calls.flatMap(({ sources }) => sources))], names }];
}

const whose = ({ workspace, owner, contact, calls }: OfWorkspace): OfWorkspace => ({ workspace, owner, contact, calls });

/** A record that began within the week has no gap yet. */
const isBroken = ({ comparison: { recorded, needed, recordedSince }, week }: Pick<Digest, 'comparison' | 'week'>): boolean =>
  recorded < needed && recordedSince !== null && recordedSince < week.since;

/** Whose move would take the most away. */
function busiest({ workspaces }: Report): readonly FirstStep[] {
  const [row] = workspaces
    .filter((row) => row.accepted && row.now.calls > 0 && !isLeftAlone(row.mark))
    .toSorted((a, b) => b.now.calls - a.now.calls);
  return row === undefined ? [] : [{ step: 'call_busiest', ...ofWorkspace(row) }];
}
