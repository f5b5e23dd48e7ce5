/** What files pass on as a whole (`export * from`), by the words that stand in what they pass on. */
import type { ParsedFile } from '../../evaluate/module.ts';
import { wordsIn } from './outline.ts';
import type { SliceFile, Sources } from './sources.ts';
import { push } from './visited.ts';

export class Stars {
  readonly #files: ReadonlyMap<string, SliceFile>;
  readonly #sources: Pick<Sources, 'text' | 'resolve'>;
  readonly #known = new Map<string, ReadonlyMap<string, readonly string[]>>();

  constructor(files: ReadonlyMap<string, SliceFile>, sources: Pick<Sources, 'text' | 'resolve'>) {
    this.#files = files;
    this.#sources = sources;
  }

  /** @returns the specifiers under which a file of the component may hold a word */
  of({ file, stars }: Pick<ParsedFile, 'file' | 'stars'>): ReadonlyMap<string, readonly string[]> {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const byWord = new Map<string, string[]>();
    for (const star of new Set(stars)) {
      const further = this.#sources.resolve(file, star);
      if (further === undefined || !this.#files.has(further)) continue;
      for (const word of wordsIn(this.#sources.text(further))) push(byWord, word, star);
    }
    this.#known.set(file, byWord);
    return byWord;
  }
}
