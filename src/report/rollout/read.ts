/** The road from v1 to v2 as the record has it; nothing where nobody has gone it. */
import { usualThresholds } from '../../rollout/noise.ts';
import { roadOf as stateOf } from '../../rollout/road.ts';
import type { Rollout } from '../../rollout/rules.ts';
import type { ComparisonRow, Range, Step } from '../../usage/model.ts';
import type { UsageReader } from '../../usage/store/store.ts';
import type { Directory, Group } from '../clients.ts';
import { iso, type Period } from '../period.ts';
import { announcedOf, readBrownouts } from './brownouts.ts';
import { differencesOf, type Findings, findingsOf } from './comparing.ts';
import type { RolloutReport, StepRow, WorkspaceRoad } from './model.ts';
import { roadOf } from './next-step.ts';
import { RoadTotals } from './tally.ts';
import { comparedCalls, errorCalls, errorsBeyond, historyTime, overlap, recentTime, settledTime } from './thresholds.ts';

export interface RoadOfAll {
  readonly rollout: RolloutReport;
  of(group: Group): WorkspaceRoad;
}

export interface RoadOptions {
  /** As the configuration has it, where it is at hand. */
  readonly rollout: Rollout | undefined;
  /** In epoch milliseconds. */
  readonly sunset: number;
  readonly now: number;
}

/** @param totals the calls of the period */
export async function readRoad(
  reader: UsageReader,
  directory: Directory,
  period: Period,
  totals: RoadTotals,
  { rollout, sunset, now }: RoadOptions,
): Promise<RoadOfAll | undefined> {
  const steps = (await reader.steps()).filter(({ at }) => at < period.until);
  const rows = await reader.comparisons({ since: 0, until: period.until });
  if (!totals.hasRoad && steps.length === 0 && rows.length === 0 && (rollout?.brownouts ?? []).length === 0) return undefined;

  const recentRange = { since: period.until - recentTime, until: period.until };
  const recent = await totalsOf(reader, directory, recentRange);
  // Where somebody stands is the same however short the period is.
  const least = { since: period.until - historyTime, until: period.until };
  const longest = period.since <= least.since ? totals : await totalsOf(reader, directory, least);
  const noise = rollout?.compare.noise ?? usualThresholds;
  const findings = findingsOf(rows, noise);
  const state = stateOf(steps);
  const brownouts = await readBrownouts(reader, directory, steps, period, totals.refused);
  const announced = announcedOf(rollout?.brownouts ?? [], state.stoppedBrownouts, sunset, now);
  const tripped = [...state.tripped.values()].toSorted((a, b) => b.at - a.at);
  return {
    rollout: {
      recent: { since: iso(recentRange.since), until: iso(recentRange.until) },
      thresholds: { compared: comparedCalls, settled: settledTime, errors: errorsBeyond, errorCalls, noise },
      stopped: state.stopped === undefined ? null : iso(state.stopped.at),
      tripped: tripped.map(({ rule, at, detail }) => ({ rule, at: iso(at), detail })),
      differences: differencesOf(findings.values()),
      brownouts: brownouts.rows,
      moreBrownouts: brownouts.more,
      announced: announced.rows,
      moreAnnounced: announced.more,
      steps: stepRows(steps, period, new Set([...(state.stopped === undefined ? [] : [state.stopped]), ...tripped])),
    },
    of: (group) => {
      return roadOf({
        all: longest.of(group),
        recent: recent.of(group),
        findings: findingsFor(group, findings),
        tripped: tripped.filter((step) => concerns(step, group, longest, rollout)),
        stopped: state.stopped?.at,
        until: period.until,
        accepted: group.clients.length === 0 || group.clients.some(({ accepted }) => accepted),
      });
    },
  };
}

async function totalsOf(reader: UsageReader, { clients }: Directory, range: Range): Promise<RoadTotals> {
  const totals = new RoadTotals();
  for await (const row of reader.totals(range)) totals.add(row, clients.get(row.caller));
  return totals;
}

/** What was found of keys of no workspace is not told apart. */
const findingsFor = ({ name, origin }: Group, findings: ReadonlyMap<ComparisonRow['workspace'], Findings>): Findings | undefined =>
  findings.get(origin === 'unknown' ? null : name);

/**
 * Whether a rule that was taken back is about a workspace: where its configuration names it, and otherwise where its calls were translated
 * until then, and v1 answers them since.
 */
function concerns({ rule, at }: Step, group: Group, totals: RoadTotals, rollout: Rollout | undefined): boolean {
  const named = rollout?.rules.find(({ name }) => name === rule)?.match.workspace;
  if (named !== undefined) return named.includes(group.name);
  const { before, after } = totals.of(group);
  return after.first < at && after.last <= at + overlap && before.last > at;
}

function stepRows(steps: readonly Step[], { since }: Period, holding: ReadonlySet<Step>): readonly StepRow[] {
  return steps
    .flatMap((step): StepRow[] => {
      const { at, kind, rule, detail, replica } = step;
      if (kind === 'brownout-began' || kind === 'brownout-ended' || (at < since && !holding.has(step))) return [];
      return [{ at: iso(at), kind, rule, detail, replica }];
    })
    .toReversed();
}
