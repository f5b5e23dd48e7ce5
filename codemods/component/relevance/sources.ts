/** What the relevance slice is told of a component's files. */
import type { SourceModule } from '../../evaluate/module.ts';
import type { Asked } from '../../evaluate/libraries/provided.ts';
import type { InGroup } from '../../find/modules/ambient.ts';
import type { Outline } from './outline.ts';

export interface SliceFile {
  readonly file: string;
  readonly isCandidate: boolean;
  /** The files of the component that import it. */
  readonly importers: readonly string[];
  /** Where files of the component decide for others without an import: what is looked at takes all on the other side along. */
  readonly ambient: readonly InGroup[];
  /** What its framework imports by itself. */
  readonly implied?: readonly { readonly name: string }[];
}

export interface Sources {
  /** Reads and parses a file; undefined where that cannot be done. */
  load(file: string): Outline | undefined;
  /** A file's text, as it is without parsing. */
  text(file: string): string;
  resolve(from: string, specifier: string): string | undefined;
  /** Specifiers of a file, with each file in the place of one of which only a part is written. */
  named(file: string, specifiers: readonly string[]): readonly string[];
  /** The files that a build may put in the place of one. */
  insteadOf(file: string): readonly string[];
  /** Whether a text holds something suspicious. */
  isSuspicious(text: string): boolean;
  /** Whether it may hold a configured base, so that something may be edited where it flows to. */
  isNear(text: string): boolean;
  /** Whether it holds part of a path, which is suspicious where something suspicious mentions it. */
  holdsPart(text: string): boolean;
  /** Whether something in it may have to be reported, whatever it has to do with the rest. */
  isReportable(text: string): boolean;
  /** Whether something in it may be advised on, which says something to those who ask nearby. */
  isAdvisable(text: string): boolean;
  /** Whether something in it may have to be reported beside what is suspicious. */
  mayBeReported(text: string): boolean;
  /** Whether that is so of a file. */
  mayBeReportedIn(file: string): boolean;
  /** Whether it may make clients or requests: whoever uses these has to be seen. */
  speaksHttp(text: string): boolean;
  /** The names under which modules put something for others where that is asked about. */
  namesPutIn(modules: readonly SourceModule[], asked: Asked): ReadonlySet<string>;
}
