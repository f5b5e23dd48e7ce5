/**
 * The static upstream: answers every complete request below /v2/ with the same bytes, anything else with 404.
 * It reads raw sockets and finds the end of each request by Content-Length, so it is far cheaper than node:http.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { answerBody } from './request.ts';

const fields =
  'Content-Type: application/json; charset=utf-8\r\nX-Request-Id: 7f1c9a52-6f0e-4c0e-9a52-1f0e4c0e9a52\r\nCache-Control: no-store\r\n';
const found = Buffer.from(`HTTP/1.1 200 OK\r\n${fields}Content-Length: ${Buffer.byteLength(answerBody)}\r\n\r\n${answerBody}`);
const missing = Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
const unsupported = Buffer.from('HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');

const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => process.send?.({ port: portOf(server.address()) }));
process.on('disconnect', () => process.exit());

function serve(socket: Socket): void {
  /** What of the next request has arrived; latin1, so that characters are bytes. */
  let pending = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    pending = pending === '' ? chunk : pending + chunk;
    for (let length = requestLength(pending); length > 0; length = requestLength(pending)) {
      socket.write(isTranslated(pending) ? found : missing);
      pending = pending.slice(length);
    }
    if (Number.isNaN(requestLength(pending))) socket.end(unsupported);
  });
}

/** Bytes of the first request in the text; 0 while it is not complete; NaN for a chunked one, which nobody sends here. */
function requestLength(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  if (text.startsWith('GET ')) return head + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) return Number.NaN;
  const end = head + 4 + Number(length);
  return text.length >= end ? end : 0;
}

function isTranslated(text: string): boolean {
  return text.startsWith('/v2/', text.indexOf(' ') + 1);
}

function portOf(address: ReturnType<typeof server.address>): number {
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port');
  return address.port;
}
