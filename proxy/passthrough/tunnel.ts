/** The connection of a client that switched protocols (RFC 9110 §7.8). */
import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { hangUp } from '../drain-request.ts';

/**
 * An answer to a request that asks for an upgrade, for as long as none was granted. It closes the connection.
 * @returns undefined where the connection cannot be answered; it is closed then
 */
export function answerOn(req: IncomingMessage, socket: Duplex): { readonly res: ServerResponse; readonly socket: Socket } | undefined {
  // Node has taken its own listeners away.
  socket.on('error', ignore);
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  try {
    // Throws where an earlier request of this connection has no answer yet: ours would be taken for that one's.
    if (!(socket instanceof Socket)) throw new TypeError('An upgrade needs a socket');
    res.assignSocket(socket);
  } catch {
    socket.destroy();
    return undefined;
  }
  socket.on('drain', () => res.emit('drain'));
  res.once('finish', () => hangUp(socket));
  return { res, socket };
}

/**
 * Once one side has closed, the other gets what is under way and closes too; http-proxy-3 would only half-close it. A side that takes
 * nothing of what is under way is closed as well: meanwhile nothing is read from the other, not even that it has left.
 * @param patience milliseconds without progress; a connection on which nothing is under way may be silent for ever
 */
export function closeTogether(one: Socket, other: Socket, patience: number): void {
  for (const [side, facing] of [
    [one, other],
    [other, one],
  ] as const) {
    side.once('close', () => facing.destroySoon());
    side.setTimeout(patience);
    side.on('timeout', () => {
      if (side.writableLength > 0) side.destroy();
    });
  }
}

const ignore = (): void => undefined;
