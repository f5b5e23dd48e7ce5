import type { Counter } from './counter.ts';
import type { RecordingSession } from './recording-session.ts';
import { type KnownCaller, KnownCallers } from './known-callers.ts';
import { minuteInMs } from '../contract/times.ts';
import { type Kind, type Source, sourcesOfCaller } from './model.ts';
import { networkOf } from './network.ts';
import { remembering } from './remembering.ts';
import { Repeats } from './repeats.ts';
import { resourceHash } from './resource-hash.ts';
import { Savings } from './savings.ts';
import { minutesOfHour } from './store/plan.ts';
import type { Use } from './use.ts';

/** How much one process remembers, whatever its clients send. */
export interface Bounds {
  /** Callers that are told apart. */
  readonly callers: number;
  /** Rows that wait for the store. */
  readonly rows: number;
}

/** Adds calls up by minute, caller and kind. This runs for every call: it makes no text and looks up only in Maps. */
export class Rollup {
  readonly #bounds: Bounds;
  readonly #callers: KnownCallers;
  readonly #kinds = new Map<string, Kind[]>();
  readonly #repeats = new Repeats();
  readonly #savings = new Savings();
  readonly #networkOf = remembering(networkOf);
  #sources = new Map<string, Source>();
  #minute = -1;
  #turn = 0;
  #session: RecordingSession;
  /** Rows that sessions before this one still hold. */
  heldBefore = 0;

  constructor(session: RecordingSession, bounds: Bounds) {
    this.#session = session;
    this.#bounds = bounds;
    this.#callers = new KnownCallers(bounds.callers);
  }

  /** From now on, calls belong to this session; its minutes begin anew. */
  begin(session: RecordingSession): void {
    this.#session = session;
    this.#minute = -1;
    this.#turn++;
  }

  /**
   * Counts one call.
   * @returns false where there is no room for a v1 call: it is counted as lost
   */
  add(use: Use): boolean {
    const minute = Math.floor(use.at / minuteInMs);
    // Never back: a minute that was given to the store and forgotten would begin again from zero.
    if (minute > this.#minute) {
      this.#minute = minute;
      this.#turn++;
    }
    const known = this.#callers.of(use);
    if (known.turn !== this.#turn) {
      known.turn = this.#turn;
      known.counters = new Map();
    }
    known.seen = use.at;
    const kind = this.#kindOf(use);
    let counter = known.counters.get(kind);
    const isV1 = use.outcome !== 'passed';
    if (counter === undefined || !counter.dirty) {
      // Calls to v2 leave half of the room to those of v1, and are not missed: what is lost says that v1 is in use.
      if (this.heldBefore + this.#session.held >= (isV1 ? this.#bounds.rows : this.#bounds.rows / 2)) {
        if (!isV1) return true;
        this.#session.lose(use.at);
        return false;
      }
      if (counter === undefined) known.counters.set(kind, (counter = this.#newCounter(known, kind, use.at)));
      counter.dirty = true;
      this.#session.pending.push(counter);
    }
    const resource = isV1 ? resourceOf(use) : undefined;
    count(counter, use, resource !== undefined && this.#repeats.seen(known.caller.id, resource, use.at));
    if (known.saver !== undefined)
      this.#savings.add(use, resource, known.caller, known.saver, Math.floor(this.#minute / minutesOfHour), this.#session.savings);
    if (isV1 && use.address !== undefined) this.#from(known, use.address, use.at);
    return true;
  }

  /** The sources with news for the store. */
  takeSources(): readonly Source[] {
    const taken = [...this.#sources.values()].map((source) => ({
      caller: source.caller,
      network: source.network,
      first: source.first,
      last: source.last,
    }));
    this.#sources = new Map();
    return taken;
  }

  /** Sources that could not be written are tried again with the next ones. */
  giveBackSources(sources: readonly Source[]): void {
    for (const source of sources) {
      const key = `${source.caller} ${source.network}`;
      if (!this.#sources.has(key) && this.#sources.size < this.#bounds.callers) this.#sources.set(key, source);
    }
  }

  #newCounter({ caller }: KnownCaller, kind: Kind, at: number): Counter {
    return {
      minute: this.#minute,
      caller,
      kind,
      counts: { calls: 0, v2Calls: 0, repeats: 0, duration: 0, longest: 0, first: at, last: at },
      stored: 0,
      dirty: false,
    };
  }

  /** An endpoint ends in few ways: looking through them costs less than four maps. */
  #kindOf({ endpoint, status, method, outcome }: Use): Kind {
    let kinds = this.#kinds.get(endpoint);
    if (kinds === undefined) this.#kinds.set(endpoint, (kinds = []));
    for (const kind of kinds) if (kind.status === status && kind.method === method && kind.outcome === outcome) return kind;
    const kind = { endpoint, method, status, outcome };
    kinds.push(kind);
    return kind;
  }

  #from({ caller, sources }: KnownCaller, address: string, at: number): void {
    const network = this.#networkOf(address);
    if (network === undefined) return;
    let source = sources.get(network);
    if (source === undefined) {
      if (sources.size >= sourcesOfCaller) return;
      sources.set(network, (source = { caller: caller.id, network, first: at, last: at, written: -Infinity }));
    }
    source.last = Math.max(source.last, at);
    // When a network was last seen need not be exact to the second.
    if (at - source.written < minuteInMs) return;
    source.written = at;
    this.#sources.set(`${caller.id} ${network}`, source);
  }
}

function resourceOf({ resource }: Use): number | undefined {
  return typeof resource === 'string' ? resourceHash(resource) : resource;
}

function count({ counts }: Counter, { at, duration, v2Calls }: Use, repeat: boolean): void {
  counts.calls++;
  counts.v2Calls += v2Calls;
  if (repeat) counts.repeats++;
  counts.duration += duration;
  if (duration > counts.longest) counts.longest = duration;
  if (at < counts.first) counts.first = at;
  if (at > counts.last) counts.last = at;
}
