import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds of real time in which the rest of a request that was answered already may still come. */
const longest = 5_000;

/**
 * Ends an answer whose head is written. Where the connection closes with it and the request is still coming, it ends once that has come:
 * a server that closed before would reset the connection, and take the answer away from a client that is still sending
 * (RFC 9112 §9.6). It ends with a client that leaves, too, and a client that never ends is cut off.
 * @param linger milliseconds until then
 */
export function finish(res: ServerResponse, content: string, linger = longest): void {
  const { req } = res;
  if (res.shouldKeepAlive || req.complete) {
    res.end(content);
    return;
  }
  res.flushHeaders();
  if (content !== '') res.write(content);
  const end = (): void => void res.end();
  req.once('close', end);
  whenItsTurn(res, (socket) => {
    const timer = setTimeout(() => socket.destroy(), linger).unref();
    // Half of a request is no request: at its end node:http closes neither, as a client may read on.
    socket.once('end', end).once('close', () => clearTimeout(timer));
  });
  req.resume();
}

/** Behind answers to earlier requests on its connection an answer has no socket yet. */
export function whenItsTurn(res: ServerResponse, act: (socket: Socket) => void): void {
  if (res.socket === null) res.once('socket', act);
  else act(res.socket);
}

/** Whether no answer can be sent any more: what came after the head was no HTTP, and the listener has said so, or the client has left. */
export function isAnswered(res: ServerResponse): boolean {
  return res.headersSent || res.destroyed;
}
