/**
 * Notes over NOTIFY and LISTEN, on a connection of their own. That one hears is not to be seen from a connection that is open – it may be broken and
 * nobody has noticed, or a pooler may be in between, which hands no notes on –, but from one's own notes that come back. So each replica gives a sign
 * every second: who hears its own, and those of all that it has heard before, misses nothing. One that falls silent was killed, or cannot tell
 * any more what it does; after ten seconds it is taken for killed, as in `src/budget/fleet.ts`.
 */
import { randomUUID } from 'node:crypto';
import type { NoteListener, Notes } from '../notes.ts';
import { Connection, type Patience } from './connection.ts';

const channel = 'migrate_v2_notes';
const patience: Patience = { answer: 1_500, others: 1_500 };

/** How often a sign is given, in milliseconds. */
const signEvery = 1_000;
/** Without a sign for so long, somebody is not heard. */
const heardFor = 2_500;
const goneAfter = 10_000;
/** What is still to be told; those that wait while the store is away are not. */
const mostWaiting = 10_000;

interface Envelope {
  readonly from: string;
  readonly text?: string;
  readonly ends?: boolean;
}

export class PostgresNotes implements Notes {
  readonly #address: string;
  readonly #clock: () => number;
  readonly #id = randomUUID();
  /** When each replica was last heard of, this one among them. */
  readonly #heard = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #listener: NoteListener | undefined;
  #connection: Connection | undefined;
  #isOpening = false;
  /** What is being told, and all that waits. */
  #telling: Promise<void> | undefined;
  #isClosed = false;
  /** Until when all are heard, if nothing more comes. */
  #until = 0;
  #waiting: Envelope[] = [];

  /** @throws nothing: it connects in the background, and again where a connection is lost */
  constructor(address: string, clock: () => number = () => performance.now(), every = signEvery) {
    this.#address = address;
    this.#clock = clock;
    this.#timer = setInterval(() => this.#sign(), every).unref();
    this.#sign();
  }

  get hears(): boolean {
    return this.#clock() < this.#until;
  }

  tell(text: string): void {
    this.#say({ from: this.#id, text });
  }

  listen(listener: NoteListener): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#say({ from: this.#id, ends: true });
    this.#isClosed = true;
    clearInterval(this.#timer);
    // The server would finish a query without its connection: the others would hear a sign after the end, and wait for the next.
    await this.#telling;
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close().catch(() => undefined);
  }

  #sign(): void {
    if (this.#connection === undefined) void this.#open();
    else this.#say({ from: this.#id });
  }

  #say(envelope: Envelope): void {
    if (this.#isClosed || this.#connection === undefined || this.#waiting.length >= mostWaiting) return;
    this.#waiting.push(envelope);
    this.#telling ??= this.#tell();
  }

  /** One query at a time, with all that waits. */
  async #tell(): Promise<void> {
    while (this.#connection !== undefined && this.#waiting.length > 0) {
      const connection = this.#connection;
      const texts = this.#waiting.splice(0).map((envelope) => JSON.stringify(envelope));
      try {
        await connection.rows('SELECT pg_notify($1, note) FROM unnest($2::text[]) AS given (note)', [channel, texts]);
      } catch {
        this.#leave(connection);
      }
    }
    this.#telling = undefined;
  }

  async #open(): Promise<void> {
    if (this.#isOpening || this.#isClosed) return;
    this.#isOpening = true;
    let opened: Connection | undefined;
    try {
      opened = await Connection.open(this.#address, patience, () => opened && this.#leave(opened));
      await opened.listen(channel, (text) => this.#hear(text));
      if (this.#isClosed) await opened.close();
      else this.#connection = opened;
      this.#say({ from: this.#id });
    } catch {
      // The next sign tries again.
      if (opened !== undefined) this.#leave(opened);
    }
    this.#isOpening = false;
  }

  /** Whoever does not hear its own signs any more knows that it misses some. */
  #leave(connection: Connection): void {
    if (this.#connection === connection) {
      this.#connection = undefined;
      this.#waiting = [];
      this.#heard.delete(this.#id);
      this.#until = 0;
    }
    connection.close().catch(() => undefined);
  }

  #hear(payload: string): void {
    const { from, text, ends } = envelopeOf(payload);
    if (from === undefined) return;
    const now = this.#clock();
    const last = this.#heard.get(from);
    // What it told before its first sign, or while it was silent, nobody has heard.
    const isNew = last === undefined || now - last > heardFor;
    const wasDeaf = now >= this.#until;
    if (ends === true) this.#heard.delete(from);
    else this.#heard.set(from, now);
    this.#reckon(now);
    if (ends !== true && (isNew || (wasDeaf && now < this.#until))) this.#listener?.missed();
    if (from !== this.#id && text !== undefined) this.#listener?.note(text);
  }

  #reckon(now: number): void {
    this.#until = this.#heard.has(this.#id) ? Infinity : 0;
    for (const [id, at] of this.#heard) {
      if (id !== this.#id && now - at > goneAfter) this.#heard.delete(id);
      else this.#until = Math.min(this.#until, at + heardFor);
    }
  }
}

function envelopeOf(payload: string): Partial<Envelope> {
  try {
    const value: unknown = JSON.parse(payload);
    if (typeof value !== 'object' || value === null) return {};
    const { from, text, ends }: Record<string, unknown> = { ...value };
    if (typeof from !== 'string') return {};
    return { from, ...(typeof text === 'string' && { text }), ...(ends === true && { ends }) };
  } catch {
    return {};
  }
}
