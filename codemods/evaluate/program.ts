/** The import of a package that may ask our service. */
export interface Asker {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  /** Whether it runs with a mock though no import leads from one to the other. */
  readonly isWithAll: boolean;
}

/** The files that are looked at together, and how they find each other. */
import type { SourceModule } from './module.ts';
import type { SourceText } from './values/source-text.ts';

export interface World {
  readonly modules: ReadonlyMap<string, SourceModule>;
  /** @returns the module a specifier leads to; undefined for a package */
  resolve(from: SourceModule, specifier: string): SourceModule | undefined;
  /** What a specifier names, where an import map has another name for it. */
  mapped?(from: SourceModule, specifier: string): string;
  /** The project's file a specifier leads to, looked at or not, with its text: what only names types is not. */
  reached?(from: string, specifier: string): { readonly file: string; readonly text: string } | undefined;
  /** Whether a file is what others get who import its package. */
  isEntry?(file: string): boolean;
  /** Whether others may load a file by a name that only the program knows. */
  mayBeLoaded?(module: SourceText): boolean;
  /** Whether a file is a program in whose process no other file of the project runs. */
  runsAlone?(module: SourceText): boolean;
  /** Whose requests arrive at a server that stands in for the service, and that nobody imports; of a test, the programs that it starts. */
  standsFor?(module: SourceText): readonly SourceModule[];
  /** The files that a file has a package load by their folder, without an import. */
  loads?(module: SourceText): readonly SourceModule[];
  /** Packages that may ask our service in files that are not read, and that run with the mocks of a file. */
  askers?(module: SourceText): readonly Asker[];
  /** The variables that files set to where such a server listens. */
  addressedBy?(module: SourceText): readonly string[];
}
