/** Which of the calls that a fake recorded a test speaks of. */
import type { CallNode } from '../../syntax/tree.ts';

/** One of the calls that a fake recorded. */
export interface NamedRecord {
  /** The same for all that is read of it by the same names. */
  readonly name: string;
  /** `calls.find(…)`, `calls.filter(…)`: what it was picked by, where it was. */
  readonly picked: CallNode | undefined;
  /** What is certain of its address where it is read. */
  readonly said: readonly SaidOfAddress[];
}

/** `url.startsWith('…')`, or that it does not. */
export interface SaidOfAddress {
  readonly verb: 'is' | 'startsWith' | 'endsWith' | 'includes';
  readonly text: string;
  readonly holds: boolean;
}
