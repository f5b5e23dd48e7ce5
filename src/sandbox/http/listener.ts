/**
 * A listener of the sandbox. What node:http refuses before there is a call, it refuses without a body, or hangs up: that is nobody's error
 * shape. Here it is answered in the shape of what listens, and the connection ends; a server of one's own stays as it is.
 */
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorRows } from '../../contract/errors.ts';
import type { Clock } from '../clock/clock.ts';
import { DrainingServer } from './drain.ts';
import { jsonType } from './serve.ts';

/** What is refused: something else than a request, or a target that is no path. */
export type RefusedRow = 'badRequest' | 'notFound';

interface ListenerParts {
  readonly clock: Clock;
  /** Writes a refusal, as JSON. */
  readonly write: (row: RefusedRow) => string;
  /** Milliseconds from close() until what is still under way is cut. */
  readonly grace: number;
}

interface Refused {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly text: string;
}

export function createListener(handler: RequestListener, { clock, write, grace }: ListenerParts): DrainingServer {
  const refused = (row: RefusedRow, status: number = errorRows[row].status): Refused => {
    const text = write(row);
    const length = String(Buffer.byteLength(text));
    const date = new Date(clock.now()).toUTCString();
    return { status, text, fields: { 'Content-Type': jsonType, 'Content-Length': length, Date: date, Connection: 'close' } };
  };
  const server = new DrainingServer((req, res) => (lacksHost(req) ? refuse(res, refused('badRequest')) : handler(req, res)), grace, {
    requireHostHeader: false,
  });
  const latest = new WeakMap<Duplex, IncomingMessage>();
  server.on('request', (req) => latest.set(req.socket, req));
  server.on('checkExpectation', (_req, res) => refuse(res, refused('badRequest', 417)));
  // Its target is no path, so none of those that are listed.
  server.on('connect', (_req, socket) => inTurn(server.owedTo(socket), () => hangUp(socket, refused('notFound'))));
  server.on('clientError', (error, socket) => {
    const status = statusOf(error);
    const owed = server.owedTo(socket);
    // The connection itself is broken: nobody can be answered.
    if (status === undefined) socket.destroy();
    // The fault is in the body that the call waits for.
    else if (owed?.req.complete === false && !owed.headersSent) refuse(owed, refused('badRequest', status));
    // The fault is in a body whose call has its answer already.
    else if (latest.get(socket)?.complete === false) inTurn(owed, () => hangUp(socket));
    else inTurn(owed, () => hangUp(socket, refused('badRequest', status)));
  });
  return server;
}

/** RFC 9112 §3.2. */
function lacksHost({ httpVersion, headers }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1';
}

/** What node:http finds wrong, where it is not the syntax alone. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function statusOf({ code = '' }: NodeJS.ErrnoException): number | undefined {
  return statuses[code] ?? (code.startsWith('HPE_') ? errorRows.badRequest.status : undefined);
}

/** Once the answer to an earlier request of the connection is out. */
function inTurn(owed: ServerResponse | undefined, act: () => void): void {
  if (owed === undefined) act();
  else owed.once('close', act);
}

function refuse(res: ServerResponse, { status, fields, text }: Refused): void {
  res.writeHead(status, fields).end(text);
}

/** Milliseconds of real time that a client has to hang up. */
const longest = 1_000;

/**
 * Ends a connection, with an answer where one is due, and reads on until the client ends: closing at once would lose it what was answered
 * (RFC 9112 §9.6).
 */
function hangUp(socket: Duplex, answer?: Refused): void {
  // Ended already: what still comes is the rest of what was refused.
  if (!socket.writable) return;
  const timer = setTimeout(() => socket.destroy(), longest).unref();
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(timer));
  socket.end(answer && inFull(answer));
  socket.resume();
}

/** An answer as it goes over the wire, where there is no response object. */
function inFull({ status, fields, text }: Refused): string {
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${text}`;
}
