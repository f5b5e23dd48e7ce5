/**
 * Raw TCP for tests of framing: what is written goes out byte for byte, and what is read is what came.
 * Nothing here sleeps: every wait ends with an event, or the test runs into its own timeout.
 *
 *     const client = await connectRaw(port);
 *     client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
 *     const answer = await client.readAnswer();
 *
 *     const upstream = await listenRaw(async (connection) => {
 *       await connection.readUntil('\r\n\r\n');
 *       connection.write('HTTP/1.1 204 No Content\r\n\r\n');
 *     });
 */
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn, as they came. */
  readonly rawFields: readonly string[];
  /** Content without its chunked coding. */
  readonly body: Buffer;
  /** The values of a field, in their order; the name in any case. */
  values(name: string): string[];
}

/** How a connection ended: `end` after a FIN, `reset` after a RST. */
export type Ending = 'end' | 'reset';

/** One TCP connection, of either side. Characters of strings are bytes (latin1). */
/**
 * What a client of this Node can see of a reset that comes after bytes: libuv before 1.52 (Node 22) may tell it as an end. The reset itself
 * is on the wire all the same.
 */
export const resetsAfterBytes: readonly Ending[] = Number(process.versions.uv.split('.')[1]) < 52 ? ['end', 'reset'] : ['reset'];

export class RawConnection {
  readonly socket: Socket;
  /** Joined only where something is looked for: a long body comes in many parts. */
  #parts: Buffer[] = [];
  #length = 0;
  #ending: Ending | undefined;
  #waiting: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#parts.push(chunk);
      this.#length += chunk.length;
      this.#wake();
    });
    socket.on('end', () => this.#end('end'));
    socket.on('error', () => this.#end('reset'));
    socket.on('close', () => this.#end('end'));
  }

  /** Sends bytes; after the other side has gone, nothing happens. */
  write(bytes: string | Uint8Array): void {
    if (this.socket.writable) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Sends a FIN; this side goes on reading. */
  end(): void {
    this.socket.end();
  }

  /** Sends a RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Reads n bytes. @throws where the connection ends before */
  async read(n: number): Promise<Buffer> {
    await this.#until(() => this.#length >= n);
    return this.#take(n);
  }

  /** Reads up to and including a text, for example the empty line after a head. @throws where the connection ends before */
  async readUntil(text: string): Promise<string> {
    await this.#until(() => this.#joined().includes(text, 0, 'latin1'));
    return this.#take(this.#joined().indexOf(text, 0, 'latin1') + text.length).toString('latin1');
  }

  /** Reads whatever comes until the other side closes. */
  async readToEnd(): Promise<{ readonly bytes: Buffer; readonly ending: Ending }> {
    while (this.#ending === undefined) await this.#event();
    return { bytes: this.#take(this.#length), ending: this.#ending };
  }

  /** Waits until the other side has closed; what it sent before is dropped. */
  async ending(): Promise<Ending> {
    return (await this.readToEnd()).ending;
  }

  /**
   * Reads one answer, framed as RFC 9112 §6.3 says. A 1xx is an answer of its own, without content.
   * @param method of the request, because an answer to HEAD has no content
   * @throws where the connection ends or breaks before the answer is whole
   */
  async readAnswer(method = 'GET'): Promise<RawAnswer> {
    const [statusLine = '', ...lines] = (await this.readUntil('\r\n\r\n')).slice(0, -4).split('\r\n');
    const [, status = '', statusText = ''] = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(statusLine) ?? [];
    const rawFields = lines.flatMap((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
    const values = (name: string): string[] =>
      rawFields.filter((_, i) => i % 2 === 1 && rawFields[i - 1]?.toLowerCase() === name.toLowerCase());
    const bodiless = method === 'HEAD' || /^(?:1..|204|304)$/.test(status);
    const body = bodiless ? Buffer.alloc(0) : await this.#readBody(values);
    return { status: Number(status), statusText, rawFields, body, values };
  }

  async #readBody(values: (name: string) => string[]): Promise<Buffer> {
    if (values('transfer-encoding').length > 0) return this.readChunked();
    const [length] = values('content-length');
    if (length !== undefined) return this.read(Number(length));
    const { bytes, ending } = await this.readToEnd();
    if (ending === 'reset') throw new Error('The connection was reset within an answer');
    return bytes;
  }

  /** Reads a body in chunked coding (RFC 9112 §7.1), without trailers. */
  async readChunked(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (;;) {
      const size = Number.parseInt(await this.readUntil('\r\n'), 16);
      const chunk = await this.read(size);
      await this.readUntil('\r\n');
      if (size === 0) return Buffer.concat(chunks);
      chunks.push(chunk);
    }
  }

  #take(n: number): Buffer {
    const all = this.#joined();
    this.#parts = [all.subarray(n)];
    this.#length -= n;
    return all.subarray(0, n);
  }

  #joined(): Buffer {
    const [only] = this.#parts;
    if (only !== undefined && this.#parts.length === 1) return only;
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  async #until(enough: () => boolean): Promise<void> {
    while (!enough()) {
      if (this.#ending !== undefined)
        throw new Error(`The connection ended (${this.#ending}) after ${JSON.stringify(this.#joined().toString('latin1'))}`);
      await this.#event();
    }
  }

  #event(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #end(ending: Ending): void {
    this.#ending ??= ending;
    this.#wake();
  }
}

/** Connects to a port of 127.0.0.1. */
export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return new RawConnection(socket);
}

export interface RawServer {
  readonly port: number;
  /** Every connection so far, in the order of their coming. */
  readonly connections: readonly RawConnection[];
  /** Waits for the connection of that index. */
  connection(index: number): Promise<RawConnection>;
  /** Closes the listener and every connection. */
  close(): Promise<void>;
}

/**
 * Listens on a free port of 127.0.0.1.
 * @param serve talks to one connection; a read that fails because the other side left ends it quietly
 */
export async function listenRaw(serve: (connection: RawConnection, index: number) => Promise<void> | void): Promise<RawServer> {
  const connections: RawConnection[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new RawConnection(socket);
    const index = connections.push(connection) - 1;
    server.emit('raw');
    void (async () => serve(connection, index))().catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    async connection(index) {
      for (;;) {
        const connection = connections[index];
        if (connection !== undefined) return connection;
        await once(server, 'raw');
      }
    },
    async close() {
      for (const { socket } of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
