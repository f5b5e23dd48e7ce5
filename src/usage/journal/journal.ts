/**
 * The uses of a process that another one records: each is in the journal before the last of its answer leaves, so that whoever kills the process does
 * not take from the record what a client was answered. See docs/architecture/workers.md.
 */
import type { Use } from '../use.ts';
import { resourceHash } from '../resource-hash.ts';
import type { Frame, RingReader, RingWriter } from './ring.ts';

/** What a frame says, its first number. */
const says = { text: 0, answering: 1, over: 2, asTold: 3, lost: 4, forget: 5 } as const;
/** Texts that are known by numbers, about at most: clients can send any number of them. */
const mostTexts = 10_000;
/** In the place of a number: there is no text or no call, and there is no room to say which text it is. */
const nothing = -1;
const noRoom = -2;
/** How long what can wait waits to be written, at most, in milliseconds. */
const longest = 20;

/** A use that is in the journal before its call is over. */
interface Told {
  readonly use: Use;
  readonly product: string | undefined;
}

export class JournalWriter {
  readonly #ring: RingWriter;
  readonly #numbers = new Map<string, number>();
  /** Calls whose answers are about to end. */
  readonly #answering = new Map<object, Told & { readonly number: number }>();
  #calls = 0;
  #lost = 0;
  /** Whether what waits is written soon. */
  #willFlush = false;

  constructor(ring: RingWriter) {
    this.#ring = ring;
  }

  /** Notes a call to v1 whose answer is about to end. */
  answering(use: Use, product: string, call: object): void {
    const number = ++this.#calls;
    if (this.#add(says.answering, number, use, product)) this.#answering.set(call, { number, use, product });
    this.flush();
  }

  /** Notes a call that is over, in place of what `answering` noted of it. */
  add(use: Use, product?: string, call?: object): void {
    const told = call === undefined ? undefined : this.#answering.get(call);
    if (call === undefined || told === undefined) {
      if (!this.#add(says.over, nothing, use, product)) this.#lost++;
      return this.flush();
    }
    this.#answering.delete(call);
    const isAsTold = isAlike(use, told.use) && this.#ring.add([says.asTold, told.number, use.at, use.duration]);
    if (!isAsTold && !this.#add(says.over, told.number, use, product)) this.#lost++;
    // What it was about to be is written: that it has become that, or something else, can wait for what must be written at once.
    if (this.#willFlush) return;
    this.#willFlush = true;
    setTimeout(() => {
      this.#willFlush = false;
      this.flush();
    }, longest).unref();
  }

  /** Writes what waits. */
  flush(): void {
    this.#ring.flush();
  }

  #add(tag: number, call: number, use: Use, product: string | undefined): boolean {
    if (this.#lost > 0 && this.#ring.add([says.lost, this.#lost])) this.#lost = 0;
    if (this.#numbers.size >= mostTexts && this.#ring.add([says.forget])) this.#numbers.clear();
    const { at, duration, v2Calls, status, resource, key } = use;
    const frame = [
      tag,
      call,
      at,
      duration,
      v2Calls,
      status,
      typeof resource === 'string' ? resourceHash(resource) : (resource ?? NaN),
      this.#numberOf(use.endpoint),
      this.#numberOf(use.method),
      this.#numberOf(use.outcome),
      this.#numberOf(key?.prefix),
      this.#numberOf(key?.hash),
      this.#numberOf(use.workspace),
      this.#numberOf(use.client),
      this.#numberOf(use.name),
      this.#numberOf(use.address),
      this.#numberOf(product),
    ];
    return !frame.includes(noRoom) && this.#ring.add(frame);
  }

  #numberOf(text: string | null | undefined): number {
    if (text === undefined || text === null) return nothing;
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (!this.#ring.add([says.text, number], JSON.stringify(text))) return noRoom;
    this.#numbers.set(text, number);
    return number;
  }
}

/** Whether a call ended as it was about to, but for when. Nothing else of it changes once its answer ends. */
const isAlike = (one: Use, other: Use): boolean =>
  one.status === other.status && one.outcome === other.outcome && one.client === other.client && one.v2Calls === other.v2Calls;

/** Who is told of what a journal holds. */
export interface JournalListener {
  /** @param product undefined where the call is no use of v1 */
  use(use: Use, product: string | undefined): void;
  /** So many calls found no room in it. */
  lost(calls: number): void;
}

export class JournalReader {
  readonly #ring: RingReader;
  readonly #listener: JournalListener;
  readonly #texts = new Map<number, string>();
  readonly #answering = new Map<number, Told>();

  constructor(ring: RingReader, listener: JournalListener) {
    this.#ring = ring;
    this.#listener = listener;
  }

  /** Reads what is new. @returns how far it has read, for the writer */
  read(): number {
    this.#ring.read((frame) => this.#take(frame));
    return this.#ring.at;
  }

  /** Reads the rest of a writer that is gone: what it was answering when it ended has been answered. */
  end(): void {
    this.read();
    for (const { use, product } of this.#answering.values()) this.#listener.use(use, product);
    this.#answering.clear();
  }

  #take(frame: Frame): void {
    const [tag, number] = [frame.number(0), frame.number(1)];
    if (tag === says.text) this.#texts.set(number, String(JSON.parse(frame.text(2))));
    else if (tag === says.forget) this.#texts.clear();
    else if (tag === says.lost) this.#listener.lost(number);
    else if (tag === says.answering) this.#answering.set(number, this.#told(frame));
    else this.#takeOver(frame, tag, number);
  }

  #takeOver(frame: Frame, tag: number, call: number): void {
    const before = this.#answering.get(call);
    this.#answering.delete(call);
    const told =
      tag === says.over
        ? this.#told(frame)
        : before && { ...before, use: { ...before.use, at: frame.number(2), duration: frame.number(3) } };
    if (told !== undefined) this.#listener.use(told.use, told.product);
  }

  #told(frame: Frame): Told {
    const text = (index: number): string | undefined => this.#texts.get(frame.number(index));
    const [hash, prefix, keyHash] = [frame.number(6), text(10), text(11)];
    const use: Use = {
      at: frame.number(2),
      duration: frame.number(3),
      v2Calls: frame.number(4),
      status: frame.number(5),
      resource: Number.isNaN(hash) ? undefined : hash,
      endpoint: text(7) ?? '',
      method: text(8) ?? '',
      // Both ends are of one version.
      outcome: text(9) as Use['outcome'],
      key: prefix === undefined || keyHash === undefined ? undefined : { prefix, hash: keyHash },
      workspace: text(12) ?? null,
      client: text(13) ?? '',
      name: text(14) ?? null,
      address: text(15),
    };
    return { use, product: text(16) };
  }
}
