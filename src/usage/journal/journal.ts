/**
 * The uses of a process that another one records: each is in the journal before the last of its answer leaves, so that whoever kills the process does
 * not take from the record what a client was answered. See docs/architecture/workers.md.
 */
import type { Use } from '../use.ts';
import { resourceHash } from '../resource-hash.ts';
import type { Frame, RingReader, RingWriter } from './ring.ts';

/** What a frame says, its first number. */
const says = { definition: 0, answering: 1, over: 2, lost: 3, forget: 4 } as const;
/** Texts that are known by numbers, at most: clients can send any number of them. */
const mostDefined = 10_000;
const nothing = -1;

/** What is the same of many uses. */
type Repeated = Pick<Use, 'endpoint' | 'method' | 'status' | 'outcome' | 'key' | 'workspace' | 'client' | 'name' | 'address'> & {
  readonly product: string | null;
};

export class JournalWriter {
  readonly #ring: RingWriter;
  readonly #numbers = new Map<string, number>();
  /** Calls whose answers are about to end, by their numbers. */
  readonly #answering = new Map<object, number>();
  #calls = 0;
  #lost = 0;

  constructor(ring: RingWriter) {
    this.#ring = ring;
  }

  /** Notes a call to v1 whose answer is about to end. */
  answering(use: Use, product: string, call: object): void {
    const number = ++this.#calls;
    if (this.#write(says.answering, number, use, product)) this.#answering.set(call, number);
  }

  /** Notes a call that is over, in place of what `answering` noted of it. */
  add(use: Use, product?: string, call?: object): void {
    const number = call === undefined ? undefined : this.#answering.get(call);
    if (call !== undefined) this.#answering.delete(call);
    if (!this.#write(says.over, number ?? nothing, use, product ?? null)) this.#lost++;
  }

  #write(tag: number, call: number, use: Use, product: string | null): boolean {
    if (this.#lost > 0 && this.#ring.write([says.lost, this.#lost])) this.#lost = 0;
    const repeated = this.#numberOf(use, product);
    if (repeated === undefined) return false;
    const { at, duration, v2Calls, resource } = use;
    const hash = typeof resource === 'string' ? resourceHash(resource) : (resource ?? NaN);
    return this.#ring.write([tag, call, repeated, at, duration, v2Calls, hash]);
  }

  /** @returns undefined where there is no room to define it */
  #numberOf({ endpoint, method, status, outcome, key, workspace, client, name, address }: Use, product: string | null): number | undefined {
    const same = `${key?.hash}\n${endpoint}\n${method}\n${status}\n${outcome}\n${client}\n${name}\n${address}\n${product}`;
    const known = this.#numbers.get(same);
    if (known !== undefined) return known;
    if (this.#numbers.size >= mostDefined) {
      if (!this.#ring.write([says.forget])) return undefined;
      this.#numbers.clear();
    }
    const repeated: Repeated = { endpoint, method, status, outcome, key, workspace, client, name, address, product };
    const number = this.#numbers.size;
    if (!this.#ring.write([says.definition, number], JSON.stringify(repeated))) return undefined;
    this.#numbers.set(same, number);
    return number;
  }
}

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
  readonly #answering = new Map<number, { readonly use: Use; readonly product: string | undefined }>();

  constructor(ring: RingReader, listener: JournalListener) {
    this.#ring = ring;
    this.#listener = listener;
  }

  /** Reads what is new. @returns how far it has read, for the writer */
  read(): number {
    for (const frame of this.#ring.read()) this.#take(frame);
    return this.#ring.at;
  }

  /** Reads the rest of a writer that is gone: what it was answering when it ended has been answered. */
  end(): void {
    this.read();
    for (const { use, product } of this.#answering.values()) this.#listener.use(use, product);
    this.#answering.clear();
  }

  #take(frame: Frame): void {
    const [tag, number = 0] = frame.numbers;
    if (tag === says.definition) this.#defined.set(number, JSON.parse(frame.text(2)) as Repeated);
    else if (tag === says.forget) this.#defined.clear();
    else if (tag === says.lost) this.#listener.lost(number);
    else this.#takeUse(frame, tag === says.over, number);
  }

  #takeUse({ numbers }: Frame, isOver: boolean, call: number): void {
    const [, , repeated = nothing, at = 0, duration = 0, v2Calls = 0, hash = NaN] = numbers;
    const defined = this.#defined.get(repeated);
    if (defined === undefined) return;
    const { product, ...same } = defined;
    const use: Use = { ...same, at, duration, v2Calls, resource: Number.isNaN(hash) ? undefined : hash };
    if (!isOver) return void this.#answering.set(call, { use, product: product ?? undefined });
    if (call !== nothing) this.#answering.delete(call);
    this.#listener.use(use, product ?? undefined);
  }
}
