/** A file that text comes from, of whatever kind: what an edit and a finding need of it. */
import type { Position } from '../syntax/position.ts';

export interface SourceText {
  /** Path relative to the working directory, with `/`. */
  readonly file: string;
  readonly text: string;
  readonly position: (offset: number) => Position;
}
