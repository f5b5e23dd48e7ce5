/** Runs programs in one process that lives long, and tells what a server was asked meanwhile. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
}

export class ProgramRunner implements AsyncDisposable {
  readonly base: string;
  readonly #server: Server;
  readonly #child: ChildProcess;
  #asked: Asked[];

  private constructor(server: Server, child: ChildProcess, asked: Asked[]) {
    this.#server = server;
    this.#child = child;
    this.#asked = asked;
    // A listening TCP server's address is no string.
    const { port } = server.address() as AddressInfo;
    this.base = `http://127.0.0.1:${port}`;
  }

  /** @param key what the programs find in their environment */
  static async start(key: string): Promise<ProgramRunner> {
    const asked: Asked[] = [];
    const server = createServer((req, res) => {
      const { 'x-api-key': apiKey, authorization } = req.headers;
      asked.push({ method: req.method, path: req.url, apiKey: apiKey?.toString(), authorization });
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{"success":true,"data":{}}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const child = fork(fileURLToPath(new URL('./run.mjs', import.meta.url)), [], {
      env: { PATH: process.env['PATH'], API_KEY: key },
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        '--disable-warning=DeprecationWarning',
        '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      ],
    });
    return new ProgramRunner(server, child, asked);
  }

  /**
   * What the server was asked by the program.
   * @throws Error with what the program threw
   */
  async run(entry: string): Promise<readonly Asked[]> {
    this.#asked.length = 0;
    const answered = once(this.#child, 'message');
    this.#child.send(entry);
    // What run.mjs sends.
    const [error]: (string | null)[] = await answered;
    if (error !== null) throw new Error(error);
    return [...this.#asked];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.disconnect();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
