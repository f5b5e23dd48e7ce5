/**
 * After an answer to a request that was not read to its end: reads and drops the rest for a while. Closing at once would reset the
 * connection, and a client still sending would lose the answer (RFC 9112 §9.6); reading for ever would serve nobody.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Milliseconds, and bytes, that are waited for at most. */
const maxTime = 2_000;
const maxBytes = 16 * 1024 * 1024;

export function drainRequest(req: IncomingMessage): void {
  if (req.complete) return;
  let dropped = 0;
  const stop = (): void => {
    clearTimeout(timer);
    req.socket.destroy();
  };
  const timer = setTimeout(stop, maxTime);
  req
    .on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > maxBytes) stop();
    })
    .on('close', () => clearTimeout(timer))
    .on('end', () => clearTimeout(timer))
    .on('error', () => clearTimeout(timer));
  req.resume();
}

/**
 * Ends a connection that has no request object, and reads on until the client ends it as well.
 * @param answer what is still to be sent
 */
export function hangUp(socket: Duplex, answer = ''): void {
  const timer = setTimeout(() => socket.destroy(), maxTime);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(timer));
  socket.end(answer);
  socket.resume();
}
