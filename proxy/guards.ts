/** Guards of rules in `translate`: each counts how its calls end, and trips where more of them fail than v1 failed the same workspaces before. */
import type { Fallback, Rule } from '../src/rollout/rules.ts';

/** What v1 itself answered before, by workspace; null for keys of none. */
export type Baseline = ReadonlyMap<string | null, Readonly<Before>>;

/** Answers of v1: all, those that refused what a client got wrong, and those that failed. */
interface Before {
  calls: number;
  refused: number;
  failed: number;
}

/** How a call ended, for the guards. */
export interface Ending {
  /** The rule in `translate` that it went by; undefined where v1 answered. */
  readonly rule: string | undefined;
  readonly workspace: string | null;
  readonly status: number;
}

export interface Tripped {
  /** For the record: one sentence with its figures. */
  readonly detail: string;
  readonly figures: { readonly calls: number; readonly errors: number; readonly expected: number };
}

/** A part of the time that a guard looks at. */
interface Slice extends Before {
  readonly at: number;
  /** As many as v1 would have refused, and failed. */
  expectedRefused: number;
  expectedFailed: number;
}

/** The time that a guard looks at moves on by so many parts. */
const slices = 10;

/** Without that many calls before, how often v1 refuses and fails a workspace is not known. */
const leastBefore = 20;

/**
 * What an answer is to a guard: a failure of the service, of its limit or of the key; or the refusal of what a client got wrong, which v1 refused
 * as well. They are held apart, so that a contact that is not there excuses no failure.
 */
export function kindOfAnswer(status: number): 'failed' | 'refused' | undefined {
  if (status >= 500 || status === 429 || status === 401 || status === 403) return 'failed';
  return status >= 400 ? 'refused' : undefined;
}

export class Guards {
  readonly #before = new Map<string | null, Before>();
  readonly #after = new Map<string, Slice[]>();
  readonly #now: () => number;

  constructor(baseline: Baseline, now: () => number) {
    for (const [workspace, counts] of baseline) this.#before.set(workspace, { ...counts });
    this.#now = now;
  }

  /** Takes note of an answer of v1. Workspaces are those of the configuration, so that there is a bound to them. */
  before(workspace: string | null, status: number): void {
    const counts = this.#before.get(workspace) ?? { calls: 0, refused: 0, failed: 0 };
    this.#before.set(workspace, counts);
    counts.calls++;
    const kind = kindOfAnswer(status);
    if (kind !== undefined) counts[kind]++;
  }

  /** Forgets what a rule was seen to do: it was taken back, or released. */
  forget(rule: string): void {
    this.#after.delete(rule);
  }

  /** Takes note of an answer of a rule in `translate`. @returns why its guard trips, where it does */
  after({ name }: Rule, { errors: allowed, over, atLeast }: Fallback, workspace: string | null, status: number): Tripped | undefined {
    const now = this.#now();
    const recent = (this.#after.get(name) ?? []).filter(({ at }) => at > now - over && at <= now);
    let slice = recent.at(-1);
    if (slice === undefined || now - slice.at >= over / slices)
      recent.push((slice = { at: now, calls: 0, refused: 0, failed: 0, expectedRefused: 0, expectedFailed: 0 }));
    this.#after.set(name, recent);
    this.#count(slice, this.#before.get(workspace), kindOfAnswer(status));
    const sum = (of: Exclude<keyof Slice, 'at'>): number => recent.reduce((total, each) => total + each[of], 0);
    const [calls, refused, failed] = [sum('calls'), sum('refused'), sum('failed')];
    const beyond = Math.max(0, failed - sum('expectedFailed')) + Math.max(0, refused - sum('expectedRefused'));
    if (calls < atLeast || beyond <= allowed * calls) return undefined;
    this.forget(name);
    const expected = Math.round((sum('expectedFailed') + sum('expectedRefused')) * 10) / 10;
    const figures = { calls, errors: failed + refused, expected };
    return { figures, detail: `${figures.errors} of ${calls} calls failed, where v1 failed ${expected} of as many before` };
  }

  #count(slice: Slice, before: Before | undefined, kind: ReturnType<typeof kindOfAnswer>): void {
    const isKnown = before !== undefined && before.calls >= leastBefore;
    slice.calls++;
    if (kind === 'failed' || (kind === 'refused' && isKnown)) slice[kind]++;
    if (!isKnown) return;
    slice.expectedRefused += before.refused / before.calls;
    slice.expectedFailed += before.failed / before.calls;
  }
}
