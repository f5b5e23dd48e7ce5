/** Guards of rules in `translate`: each counts how its calls end, and trips where more of them fail than v1 failed the same workspaces before. */
import type { Fallback, Rule } from '../src/rollout/rules.ts';

/** Calls and errors that v1 itself answered with, by workspace; null for keys of none. */
export type Baseline = ReadonlyMap<string | null, { readonly calls: number; readonly errors: number }>;

export interface Tripped {
  /** For the record: one sentence with its figures. */
  readonly detail: string;
  readonly figures: { readonly calls: number; readonly errors: number; readonly expected: number };
}

/** A part of the time that a guard looks at. */
interface Slice {
  readonly at: number;
  calls: number;
  errors: number;
  /** Errors that v1 would have given. */
  expected: number;
}

/** The time that a guard looks at moves on by so many parts. */
const slices = 10;

/** Without that many calls before, how often v1 fails a workspace is not known. */
const leastBefore = 20;

/**
 * An error as a guard sees it. What a client got wrong v1 refused as well, at its own rate; where that is not known, only failures of the
 * service, of its limit and of the key count.
 */
const isError = (status: number): boolean => status >= 400;
const isFailure = (status: number): boolean => status >= 500 || status === 429 || status === 401 || status === 403;

export class Guards {
  readonly #before = new Map<string | null, { calls: number; errors: number }>();
  readonly #after = new Map<string, Slice[]>();
  readonly #now: () => number;

  constructor(baseline: Baseline, now: () => number) {
    for (const [workspace, counts] of baseline) this.#before.set(workspace, { ...counts });
    this.#now = now;
  }

  /** Takes note of an answer of v1. Workspaces are those of the configuration, so that there is a bound to them. */
  before(workspace: string | null, status: number): void {
    const counts = this.#before.get(workspace);
    if (counts === undefined) this.#before.set(workspace, { calls: 1, errors: isError(status) ? 1 : 0 });
    else {
      counts.calls++;
      if (isError(status)) counts.errors++;
    }
  }

  /** Takes note of an answer of a rule in `translate`. @returns why its guard trips, where it does */
  after({ name }: Rule, { errors: allowed, over, atLeast }: Fallback, workspace: string | null, status: number): Tripped | undefined {
    const now = this.#now();
    const known = this.#after.get(name) ?? [];
    const recent = known.filter(({ at }) => at > now - over && at <= now);
    let slice = recent.at(-1);
    if (slice === undefined || now - slice.at >= over / slices) recent.push((slice = { at: now, calls: 0, errors: 0, expected: 0 }));
    this.#after.set(name, recent);
    const before = this.#before.get(workspace);
    const isKnown = before !== undefined && before.calls >= leastBefore;
    slice.calls++;
    if (isKnown ? isError(status) : isFailure(status)) slice.errors++;
    if (isKnown) slice.expected += before.errors / before.calls;
    const sum = (of: 'calls' | 'errors' | 'expected'): number => recent.reduce((total, each) => total + each[of], 0);
    const [calls, errors, expected] = [sum('calls'), sum('errors'), sum('expected')];
    if (calls < atLeast || errors - expected <= allowed * calls) return undefined;
    this.#after.delete(name);
    const figures = { calls, errors, expected: Math.round(expected * 10) / 10 };
    return { figures, detail: `${errors} of ${calls} calls failed, where v1 failed ${figures.expected} of as many before` };
  }
}
