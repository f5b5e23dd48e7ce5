/** Files of no component, which are only handed something by those of one, or that have what these are given: settings without an address. */
import { givenTo, handedTo } from './passed-arguments.ts';
import { keepsWhatItIsGiven } from './kept.ts';
import type { Unit } from './outline.ts';
import type { Sources } from './sources.ts';
import type { Visited } from './visited.ts';

/** How many characters are read of them, and how many more where more is looked at. */
const most = 50_000;
const mostTimes = 2;

const readable = /\.(?:[cm]?[jt]sx?|json)$/;

/** Who asks for such a file: `locals` are what it calls that, none where it only passes it on. */
interface Asking {
  readonly from: string;
  readonly by: Visited | undefined;
  readonly locals: readonly string[];
}

export class Receivers {
  readonly #sources: Pick<Sources, 'text' | 'load'>;
  /** Those that are taken, and whether something may be led elsewhere by them. */
  readonly #files = new Map<string, boolean>();
  readonly #refused = new Set<string>();
  /** What files hand something to, or give to what they follow, as they call it, and whether that may lead it elsewhere. */
  readonly #handed = new WeakMap<Visited, Map<string, boolean>>();
  #length = 0;

  constructor(sources: Pick<Sources, 'text' | 'load'>) {
    this.#sources = sources;
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  files(): readonly string[] {
    return [...this.#files.keys()].toSorted();
  }

  /** Notes what a statement of a file hands something to, and what it gives to that. */
  follow(visited: Visited, unit: Unit): void {
    const handed = this.#handed.get(visited) ?? new Map<string, boolean>();
    this.#handed.set(visited, handed);
    for (const { to, isPointing } of [...handedTo(unit, visited.names), { to: givenTo(unit, visited.names), isPointing: false }])
      for (const name of to) handed.set(name, isPointing || handed.get(name) === true);
  }

  /**
   * @param looked how long the files of the component are that were looked at
   * @returns whether the file is one of them from here on
   */
  take(file: string, { from, by, locals }: Asking, looked: number): boolean {
    if (by === undefined || !readable.test(file)) return false;
    const isPassedOn = locals.length === 0 && this.#files.has(from);
    const handed = locals.flatMap((name) => this.#handed.get(by)?.get(name) ?? []);
    if (!isPassedOn && handed.length === 0) return false;
    const isPointing = handed.includes(true) || (isPassedOn && this.#files.get(from) === true);
    // What was refused to one who only shows it something may be led elsewhere by another.
    if (this.#refused.has(file) && !isPointing) return false;
    const { length } = this.#sources.text(file);
    if (this.#length + length > most + mostTimes * looked) return false;
    this.#length += length;
    const outline = this.#sources.load(file);
    const isTaken = outline !== undefined && (isPointing || !keepsWhatItIsGiven(outline.module.tree.program));
    if (isTaken) this.#files.set(file, isPointing);
    else this.#refused.add(file);
    return isTaken;
  }
}
