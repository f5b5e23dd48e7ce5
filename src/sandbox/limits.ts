/** How many calls a key and a workspace may make (api.md §8). Windows are those of the clock: minutes, hours and days of UTC. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { DailyLimitAnswer } from '../contract/fields.ts';
import { v2RequestsPerHour, webhookEndpointsPerWorkspace } from '../contract/limits.ts';
import type { Plan } from '../contract/plans.ts';
import type { Clock } from './clock.ts';
import type { Refusal } from './outcome.ts';
import type { Key } from './store/keys.ts';
import type { Workspace } from './store/workspace.ts';

export interface PlanLimits {
  /** v1 calls of one key; its own limit counts where it is lower. */
  readonly perMinute: number;
  /** v1 calls of all keys together. */
  readonly perDay: number;
  /** v2 calls of all keys together. */
  readonly perHour: number;
  /** Infinity where there is no limit. */
  readonly webhookEndpoints: number;
}

/** What a plan allows: the published number, else the assumed one. */
export function planLimits(plan: Plan, assumptions: Assumptions): PlanLimits {
  const webhookEndpoints = webhookEndpointsPerWorkspace[plan];
  return {
    perMinute: assumptions[`v1RequestsPerMinute${plan}`],
    perDay: assumptions[`v1RequestsPerDay${plan}`],
    perHour: v2RequestsPerHour[plan] ?? assumedPerHour(plan, assumptions),
    webhookEndpoints: webhookEndpoints ?? (webhookEndpoints === null ? Infinity : assumptions.webhookEndpointsEnterprise || Infinity),
  };
}

function assumedPerHour(plan: Plan, assumptions: Assumptions): number {
  if (plan === 'Starter') return assumptions.v2RequestsPerHourStarter;
  return plan === 'Growth' ? assumptions.v2RequestsPerHourGrowth : assumptions.v2RequestsPerHourEnterprise;
}

/** What a workspace may do: its own numbers, which a custom plan has, before those of its plan. */
export function limitsOf({ plan, limits }: Workspace, assumptions: Assumptions): PlanLimits {
  return { ...planLimits(plan, assumptions), ...limits };
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The calls in one window: how many, and which window it is. */
interface Count {
  readonly window: number;
  calls: number;
}

/** By what is counted: a key's minute, a workspace's day or hour. */
export type LimitsState = Readonly<Record<string, Count>>;

/**
 * Counts calls. A call is counted as soon as its key is known, in one step with the check, so that the limits are exact however many
 * calls come at once; it counts whatever becomes of it, unless a limit itself refuses it.
 */
export class Limits {
  readonly #clock: Clock;
  readonly #assumptions: Assumptions;
  readonly #counts: Map<string, Count>;

  constructor(clock: Clock, assumptions: Assumptions, state: LimitsState = {}) {
    this.#clock = clock;
    this.#assumptions = assumptions;
    this.#counts = new Map(Object.entries(structuredClone(state)));
  }

  state(): LimitsState {
    return structuredClone(Object.fromEntries(this.#counts));
  }

  /** Counts a v1 call, or says which limit it exceeds: the key's for the minute or the workspace's for the day. */
  countV1({ id, workspace, perMinute }: Key): Refusal | undefined {
    const limits = limitsOf(workspace, this.#assumptions);
    const ofKey = this.#count(`minute/${id}`, minute);
    const ofWorkspace = this.#count(`day/${workspace.id}`, day);
    if (ofWorkspace.calls >= limits.perDay) return this.#pastDay(limits.perDay);
    if (ofKey.calls >= Math.min(limits.perMinute, perMinute ?? Infinity)) return { refused: 'rateLimited', ...this.#retryAfter(minute) };
    ofKey.calls++;
    ofWorkspace.calls++;
    return undefined;
  }

  /** Counts a v2 call, or says that it exceeds the workspace's limit for the hour. */
  countV2({ workspace }: Key): Refusal | undefined {
    const ofWorkspace = this.#count(`hour/${workspace.id}`, hour);
    if (ofWorkspace.calls >= limitsOf(workspace, this.#assumptions).perHour) return { refused: 'hourlyLimit', ...this.#retryAfter(hour) };
    ofWorkspace.calls++;
    return undefined;
  }

  /** The calls so far: of a key in this minute, of a workspace today and in this hour. */
  used(kind: 'minute' | 'day' | 'hour', id: string): number {
    return this.#count(`${kind}/${id}`, { minute, day, hour }[kind]).calls;
  }

  #count(name: string, length: number): Count {
    const window = Math.floor(this.#clock.now() / length);
    const known = this.#counts.get(name);
    if (known?.window === window) return known;
    const fresh: Count = { window, calls: 0 };
    this.#counts.set(name, fresh);
    return fresh;
  }

  /** api.md §7: with the plan's number, the reset at 00:00 UTC, and the seconds until then in Retry-After. */
  #pastDay(limit: number): Refusal {
    const details: DailyLimitAnswer = {
      limit,
      resetAt: new Date(this.#end(day)).toISOString(),
      upgradeUrl: this.#assumptions.dailyLimitUpgradeUrl,
    };
    return { refused: 'dailyLimit', details: { ...details }, retryAfter: this.#secondsTo(day) };
  }

  #retryAfter(length: number): Pick<Refusal, 'retryAfter'> {
    return this.#assumptions.rateLimitRetryAfter ? { retryAfter: this.#secondsTo(length) } : {};
  }

  #end(length: number): number {
    return (Math.floor(this.#clock.now() / length) + 1) * length;
  }

  /** Whole seconds, rounded up: whoever waits so long is past it. */
  #secondsTo(length: number): number {
    return Math.ceil((this.#end(length) - this.#clock.now()) / 1_000);
  }
}
