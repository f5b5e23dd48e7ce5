import type { ComparisonRow, Difference } from './model.ts';

/** A call of v1 whose answer was compared with v2's. */
export interface Comparison extends Pick<ComparisonRow, 'setup' | 'workspace' | 'endpoint'> {
  readonly at: number;
  /** Whether v1 was asked once more, to tell differences from noise. */
  readonly askedAgain: boolean;
  readonly differences: readonly Difference[];
}

/** A call of v1 that was to be compared, and was not. */
export interface Skipped extends Pick<ComparisonRow, 'setup' | 'workspace' | 'endpoint'> {
  readonly at: number;
  /** One of few words of ours. */
  readonly reason: string;
}

type Row = { -readonly [property in keyof ComparisonRow]: ComparisonRow[property] };
type Whose = Pick<Comparison, 'at' | 'setup' | 'workspace' | 'endpoint'>;

/** Stands for all places for which there is no room. */
const elsewhere = '…';
const longestPath = 200;
const longestShape = 60;

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/**
 * What comparing found in one session. Answers can have any number of places, of which so many are told apart; how often was compared, what was
 * skipped and what there was no room for is as bounded as workspaces, endpoints and reasons are, and never left out.
 */
export class Comparisons {
  readonly #most: number;
  readonly #rows = new Map<string, Row>();
  #places = 0;
  /** Rows with news for the store, and those that are on their way to it. */
  #pending = new Set<Row>();
  #underWay: readonly Row[] = [];

  constructor(most = 2_000) {
    this.#most = most;
  }

  get hasNews(): boolean {
    return this.#pending.size > 0 || this.#underWay.length > 0;
  }

  add(comparison: Comparison): void {
    count(this.#row(comparison, 'calls', ''), comparison.at, comparison.askedAgain);
    for (const { path, kind, v1, v2, noise } of comparison.differences) {
      const row = this.#row(comparison, kind, cut(path, longestPath));
      if (row.count === 0 || (!noise && row.count === row.noise)) {
        row.v1 = cut(v1, longestShape);
        row.v2 = cut(v2, longestShape);
      }
      count(row, comparison.at, noise);
    }
  }

  skip(skipped: Skipped): void {
    count(this.#row(skipped, 'skipped', skipped.reason), skipped.at, false);
  }

  /** The rows with news, at most so many. `written` or `failed` must follow. */
  take(most: number): readonly ComparisonRow[] {
    const taken: Row[] = [];
    for (const row of this.#pending) {
      if (taken.length >= most) break;
      taken.push(row);
      this.#pending.delete(row);
    }
    this.#underWay = taken;
    return taken.map((row) => ({ ...row }));
  }

  written(): void {
    this.#underWay = [];
  }

  failed(): void {
    this.#pending = new Set([...this.#underWay, ...this.#pending]);
    this.#underWay = [];
  }

  #row(whose: Whose, kind: Row['kind'], path: string): Row {
    const { setup, workspace, endpoint, at } = whose;
    const key = JSON.stringify([setup, workspace, endpoint, kind, path]);
    let row = this.#rows.get(key);
    if (row === undefined) {
      const isPlace = kind !== 'calls' && kind !== 'skipped' && path !== elsewhere;
      if (isPlace && this.#places >= this.#most) return this.#row(whose, kind, elsewhere);
      if (isPlace) this.#places++;
      row = { setup, workspace, endpoint, kind, path, v1: '', v2: '', count: 0, noise: 0, first: at, last: at };
      this.#rows.set(key, row);
    }
    this.#pending.add(row);
    return row;
  }
}

function count(row: Row, at: number, isNoise: boolean): void {
  row.count++;
  if (isNoise) row.noise++;
  row.first = Math.min(row.first, at);
  row.last = Math.max(row.last, at);
}
