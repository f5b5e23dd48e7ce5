/** Heads of messages that pass untranslated: every field in its case, order and number, except those that end at this hop (RFC 9110 §7.6). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isHopByHop, nominatedBy, viaName } from '../fields.ts';
import { tellsOrigin } from '../origins.ts';

type Head = Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'httpVersion'>;

/** Fields to change, by name in lower case: sent once with this value, or not at all. */
type Changes = ReadonlyMap<string, string | undefined>;

/** Framing and Host: were a Connection field able to take them away, a body would arrive as the next request. */
const vital = new Set(['host', 'content-length']);

/** The methods whose requests Node sends without any framing of its own. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * The fields of a request as they go on to v2, framed as they came.
 * @param host value of Host: the authority of the v2 base
 * @param switching whether the request asks for another protocol (RFC 9110 §7.8)
 * @param origin the fields that tell where it came from, in place of what the client says: names and values in turn
 * @returns names and values in turn
 */
export function requestFields(req: IncomingMessage, host: string, switching: boolean, origin: readonly string[]): string[] {
  const coding = req.headers['transfer-encoding'];
  const length = req.headers['content-length'];
  const fields = endToEnd(
    req,
    new Map([
      ['host', host],
      // Where both came, the coding decides (RFC 9112 §6.3).
      ['content-length', coding === undefined ? length : undefined],
      // The listener has answered it with 100 already (RFC 9110 §10.1.1).
      ['expect', undefined],
    ]),
    tellsOrigin,
  );
  fields.push(...origin);
  if (req.headers.host === undefined) fields.unshift('Host', host);
  if (coding !== undefined) fields.push('Transfer-Encoding', coding);
  // Without a body, and Node would announce a chunked one (RFC 9110 §8.6).
  else if (length === undefined && !bodiless.has(req.method ?? '')) fields.push('Content-Length', '0');
  if (switching) fields.push(...switchTo(req));
  return fields;
}

/** The fields of a v2 answer as they go on to the client; Node frames the body anew. @returns names and values in turn */
export function answerFields(answer: Head): string[] {
  return endToEnd(answer);
}

/** The fields of a 101 as http-proxy-3 writes them: one property per name as it was written, arrays where a name is repeated. */
export function switchingFields(answer: IncomingMessage): IncomingHttpHeaders {
  // A 101 has no content, whatever it says (RFC 9110 §8.6).
  const fields = [...endToEnd(answer, new Map([['content-length', undefined]])), ...switchTo(answer)];
  // No prototype: `__proto__` is a valid field name.
  const headers: NodeJS.Dict<string[]> = Object.create(null);
  for (let i = 0; i < fields.length; i += 2) (headers[fields[i] ?? ''] ??= []).push(fields[i + 1] ?? '');
  return headers;
}

function switchTo({ headers }: Head): string[] {
  return ['Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? ''];
}

function endToEnd(message: Head, changes: Changes = new Map(), isClaim = (_name: string): boolean => false): string[] {
  const { rawHeaders, headers } = message;
  const nominated = nominatedBy(headers.connection);
  const left = new Map(changes);
  const fields: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const lower = name.toLowerCase();
    if (isHopByHop(lower) || isClaim(lower) || (!vital.has(lower) && nominated?.has(lower))) continue;
    const value = changes.has(lower) ? left.get(lower) : rawHeaders[i + 1];
    if (value === undefined) continue;
    fields.push(name, value);
    left.delete(lower);
  }
  if (headers['content-disposition'] !== undefined) lengthLast(fields);
  fields.push('Via', `${message.httpVersion} ${viaName}`);
  return fields;
}

/** Node writes a Content-Disposition that follows a Content-Length as if it were UTF-8: file names in other charsets, or in UTF-8, break. */
function lengthLast(fields: string[]): void {
  const at = fields.findIndex((field, i) => i % 2 === 0 && field.toLowerCase() === 'content-length');
  if (at >= 0) fields.push(...fields.splice(at, 2));
}
