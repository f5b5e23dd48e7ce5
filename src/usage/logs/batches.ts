/** Collects calls until they are worth a transaction, as columns: most lines differ in their time alone. */
import { hourInMs } from '../../contract/times.ts';
import type { LogBatch, LogCaller, LogKind, LoggedHour } from './model.ts';

/** Some seconds of reading; what a crash makes to be read again. */
const callsOfBatch = 300_000;
/** More lines of calls than a piece of a log can hold. */
const callsOfPiece = 100_000;

export class Calls {
  readonly #marks = new Float64Array(callsOfBatch);
  readonly #times = new Float64Array(callsOfBatch);
  readonly #callers = new Int32Array(callsOfBatch);
  readonly #kinds = new Int32Array(callsOfBatch);
  readonly #callerPlaces = new Places<LogCaller>(({ client, network, keyHash }) => `${client}\n${network}\n${keyHash ?? ''}`);
  readonly #kindPlaces = new Places<LogKind>(({ endpoint, method, status }) => `${endpoint} ${method} ${status}`);
  #count = 0;

  get isFull(): boolean {
    return this.#count > callsOfBatch - callsOfPiece;
  }

  add(mark: number, time: number, caller: LogCaller, kind: LogKind): void {
    const at = this.#count++;
    this.#marks[at] = mark;
    this.#times[at] = time;
    this.#callers[at] = this.#callerPlaces.of(caller);
    this.#kinds[at] = this.#kindPlaces.of(kind);
  }

  /** Hands on how many calls of each kind each caller made. */
  each(take: (caller: LogCaller, kind: LogKind, calls: number) => void): void {
    const [callers, kinds] = [this.#callerPlaces.items, this.#kindPlaces.items];
    const counts = new Map<number, number>();
    for (let at = 0; at < this.#count; at++) {
      const pair = (this.#callers[at] ?? 0) * kinds.length + (this.#kinds[at] ?? 0);
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    for (const [pair, calls] of counts) {
      const [caller, kind] = [callers[Math.floor(pair / kinds.length)], kinds[pair % kinds.length]];
      if (caller !== undefined && kind !== undefined) take(caller, kind, calls);
    }
  }

  /** Hands over what was collected, and begins anew. */
  take(): Pick<LogBatch, 'callers' | 'kinds' | 'hours'> {
    const byHour = new Map<number, number[]>();
    for (let at = 0; at < this.#count; at++) {
      const hour = Math.floor((this.#times[at] ?? 0) / hourInMs);
      const places = byHour.get(hour);
      if (places === undefined) byHour.set(hour, [at]);
      else places.push(at);
    }
    const hours = [...byHour].map(([hour, places]): LoggedHour => ({
      hour,
      marks: Float64Array.from(places, (at) => this.#marks[at] ?? 0),
      times: Float64Array.from(places, (at) => this.#times[at] ?? 0),
      callers: Int32Array.from(places, (at) => this.#callers[at] ?? 0),
      kinds: Int32Array.from(places, (at) => this.#kinds[at] ?? 0),
    }));
    const taken = { callers: this.#callerPlaces.take(), kinds: this.#kindPlaces.take(), hours };
    this.#count = 0;
    return taken;
  }
}

/** Each of several things once, in the order of their coming. */
class Places<T> {
  readonly #keyOf: (item: T) => string | number;
  readonly #places = new Map<string | number, number>();
  #items: T[] = [];

  get items(): readonly T[] {
    return this.#items;
  }

  constructor(keyOf: (item: T) => string | number) {
    this.#keyOf = keyOf;
  }

  of(item: T): number {
    const key = this.#keyOf(item);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#items.length);
    return this.#items.push(item) - 1;
  }

  take(): readonly T[] {
    const items = this.#items;
    this.#items = [];
    this.#places.clear();
    return items;
  }
}
