import type { AssumptionName } from '../../src/contract/assumptions.ts';

/**
 * A test: its file, and its title as it stands in the source. Where several have that title, as much of those of the groups around it
 * as makes it the only one: `group > title`.
 */
export type NamedTest = readonly [file: string, title: string];

/** A rule, in our own words. */
export interface TestedRow {
  /** The blocks of api.md that say it (see blocks.ts). */
  readonly at: readonly string[];
  readonly rule: string;
  /** The open questions that answer what is not shown there. */
  readonly assumptions?: readonly AssumptionName[];
  /** Each fails where the sandbox breaks the rule. */
  readonly tests: readonly NamedTest[];
}

/** Blocks that are no rule. */
export interface UntestedRow {
  readonly at: readonly string[];
  readonly rule: string;
  /** Why there is nothing to test. */
  readonly noTest: string;
}

export type Row = TestedRow | UntestedRow;
