/** The rules of a roll-out, as the configuration has them once it is read: which stage of the road from v1 to v2 a call is in. */
import { hashMark } from '../usage/workspaces.ts';

/**
 * `observe`: v1 answers, and the call is recorded. `compare`: v1 answers, and v2 is asked beside it. `translate`: v2 answers, as v1 would.
 * `refuse`: nobody answers; a brownout.
 */
export const stages = ['observe', 'compare', 'translate', 'refuse'] as const;
export type Stage = (typeof stages)[number];

/** Whom a rule is about: everything that is given has to apply. Of a list, one member. */
export interface Match {
  /** Names of the configuration's workspaces. */
  readonly workspace?: readonly string[] | undefined;
  /** Keys that belong to no workspace, and calls without a key. */
  readonly unknown?: true | undefined;
  /** Prefixes of keys, or `hash:` and the hash that the report shows. */
  readonly keys?: readonly string[] | undefined;
  /** Products of User-Agents, as the report shows them; without a version, every version is meant. */
  readonly client?: readonly string[] | undefined;
  /** Method and path template of v1's endpoints, or `unlisted`. */
  readonly endpoint?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
  /** Share of the keys, from 0 to 1: see `placeOf`. */
  readonly percent?: number | undefined;
}

/** Whether a match goes by the hashes of keys. */
export const isMadeForKeys = ({ percent, keys = [] }: Match): boolean =>
  percent !== undefined || keys.some((key) => key.startsWith(hashMark));

/** The workspaces that a roll-out names. */
export const workspacesNamed = ({ rules, brownouts }: Pick<Rollout, 'rules' | 'brownouts'>): readonly string[] => [
  ...[...rules, ...brownouts].flatMap(({ match }) => match.workspace ?? []),
  ...brownouts.flatMap(({ exempt }) => exempt),
];

/** When a rule in `translate` is taken back. */
export interface Fallback {
  /** Share of errors, beyond what v1 gave the same workspaces before; from 0 to 1. */
  readonly errors: number;
  /** The time that is looked at, in milliseconds. */
  readonly over: number;
  /** Calls within that time, without which nothing is judged. */
  readonly atLeast: number;
  /** The stage that it goes back to. */
  readonly to: 'observe' | 'compare';
}

export interface Rule {
  /** Unique; what a guard that trips, and whoever releases it, call the rule by. */
  readonly name: string;
  readonly match: Match;
  readonly stage: Stage;
  readonly fallback?: Fallback | undefined;
  /** The end of a rule that refuses, in epoch milliseconds: there is none without. */
  readonly until?: number | undefined;
  /** What a rule that refuses answers with. */
  readonly status?: BrownoutStatus | undefined;
}

export const brownoutStatuses = [410, 503] as const;
export type BrownoutStatus = (typeof brownoutStatuses)[number];

/** Times at which v1 is refused to whoever still calls it, so that they notice before it is gone. */
export interface Brownout {
  readonly name: string;
  readonly match: Match;
  /** Workspaces that are left alone. */
  readonly exempt: readonly string[];
  /** The first time begins then, in epoch milliseconds. */
  readonly at: number;
  /** How long the first one lasts, in milliseconds. */
  readonly for: number;
  /** From one beginning to the next, in milliseconds; without it there is one time only. */
  readonly every?: number | undefined;
  /** None begins then or later, in epoch milliseconds; without it, the sunset. */
  readonly until?: number | undefined;
  /** By how much each lasts longer than the one before, in milliseconds. */
  readonly ramp: number;
  readonly status: BrownoutStatus;
}

/** What is equal although it is written otherwise. */
export interface Equality {
  /** Without one, in the answers of all endpoints. */
  readonly endpoint?: string | undefined;
  /** As paths of differences are written: `data[].createdAt`. `*` is any one name, and `**.` before a path any depth, none included. */
  readonly path: string;
  /**
   * - `instant`: the same instant, whatever the zone and precision, or as seconds or milliseconds since 1970
   * - `number`: the same number however it is written, also as a text
   * - `anyOrder`: a list with the same items
   * - `ignore`: not compared, nor what is inside
   */
  readonly as: 'instant' | 'number' | 'anyOrder' | 'ignore';
}

/** How v2 is asked beside v1. */
export interface Comparing {
  /** Share of the calls that can be compared, from 0 to 1. */
  readonly sample: number;
  /** Questions under way at once, at most; calls that come meanwhile are not compared. */
  readonly concurrency: number;
  /** Share of v2's hourly limit of a workspace that questions may use up, from 0 to 1. */
  readonly share: number;
  /** A difference counts where both are exceeded, as Diffy judges: by how much more often v2 differs from v1 than v1 from itself. */
  readonly noise: { readonly relative: number; readonly absolute: number };
  readonly equal: readonly Equality[];
}

export interface Rollout {
  /** The first that matches holds; where none does, the stage is `translate`. */
  readonly rules: readonly Rule[];
  readonly brownouts: readonly Brownout[];
  readonly compare: Comparing;
  /** Whether `observe` and `compare` become `translate` by themselves once v1 is gone. */
  readonly atSunset: 'translate' | 'stay';
  /** Whether answers of v1 get our deprecation fields. */
  readonly announce: boolean;
}

/** Where the rules come from: a file that is read again, or a program. */
export interface RolloutRules {
  /** Another object once the rules have changed. */
  readonly current: Rollout;
  close(): void;
}
