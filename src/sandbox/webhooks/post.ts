/** One attempt at a delivery: a signed POST to a pinned address, and what came of it (api.md §6). */
import { channel } from 'node:diagnostics_channel';
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP, type TcpNetConnectOpts } from 'node:net';
import { deliveryHead, type EventKind } from '../../contract/events.ts';
import type { Destination } from './address.ts';
import { sign } from './signature.ts';

export interface Delivery {
  readonly destination: Destination;
  readonly event: EventKind;
  /** Sent byte for byte. */
  readonly body: Buffer;
  readonly secret: string;
  /** Milliseconds from the start until the head of an answer must be there. */
  readonly timeout: number;
  /** Ends the attempt at once. */
  readonly signal: AbortSignal;
}

/** Why there was no answer. */
const failures = {
  TIMEOUT: 'The receiver did not answer in time',
  ABORTED: 'The attempt was given up',
  CONNECT: 'The receiver could not be connected to',
  TLS: 'The receiver’s certificate or TLS was not accepted; NODE_EXTRA_CA_CERTS adds a certificate to trust',
  RESET: 'The connection broke before the receiver answered',
  INVALID_RESPONSE: 'The receiver’s answer was not valid HTTP',
} as const;

export interface AttemptError {
  readonly code: keyof typeof failures;
  /** For people. */
  readonly message: string;
}

export interface ReceiverResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first 16 KiB, or what had come of them in time, read as UTF-8 whatever the coding. */
  readonly body: string;
}

/** What came of an attempt: an answer or an error. */
export interface Attempt {
  /** As sent. */
  readonly request: { readonly headers: Readonly<Record<string, string>> };
  readonly response?: ReceiverResponse;
  readonly error?: AttemptError;
  /** Whether the answer was a 2xx. */
  readonly delivered: boolean;
}

/** What subscribers of `deliveryChannel` are told of every attempt as it begins. */
export interface DeliverySent {
  readonly event: EventKind;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const deliveryChannel = channel('migrate-v2:sandbox:delivery');

/** Bytes of an answer's body that are read. */
const maxBody = 16 * 1024;

/** Makes one attempt. Redirects are not followed. @returns what came of it; never rejects */
export async function post(delivery: Delivery): Promise<Attempt> {
  const { destination, event, body, signal } = delivery;
  const headers = head(delivery);
  const request = { headers };
  if (signal.aborted) return { request, error: failure('ABORTED'), delivered: false };
  if (deliveryChannel.hasSubscribers) deliveryChannel.publish({ event, headers, body: body.toString() } satisfies DeliverySent);
  const outcome = await exchange(open(destination, headers), delivery);
  if ('code' in outcome) return { request, error: outcome, delivered: false };
  // Not all that is below 300 is a success: Node takes 099 for an answer, and 101 where no upgrade goes with it.
  return { request, response: outcome, delivered: outcome.status >= 200 && outcome.status < 300 };
}

function head({ destination, event, body, secret }: Delivery): Readonly<Record<string, string>> {
  return {
    Host: destination.url.host,
    'Content-Type': deliveryHead.contentType,
    'Content-Length': String(body.length),
    'User-Agent': deliveryHead.userAgent,
    [deliveryHead.eventField]: event,
    [deliveryHead.signatureField]: sign(body, secret),
    Connection: 'close',
  };
}

/** Name, certificate and Host stay the URL's; only the way there is pinned. */
function open({ url, addresses }: Destination, headers: Readonly<Record<string, string>>): ClientRequest {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  const options: RequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily'> = {
    method: deliveryHead.method,
    headers,
    agent: false,
    // Asks for all addresses in one call, whatever the process's default, and tries them in turn.
    autoSelectFamily: true,
    lookup: (_hostname, _options, found) => found(null, pinned),
  };
  return (url.protocol === 'https:' ? https : http).request(url, options);
}

/** Sends the request and reads the answer, until there is enough of it, or it takes too long, or nobody wants it any more. */
async function exchange(
  request: ClientRequest,
  { destination, body, timeout, signal }: Delivery,
): Promise<ReceiverResponse | AttemptError> {
  // The first to resolve it wins: once an answer has begun, its status counts, whatever becomes of the rest.
  const { promise, resolve } = Promise.withResolvers<ReceiverResponse | AttemptError>();
  const giveUp = (code: AttemptError['code']): void => {
    resolve(failure(code));
    request.destroy();
  };
  const abort = (): void => giveUp('ABORTED');
  signal.addEventListener('abort', abort);
  const timer = setTimeout(giveUp, timeout, 'TIMEOUT');

  let stage: Stage = 'CONNECT';
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      stage = destination.url.protocol === 'https:' ? 'TLS' : 'RESET';
    });
    socket.once('secureConnect', () => {
      stage = 'RESET';
    });
  });
  request.on('response', (response) => resolve(read(response)));
  // The listener stays: a connection may break after its answer has come.
  request.on('error', (error: NodeJS.ErrnoException) => resolve(failure(meaning(error, stage), error)));
  // Nobody asked for another protocol (RFC 9110 §15.2.2). Node leaves such a connection to its listener.
  request.on('upgrade', (_response, socket) => {
    resolve(failure('INVALID_RESPONSE'));
    socket.destroy();
  });
  request.end(body);

  const outcome = await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
  request.destroy();
  return outcome;
}

function failure(code: AttemptError['code'], cause?: NodeJS.ErrnoException): AttemptError {
  return { code, message: cause === undefined ? failures[code] : `${failures[code]} (${cause.code ?? cause.message})` };
}

/** How far a connection has come: what it means when it breaks. */
type Stage = 'CONNECT' | 'TLS' | 'RESET';

function meaning({ code }: NodeJS.ErrnoException, stage: Stage): AttemptError['code'] {
  if (code?.startsWith('HPE_')) return 'INVALID_RESPONSE';
  // Node says so of an orderly close as well, and may say so before it has told of the connection.
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'RESET';
  return stage;
}

/** Reads an answer; its end, a break and enough of it are all the same: the status counts. */
function read(response: IncomingMessage): Promise<ReceiverResponse> {
  const { promise, resolve } = Promise.withResolvers<ReceiverResponse>();
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBody) response.destroy();
  });
  response.on('close', () => {
    const body = Buffer.concat(chunks).subarray(0, maxBody).toString();
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
  });
  return promise;
}
