/** The two heads of a handshake that v2 grants: every field in its case, order and number, except those that end at this hop (RFC 9110 §7.6). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Call } from '../call.ts';
import { viaName } from '../../src/usage/via-name.ts';
import { readResponseHead } from '../response-head.ts';

/**
 * The fields of a handshake as they go on.
 * @param forward the client's that go on
 * @param host value of Host: the authority of the base
 * @param origin the fields that tell where it came from, in place of what the client says
 * @returns names and values in turn
 */
export function requestFields({ req }: Call, forward: readonly string[], host: string, origin: readonly string[]): string[] {
  return ['Host', host, ...forward, 'Via', `${req.httpVersion} ${viaName}`, ...origin, ...switchTo(req)];
}

/** A 101 has no content, whatever it says (RFC 9110 §8.6). */
const withoutContent: ReadonlySet<string> = new Set(['content-length']);

/** The fields of a 101 as http-proxy-3 writes them: one property per name as it was written, arrays where a name is repeated. */
export function switchingFields(answer: IncomingMessage): IncomingHttpHeaders {
  const { forward } = readResponseHead(answer.rawHeaders, withoutContent);
  const fields = [...forward, 'Via', `${answer.httpVersion} ${viaName}`, ...switchTo(answer)];
  // No prototype: `__proto__` is a valid field name.
  const headers: NodeJS.Dict<string[]> = Object.create(null);
  for (let i = 0; i < fields.length; i += 2) (headers[fields[i] ?? ''] ??= []).push(fields[i + 1] ?? '');
  return headers;
}

function switchTo({ headers }: IncomingMessage): string[] {
  return ['Connection', 'Upgrade', 'Upgrade', headers.upgrade ?? ''];
}
