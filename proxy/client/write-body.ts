/** Writes a request: its head and its body, in one piece where they are there at once. */
import type { Socket } from 'node:net';
import { errors } from '../undici.ts';
import type { RequestHead } from './request-head.ts';

/** Bytes of a body that is copied to its head at most: Node hands two pieces to the system at a fifth more than one text (bench/README.md). */
const oneWrite = 16 * 1024;

export interface Writing {
  /** Whether the method has a body, also where it is empty (RFC 9110 §8.6). */
  readonly expectsBody: boolean;
  /**
   * Is told before the first byte: what comes from v2 until then answers no request. A client may take long to send the first part of a
   * body, without which its head does not leave.
   */
  begins(): void;
  /** Whether anybody still waits for an answer. */
  goesOn(): boolean;
  /** Is told of each part of a body that comes in parts. */
  wrote(): void;
}

/**
 * Writes the rest of a head, and the body.
 * @returns nothing where that is all done; otherwise when it is. It is rejected where the body breaks, or is not as long as it was said to be
 */
export function writeBody(
  socket: Socket,
  head: RequestHead,
  body: Buffer | AsyncIterable<Buffer> | null,
  writing: Writing,
): Promise<void> | undefined {
  if (body !== null && !Buffer.isBuffer(body)) return writeParts(socket, head, body, writing);
  const length = body?.length ?? 0;
  if (head.length !== undefined && head.length !== length) throw new errors.RequestContentLengthMismatchError();
  writing.begins();
  if (body === null || length === 0) socket.write(withoutBody(head, writing), 'latin1');
  else writeTogether(socket, `${head.text}content-length: ${length}\r\n\r\n`, body, '');
  return undefined;
}

const withoutBody = ({ text }: RequestHead, { expectsBody }: Writing): string => `${text}${expectsBody ? 'content-length: 0\r\n' : ''}\r\n`;

function writeTogether(socket: Socket, before: string, bytes: Buffer, after: string): void {
  if (bytes.length <= oneWrite) return void socket.write(before + bytes.toString('latin1') + after, 'latin1');
  socket.cork();
  socket.write(before, 'latin1');
  socket.write(bytes);
  if (after !== '') socket.write(after, 'latin1');
  socket.uncork();
}

async function writeParts(socket: Socket, head: RequestHead, body: AsyncIterable<Buffer>, writing: Writing): Promise<void> {
  const { text, length } = head;
  let written = 0;
  for await (const chunk of body) {
    if (!writing.goesOn()) return;
    if (chunk.length === 0) continue;
    // What is longer than it was said to be would be the next request.
    if (length !== undefined && written + chunk.length > length) throw new errors.RequestContentLengthMismatchError();
    if (written === 0) writing.begins();
    const begin =
      written === 0 ? `${text}${length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`}\r\n\r\n` : '';
    if (length === undefined) writeTogether(socket, `${begin}${chunk.length.toString(16)}\r\n`, chunk, '\r\n');
    else writeTogether(socket, begin, chunk, '');
    written += chunk.length;
    writing.wrote();
    if (socket.writableNeedDrain) await drained(socket);
  }
  if (!writing.goesOn()) return;
  if (length !== undefined && written !== length) throw new errors.RequestContentLengthMismatchError();
  if (written === 0) {
    writing.begins();
    socket.write(withoutBody(head, writing), 'latin1');
  } else if (length === undefined) socket.write('0\r\n\r\n', 'latin1');
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
