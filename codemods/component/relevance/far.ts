/** What is read beside what is only reported: as far as a file's own text says that it has something to say of that. */
import { type Marks, marksOf } from './marks.ts';
import type { SliceFile, Sources } from './sources.ts';

export class Far {
  readonly #reportable: ReadonlySet<string>;
  readonly #sources: Sources;
  readonly #marks = new Map<string, Marks>();
  readonly #most: number;
  #read = 0;

  /**
   * What is only reported is followed through no more text than holds it: in an application of ten thousand files, which all hang together,
   * a few words would have half of them read to be told from ours. What is advised on without them is not followed: it has none read.
   * @param reportable the files that are read in any case
   * @param least how long files may be that are read beside these, however short these are
   */
  constructor(files: Iterable<SliceFile>, reportable: ReadonlySet<string>, sources: Sources, least: number) {
    this.#reportable = reportable;
    this.#sources = sources;
    let own = 0;
    for (const { file, isCandidate } of files) if (isCandidate) own += sources.text(file).length;
    this.#most = Math.max(least, own);
  }

  /** Counts a file that is read. */
  read(file: string, length: number): void {
    if (!this.#reportable.has(file)) this.#read += length;
  }

  /** Whether there is room for a file that decides something, or writes something, for one that is read. */
  mayDecide(file: string): boolean {
    return this.#reportable.has(file) || !this.#isEnough;
  }

  /** Whether a file may say where a request goes. */
  mayAnswer(file: string): boolean {
    return this.#reportable.has(file) || (!this.#isEnough && this.#marked(file).isAnswer);
  }

  /** Whether a file that uses what is suspicious may have something to report: who neither asks for anything nor hands it on has not. */
  mayUse(file: string): boolean {
    return !this.#isEnough && this.#marked(file).isUser;
  }

  get #isEnough(): boolean {
    return this.#read > this.#most;
  }

  /** What the text of a file says of it, which is asked again for each of its names. */
  #marked(file: string): Marks {
    const known = this.#marks.get(file);
    if (known !== undefined) return known;
    const made = marksOf(this.#sources.text(file), this.#sources);
    this.#marks.set(file, made);
    return made;
  }
}
