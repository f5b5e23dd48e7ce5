import { secondInMs } from '../contract/times.ts';
import { reuseTimes } from './model.ts';
import { hashOfBoth } from './resource-hash.ts';

const settings = reuseTimes.length;
/** Two resources have a place in each of these; where there are more, the one that was asked longest ago is forgotten. */
const sets = 16_384;
const width = settings * 2;
/** Accounts share these: a write of one then also counts as one of those that have the same, and a saving is missed. */
const accountSlots = 16_384;
/** How long a write is known to have lasted, at most. */
const secondsOfWrite = 32;

/** What was said to be saved of the reads of the last seconds, as a write that they did not know of may take it back. */
class Recent {
  /** By the second in which the reads began. */
  readonly #seconds = new Uint32Array(secondsOfWrite);
  readonly #saved = new Uint32Array(secondsOfWrite * settings);
  /** Savings that were none: so many of the next ones do not count. */
  readonly #owed = new Uint32Array(settings);

  /** @returns those of the settings that save the read indeed */
  take(saved: number, begun: number): number {
    const second = Math.floor(begun / secondInMs);
    const at = second % secondsOfWrite;
    if ((this.#seconds[at] ?? 0) > second) return 0;
    if (this.#seconds[at] !== second) {
      this.#seconds[at] = second;
      this.#saved.fill(0, at * settings, (at + 1) * settings);
    }
    let taken = 0;
    for (let setting = 0; setting < settings; setting++) {
      if ((saved & (1 << setting)) === 0) continue;
      const owed = this.#owed[setting] ?? 0;
      if (owed > 0) this.#owed[setting] = owed - 1;
      else {
        taken |= 1 << setting;
        const cell = at * settings + setting;
        this.#saved[cell] = (this.#saved[cell] ?? 0) + 1;
      }
    }
    return taken;
  }

  /** Takes back what was saved of reads that began while a write was under way. */
  written(begun: number, ended: number): void {
    const last = Math.floor(ended / secondInMs);
    for (let second = Math.max(Math.floor(begun / secondInMs), last - secondsOfWrite + 1); second <= last; second++) {
      const at = second % secondsOfWrite;
      if (this.#seconds[at] !== second) continue;
      for (let setting = 0; setting < settings; setting++) {
        this.#owed[setting] = (this.#owed[setting] ?? 0) + (this.#saved[at * settings + setting] ?? 0);
        this.#saved[at * settings + setting] = 0;
      }
    }
  }
}

/**
 * Knows of a read whether another one of the same resource would have answered it: one that is in flight, or one that was asked a little
 * before (RFC 9111 §4), counted from the call that would have been sent, as no answer gets younger by being used. It runs for every read, once
 * it is over, and in 3 MB: where these are full, and where calls end in another order than they began in, a saving may be missed. Of 100,000 that
 * are none, about one is taken for one.
 */
export class SavingsMeter {
  /** Which resource has a place, by its hash. */
  readonly #tags = new Int32Array(sets * 2);
  /** When the call began and ended that would have been sent last: of each place, under each setting. */
  readonly #sent = new Float64Array(sets * 2 * width).fill(-Infinity);
  /** The end of the last write of each account. */
  readonly #written = new Float64Array(accountSlots).fill(-Infinity);
  readonly #recent = new Map<number, Recent>();

  /**
   * @param account a number of its own for whoever has a budget
   * @param key a number of its own for each key: nothing is shared between two
   * @param resource hash of path and query
   * @param begun epoch milliseconds, as for `ended`
   * @returns which of `reuseTimes` would have saved it, a bit for each
   */
  read(account: number, key: number, resource: number, begun: number, ended: number): number {
    const slot = account & (accountSlots - 1);
    const valid = this.#written[slot] ?? -Infinity;
    const sent = this.#sent;
    let at = this.#placeOf(hashOfBoth(resource, key));
    let saved = 0;
    for (let setting = 0; setting < settings; setting++, at += 2) {
      const sentAt = sent[at] ?? 0;
      const doneAt = sent[at + 1] ?? 0;
      const inFlight = begun < doneAt && ended > sentAt;
      // Of two in flight together the one that began first would have been sent, or would itself have been saved by one before it.
      const since = begun < sentAt ? begun : sentAt;
      const isReused = setting > 0 && begun >= sentAt && begun - sentAt <= (reuseTimes[setting] ?? 0);
      if (since >= valid && (inFlight || isReused)) {
        saved |= 1 << setting;
        sent[at] = since;
      } else if (begun >= sentAt || !inFlight) {
        sent[at] = begun;
        sent[at + 1] = ended;
      }
    }
    if (saved === 0) return 0;
    let recent = this.#recent.get(slot);
    if (recent === undefined) this.#recent.set(slot, (recent = new Recent()));
    return recent.take(saved, begun);
  }

  /** A write of an account: what was asked before it was over answers nobody who asks after it began. */
  write(account: number, begun: number, ended: number): void {
    const slot = account & (accountSlots - 1);
    if (ended > (this.#written[slot] ?? 0)) this.#written[slot] = ended;
    this.#recent.get(slot)?.written(begun, ended);
  }

  #placeOf(hash: number): number {
    const place = (hash & (sets - 1)) * 2;
    if (this.#tags[place] === hash) return place * width;
    if (this.#tags[place + 1] === hash) return (place + 1) * width;
    const isOlder = (this.#sent[place * width] ?? 0) <= (this.#sent[(place + 1) * width] ?? 0);
    const taken = isOlder ? place : place + 1;
    this.#tags[taken] = hash;
    this.#sent.fill(-Infinity, taken * width, (taken + 1) * width);
    return taken * width;
  }
}
