/** Puts together what is to be seen of a roll-out, from its rules, what happened, and what was counted. */
import { scheduleOf } from '../../rollout/brownouts.ts';
import { stageInForce } from '../../rollout/in-force.ts';
import { type Overlap, overlapsOf } from '../../rollout/overlaps.ts';
import { type Road, roadOf } from '../../rollout/road.ts';
import type { Brownout, Match, Rollout, Rule } from '../../rollout/rules.ts';
import type { Step } from '../../usage/model.ts';
import { hashMark } from '../../usage/workspaces.ts';
import type { BrownoutView, RoadView, RuleView, StepView, WindowView } from './model.ts';
import { type Counted, rulesAt } from './use.ts';

/** So many of what happened, and of the times of a brownout, past and to come. */
const mostSteps = 20;
const mostWindows = 3;

export interface RoadSource {
  readonly rollout: Rollout;
  /** What is odd about the order of the rules that are not over, where that is known. */
  readonly overlaps?: readonly Overlap[];
  /** All that happened, in the order in which it was noted. */
  readonly steps: readonly Step[];
  /** In epoch milliseconds, as `now`. */
  readonly sunset: number;
  readonly now: number;
  /** A proxy that runs, and what it knows of v1; without one, the record says it. */
  readonly live?: { readonly replica: string; readonly isGone: boolean } | undefined;
  /** Undefined where nothing is recorded. */
  readonly counted?: Counted | undefined;
  /** Why it is not counted what is recorded. */
  readonly uncounted?: string | undefined;
}

export function roadViewOf(source: RoadSource): RoadView {
  const { rollout, steps, sunset, now, live, counted, uncounted } = source;
  const road = roadOf(steps);
  const overlaps = source.overlaps ?? overlapsOf(rulesAt(rollout.rules, now));
  const gone = goneBy(source);
  const isOver = gone && rollout.atSunset === 'translate';
  const { stage: inForce, because = null } = stageInForce(undefined, road, isOver);
  return {
    made: instant(now),
    proxy: live?.replica ?? null,
    counted: counted === undefined ? null : { since: instant(counted.since), until: instant(counted.until) },
    uncounted: uncounted ?? null,
    stopped: road.stopped === undefined ? null : stepView(road.stopped),
    sunset: instant(sunset),
    atSunset: rollout.atSunset,
    gone,
    rules: rollout.rules.map((rule) => ruleView(rule, { road, isOver, now, counted })),
    unmatched: { inForce, because, use: counted?.unmatched ?? null },
    overlaps: overlaps.map(({ kind, first, second }) => ({ kind, first: first.name, second: second.name })),
    brownouts: rollout.brownouts.map((brownout) => brownoutView(brownout, { steps, sunset, now })),
    steps: steps.slice(-mostSteps).toReversed().map(stepView),
  };
}

/** Whether v1 was found gone: by this proxy, or, where it is about none, by any that noted it. */
export const goneBy = ({ live, steps }: Pick<RoadSource, 'live' | 'steps'>): boolean =>
  live?.isGone ?? steps.some(({ kind }) => kind === 'changed-over');

interface Standing {
  readonly road: Road<Step>;
  readonly isOver: boolean;
  readonly now: number;
  readonly counted: Counted | undefined;
}

function ruleView(rule: Rule, { road, isOver, now, counted }: Standing): RuleView {
  const { name, match, stage, fallback = null, until, status = null } = rule;
  const hasEnded = until !== undefined && now >= until;
  const { stage: inForce, because = null } = stageInForce(rule, road, isOver);
  const tripped = road.tripped.get(name);
  return {
    name,
    match: shownMatch(match),
    stage,
    ...(hasEnded ? { inForce: null, because: 'over' } : { inForce, because }),
    tripped: tripped === undefined || fallback === null ? null : stepView(tripped),
    fallback,
    until: until === undefined ? null : instant(until),
    status: stage === 'refuse' ? (status ?? 503) : null,
    use: counted?.rules.get(name) ?? null,
  };
}

function brownoutView(brownout: Brownout, { steps, sunset, now }: Pick<RoadSource, 'steps' | 'sunset' | 'now'>): BrownoutView {
  const { name, match, exempt, status } = brownout;
  const windows = scheduleOf([brownout], sunset);
  const toCome = windows.filter(({ from }) => from > now);
  const past = windows.filter(({ to }) => to <= now);
  const on = windows.find(({ from, to }) => from <= now && now < to);
  const stopped = steps.findLast(({ kind, rule }) => kind === 'brownout-stopped' && rule === name);
  return {
    name,
    match: shownMatch(match),
    exempt,
    status,
    stopped: stopped === undefined ? null : stepView(stopped),
    on: on === undefined ? null : windowView(on),
    next: toCome.slice(0, mostWindows).map(windowView),
    past: past.slice(-mostWindows).map(windowView),
    windows: { toCome: toCome.length, past: past.length },
  };
}

export const windowView = ({ from, to }: { readonly from: number; readonly to: number }): WindowView => ({
  since: instant(from),
  until: instant(to),
});

export const stepView = ({ at, replica, kind, rule, detail }: Step): StepView => ({ at: instant(at), replica, kind, rule, detail });

const instant = (time: number): string => new Date(time).toISOString();

/** As much of a key as the record shows: a rule may name a whole one. */
const shownOfKey = 8;
const shownKey = (key: string): string => (key.startsWith(hashMark) || key.length <= shownOfKey ? key : `${key.slice(0, shownOfKey)}…`);

/** A match as it may be shown. */
export const shownMatch = (match: Match): Match => (match.keys === undefined ? match : { ...match, keys: match.keys.map(shownKey) });
