/** What each client connection is serving: one request at a time. It tells to whom an error belongs that comes with the connection only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Call, breakConnection } from './call.ts';
import type { FailureId } from './failures.ts';
import { inTurn, isHeld } from './turn.ts';

type Serve = (req: IncomingMessage, res: ServerResponse) => Call | undefined;

interface Connection {
  /** The answer under way, or the last one that was. */
  serving: ServerResponse;
  call: Call | undefined;
  /** Whether what follows on it cannot be told from the rest of a broken request. */
  broken: boolean;
  /** Bytes that the client had taken when it was last looked at with bytes to take. */
  taken: number;
}

/** RFC 9110 §9.2.1. */
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export class Connections {
  // Not a WeakMap: its entries are dear to the garbage collector.
  readonly #all = new Map<Duplex, Connection>();
  readonly #looking: NodeJS.Timeout;
  #closing = false;

  /** @param patience how long a client may take nothing of its answer, in milliseconds; it loses the answer within twice that */
  constructor(patience: number) {
    // One timer for all: a timer for each answer would cost every call for the sake of very few.
    // Not at once: a process that stood still (SIGSTOP, a machine that was suspended) has yet to hear of what clients took meanwhile.
    this.#looking = setInterval(() => setImmediate(() => this.#endStalled()), patience).unref();
  }

  /** Serves a request once those before it on its connection are answered. */
  serve(serve: Serve, req: IncomingMessage, res: ServerResponse): void {
    inTurn(req, res, () => this.#start(serve, req, res));
  }

  #start(serve: Serve, req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    let connection = this.#all.get(socket);
    if (connection === undefined) {
      this.#all.set(socket, (connection = { serving: res, call: undefined, broken: false, taken: -1 }));
      socket.once('close', () => this.#all.delete(socket)).once('end', () => this.#ended(socket));
    } else if (connection.broken) return;
    if (this.#closing) res.shouldKeepAlive = false;
    connection.serving = res;
    connection.call = serve(req, res);
  }

  /**
   * A client that ends its side has nearly always left: what it only wanted to read, and what nobody was sent yet, is given up. But it can end it alone and
   * wait for its answer (RFC 9293 §3.6), and if that is lost of something that the API was told to do, it does it again.
   */
  #ended(socket: Socket): void {
    const connection = this.#all.get(socket);
    // Of a request that ends too early Node tells, and a connection without a call it ends.
    if (connection === undefined || connection.serving.closed || !connection.serving.req.complete) return;
    const { serving, call } = connection;
    if (call !== undefined && call.reached && !safe.has(serving.req.method ?? '')) this.fault(socket, 'badRequest', () => socket.end());
    else socket.end();
  }

  /**
   * Sees to a call that is under way on a connection which Node gave up for a CONNECT or an upgrade: its answer is owed first (RFC 9112 §9.3.2), and
   * behind it there is nothing, as nobody knows how the client goes on that was not answered.
   * @param hangUp ends the connection
   * @returns false where no call is under way
   */
  leaveHttp(socket: Duplex, hangUp: () => void): boolean {
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.serving.closed) return false;
    const { serving } = connection;
    // Node has taken its own listeners away, also that which lets an answer go on that the client was slow to take.
    socket.on('error', () => socket.destroy()).on('drain', () => serving.emit('drain'));
    // What still comes is dropped; who does not read does not see that the client leaves.
    socket.resume();
    return this.fault(socket, 'badRequest', hangUp);
  }

  /** Whether a client has still to take some of an answer that was handed over whole: http takes its connection for idle already. */
  get isDelivering(): boolean {
    return [...this.#all.values()].some(({ serving }) => serving.writableEnded && !serving.closed);
  }

  /**
   * Sees to a call that is under way on a connection whose next bytes are no request.
   * @param hangUp ends the connection
   * @returns false where no call is under way, and the error is to be answered by itself
   */
  fault(socket: Duplex, id: FailureId, hangUp: () => void): boolean {
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.serving.closed) return false;
    if (id === 'requestTimeout' && socket instanceof Socket && isHeld(socket)) return true;
    const { serving, call } = connection;
    connection.broken = true;
    // The fault is in what follows the request, or comes after its answer: that is owed all the same.
    if (serving.req.complete || serving.writableEnded) serving.once('close', hangUp);
    else if (call === undefined || serving.headersSent) breakConnection(serving);
    else call.abandon(id);
    return true;
  }

  /** A client that takes nothing would hold its connection to v2 for ever. */
  #endStalled(): void {
    for (const connection of this.#all.values()) {
      const { serving } = connection;
      const { socket } = serving.req;
      // Without an answer under way, what is written is not http's: an upgraded connection has limits of its own.
      const taken = serving.closed || socket.writableLength === 0 ? -1 : socket.bytesWritten - socket.writableLength;
      const stalled = taken >= 0 && taken === connection.taken;
      connection.taken = taken;
      if (stalled && connection.call !== undefined) connection.call.fail('clientTimeout', new Error('The client takes nothing'));
      else if (stalled) breakConnection(serving);
    }
  }

  /** From now on every answer ends its connection, those under way included. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#looking);
    for (const { serving } of this.#all.values()) if (!serving.headersSent) serving.shouldKeepAlive = false;
  }
}
