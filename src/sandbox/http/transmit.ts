/** How an answer goes out: whole and at once, unless a fault was ordered. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Fault } from '../faults/rule.ts';
import { finish, isAnswered, whenItsTurn } from './finish.ts';

export interface Transmission {
  readonly status: number;
  /** With the Content-Length of the whole content. */
  readonly headers: OutgoingHttpHeaders;
  /** JSON, or text in a dialect that writes errors so. */
  readonly content: string;
}

/**
 * Sends an answer.
 * @param over ends every delay, as does a client that leaves: what is left goes out at once
 */
export async function transmit(res: ServerResponse, answer: Transmission, fault: Fault | undefined, over: AbortSignal): Promise<void> {
  switch (fault?.kind) {
    case 'latency':
      await pause(fault.ms, res.req.socket, over);
      return isAnswered(res) ? undefined : send(res, answer);
    case 'reset':
      return fault.at === 'body' ? sendHalf(res, answer, reset) : whenItsTurn(res, reset);
    case 'truncated':
      return sendHalf(res, answer, (socket) => socket.destroySoon());
    case 'invalidJson': {
      const content = half(answer.content);
      return send(res, { ...answer, content, headers: { ...answer.headers, 'Content-Length': Buffer.byteLength(content) } });
    }
    case 'slow':
      return sendSlowly(res, answer, fault.bytesPerSecond, over);
    default:
      return send(res, answer);
  }
}

/** Breaks a connection before any byte of an answer, once the answers to earlier requests on it are out. */
export function breakOff(res: ServerResponse): void {
  whenItsTurn(res, reset);
}

function send(res: ServerResponse, { status, headers, content }: Transmission): void {
  res.writeHead(status, headers);
  finish(res, content);
}

function sendHalf(res: ServerResponse, { status, headers, content }: Transmission, then: (socket: Socket) => void): void {
  res.writeHead(status, headers);
  // An answer to HEAD has no body with which its head could go out.
  res.flushHeaders();
  res.write(half(content), () => whenItsTurn(res, then));
}

/** Of a JSON object this is never JSON. */
function half(content: string): string {
  return content.slice(0, content.length / 2);
}

/** Several writes a second, so that the body comes evenly. */
const writesPerSecond = 20;

async function sendSlowly(
  res: ServerResponse,
  { status, headers, content }: Transmission,
  bytesPerSecond: number,
  over: AbortSignal,
): Promise<void> {
  const { socket } = res.req;
  res.writeHead(status, headers);
  res.flushHeaders();
  const size = Math.ceil(bytesPerSecond / writesPerSecond);
  const bytes = Buffer.from(res.req.method === 'HEAD' ? '' : content);
  let sent = 0;
  do {
    res.write(bytes.subarray(sent, sent + size));
    sent += size;
  } while (sent < bytes.length && (await pause((size / bytesPerSecond) * 1_000, socket, over)));
  res.end(bytes.subarray(sent));
}

/** Waits so many milliseconds; gives false as soon as the client has left or all delays are over. */
function pause(ms: number, socket: Socket, over: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([over, departure(socket)]);
  return setTimeout(ms, true, { signal }).catch(() => false);
}

const departures = new WeakMap<Socket, AbortSignal>();

/** Aborts when a client leaves. One listener for each socket: as many calls as a client likes can be pipelined on one and wait. */
function departure(socket: Socket): AbortSignal {
  const known = departures.get(socket);
  if (known !== undefined) return known;
  const left = new AbortController();
  if (socket.destroyed) left.abort();
  else socket.once('close', () => left.abort());
  departures.set(socket, left.signal);
  return left.signal;
}

function reset(socket: Socket): void {
  // The system refuses a reset while the end of our side is on its way, and the socket would stay open for ever.
  if (socket.writableEnded) return void socket.destroy();
  try {
    socket.resetAndDestroy();
  } catch {
    // Only a TCP socket can be reset: TLS and pipes are closed, which within an answer is a failure too.
    socket.destroy();
  }
}
