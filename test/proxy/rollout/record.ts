/** A record that keeps what it is told in memory, and can be waited for. */
import type { OwnRecord } from '../../../proxy/options.ts';
import type { Comparison, Skipped } from '../../../src/usage/comparisons.ts';
import type { Step } from '../../../src/usage/model.ts';
import type { Use } from '../../../src/usage/use.ts';

export class MemoryRecord implements OwnRecord {
  readonly uses: Use[] = [];
  readonly comparisons: Comparison[] = [];
  readonly skipped: Skipped[] = [];
  readonly noted: Step[] = [];
  readonly #waiting: (() => void)[] = [];

  get state(): OwnRecord['state'] {
    return { backlog: 0, lost: 0, failing: undefined, written: undefined, failures: {}, coverage: 1 };
  }

  add(use: Use): void {
    this.uses.push(use);
  }

  addComparison(comparison: Comparison): void {
    this.comparisons.push(comparison);
    this.#wake();
  }

  addSkipped(skipped: Skipped): void {
    this.skipped.push(skipped);
    this.#wake();
  }

  async note(step: Step): Promise<void> {
    this.noted.push(step);
  }

  async steps(): Promise<readonly Step[]> {
    return this.noted;
  }

  /** Resolves once so many calls were compared or skipped. */
  async done(count: number): Promise<void> {
    while (this.comparisons.length + this.skipped.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** What was found of the calls so far: path, kind, and noise where it is. */
  get found(): readonly string[] {
    const marks = this.comparisons.flatMap(({ differences }) =>
      differences.map(({ path, kind, v1, v2, noise }) => `${noise ? 'noise ' : ''}${kind} ${path}: ${v1} / ${v2}`),
    );
    return [...new Set(marks)];
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
