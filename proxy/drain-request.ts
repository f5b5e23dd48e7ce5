/**
 * After an answer to a request that was not read to its end: reads and drops the rest for a while. Closing at once would reset the
 * connection, and a client still sending would lose the answer (RFC 9112 §9.6); reading for ever would serve nobody.
 */
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Milliseconds in which nothing comes, and in all, as nginx has them (lingering_timeout, lingering_time). */
const idleTime = 5_000;
const wholeTime = 30_000;
/** Bytes of a body that are waited for. */
const maxBytes = 16 * 1024 * 1024;

export function drainRequest(req: IncomingMessage): void {
  // The second is true of a request without a body before Node has seen its end, and no event will tell of that.
  if (req.complete || req.readableEnded) return;
  let dropped = 0;
  const done = closeAfterWaiting(req.socket);
  req
    .on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > maxBytes) req.socket.destroy();
    })
    .on('close', done)
    .on('end', done)
    .on('error', done);
  req.resume();
}

/**
 * Ends a connection that has no request object, and reads on until the client ends it as well.
 * @param answer what is still to be sent
 */
export function hangUp(socket: Duplex, answer = ''): void {
  socket.on('error', () => socket.destroy()).once('close', closeAfterWaiting(socket));
  socket.end(answer);
  socket.resume();
}

/** @returns what ends the wait before the time is over */
function closeAfterWaiting(socket: Duplex): () => void {
  let read = bytesRead(socket);
  const idle = setInterval(() => {
    const before = read;
    read = bytesRead(socket);
    if (read === before) close();
  }, idleTime);
  const whole = setTimeout(() => close(), wholeTime);
  const done = (): void => {
    clearInterval(idle);
    clearTimeout(whole);
  };
  const close = (): void => {
    done();
    socket.destroy();
  };
  return done;
}

/** What reads them may be a parser that gave up, which shows nobody what comes. */
function bytesRead(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesRead : 0;
}
