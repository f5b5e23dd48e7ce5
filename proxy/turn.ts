/**
 * Whose turn it is on a connection: a request is carried out once its answer is the next to be sent, so that answers keep the order of their
 * requests (RFC 9112 §9.3.2), a read after a write sees what was written, and nothing behind the last answer of a connection is processed
 * (RFC 9112 §9.6). Node keeps the order: it gives its socket to one answer at a time, and to none after one with `Connection: close`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests on one connection that may wait before no more are read from it. A browser that pipelines sends a handful. */
const maxWaiting = 100;

interface Queue {
  waiting: number;
  /** Whether reading is stopped until half of them are answered. */
  held: boolean;
}

// Only connections that pipeline get an entry, and keep it while they do.
const queues = new WeakMap<Socket, Queue>();

/** Calls `carryOut` when it is the turn of a request: at once, later, or never, where its connection ends before. */
export function inTurn(req: IncomingMessage, res: ServerResponse, carryOut: () => void): void {
  const begin = (): void => {
    // Not writable: the answer before was the last one, or the client has left.
    if (res.socket?.writable === true) carryOut();
  };
  if (res.socket !== null) return begin();
  const { socket } = req;
  const queue = queues.get(socket) ?? { waiting: 0, held: false };
  queues.set(socket, queue);
  if (++queue.waiting >= maxWaiting) hold(socket, queue);
  res.once('socket', () => {
    if (--queue.waiting === 0) queues.delete(socket);
    if (queue.held && queue.waiting <= maxWaiting / 2) {
      queue.held = false;
      socket.resume();
    }
    // Not within the event: Node has not yet done with the answer.
    process.nextTick(begin);
  });
}

function hold(socket: Socket, queue: Queue): void {
  queue.held = true;
  // Node resumes the socket at the end of each request, in a tick of its own; a microtask comes after that.
  queueMicrotask(() => {
    if (queue.held) socket.pause();
  });
}

/** Whether nothing is read from a connection because too many of its requests wait: what has not come is not the client's delay. */
export function isHeld(socket: Socket): boolean {
  return queues.get(socket)?.held === true;
}
