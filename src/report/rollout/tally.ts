/** How calls were answered, by workspace: what says where each of them stands on the road. */
import { unlisted } from '../../contract/endpoints.ts';
import type { Outcome } from '../../usage/deprecated-use.ts';
import type { Counts, Range, V1Kind } from '../../usage/model.ts';
import type { Totals } from '../../usage/store/store.ts';
import { type Client, type Group, Sighting } from '../clients.ts';

/** The calls of one outcome. */
export class Answered extends Sighting {
  calls = 0;
  errors = 0;
  failures = 0;

  count({ status }: V1Kind, counts: Counts): void {
    this.calls += counts.calls;
    if (status >= 400) this.errors += counts.calls;
    if (status >= 500) this.failures += counts.calls;
    this.add(counts);
  }

  /** Those of several outcomes. */
  static of(parts: readonly (Answered | undefined)[]): Answered {
    const all = new Answered();
    for (const part of parts) {
      if (part === undefined) continue;
      all.calls += part.calls;
      all.errors += part.errors;
      all.failures += part.failures;
      all.add(part);
    }
    return all;
  }
}

export class RoadTally {
  readonly outcomes: Partial<Record<Outcome, Answered>> = {};
  /** Reads that v1 answered well. */
  readonly reads = new Set<string>();

  add(kind: V1Kind, counts: Counts): void {
    (this.outcomes[kind.outcome] ??= new Answered()).count(kind, counts);
    const isV1s = kind.outcome === 'observed' || kind.outcome === 'compared';
    const isRead = kind.method === 'GET' && kind.endpoint !== unlisted && kind.status >= 200 && kind.status < 300;
    if (isV1s && isRead) this.reads.add(kind.endpoint);
  }

  of(...outcomes: readonly Outcome[]): Answered {
    return Answered.of(outcomes.map((outcome) => this.outcomes[outcome]));
  }

  /** What v1 answered itself. */
  get before(): Answered {
    return this.of('observed', 'compared');
  }

  /** What was translated. What the proxy alone answered is so, too, but says nothing of the stage by itself. */
  get after(): Answered {
    const answered = this.of('translated', 'failed');
    return answered.calls === 0 && this.before.calls > 0 ? answered : Answered.of([answered, this.outcomes.local]);
  }
}

/** Adds up the calls of workspaces; nobody's are nobody's. */
export class RoadTotals {
  readonly #groups = new Map<Group, RoadTally>();
  /** Whether v1 answered anything itself, or a brownout did. */
  hasRoad = false;
  readonly #refused = new Sighting();

  /** When calls were refused, of whomever; undefined where none was. */
  get refused(): Range | undefined {
    const { first, last } = this.#refused;
    return last > 0 ? { since: first, until: last + 1 } : undefined;
  }

  add({ kind, counts }: Totals, client: Client | undefined): void {
    if (kind.outcome === 'observed' || kind.outcome === 'compared' || kind.outcome === 'refused') this.hasRoad = true;
    if (kind.outcome === 'refused') this.#refused.add(counts);
    if (client?.key === undefined || client.ignored.endpoints.has(kind.endpoint)) return;
    const { group } = client.key;
    let tally = this.#groups.get(group);
    if (tally === undefined) this.#groups.set(group, (tally = new RoadTally()));
    tally.add(kind, counts);
  }

  of(group: Group): RoadTally {
    return this.#groups.get(group) ?? new RoadTally();
  }
}
