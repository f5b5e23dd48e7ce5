/**
 * A proxy within the proxy, which nobody but this process reaches: it answers a v1 request by asking v2, over a connection that never leaves the
 * memory. So what is compared takes every pass that a client's own call takes once it is translated.
 */
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { Collector } from '../body.ts';

/** A question takes so long at most, in milliseconds: v2 could drip its answer for days, and keep others from being asked. */
const longestQuestion = 30_000;

/** A request as a client sent it. */
export interface Question {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Names and values in turn, without those of the framing. */
  readonly fields: readonly string[];
  readonly body: Buffer | undefined;
}

export interface InnerAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly fields: readonly string[];
  /** Undefined where it is longer than is read. */
  readonly body: Buffer | undefined;
}

export type Serve = (req: IncomingMessage, res: ServerResponse) => void;

export class Inner {
  readonly #server: Server;
  readonly #serving = new Map<Duplex, Serve>();
  readonly #limit: number;

  /** @param limit bytes of an answer that are read at most */
  constructor(limit: number) {
    this.#limit = limit;
    // The client on the other side is this process: no time limits, and no event of a socket that a Duplex lacks.
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, (req, res) =>
      this.#serving.get(req.socket)?.(req, res),
    );
  }

  /**
   * Asks.
   * @param serve answers this question
   * @throws where the connection breaks before the answer has ended
   */
  async ask({ method, target, fields, body }: Question, serve: Serve): Promise<InnerAnswer> {
    const [near, far] = duplexPair();
    this.#serving.set(far, serve);
    this.#server.emit('connection', far);
    const tooLong = setTimeout(() => near.destroy(), longestQuestion);
    try {
      return await this.#exchange(near, { method, target, fields, body });
    } finally {
      clearTimeout(tooLong);
      this.#serving.delete(far);
      near.destroy();
      far.destroy();
    }
  }

  #exchange(connection: Duplex, { method, target, fields, body }: Question): Promise<InnerAnswer> {
    const framing = body === undefined ? [] : ['Content-Length', String(body.length)];
    const headers = ['Host', 'proxy', ...fields, ...framing, 'Connection', 'close'];
    return new Promise((resolve, reject) => {
      const req = request({ method, path: target, headers, createConnection: () => connection }, (res) => {
        const collector = new Collector(this.#limit);
        const answer = { status: res.statusCode ?? 0, fields: res.rawHeaders };
        res.on('data', (chunk: Buffer) => {
          if (!collector.add(chunk)) resolve({ ...answer, body: undefined });
        });
        res.on('end', () => resolve({ ...answer, body: collector.bytes() })).on('error', reject);
      });
      req.on('error', reject).end(body);
    });
  }
}
