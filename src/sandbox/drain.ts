import { Server, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * An HTTP server whose close() lets every answer reach its client, and ends each connection as soon as it has none under way.
 *
 * Node's own closeIdleConnections(), which close() calls, takes a connection for idle once its answer was handed over, even
 * where a slow client has read only a part of it, and cuts the rest off; and it is not called again for the connections that
 * fall idle later, which then stay for the keep-alive time.
 */
export class DrainingServer extends Server {
  readonly #connections = new Set<Socket>();
  readonly #unfinished = new Set<ServerResponse>();

  constructor(handler: RequestListener) {
    super();
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

  override closeIdleConnections(): void {
    const busy = new Set([...this.#unfinished].map((res) => res.req.socket));
    for (const socket of this.#connections) if (!busy.has(socket)) socket.destroySoon();
  }
}
