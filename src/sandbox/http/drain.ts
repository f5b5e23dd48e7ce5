import { Server, type RequestListener, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Milliseconds of real time that calls under way have once a server closes: a call takes less, and `docker stop` waits for 10 s. */
export const closeGrace = 5_000;

/**
 * An HTTP server whose close() lets every answer reach its client, and ends each connection as soon as it has none under way.
 *
 * Node's own closeIdleConnections(), which close() calls, takes a connection for idle once its answer was handed over, even
 * where a slow client has read only a part of it, and cuts the rest off; and it is not called again for the connections that
 * fall idle later, which then stay for the keep-alive time. Nor does it end what never ends by itself: a request of which the
 * rest does not come, and an answer that nobody reads; after the grace both are cut.
 */
export class DrainingServer extends Server {
  readonly #connections = new Set<Socket>();
  readonly #unfinished = new Set<ServerResponse>();

  readonly #grace: number;

  /** @param grace milliseconds from close() until what is still under way is cut */
  constructor(handler: RequestListener, grace: number, options: ServerOptions = {}) {
    super(options);
    this.#grace = grace;
    this.on('connection', (socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    this.on('request', (req, res) => {
      this.#unfinished.add(res);
      res.once('close', () => {
        this.#unfinished.delete(res);
        if (!this.listening) this.closeIdleConnections();
      });
      handler(req, res);
    });
  }

  /** The last answer that a connection still waits for. */
  owedTo(socket: Duplex): ServerResponse | undefined {
    return [...this.#unfinished].findLast((res) => res.req.socket === socket);
  }

  override close(done?: (error?: Error) => void): this {
    const timer = setTimeout(() => this.#connections.forEach((socket) => socket.destroy()), this.#grace);
    this.once('close', () => clearTimeout(timer));
    return super.close(done);
  }

  override closeIdleConnections(): void {
    const busy = new Set([...this.#unfinished].map((res) => res.req.socket));
    for (const socket of this.#connections) if (!busy.has(socket)) socket.destroySoon();
  }
}
