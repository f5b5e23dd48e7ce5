/** What files pass on as a whole (`export * from`), by the words that stand in what they pass on. */
import type { ParsedFile } from '../../evaluate/module.ts';
import { wordsIn } from './outline.ts';
import type { Sources } from './sources.ts';
import { push } from './visited.ts';

export class Stars {
  readonly #sources: Pick<Sources, 'text' | 'resolve'>;
  readonly #known = new Map<string, ReadonlyMap<string, readonly string[]>>();

  constructor(sources: Pick<Sources, 'text' | 'resolve'>) {
    this.#sources = sources;
  }

  /** @returns the specifiers under which a file may hold a word */
  of({ file, stars }: Pick<ParsedFile, 'file' | 'stars'>): ReadonlyMap<string, readonly string[]> {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const byWord = new Map<string, string[]>();
    for (const star of new Set(stars)) {
      const further = this.#sources.resolve(file, star);
      if (further === undefined) continue;
      for (const word of wordsIn(this.#sources.text(further))) push(byWord, word, star);
    }
    this.#known.set(file, byWord);
    return byWord;
  }
}
