/** How long somebody may be quiet without having left: a monthly job has not stopped after eight days. */
import type { Recording } from '../recording.ts';
import { type Activity, type Product, weekInMs } from './activity.ts';

/** A pause that is so many times the longest one before is explained by no rhythm. */
const beyond = 1.5;
/** Whoever calls at least so often has left when it has not for as long. */
const leastQuiet = weekInMs;

/** For how long somebody may be quiet who once paused for so long. */
export const toleranceOf = (longestPause: number | null): number => Math.max(leastQuiet, beyond * (longestPause ?? 0));

/** Pauses of a product, in time that was recorded: what was not may hold calls. */
export class Pauses {
  readonly #activity: Activity;
  readonly #recording: Recording;
  readonly #until: number;
  /** Recorded milliseconds before each day. */
  readonly #recorded: Float64Array;
  readonly #longest = new Map<Product, { readonly pause: number | undefined }>();

  constructor(activity: Activity, recording: Recording, until: number) {
    this.#activity = activity;
    this.#recording = recording;
    this.#until = until;
    this.#recorded = Float64Array.from({ length: activity.length + 1 }, (_, day) =>
      recording.within({ since: 0, until: Math.min(activity.startOf(day), until) }),
    );
  }

  /** The recorded time between the beginnings of two days. */
  between(day: number, later: number): number {
    return (this.#recorded[later] ?? 0) - (this.#recorded[day] ?? 0);
  }

  /** For how long it has been quiet at an instant after its last call. */
  quiet(product: Product, until = this.#until): number {
    return this.#recording.within({ since: lastOf(product), until });
  }

  /** The longest pause of those that ended before a day, or of all; undefined where it called on one day only. */
  longest(product: Product, before?: number): number | undefined {
    if (before !== undefined) return this.#longestBefore(product, before);
    let known = this.#longest.get(product);
    if (known === undefined) {
      known = { pause: this.#longestBefore(product, this.#activity.length) ?? olderPause(product) };
      this.#longest.set(product, known);
    }
    return known.pause;
  }

  #longestBefore(product: Product, before: number): number | undefined {
    let [longest, last]: [number | undefined, number | undefined] = [undefined, undefined];
    for (let day = 0; day < before; day++) {
      if (product.calls[day] === 0) continue;
      if (last !== undefined) longest = Math.max(longest ?? 0, this.between(last, day));
      last = day;
    }
    return longest;
  }

  /** For how long it may be quiet and not have left, by its pauses before a day. */
  tolerance(product: Product, before?: number): number {
    const longest = this.longest(product, before) ?? 0;
    return Math.max(toleranceOf(longest), product.group?.workspace?.rarestJob ?? 0);
  }

  /** For how much longer it may be quiet; negative for one that has left. */
  rest(product: Product, until = this.#until): number {
    return this.tolerance(product) - this.quiet(product, until);
  }
}

export const lastOf = ({ clients }: Product): number => [...clients].reduce((latest, { seen }) => Math.max(latest, seen.last), 0);
export const firstOf = ({ clients }: Product): number =>
  [...clients].reduce((earliest, { seen }) => Math.min(earliest, seen.first), Infinity);

/** That of a record which is older than the days of a burn-down. */
function olderPause({ clients }: Product): number | undefined {
  const pauses = [...clients].flatMap(({ longestPause }) => longestPause ?? []);
  return pauses.length === 0 ? undefined : Math.max(...pauses);
}
