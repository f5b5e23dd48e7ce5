/**
 * Those who read the answer to one request, once there are several. Each reads at its own pace: v2 waits for a slow client only where nobody else
 * reads, and what is held for the slow is bounded, because those who join are given nothing before it is known that the answer is short enough.
 * Where it is not, they are asked by themselves.
 */
import type { FailureId } from '../failures.ts';
import { joinedFields } from './fields.ts';
import type { End, Reading, Source } from './reading.ts';

/** The answer that they read, as far as it has come. */
export interface Carrier extends Pick<Source, 'status' | 'statusText'> {
  readonly fields: readonly string[];
  readonly chunks: Buffer[];
  /** Whether v2 says that the answer is short. */
  readonly isShort: boolean;
  /** Whether what came so far may be, and can be, given to others. */
  readonly suitsOthers: boolean;
  readonly isSent: boolean;
  close(): void;
  /** Has v2 wait, or go on. */
  hold(isHeld: boolean): void;
  giveUp(): void;
  /** One of those who joined begins to get the answer. */
  spared(): void;
  /** These have nothing of an answer that is none for them. */
  parted(readings: readonly Reading[]): void;
  /** Nobody is left. */
  empty(): void;
}

export class Crowd implements Source {
  readonly #flight: Carrier;
  /** The one who asked comes first. */
  readonly #readings: Reading[] = [];
  end: End | undefined;
  #isHeld: boolean;

  /** @param isHeld whether v2 waits for the first one */
  constructor(flight: Carrier, isHeld = false) {
    this.#flight = flight;
    this.#isHeld = isHeld;
  }

  get status(): number {
    return this.#flight.status;
  }

  get statusText(): string {
    return this.#flight.statusText;
  }

  get chunks(): readonly Buffer[] {
    return this.#flight.chunks;
  }

  get first(): Reading | undefined {
    return this.#readings[0];
  }

  add(reading: Reading): void {
    reading.source = this;
    this.#readings.push(reading);
    this.turned();
  }

  onHead(): void {
    if (!this.#flight.suitsOthers) this.#part();
    this.#give();
  }

  /** @param fits whether it is still short enough */
  onData(fits: boolean): void {
    if (!fits) this.#part();
    this.#give();
    // Nobody joins any more who would need it.
    if (!fits && this.#readings.length === 1 && this.first?.caughtUp() === true) this.#flight.chunks.length = 0;
  }

  /** Takes those out who may get an answer by another try, because they have nothing of this one. */
  takeOthers(): readonly Reading[] {
    const others = this.#readings.filter(({ joined, begun }) => joined && !begun);
    this.#remove(others);
    return others;
  }

  over(end: End): void {
    this.end = end;
    this.#give();
  }

  isOpenTo(reading: Reading): boolean {
    if (this.status === 0) return false;
    return reading === this.first || this.end !== undefined || this.#flight.isShort;
  }

  fieldsFor({ joined }: Reading): readonly string[] {
    if (!joined) return this.#flight.fields;
    this.#flight.spared();
    return joinedFields(this.#flight.fields);
  }

  turned(): void {
    const isHeld = this.end === undefined && this.#readings.length === 1 && this.first?.paused === true;
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.#flight.hold(isHeld);
  }

  left(reading: Reading): void {
    const at = this.#readings.indexOf(reading);
    if (at >= 0) this.#readings.splice(at, 1);
    const { first } = this;
    if (first === undefined) {
      this.#flight.empty();
      if (this.end === undefined) this.#flight.giveUp();
      return;
    }
    // Where the one who asked leaves, the next one takes its place, also as the one whom the call counts for.
    if (!this.#flight.isSent) first.joined = false;
    this.turned();
    if (at === 0) first.give();
  }

  /** Lets those go who joined: this answer is none for them. */
  #part(): void {
    const others = this.#readings.slice(1).filter(({ begun }) => !begun);
    this.#flight.close();
    this.#remove(others);
    if (others.length > 0) this.#flight.parted(others);
  }

  #remove(others: readonly Reading[]): void {
    if (others.length === 0) return;
    for (const other of others) this.#readings.splice(this.#readings.indexOf(other), 1);
    if (this.#readings.length === 0) this.#flight.empty();
    else this.turned();
  }

  #give(): void {
    // Those who have read everything leave meanwhile.
    for (const reading of this.#readings.slice()) reading.give();
  }
}

/** Failures that say more of one connection, or of the patience that the first had left, than of v2: another try costs one call for all. */
export const mayHelp: ReadonlySet<FailureId> = new Set(['reset', 'timeout']);
