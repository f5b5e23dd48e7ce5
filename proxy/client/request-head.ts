/** The head of a request as it goes on the wire, but for the field that tells the length of its body, and the line that ends it (RFC 9112 §3). */
import { errors } from '../undici.ts';

const methodShape = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
const pathShape = /^\/[\x21-\xff]*$/;

/** A field that says nothing of the connection or of where the request ends, all of which is written here (RFC 9110 §7.6.1, RFC 9112 §6). */
const fieldShape =
  /^(?!(?:host|connection|keep-alive|transfer-encoding|upgrade|expect|content-length):)[!#$%&'*+\-.^_`|~\da-z]+: [\t\x20-\x7e\x80-\xff]*$/i;

export interface RequestHead {
  readonly text: string;
  /** What Content-Length says; undefined without one. */
  readonly length: number | undefined;
}

/** What it is written of. */
interface Requested {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn; each character is a byte. */
  readonly fields: readonly string[];
}

/**
 * Writes the head.
 * @param keepsAlive whether the connection is to bear another request
 * @throws where a part of it would be read as something else
 */
export function requestHead({ method, path, fields }: Requested, host: string, keepsAlive: boolean): RequestHead {
  if (!methodShape.test(method) || !pathShape.test(path)) throw new errors.InvalidArgumentError('Neither a method nor a path');
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${keepsAlive ? 'keep-alive' : 'close'}\r\n`;
  let length: number | undefined;
  for (let i = 0; i < fields.length; i += 2) {
    const line = `${fields[i]}: ${fields[i + 1]}`;
    if (fieldShape.test(line)) text += `${line}\r\n`;
    else length = lengthIn(line, length);
  }
  return { text, length };
}

/** What is no other field, but may be the length of the body. */
function lengthIn(line: string, before: number | undefined): number {
  const [, digits] = /^content-length: (\d+)$/i.exec(line) ?? [];
  if (digits === undefined || before !== undefined || !Number.isSafeInteger(Number(digits)))
    throw new errors.InvalidArgumentError('A field that no request may have');
  return Number(digits);
}
