/** What a transform asks its thread for each file, and what it gets. Data only. */

export interface Question {
  readonly id: number;
  /** As jscodeshift names it. */
  readonly path: string;
  readonly source: string;
  /** jscodeshift's options, with those that it does not know, as JSON. */
  readonly options: string;
  readonly cwd: string;
  /** The command line of the process. */
  readonly argv: readonly string[];
}

export interface Answer {
  readonly id: number;
  /** The new text; undefined where nothing changes. */
  readonly text?: string | undefined;
  /** For people, about this file. */
  readonly reports: readonly string[];
  readonly stats: readonly (readonly [name: string, quantity: number])[];
  /** Why there is no answer. */
  readonly error?: string;
}
