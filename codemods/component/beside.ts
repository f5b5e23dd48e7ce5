/** Files of no component, which are only handed something by those of one. */
import { handsOver } from './handed-over.ts';
import type { Sources } from './sources.ts';
import type { Visited } from './visited.ts';

/** How many characters are read of them, and how many more where more is looked at. */
const most = 50_000;
const mostTimes = 2;

const script = /\.[cm]?[jt]sx?$/;

/** Who asks for such a file: `locals` are what it calls that, none where it only passes it on. */
interface Asking {
  readonly from: string;
  readonly by: Visited | undefined;
  readonly locals: readonly string[];
}

export class Beside {
  readonly #sources: Pick<Sources, 'text'>;
  readonly #files = new Set<string>();
  #length = 0;

  constructor(sources: Pick<Sources, 'text'>) {
    this.#sources = sources;
  }

  has(file: string): boolean {
    return this.#files.has(file);
  }

  files(): readonly string[] {
    return [...this.#files].toSorted();
  }

  /**
   * @param looked how long the files of the component are that were looked at
   * @returns whether the file is one of them from here on
   */
  take(file: string, { from, by, locals }: Asking, looked: number): boolean {
    if (by === undefined || !script.test(file)) return false;
    const isPassedOn = locals.length === 0 && this.#files.has(from);
    const isHanded = (): boolean => [...by.tainted, ...by.needed].some((unit) => handsOver(unit, by.names, locals));
    if (!isPassedOn && !isHanded()) return false;
    const { length } = this.#sources.text(file);
    if (this.#length + length > most + mostTimes * looked) return false;
    this.#length += length;
    this.#files.add(file);
    return true;
  }
}
