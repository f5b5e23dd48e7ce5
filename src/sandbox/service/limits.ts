/**
 * How many calls a key and a workspace may make (api.md §8). Windows are those of the clock, minutes, hours and days of UTC, and do not slide.
 * Of a key's minutes, and of a workspace's hours and days, only the last one that had a call is remembered: when the clock is turned to
 * another one and calls come there, the one that it has left begins anew when the clock comes back.
 */
import type { Assumptions } from '../../contract/assumptions.ts';
import type { DailyLimitAnswer } from '../../contract/fields.ts';
import { v1Windows, v2RequestsPerHour, v2Windows, webhookEndpointsPerWorkspace } from '../../contract/limits.ts';
import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../clock/clock.ts';
import { isoOf } from '../clock/instants.ts';
import type { Refusal } from './outcome.ts';
import type { Key } from '../store/keys.ts';
import type { Workspace } from '../store/workspace.ts';

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
  return {
    perMinute: assumptions[`v1RequestsPerMinute${plan}`],
    perDay: assumptions[`v1RequestsPerDay${plan}`],
    perHour: lists(v2RequestsPerHour, plan) ? v2RequestsPerHour[plan] : assumptions[`v2RequestsPerHour${plan}`],
    webhookEndpoints: lists(webhookEndpointsPerWorkspace, plan)
      ? (webhookEndpointsPerWorkspace[plan] ?? Infinity)
      : assumptions[`webhookEndpoints${plan}`] || Infinity,
  };
}

type Listed<Table> = { [P in keyof Table]: Table[P] extends undefined ? never : P }[keyof Table];

/** Whether a table says something of a plan. Of the other plans an assumption must, or the types do not allow it. */
function lists<Table extends object>(table: Table, plan: PropertyKey): plan is Listed<Table> {
  return Object.entries(table).some(([name, limit]) => name === plan && limit !== undefined);
}

/** What a workspace may do: its own numbers, which a custom plan has, before those of its plan. */
export function limitsOf({ plan, limits }: Workspace, assumptions: Assumptions): PlanLimits {
  return { ...planLimits(plan, assumptions), ...limits };
}

/** All begin with the epoch: its time knows no leap seconds, so that each ends on a full one. */
const windows = { ...v1Windows, ...v2Windows };
type WindowName = keyof typeof windows;

const windowAt = (now: number, name: WindowName): number => Math.floor(now / windows[name].length);
const endAt = (now: number, name: WindowName): number => (windowAt(now, name) + 1) * windows[name].length;
/** Whole seconds to the end of the window, rounded up: whoever waits so long is past it. */
const secondsLeft = (now: number, name: WindowName): number => Math.ceil((endAt(now, name) - now) / 1_000);

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

  /** Counts a v1 call, or says which limit it exceeds: the workspace's for the day, which lasts longer, or the key's for the minute. */
  countV1(key: Key): Refusal | undefined {
    const limits = limitsOf(key.workspace, this.#assumptions);
    // Read once: the clock may run on into the next window.
    const now = this.#clock.now();
    const today = this.#count(now, 'day', key);
    if (today.calls >= limits.perDay) return this.#pastDay(now, limits.perDay);
    const thisMinute = this.#count(now, 'minute', key);
    if (thisMinute.calls >= Math.min(limits.perMinute, key.perMinute ?? Infinity)) return this.#past(now, 'rateLimited', 'minute');
    today.calls++;
    thisMinute.calls++;
    return undefined;
  }

  /** Counts a v2 call, or says that it exceeds the workspace's limit for the hour. */
  countV2(key: Key): Refusal | undefined {
    const now = this.#clock.now();
    const thisHour = this.#count(now, 'hour', key);
    if (thisHour.calls >= limitsOf(key.workspace, this.#assumptions).perHour) return this.#past(now, 'hourlyLimit', 'hour');
    thisHour.calls++;
    return undefined;
  }

  /** The calls so far: of a key in this minute, of a workspace today and in this hour. */
  used(name: WindowName, id: string): number {
    return this.#known(this.#clock.now(), name, id)?.calls ?? 0;
  }

  /** The count of the window that the clock is in. Another window's is dropped, also where the clock was turned back. */
  #count(now: number, name: WindowName, key: Key): Count {
    const { id } = windows[name].scope === 'key' ? key : key.workspace;
    const known = this.#known(now, name, id);
    if (known !== undefined) return known;
    const fresh: Count = { window: windowAt(now, name), calls: 0 };
    this.#counts.set(`${name}/${id}`, fresh);
    return fresh;
  }

  #known(now: number, name: WindowName, id: string): Count | undefined {
    const count = this.#counts.get(`${name}/${id}`);
    return count?.window === windowAt(now, name) ? count : undefined;
  }

  /** api.md §7: with the plan's number, the reset at 00:00 UTC, and the seconds until then in Retry-After. */
  #pastDay(now: number, limit: number): Refusal {
    const details: DailyLimitAnswer = {
      limit,
      resetAt: isoOf(endAt(now, 'day')),
      upgradeUrl: this.#assumptions.dailyLimitUpgradeUrl,
    };
    return { refused: 'dailyLimit', details: { ...details }, retryAfter: secondsLeft(now, 'day') };
  }

  #past(now: number, refused: 'rateLimited' | 'hourlyLimit', name: WindowName): Refusal {
    return { refused, ...(this.#assumptions.rateLimitRetryAfter && { retryAfter: secondsLeft(now, name) }) };
  }
}
