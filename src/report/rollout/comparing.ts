/** What comparing has found, judged: what differs beyond noise, by workspace and by place. Pure. */
import { isNoise, type NoiseThresholds } from '../../rollout/noise.ts';
import type { ComparisonRow } from '../../usage/model.ts';
import { iso } from '../period.ts';
import type { Advice, Compared, DifferenceKind, DifferenceRow } from './model.ts';

/** What was found of one workspace; null for all keys of none. */
export interface Findings {
  readonly workspace: string | null;
  readonly compared: Compared;
  readonly skipped: readonly { readonly reason: string; readonly calls: number }[];
  /** Endpoints of which any call was compared. */
  readonly endpoints: ReadonlySet<string>;
  /** Beyond noise, those that most calls showed first. */
  readonly left: readonly Left[];
}

interface Left extends Pick<ComparisonRow, 'workspace' | 'endpoint' | 'path' | 'v1' | 'v2' | 'noise' | 'last'> {
  readonly kind: DifferenceKind;
  /** Calls that showed it. */
  readonly calls: number;
  readonly compared: number;
}

/** Judges what was found with the newest setup of each workspace: what an older one found may be mended. */
export function findingsOf(rows: readonly ComparisonRow[], thresholds: NoiseThresholds): ReadonlyMap<string | null, Findings> {
  const findings = new Map<string | null, Findings>();
  for (const [workspace, all] of Map.groupBy(rows, (row) => row.workspace)) {
    const newest = all.reduce((a, b) => (b.last > a.last ? b : a));
    const own = all.filter(({ setup }) => setup === newest.setup);
    findings.set(workspace, judged(workspace, own, thresholds));
  }
  return findings;
}

function judged(workspace: string | null, rows: readonly ComparisonRow[], thresholds: NoiseThresholds): Findings {
  const calls = rows.filter(({ kind }) => kind === 'calls');
  const comparedOf = new Map(calls.map(({ endpoint, count }) => [endpoint, count]));
  const left: Left[] = [];
  let noisy = 0;
  for (const { kind, count, ...row } of rows) {
    if (kind === 'calls' || kind === 'skipped') continue;
    // Whatever was found was compared.
    const compared = Math.max(comparedOf.get(row.endpoint) ?? 0, count - row.noise);
    if (isNoise({ count, noise: row.noise, calls: compared }, thresholds)) noisy++;
    else left.push({ ...row, kind, calls: count - row.noise, compared });
  }
  const reasons = Map.groupBy(
    rows.filter(({ kind }) => kind === 'skipped'),
    ({ path }) => path,
  );
  return {
    workspace,
    compared: {
      calls: sum(calls, ({ count }) => count),
      askedAgain: sum(calls, ({ noise }) => noise),
      differences: left.length,
      noise: noisy,
      since: iso(rows.reduce((first, row) => Math.min(first, row.first), Infinity)),
      last: iso(rows.reduce((last, row) => Math.max(last, row.last), 0)),
    },
    skipped: [...reasons]
      .map(([reason, skipped]) => ({ reason, calls: sum(skipped, ({ count }) => count) }))
      .toSorted((a, b) => b.calls - a.calls || a.reason.localeCompare(b.reason)),
    endpoints: new Set(comparedOf.keys()),
    left: left.toSorted(byCalls),
  };
}

/** The same place of several workspaces as one: what mends it for one mends it for all. */
export function differencesOf(findings: Iterable<Findings>): readonly DifferenceRow[] {
  const all = [...findings].flatMap(({ left }) => left).toSorted(byCalls);
  const places = Map.groupBy(all, ({ endpoint, path, kind }) => JSON.stringify([endpoint, path, kind]));
  return [...places.values()]
    .flatMap((rows): DifferenceRow[] => {
      const [most] = rows;
      if (most === undefined) return [];
      const { endpoint, path, kind, v1, v2 } = most;
      return [
        {
          endpoint,
          path,
          kind,
          v1,
          v2,
          calls: sum(rows, ({ calls }) => calls),
          noise: sum(rows, ({ noise }) => noise),
          compared: sum(rows, ({ compared }) => compared),
          last: iso(rows.reduce((last, row) => Math.max(last, row.last), 0)),
          workspaces: rows.map(({ workspace, calls }) => ({ name: workspace, calls })),
          advice: adviceOn(most),
        },
      ];
    })
    .toSorted(byCalls);
}

const sameInstant = 'time (the same instant)';
const sameNumber = 'number (written otherwise)';

/** Shapes say what can be declared equal. A number as text is another type to most clients, and equal only to those who say so. */
function adviceOn({ kind, v1, v2 }: Pick<Left, 'kind' | 'v1' | 'v2'>): Advice {
  if (kind === 'order') return 'equal_any_order';
  if (kind === 'request') return 'map_request';
  if (kind === 'value') return v1 === sameInstant && v2 === sameInstant ? 'equal_instant' : v1 === sameNumber ? 'equal_number' : 'look';
  return kind === 'status' || kind === 'mediaType' ? 'look' : 'map_answer';
}

const byCalls = (a: Place, b: Place): number =>
  b.calls - a.calls || a.endpoint.localeCompare(b.endpoint) || a.path.localeCompare(b.path) || a.kind.localeCompare(b.kind);

interface Place {
  readonly calls: number;
  readonly endpoint: string;
  readonly path: string;
  readonly kind: string;
}

const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((all, row) => all + of(row), 0);
