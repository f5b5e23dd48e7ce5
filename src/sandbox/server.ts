import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DrainingServer } from './drain.ts';
import type { Sandbox } from './sandbox.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

export interface ListeningSandbox {
  readonly url: string;
  readonly adminUrl: string;
  /** Stops accepting, lets requests in flight finish, and closes connections as they fall idle. */
  close(): Promise<void>;
}

class SandboxListenError extends Error {
  readonly code = 'SANDBOX_LISTEN';
  constructor({ host, port }: ListenAddress, cause: Error) {
    super(`The sandbox cannot listen on ${host}:${port} (${cause.message}); free that port or choose another address`, { cause });
    this.name = 'SandboxListenError';
  }
}

/**
 * Serves a sandbox, and an admin server with GET /healthz beside it.
 * @throws SandboxListenError where an address cannot be listened on; then neither is
 */
export async function listenSandbox(
  sandbox: Sandbox,
  { listen, admin }: { readonly listen: ListenAddress; readonly admin: ListenAddress },
): Promise<ListeningSandbox> {
  const api = await open(sandbox.handler, listen);
  try {
    const health = await open(answerHealth, admin);
    return {
      url: api.url,
      adminUrl: health.url,
      close: async () => {
        // Or the close would wait for answers that a fault delays.
        sandbox.faults.stop();
        await Promise.all([api.close(), health.close()]);
      },
    };
  } catch (error) {
    await api.close();
    throw error;
  }
}

interface Listener {
  readonly url: string;
  close(): Promise<void>;
}

async function open(handler: RequestListener, address: ListenAddress): Promise<Listener> {
  const server = new DrainingServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new SandboxListenError(address, error)));
    server.listen(address, resolve);
  });
  return {
    url: urlOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function urlOf(server: Server): string {
  // A server that listens on a port has an AddressInfo, never a pipe's name.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

const answerHealth: RequestListener = (req, res) => {
  const healthy = req.method === 'GET' && req.url === '/healthz';
  const content = JSON.stringify(healthy ? { status: 'ok' } : { error: 'Not found' });
  res.writeHead(healthy ? 200 : 404, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(content) });
  res.end(content);
};
