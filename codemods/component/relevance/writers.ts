/** Who writes into what a file exports, by what their texts say. */
import { isNamed, taking } from './marks.ts';
import type { SliceFile, Sources } from './sources.ts';
import { push } from './visited.ts';
import { writtenInto } from './written.ts';

export class Writers {
  readonly #files: ReadonlyMap<string, SliceFile>;
  readonly #sources: Pick<Sources, 'text'>;
  readonly #writers = new Map<string, ReadonlyMap<string, readonly string[]>>();
  readonly #writtenBy = new Map<string, readonly string[]>();

  constructor(files: ReadonlyMap<string, SliceFile>, sources: Pick<Sources, 'text'>) {
    this.#files = files;
    this.#sources = sources;
  }

  /** @returns the importers of a file that write into names, by these */
  of(file: string): ReadonlyMap<string, readonly string[]> {
    const known = this.#writers.get(file);
    if (known !== undefined) return known;
    const writers = new Map<string, string[]>();
    for (const importer of this.#files.get(file)?.importers ?? []) {
      const names = this.#writtenBy.get(importer) ?? this.#writtenIn(importer);
      this.#writtenBy.set(importer, names);
      for (const name of names) push(writers, name, importer);
    }
    this.#writers.set(file, writers);
    return writers;
  }

  /** The names of others that a file may write into. */
  #writtenIn(file: string): readonly string[] {
    const text = this.#sources.text(file);
    const isTaken = taking(text, this.#files.get(file)?.implied ?? []);
    const written = [...writtenInto(text, file)].filter((name) => isNamed(name) && isTaken(name));
    if (written.length === 0) return written;
    const asLocals = new Set(written);
    // `import { board as own } from './board.js'`: what is written into goes by the other's name, too.
    // The word comes first: to look back from every space for it is the square of a row of them.
    const renamed = Array.from(text.matchAll(/as(?<=(?<![\w$])([\w$]+)\s+as)\s+([\w$]+)/g)).flatMap(([, name = '', local = '']) =>
      asLocals.has(local) ? name : [],
    );
    return [...new Set([...written, ...renamed])];
  }
}
