/** What a benchmark has found, as data. */
export interface Result {
  /** What is compared with what. */
  readonly name: string;
  /**
   * Measured beside each other in one run, as ratios say little of the machine; less is better. Undefined where one side could not be measured.
   */
  readonly ratio?: number | undefined;
}

/** Gives them to `bench/all.ts`, where that has started this benchmark. */
export const tell = (results: readonly Result[]): void => void process.send?.(results);
