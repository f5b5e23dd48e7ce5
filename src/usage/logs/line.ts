/** What the formats of logs read of a line, and how its parts are written. */

/** One line; what it does not tell is empty. The same object is filled again and again. */
export interface LogLine {
  /** Epoch milliseconds; NaN where it cannot be read. */
  time: number;
  method: string;
  /** As sent: with its query, and with scheme and host where the log has them. */
  target: string;
  status: number;
  /** Of whoever called, without a port. */
  address: string;
  agent: string;
  host: string;
  key: string;
  via: string;
}

/** Reads a line into `line`; false where it is none of the format. */
export type ReadLine = (text: string, line: LogLine) => boolean;

export const emptyLine = (): LogLine => ({
  time: NaN,
  method: '',
  target: '',
  status: 0,
  address: '',
  agent: '',
  host: '',
  key: '',
  via: '',
});

/** What logs write for nothing. */
export const given = (text: string): string => (text === '-' ? '' : text);

/** Reads `GET /path HTTP/1.1`; what is no request, as the bytes of a TLS handshake, has no method. */
export function readRequest(request: string, line: LogLine): void {
  const first = request.indexOf(' ');
  const last = request.lastIndexOf(' ');
  line.method = first === -1 ? '' : request.slice(0, first);
  line.target = first === -1 ? '' : request.slice(first + 1, last > first ? last : undefined);
}

/** Where the quoted text ends that begins before `from`: a quote within it is escaped. -1 without one. */
export function quoteEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (at - slashes > from && text[at - slashes - 1] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** A quoted text as it was sent: nginx and Apache write `\x22` and `\"`. */
export const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, code: string | undefined, character: string) =>
        code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

/** An address without its port: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `2001:db8::1`. */
export function withoutPort(address: string): string {
  if (address.startsWith('[')) return address.slice(1, Math.max(1, address.indexOf(']')));
  const colon = address.indexOf(':');
  return colon !== -1 && colon === address.lastIndexOf(':') ? address.slice(0, colon) : address;
}

/** A host as it is compared: without its port and the dot that may end its name. */
export const hostOf = (host: string): string => withoutPort(host).replace(/\.$/, '').toLowerCase();

/** The last of a list as proxies write it: the one that the proxy nearest to us has seen. */
export const lastOf = (addresses: string): string => addresses.slice(addresses.lastIndexOf(',') + 1).trim();

/** The three digits of a status; 0 for anything else. */
export const statusOf = (text: string): number => (/^[1-5]\d\d$/.test(text) ? Number(text) : 0);
