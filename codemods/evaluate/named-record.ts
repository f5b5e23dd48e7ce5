/** Which of the calls that a fake recorded a test speaks of. */
import type { CallNode } from '../syntax/tree.ts';

/** One of the calls that a fake recorded. */
export interface NamedRecord {
  /** The same for all that is read of it by the same names. */
  readonly name: string;
  /** `calls.find(…)`, `calls.filter(…)`: what it was picked by, where it was. */
  readonly picked: CallNode | undefined;
}
