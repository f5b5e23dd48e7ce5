import { request, type IncomingHttpHeaders } from 'node:http';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';

/** Where the clocks of test sandboxes stand until they are turned: v1 is deprecated, and not yet switched off. */
const start = '2026-08-01T12:00:00.000Z';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly body: unknown;
}

export interface CallOptions {
  /** Sent the way the path's version wants it; the demo workspace's read & write key where absent, none where null. */
  readonly key?: string | null;
  /** Sent as JSON with its Content-Type. */
  readonly json?: unknown;
  /** Sent as it is, with no Content-Type but that of `headers`. */
  readonly raw?: string | Buffer;
  /** Further fields, names and values in turn. */
  readonly headers?: readonly string[];
}

export interface TestSandbox extends Sandbox {
  readonly url: string;
  readonly adminUrl: string;
  /** @param endpoint method and target, as in `GET /v1/messages?page=2` */
  call(endpoint: string, options?: CallOptions): Promise<Reply>;
}

export type SandboxTestOptions = SandboxOptions;

/** A sandbox on free ports of 127.0.0.1, to be held with `await using`. */
export async function startSandbox(options: SandboxTestOptions = {}): Promise<TestSandbox> {
  const sandbox = createSandbox({ clock: start, ...options });
  const { url, adminUrl } = await sandbox.listen();
  return Object.assign(sandbox, {
    url,
    adminUrl,
    call: (endpoint: string, { key = sandbox.demo.readWriteKey, ...rest }: CallOptions = {}) => call(url, endpoint, { key, ...rest }),
  });
}

/** For `test.extend`: a fresh sandbox for every test, with the options that `test.override({ options })` sets. */
export const sandboxFixtures = {
  options: {} as SandboxTestOptions,
  sandbox: async ({ options }: { options: SandboxTestOptions }, use: (sandbox: TestSandbox) => Promise<void>): Promise<void> => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
  },
};

/** The versions of the API, as their paths begin. */
export const versions = ['/v1', '/v2'] as const;

const ignore = (): void => undefined;

/** One call to a service of either version at this base address. */
export function call(base: string, endpoint: string, options: CallOptions = {}): Promise<Reply> {
  const { key = null, json, raw, headers = [] } = options;
  const [method = '', path = ''] = endpoint.split(' ');
  const { hostname, port, host } = new URL(base);
  const body = json === undefined ? (raw ?? '') : JSON.stringify(json);
  const sent = [
    'Host',
    host,
    ...(key === null ? [] : path.startsWith('/v2') ? ['Authorization', `Bearer ${key}`] : ['x-api-key', key]),
    ...(json === undefined ? [] : ['Content-Type', 'application/json']),
    // Without it, node:http would send an empty chunked body where there is none.
    ...((method === 'GET' && body === '') || headers.includes('Transfer-Encoding')
      ? []
      : ['Content-Length', String(Buffer.byteLength(body))]),
    ...headers,
  ];
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const req = request({ hostname, port, method, path, headers: sent }, (res) => {
    const chunks: Buffer[] = [];
    res.on('error', reject).on('data', (chunk: Buffer) => chunks.push(chunk));
    res.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: res.statusCode ?? 0, headers: res.headers, text, body: parse(text) });
    });
  });
  // Node 22 has no listener on a connection whose request goes on after its answer has come.
  req.on('socket', (socket) => {
    if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore);
  });
  // A machine that stands still for seconds has an idle connection end while a call is put on it: RFC 9112, section 9.5. Only one that is new tells of the service.
  req.on('error', (error: NodeJS.ErrnoException) =>
    req.reusedSocket && error.code === 'ECONNRESET' ? resolve(call(base, endpoint, options)) : reject(error),
  );
  req.end(body);
  return promise;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
