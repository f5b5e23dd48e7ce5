import buffer from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject, maxDepth, nestsDeeper, parseJson, withExactNumbers } from '../values/json.ts';
import { badRequest, type Refusal } from '../service/outcome.ts';

/** Largest request body in bytes that is read. */
export const maxBody = 10 * 1024 * 1024;

class BodyConsumedError extends Error {
  readonly code = 'SANDBOX_BODY_CONSUMED';
  constructor() {
    super('The request body was read before the sandbox got it; mount the sandbox before any body parser');
    this.name = 'BodyConsumedError';
  }
}

/** Whether a request has a body: its head says so (RFC 9112 §6). */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the media type is JSON, in any case and with any parameters (RFC 9110 §8.3.1). */
export function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/**
 * Reads a body; gives nothing when it is larger than `max` bytes: then what still comes is dropped.
 * Never resolves when the client goes away before the end.
 * @throws BodyConsumedError where somebody (a body parser) has read it before: waiting for it would hang for ever
 */
export async function readBody(req: IncomingMessage, max: number): Promise<Buffer | undefined> {
  if (req.readableDidRead || req.readableEnded) throw new BodyConsumedError();
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  if (Number(req.headers['content-length']) > max) resolve(undefined);
  else gather(req, max, resolve);
  return promise;
}

function gather(req: IncomingMessage, max: number, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= max) {
      chunks.push(chunk);
      return;
    }
    // The stream flows on without a listener: what still comes is dropped, and the connection stays good.
    req.off('data', take).off('end', end);
    done(undefined);
  };
  const end = (): void => done(Buffer.concat(chunks));
  req.on('data', take).on('end', end);
}

/**
 * The object that a body holds, or why it is refused.
 * @param exact whether its numbers are kept as they are written, and not counted with
 */
export function parseBody(bytes: Buffer, exact: boolean): { readonly body: JsonObject } | Refusal {
  // JSON must be UTF-8 (RFC 8259 §8.1).
  const text = buffer.isUtf8(bytes) ? bytes.toString() : '';
  const value = parseJson(text);
  if (value === undefined) return { refused: 'invalidJson' };
  if (!isJsonObject(value) || nestsDeeper(value, maxDepth)) return badRequest;
  const read = exact ? withExactNumbers(value, text) : value;
  return isJsonObject(read) ? { body: read } : badRequest;
}
