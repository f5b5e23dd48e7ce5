/**
 * The uses of a process that another one records: each is in the journal before the last of its answer leaves, so that whoever kills the process does
 * not take from the record what a client was answered. See docs/architecture/workers.md.
 */
import type { Use } from '../use.ts';
import { resourceHash } from '../resource-hash.ts';
import type { Frame, RingReader, RingWriter } from './ring.ts';

/** What a frame says, its first number. */
const says = { definition: 0, answering: 1, over: 2, asTold: 3, lost: 4, forget: 5 } as const;
/** Texts that are known by numbers, at most: clients can send any number of them. */
const mostDefined = 10_000;
const nothing = -1;
/** How long what can wait waits to be written, at most, in milliseconds. */
const longest = 20;

/** What is the same of many uses. */
type Repeated = Pick<Use, 'endpoint' | 'method' | 'status' | 'outcome' | 'key' | 'workspace' | 'client' | 'name' | 'address'> & {
  readonly product: string | null;
};

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
    const repeated = this.#numberOf(use, product ?? null);
    if (repeated === undefined) return false;
    const { at, duration, v2Calls, resource } = use;
    const hash = typeof resource === 'string' ? resourceHash(resource) : (resource ?? NaN);
    return this.#ring.add([tag, call, repeated, at, duration, v2Calls, hash]);
  }

  /** @returns undefined where there is no room to define it */
  #numberOf({ endpoint, method, status, outcome, key, workspace, client, name, address }: Use, product: string | null): number | undefined {
    const same = `${key?.hash}\n${endpoint}\n${method}\n${status}\n${outcome}\n${client}\n${name}\n${address}\n${product}`;
    const known = this.#numbers.get(same);
    if (known !== undefined) return known;
    if (this.#numbers.size >= mostDefined) {
      if (!this.#ring.add([says.forget])) return undefined;
      this.#numbers.clear();
    }
    const repeated: Repeated = { endpoint, method, status, outcome, key, workspace, client, name, address, product };
    const number = this.#numbers.size;
    if (!this.#ring.add([says.definition, number], JSON.stringify(repeated))) return undefined;
    this.#numbers.set(same, number);
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
  readonly #defined = new Map<number, Repeated>();
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
    if (tag === says.definition) this.#defined.set(number, JSON.parse(frame.text(2)) as Repeated);
    else if (tag === says.forget) this.#defined.clear();
    else if (tag === says.lost) this.#listener.lost(number);
    else this.#takeCall(frame, tag, number);
  }

  #takeCall(frame: Frame, tag: number, call: number): void {
    if (tag === says.answering) {
      const told = this.#told(frame);
      if (told !== undefined) this.#answering.set(call, told);
      return;
    }
    const told = tag === says.over ? this.#told(frame) : this.#answering.get(call);
    this.#answering.delete(call);
    if (told === undefined) return;
    const use = tag === says.over ? told.use : { ...told.use, at: frame.number(2), duration: frame.number(3) };
    this.#listener.use(use, told.product);
  }

  #told(frame: Frame): Told | undefined {
    const defined = this.#defined.get(frame.number(2));
    if (defined === undefined) return undefined;
    const { product, ...same } = defined;
    const [at, duration, v2Calls, hash] = [frame.number(3), frame.number(4), frame.number(5), frame.number(6)];
    return { use: { ...same, at, duration, v2Calls, resource: Number.isNaN(hash) ? undefined : hash }, product: product ?? undefined };
  }
}
