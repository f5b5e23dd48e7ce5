/** Which rule holds for one call, and why no earlier one does. */
import { scheduleOf } from '../../rollout/brownouts.ts';
import { stageInForce } from '../../rollout/in-force.ts';
import { roadOf } from '../../rollout/road.ts';
import type { Brownout, Match, Stage } from '../../rollout/rules.ts';
import { type CallFacts, matches, placeOf } from '../../rollout/select.ts';
import { hashMark } from '../../usage/workspaces.ts';
import type { RuleView, StepView, WindowView } from './model.ts';
import { rulesAt } from './use.ts';
import { goneBy, type RoadSource, shownMatch, stepView, windowView } from './view.ts';

/** The call that is asked about. */
export interface Asked extends Omit<CallFacts, 'client'> {
  /** Undefined where nobody says: a client that no rule names. */
  readonly client: string | undefined;
  /** What people may see of the key. */
  readonly keyPrefix: string | undefined;
  /** Whether of the key only the hash, and what the record has of it, is known. */
  readonly isKeyInPart: boolean;
}

/** The same as it may be shown. */
export interface AskedView {
  readonly keyHash: string | null;
  /** The few characters of the key that people may see. */
  readonly keyPrefix: string | null;
  readonly workspace: string | null;
  readonly client: string | null;
  readonly endpoint: string;
  readonly method: string;
}

/** A rule or brownout that does not apply, and the first part of it that keeps it from doing so. */
export interface Passed {
  readonly name: string;
  readonly part: keyof Match;
  readonly match: Match;
  /** Whether that follows from what is not known: the rule names more of the key than the record has. */
  readonly isGuess: boolean;
}

export interface BrownoutFor {
  readonly name: string;
  /** Whether it refuses the call while it is on; otherwise why not. */
  readonly refuses: boolean;
  readonly why: 'exempt' | 'stopped' | 'everything stopped' | keyof Match | null;
  readonly on: WindowView | null;
  readonly next: WindowView | null;
}

export interface Explanation {
  /** The place of the key between 0 and 1; null without a key. */
  readonly place: number | null;
  readonly asked: AskedView;
  /** The rules before the one that holds, in their order. */
  readonly passed: readonly Passed[];
  /** Null where none matches. */
  readonly rule: string | null;
  readonly match: Match | null;
  readonly stage: Stage;
  readonly inForce: Stage;
  readonly because: Exclude<RuleView['because'], 'over'>;
  /** What happened that makes it another stage. */
  readonly step: StepView | null;
  readonly brownouts: readonly BrownoutFor[];
}

export function explain(asked: Asked, source: RoadSource): Explanation {
  const { rollout, steps, now } = source;
  const road = roadOf(steps);
  const rules = rulesAt(rollout.rules, now);
  const at = rules.findIndex(({ match }) => unfit(match, asked) === undefined);
  const rule = rules[at];
  const { stage: inForce, because = null } = stageInForce(rule, road, goneBy(source) && rollout.atSunset === 'translate');
  const step = because === 'stopped' ? road.stopped : because === 'tripped' && rule !== undefined ? road.tripped.get(rule.name) : undefined;
  return {
    place: asked.keyHash === undefined ? null : placeOf(asked.keyHash),
    asked: shownCall(asked),
    passed: rules.slice(0, at === -1 ? rules.length : at).flatMap(({ name, match }) => {
      const part = unfit(match, asked);
      return part === undefined ? [] : [{ name, part, match: shownMatch(match), isGuess: part === 'keys' && mayFit(match, asked) }];
    }),
    rule: rule?.name ?? null,
    match: rule === undefined ? null : shownMatch(rule.match),
    stage: rule?.stage ?? 'translate',
    inForce,
    because,
    step: step === undefined ? null : stepView(step),
    brownouts: rollout.brownouts.map((brownout) => brownoutFor(brownout, asked, source)),
  };
}

const shownCall = ({ keyHash, keyPrefix, workspace, client, endpoint, method }: Asked): AskedView => ({
  keyHash: keyHash ?? null,
  keyPrefix: keyPrefix ?? null,
  workspace,
  client: client ?? null,
  endpoint,
  method,
});

const parts = ['workspace', 'unknown', 'client', 'endpoint', 'methods', 'keys', 'percent'] as const satisfies readonly (keyof Match)[];

/** The first part of a match that does not apply; undefined where all do. */
function unfit(match: Match, { client = '', ...rest }: Asked): keyof Match | undefined {
  return parts.find((part) => match[part] !== undefined && !matches({ [part]: match[part] }, { client, ...rest }));
}

/** Whether the whole key may begin with what a rule names. */
const mayFit = ({ keys = [] }: Match, { key, isKeyInPart }: Asked): boolean =>
  isKeyInPart && keys.some((given) => !given.startsWith(hashMark) && (key === undefined || given.startsWith(key)));

function brownoutFor(brownout: Brownout, asked: Asked, { steps, sunset, now }: RoadSource): BrownoutFor {
  const { stopped, stoppedBrownouts } = roadOf(steps);
  const windows = scheduleOf([brownout], sunset);
  const on = windows.find(({ from, to }) => from <= now && now < to);
  const next = windows.find(({ from }) => from > now);
  const isExempt = asked.workspace !== null && brownout.exempt.includes(asked.workspace);
  const unfitPart = unfit(brownout.match, asked);
  const why =
    unfitPart ??
    (isExempt ? 'exempt' : stoppedBrownouts.has(brownout.name) ? 'stopped' : stopped === undefined ? null : 'everything stopped');
  return {
    name: brownout.name,
    refuses: why === null,
    why,
    on: on === undefined ? null : windowView(on),
    next: next === undefined ? null : windowView(next),
  };
}
