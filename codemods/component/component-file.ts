/** A file of an import component, and what is known of it before it is read. */
import type { Asker } from '../evaluate/program.ts';
import { type FileKind, isDataFile } from '../find/kinds.ts';
import type { InGroup } from '../find/modules/ambient.ts';
import type { ImpliedImport } from '../find/modules/auto-imports.ts';

export interface ComponentFile {
  /** Relative to the working directory, with `/`. */
  readonly file: string;
  readonly kind: FileKind;
  readonly isCandidate: boolean;
  /** Whether it is not to be looked into, as it was minified or is too large. */
  readonly isUnread: boolean;
  /** Whether it is read as any other and must not be edited, nor is anything else told of it than that: a generator makes it. */
  readonly isGenerated?: boolean;
  /** The files of the component that import it. */
  readonly importers: readonly string[];
  /** Where files of the component decide for others without an import. */
  readonly ambient: readonly InGroup[];
  /** What its framework imports by itself. */
  readonly implied: readonly ImpliedImport[];
  /** Whether it stands in for something where tests run, and nowhere else. */
  readonly isFake?: boolean;
  /** Whether it is data that people copy to a file which nobody has here: who imports that has what it says of our service. */
  readonly isExample?: boolean;
  /** Whether what it exports may be loaded by a name that only the program knows, as something is. */
  readonly mayBeLoaded?: boolean;
  /** Whether it is a program in whose process no other file of the project runs. */
  readonly runsAlone?: boolean;
  /** Whether its declarations are those of other files, too. */
  readonly isShared?: boolean;
  /** If it is a server that stands in for the service: the files that ask it where the whole application is tested. Of a test, the programs that it starts. */
  readonly standsFor: readonly string[];
  /** The variables that they have its address from. */
  readonly addressedBy?: readonly string[];
  /** The files that it has a package load by their folder. */
  readonly loads?: readonly string[];
  /** Packages that may ask our service, and run with its mocks in files that are not read. */
  readonly askers?: readonly Asker[];
  /** Which code blocks of a document. */
  readonly parts?: readonly number[];
}

/** Whether edits and failures of it are for a person. */
export const isEditable = ({ file, isCandidate, isGenerated }: ComponentFile): boolean =>
  isCandidate && isGenerated !== true && !isDataFile.test(file);
