/** Sums that grow row by row, and what the report says of them. */
import { labelOf, v1Endpoints, v2Endpoints } from '../contract/endpoints.ts';
import type { Outcome } from '../usage/deprecated-use.ts';
import type { Counts, V1Kind } from '../usage/model.ts';
import type { Change, EndpointUse, Usage } from './model.ts';
import { iso } from './period.ts';

/** How a period compares with the time before, where both are known; the latter may be longer, as old records are kept by the day. */
export interface Comparison {
  readonly lengths: { readonly period: number; readonly before: number };
}

export class Tally {
  calls = 0;
  v2Calls = 0;
  /** Calls in the time before. */
  before = 0;
  #repeats = 0;
  #duration = 0;
  #longest = 0;
  #first = Infinity;
  #last = -Infinity;
  readonly #outcomes: Record<Outcome, number> = { translated: 0, local: 0, failed: 0, observed: 0, compared: 0, refused: 0 };
  readonly #statuses = new Map<number, number>();

  add({ status, outcome }: V1Kind, { calls, v2Calls, repeats, duration, longest, first, last }: Counts): void {
    this.calls += calls;
    this.v2Calls += v2Calls;
    this.#repeats += repeats;
    this.#duration += duration;
    this.#longest = Math.max(this.#longest, longest);
    this.#first = Math.min(this.#first, first);
    this.#last = Math.max(this.#last, last);
    this.#outcomes[outcome] += calls;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + calls);
  }

  /** @param comparison undefined where the time before, or the period itself, was not recorded well enough */
  usage(comparison: Comparison | undefined): Usage {
    const seen = this.calls > 0;
    const statuses = [...this.#statuses].map(([status, calls]) => ({ status, calls })).toSorted((a, b) => a.status - b.status);
    const within = (from: number, to: number): number =>
      statuses.reduce((sum, { status, calls }) => (status >= from && status <= to ? sum + calls : sum), 0);
    return {
      calls: this.calls,
      v2Calls: this.v2Calls,
      repeats: this.#repeats,
      outcomes: { ...this.#outcomes },
      errors: { client: within(400, 499), server: within(500, 599), aborted: within(0, 0) },
      statuses,
      duration: seen ? { mean: this.#duration / this.calls, longest: this.#longest } : null,
      first: seen ? iso(this.#first) : null,
      last: seen ? iso(this.#last) : null,
      change: comparison === undefined ? null : this.#change(comparison),
    };
  }

  #change({ lengths }: Comparison): Change {
    const expected = (this.before / lengths.before) * lengths.period;
    if (this.before === 0) return { calls: 0, ratio: this.calls === 0 ? 0 : null };
    return { calls: this.before, ratio: this.calls / expected - 1 };
  }
}

const successors: ReadonlyMap<string, string> = new Map(
  Object.values(v1Endpoints).map((endpoint) => [labelOf(endpoint), labelOf(v2Endpoints[endpoint.successor])]),
);

/** Method and path template of the v2 endpoint that succeeds a recorded one; null where none does. */
export const successorOf = (endpoint: string): string | null => successors.get(endpoint) ?? null;

/** What somebody made of each endpoint. */
export class Uses {
  readonly #byEndpoint = new Map<string, { calls: number; v2Calls: number; repeats: number; errors: number; last: number }>();

  add({ endpoint, status }: V1Kind, { calls, v2Calls, repeats, last }: Counts): void {
    let use = this.#byEndpoint.get(endpoint);
    if (use === undefined) this.#byEndpoint.set(endpoint, (use = { calls: 0, v2Calls: 0, repeats: 0, errors: 0, last }));
    use.calls += calls;
    use.v2Calls += v2Calls;
    use.repeats += repeats;
    use.errors += status === 0 || status >= 400 ? calls : 0;
    use.last = Math.max(use.last, last);
  }

  /** The most called first. */
  rows(): readonly EndpointUse[] {
    return [...this.#byEndpoint]
      .map(([endpoint, { last, ...use }]) => ({ endpoint, successor: successorOf(endpoint), ...use, last: iso(last) }))
      .toSorted((a, b) => b.calls - a.calls || a.endpoint.localeCompare(b.endpoint));
  }
}
