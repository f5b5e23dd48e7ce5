/** Who decides for whom without an import, on the way of the relevance slice: by the statements that do, where the text of these says so. */
import type { InGroup } from '../../find/modules/ambient.ts';
import { type Outline, type Unit, wordsIn } from './outline.ts';
import type { SliceFile } from './sources.ts';

/** How what stands in a file came to matter: see `Visited`. */
export type Reached = 'tainted' | 'needed';

interface Side {
  readonly files: Set<string>;
  /** Who was the first to ask for all on this side, by how. */
  readonly first: Map<Reached, string>;
}

export class Deciders {
  readonly #groups: ReadonlyMap<string, readonly InGroup[]>;
  readonly #sides = new Map<string, Side>();
  readonly #units = new Map<string, ReadonlySet<Unit>>();
  readonly #asked = new Set<string>();

  constructor(files: readonly SliceFile[]) {
    this.#groups = new Map(files.map(({ file, ambient }) => [file, ambient]));
    for (const { file, ambient } of files) for (const { group, decides } of ambient) this.#side(group, decides).files.add(file);
  }

  /**
   * Those who decide for a statement, and for whom it decides. Whoever only needs such a file for something else has nothing of what it decides; what
   * others decide is what a statement is made of.
   * @returns the groups of files, each once, and which of their statements it is
   */
  beside(outline: Outline, unit: Unit, how: Reached): { readonly file: string; readonly unitsOf: (other: Outline) => Iterable<Unit> }[] {
    const { file } = outline.module;
    return (this.#groups.get(file) ?? []).flatMap((own) => {
      const { group, decides } = own;
      if ((how === 'needed' && decides) || !this.#unitsOf(outline, own).has(unit)) return [];
      return this.#others(group, decides, file, how).map((other) => ({
        file: other,
        unitsOf: (its: Outline): Iterable<Unit> => {
          const sameGroup = this.#groups.get(other)?.find((each) => each.group === group && each.decides !== decides);
          return sameGroup === undefined ? [] : this.#unitsOf(its, sameGroup);
        },
      }));
    });
  }

  #side(group: string, decides: boolean): Side {
    const key = `${group} ${decides}`;
    const side = this.#sides.get(key) ?? { files: new Set(), first: new Map() };
    this.#sides.set(key, side);
    return side;
  }

  /** All on the other side of a group: the first that comes there takes all along, itself too, and who comes next only the first. */
  #others(group: string, decides: boolean, by: string, how: Reached): readonly string[] {
    const key = `${group} ${decides} ${how} ${by}`;
    if (this.#asked.has(key)) return [];
    this.#asked.add(key);
    const { files, first } = this.#side(group, !decides);
    const before = first.get(how);
    if (before !== undefined) return files.has(before) ? [before] : [];
    first.set(how, by);
    return [...files];
  }

  /** The statements of a file that decide for others, or that others decide for: all, where none says so by itself. */
  #unitsOf({ module: { file }, units, imports, mentioning }: Outline, { group, decides, holds }: InGroup): ReadonlySet<Unit> {
    const key = `${group} ${decides} ${file}`;
    const known = this.#units.get(key);
    if (known !== undefined) return known;
    const found = new Set(holds === undefined ? [] : units.filter(({ text }) => holds.test(text)));
    // What is imported there stands for it.
    for (const { text, isImport } of found)
      if (isImport) for (const name of wordsIn(text)) if (imports.has(name)) for (const unit of mentioning(name)) found.add(unit);
    const made = found.size === 0 ? new Set(units) : found;
    this.#units.set(key, made);
    return made;
  }
}
