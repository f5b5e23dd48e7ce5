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
  readonly #files = new Set<string>();
  readonly #refused = new Set<string>();
  /** What files hand something to, or give to what they follow, as they call it. */
  readonly #handed = new WeakMap<Visited, Set<string>>();
  #length = 0;

  constructor(sources: Pick<Sources, 'text' | 'load'>) {
    this.#sources = sources;
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  files(): readonly string[] {
    return [...this.#files].toSorted();
  }

  /** Notes what a statement of a file hands something to, and what it gives to that. */
  follow(visited: Visited, unit: Unit): void {
    const handed = this.#handed.get(visited) ?? new Set<string>();
    this.#handed.set(visited, handed);
    for (const name of [...handedTo(unit, visited.names), ...givenTo(unit, visited.names)]) handed.add(name);
  }

  /**
   * @param looked how long the files of the component are that were looked at
   * @returns whether the file is one of them from here on
   */
  take(file: string, { from, by, locals }: Asking, looked: number): boolean {
    if (by === undefined || !readable.test(file) || this.#refused.has(file)) return false;
    const isPassedOn = locals.length === 0 && this.#files.has(from);
    if (!isPassedOn && !locals.some((name) => this.#handed.get(by)?.has(name))) return false;
    const { length } = this.#sources.text(file);
    if (this.#length + length > most + mostTimes * looked) return false;
    this.#length += length;
    const outline = this.#sources.load(file);
    const isTaken = outline !== undefined && !keepsWhatItIsGiven(outline.module.tree.program);
    (isTaken ? this.#files : this.#refused).add(file);
    return isTaken;
  }
}
