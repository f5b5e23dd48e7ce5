/** Reading bodies into memory, always within a bound. */
import type { IncomingMessage } from 'node:http';

export type ReadBody = Buffer | 'too large' | 'gone';

/**
 * Reads a request body.
 * @param limit bytes at most
 * @returns the bytes; `too large` as soon as that is known; `gone` where the client left before the end
 */
export function readBody(req: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: ReadBody): void => {
      req.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) settle('too large');
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size));
    const onClose = (): void => settle('gone');
    // The error of a broken upload is followed by close.
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', ignore);
  });
}

const ignore = (): void => undefined;

/** Collects chunks up to a bound. */
export class Collector {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns false once the chunks no longer fit */
  add(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size > this.#limit) return false;
    this.#chunks.push(chunk);
    return true;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}
