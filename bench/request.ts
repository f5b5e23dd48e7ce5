/** The two calls the benchmark makes: what a client sends, what the upstream answers. */
import { v1Auth } from '../src/contract/auth.ts';
import { v1Endpoints } from '../src/contract/endpoints.ts';

export type CaseName = 'get' | 'post';
export const caseNames: readonly CaseName[] = ['get', 'post'];

/** Clients share keys, as the processes of one integration do. */
export const keys: readonly string[] = Array.from({ length: 8 }, (_, index) => `sk_live_${String(index).padStart(32, '0')}`);
const counterDigits = 12;

export interface Template {
  readonly bytes: Buffer;
  /** Where the counting digits of a GET's message id stand, so that every call can ask for another message. */
  readonly counter?: { readonly start: number; readonly end: number };
}

const sendBody = JSON.stringify({
  channel: 'WHATSAPP',
  to: '+4915112345678',
  content: 'Hello Ada, your order 20417 has left our warehouse and arrives on Thursday between 9 and 12.',
});

/** What v2 answers to either call, about 300 bytes of JSON. */
export const answerBody = JSON.stringify({
  success: true,
  data: {
    messageId: 'msg_000000000000000000000000',
    channel: 'WHATSAPP',
    to: '+4915112345678',
    content: 'Hello Ada, your order 20417 has left our warehouse and arrives on Thursday between 9 and 12.',
    status: 'DELIVERED',
    createdAt: '2026-06-12T09:41:07.318Z',
    deliveredAt: '2026-06-12T09:41:09.002Z',
  },
});

/**
 * The request of the given case as a client of v1 writes it.
 * @param authority host and port of the contestant, for the Host field
 * @param run number of the run and @param client of the client: together they make the message ids unique
 */
export function requestTemplate(name: CaseName, authority: string, run: number, client: number): Template {
  const key = `${v1Auth.field}: ${keys[client % keys.length]}`;
  const common = `Host: ${authority}\r\n${key}\r\nUser-Agent: acme-crm/4.2.1\r\nAccept: application/json\r\nAccept-Encoding: gzip, deflate, br\r\n`;
  if (name === 'post') {
    const { method, path } = v1Endpoints.sendMessage;
    const length = Buffer.byteLength(sendBody);
    const head = `${method} ${path} HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    return { bytes: Buffer.from(head + sendBody) };
  }
  const { method, path } = v1Endpoints.getMessage;
  const id = `msg_${String(run).padStart(6, '0')}${String(client).padStart(6, '0')}${'0'.repeat(counterDigits)}`;
  const bytes = Buffer.from(`${method} ${path.replace(':id', id)} HTTP/1.1\r\n${common}\r\n`);
  const end = bytes.indexOf(id) + id.length;
  return { bytes, counter: { start: end - counterDigits, end } };
}

/** Adds one to the decimal number written in ASCII between `start` and `end`. */
export function countUp(bytes: Buffer, start: number, end: number): void {
  const zero = 48;
  for (let at = end - 1; at >= start; at -= 1) {
    const digit = (bytes[at] ?? zero) + 1;
    if (digit < zero + 10) {
      bytes[at] = digit;
      return;
    }
    bytes[at] = zero;
  }
}
