/** Which step a workspace is ready for on the road from v1 to v2. Pure: the rules in their order, and nothing is read. */
import { iso } from '../period.ts';
import type { Findings } from './comparing.ts';
import type { Errors, NextStep, RoadStage, StageCalls, WorkspaceRoad } from './model.ts';
import type { Answered, RoadTally } from './tally.ts';
import { comparedCalls, errorCalls, errorsBeyond, overlap, settledTime, stageOver } from './thresholds.ts';

/** What is known of one workspace. */
export interface RoadFacts {
  /** Its calls of the period, and the recent ones of these. */
  readonly all: RoadTally;
  readonly recent: RoadTally;
  readonly findings: Findings | undefined;
  /** Rules about it that were taken back, the newest first. */
  readonly tripped: readonly { readonly rule: string; readonly at: number; readonly detail: string }[];
  /** When everything was stopped, if it is. */
  readonly stopped: number | undefined;
  /** The end of the period. */
  readonly until: number;
  /** Whether v2, or v1, ever accepted a call of it. */
  readonly accepted: boolean;
}

export function roadOf(facts: RoadFacts): WorkspaceRoad {
  const { all, recent, findings, tripped } = facts;
  const stages = stagesOf(recent);
  const movedAt = movedAtOf(all);
  const known = {
    stages,
    refused: recent.of('refused').calls,
    compared: findings?.compared ?? null,
    skipped: findings?.skipped ?? [],
    uncompared: [...recent.reads].filter((endpoint) => findings !== undefined && !findings.endpoints.has(endpoint)).toSorted(),
    before: errorsOf(all.before),
    after: errorsOf(all.after),
    movedAt: movedAt === undefined ? null : iso(movedAt),
    tripped: tripped.map(({ rule }) => rule),
  };
  return { ...known, next: facts.accepted ? nextStep(facts, known, movedAt) : null };
}

/** The stages with recent calls; those whose calls have gone on to another one are over. */
function stagesOf(recent: RoadTally): readonly StageCalls[] {
  const answered: readonly (readonly [RoadStage, Answered])[] = [
    ['observe', recent.of('observed')],
    ['compare', recent.of('compared')],
    ['translate', recent.after],
  ];
  const called = answered.filter(([, { calls }]) => calls > 0);
  const latest = Math.max(...called.map(([, { last }]) => last));
  const isOver = ({ last }: Answered): boolean =>
    last < latest - stageOver || called.some(([, other]) => other.last > last && other.first >= last - overlap);
  return called
    .map(([stage, one]) => ({ stage, calls: one.calls, last: iso(one.last), current: !isOver(one) }))
    .toSorted((a, b) => b.calls - a.calls);
}

/** When the last of its calls was moved; undefined where v1 answers some still, or v2 none. */
function movedAtOf({ before, after }: RoadTally): number | undefined {
  if (after.calls === 0 || before.last > after.last) return undefined;
  return before.calls === 0 ? after.first : Math.max(before.last, after.first);
}

const errorsOf = ({ calls, errors, failures }: Answered): Errors | null =>
  calls === 0 ? null : { calls, errors: errors / calls, failures: failures / calls };

type Known = Omit<WorkspaceRoad, 'next'>;

function nextStep({ tripped: [tripped], stopped, until, findings }: RoadFacts, known: Known, movedAt: number | undefined): NextStep {
  if (tripped !== undefined) return { step: 'release', rule: tripped.rule, at: iso(tripped.at), detail: tripped.detail };
  if (stopped !== undefined) return { step: 'resume', at: iso(stopped) };
  const current = known.stages.filter((stage) => stage.current);
  if (current.length === 0) return { step: 'wait_for_calls', refused: known.refused };
  const translated = current.find(({ stage }) => stage === 'translate');
  if (translated === undefined || known.after === null) return beforeTranslation(known, current, findings);
  const errors = { before: known.before, after: known.after };
  if (isWorse(errors)) return { step: 'look_at_errors', ...errors };
  if (current.length > 1) {
    const calls = current.reduce((sum, stage) => sum + stage.calls, 0);
    return mending(findings) ?? { step: 'translate_all', share: translated.calls / calls, ...errors };
  }
  const since = movedAt ?? until;
  const duration = until - since;
  if (duration < settledTime) return { step: 'settle', since: iso(since), duration, needed: settledTime };
  return { step: 'move_client', duration, ...errors };
}

function beforeTranslation(known: Known, current: readonly StageCalls[], findings: Findings | undefined): NextStep {
  const calls = current.reduce((sum, stage) => sum + stage.calls, 0);
  const isComparing = current.some(({ stage }) => stage === 'compare');
  if (!isComparing && known.compared === null) return { step: 'compare', calls };
  const mend = mending(findings);
  if (mend !== undefined) return mend;
  const compared = known.compared?.calls ?? 0;
  if (compared < comparedCalls) return { step: 'compare_more', calls: compared, needed: comparedCalls };
  return { step: 'translate', calls: compared, uncompared: known.uncompared };
}

/** What differs has to be mended, or declared equal, before anybody is given it. */
function mending(findings: Findings | undefined): NextStep | undefined {
  const [most] = findings?.left ?? [];
  if (findings === undefined || most === undefined) return undefined;
  return { step: 'mend', differences: findings.left.length, endpoint: most.endpoint, path: most.path, kind: most.kind };
}

/** Beside what v1 gave; where that is not known, a client's own faults are not told from ours, and failures alone count. */
function isWorse({ before, after }: { readonly before: Errors | null; readonly after: Errors }): boolean {
  if (after.calls < errorCalls) return false;
  if (before === null || before.calls < errorCalls) return after.failures > errorsBeyond;
  return after.errors - before.errors > errorsBeyond || after.failures - before.failures > errorsBeyond;
}
