/** A file that text comes from, of whatever kind: what an edit and a finding need of it. */
import type { Position } from '../../syntax/position.ts';

export interface SourceText {
  /** Path relative to the working directory, with `/`. */
  readonly file: string;
  readonly text: string;
  /** Whether it stands in for something where tests run, as its name and who imports it say. */
  readonly isFake?: boolean | undefined;
  readonly position: (offset: number) => Position;
}
