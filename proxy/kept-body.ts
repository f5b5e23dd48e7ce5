/** The body of a request that goes to v1, kept as far as it has been read: should v1 turn out to be gone, v2 is to have the whole of it. */
import type { IncomingMessage } from 'node:http';
import { type ReadBody, readBody } from './body.ts';

export class KeptBody {
  readonly #limit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #stopped = false;
  #reading: Promise<void> | undefined;

  /** @param limit bytes at most */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether nothing of what was read is missing. */
  get isWhole(): boolean {
    return this.#size <= this.#limit;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** The body as it arrives, for v1. What v1 does not take is dropped, unless it is to be read on: the connection must live to carry the answer. */
  async *arriving(req: IncomingMessage): AsyncGenerator<Buffer> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reading = promise;
    try {
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        this.#keep(chunk);
        yield chunk;
      }
    } finally {
      resolve();
      if (!this.#stopped) req.resume();
    }
  }

  /** Ends the reading for v1. @returns once nothing is read for it any more */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#reading;
  }

  /** The whole body: what was read, and what is still to come. */
  async readOn(req: IncomingMessage, limit: number): Promise<ReadBody> {
    const rest = req.readableEnded ? Buffer.alloc(0) : await readBody(req, limit - this.#size);
    return Buffer.isBuffer(rest) ? Buffer.concat([...this.#chunks, rest]) : rest;
  }

  #keep(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.isWhole) this.#chunks.push(chunk);
    else this.#chunks = [];
  }
}
