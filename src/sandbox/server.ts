import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Assumptions } from '../contract/assumptions.ts';
import { v1ErrorBody } from '../contract/errors.ts';
import type { Clock } from './clock/clock.ts';
import { writeRefused } from './control/control.ts';
import { closeGrace, type DrainingServer } from './http/drain.ts';
import { createListener, type RefusedRow } from './http/listener.ts';

export interface ListenAddress {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** Where the API and the control surface are served. */
export interface ListenAddresses {
  readonly listen: ListenAddress;
  readonly admin: ListenAddress;
}

/** What answers there. */
export interface Handlers {
  readonly handler: RequestListener;
  readonly controlHandler: RequestListener;
}

/** What the listeners answer by, where there is no call. */
interface ListenParts {
  readonly clock: Clock;
  readonly assumptions: Assumptions;
}

/** Base addresses of the API and of the control surface. */
export interface Served {
  readonly url: string;
  readonly adminUrl: string;
}

export interface ListeningSandbox extends Served {
  /** Stops accepting, lets requests in flight finish within the grace, and closes connections as they fall idle. */
  close(): Promise<void>;
}

class SandboxListenError extends Error {
  readonly code = 'SANDBOX_LISTEN';
  constructor({ host, port }: ListenAddress, cause: Error) {
    super(`The sandbox cannot listen on ${host}:${port} (${cause.message}); free that port or choose another address`, { cause });
    this.name = 'SandboxListenError';
  }
}

export class SandboxClosedError extends Error {
  readonly code = 'SANDBOX_CLOSED';
  constructor() {
    super('The sandbox was closed; create another one');
    this.name = 'SandboxClosedError';
  }
}

/**
 * Serves the API, and the control surface beside it.
 * @param grace milliseconds of real time from close until what is still under way is cut
 * @throws SandboxListenError where an address cannot be listened on; then neither is
 */
export async function listenSandbox(
  { handler, controlHandler }: Handlers,
  { listen, admin }: ListenAddresses,
  { clock, assumptions }: ListenParts,
  grace = closeGrace,
): Promise<ListeningSandbox> {
  const writeV1 = (row: RefusedRow): string => JSON.stringify(v1ErrorBody(row, assumptions));
  const api = await open(createListener(handler, { clock, write: writeV1, grace }), listen);
  try {
    const control = await open(createListener(controlHandler, { clock, write: writeRefused, grace }), admin);
    return {
      url: api.url,
      adminUrl: control.url,
      close: async () => {
        await Promise.all([api.close(), control.close()]);
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

async function open(server: DrainingServer, address: ListenAddress): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Throws at once where the port is no number that a port can have.
    server.listen(address, resolve);
  }).catch((error: Error) => {
    throw new SandboxListenError(address, error);
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
