/** One pass over the fields of a v2 answer: what decides how it is relayed, and what goes on to the client. */
import { deprecationFieldNames } from './deprecation.ts';
import { isHopByHop, nominatedBy } from './hop-by-hop.ts';
import { without } from './head.ts';
import { reveals } from './revealing.ts';

export interface ResponseHead {
  /** Names and values in turn, in their order and case, of the fields that go on to the client. */
  readonly forward: string[];
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly contentLength: string | undefined;
  /** Every transfer coding, in its order. */
  readonly transferEncoding: string | undefined;
  readonly hasLocation: boolean;
}

// Alt-Svc would invite the client to bypass the proxy, where its x-api-key is worth nothing (RFC 7838).
const droppedByV1: ReadonlySet<string> = new Set([...deprecationFieldNames, 'alt-svc']);

/**
 * Reads the head of an answer.
 * @param raw names and values in turn, each character a byte (RFC 9110 §5.5)
 * @param dropped names (lower case) of fields that do not go on, besides those of this hop; by default, what no answer of v1 may say
 */
export function readResponseHead(raw: readonly string[], dropped = droppedByV1): ResponseHead {
  const forward: string[] = [];
  let connection: string | undefined;
  let contentType: string | undefined;
  let contentEncoding: string | undefined;
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  let hasLocation = false;
  let hasDisposition = false;
  for (let i = 0; i < raw.length; i += 2) {
    const sentName = raw[i] ?? '';
    const name = sentName.toLowerCase();
    const value = raw[i + 1] ?? '';
    if (isHopByHop(name)) {
      if (name === 'connection') connection = joined(connection, value);
      else if (name === 'transfer-encoding') transferEncoding = joined(transferEncoding, value);
      continue;
    }
    if (dropped.has(name)) continue;
    if (name === 'content-type') contentType = value;
    else if (name === 'content-encoding') contentEncoding = contentEncoding === undefined ? value : `${contentEncoding}, ${value}`;
    else if (name === 'content-length') contentLength = value;
    else if (name === 'location') hasLocation = true;
    else if (name === 'content-disposition') hasDisposition = true;
    forward.push(sentName, value);
  }
  if (hasDisposition) lengthLast(forward);
  const nominated = nominatedBy(connection);
  const kept = nominated === undefined ? forward : without(forward, nominated);
  return { forward: kept, contentType, contentEncoding, contentLength, transferEncoding, hasLocation };
}

/** Node writes a Content-Disposition that follows a Content-Length as if it were UTF-8: file names in other charsets, or in UTF-8, break. */
function lengthLast(fields: string[]): void {
  const at = fields.findIndex((field, i) => i % 2 === 0 && field.toLowerCase() === 'content-length');
  if (at >= 0) fields.push(...fields.splice(at, 2));
}

/** Repeated fields are one list (RFC 9110 §5.3). */
function joined(list: string | undefined, value: string): string {
  return list === undefined ? value : `${list}, ${value}`;
}

/**
 * Whether the answer is framed in a way that leaves no doubt about its end. A coding other than `chunked` was not asked for (RFC 9112 §7.4), and
 * what another recipient would make of it is how answers are smuggled (RFC 9112 §6.1).
 */
export function isWellFramed({ transferEncoding }: ResponseHead): boolean {
  return transferEncoding === undefined || transferEncoding.toLowerCase() === 'chunked';
}

/** The value of the first field of that name (lower case). */
export function fieldValue(fields: readonly string[], name: string): string | undefined {
  for (let i = 0; i < fields.length; i += 2) if (fields[i]?.toLowerCase() === name) return fields[i + 1];
  return undefined;
}

/** Fields that describe v2's body (RFC 9110 §8) or its way to authenticate; they mean nothing beside a body written anew. */
const representation: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
  'etag',
  'last-modified',
  'accept-ranges',
  'location',
  'retry-after',
  'www-authenticate',
]);

/** The fields that stay when the body is replaced. */
export function withoutRepresentation(fields: readonly string[]): string[] {
  return without(fields, representation);
}

/** The fields that reveal the key neither by their values nor by their names. */
export function withoutKey(fields: readonly string[], key: string): string[] {
  const kept: string[] = [];
  for (let i = 0; i < fields.length; i += 2) {
    const [name = '', value = ''] = [fields[i], fields[i + 1]];
    if (!reveals(name, key) && !reveals(value, key)) kept.push(name, value);
  }
  return kept;
}

/**
 * Points a Location at v2 (relative, or at the v2 base) back to v1, so that a client that follows it stays on its key.
 * @param mount path under which a framework has mounted the proxy
 */
export function relocate(fields: readonly string[], v2Base: string, mount: string): string[] {
  const base = v2Base.replace(/\/+$/, '');
  return fields.map((value, i) => {
    if (i % 2 === 0 || fields[i - 1]?.toLowerCase() !== 'location') return value;
    const path = value.startsWith(`${base}/`) ? value.slice(base.length) : value;
    return path.startsWith('/v2/') ? `${mount}/v1/${path.slice('/v2/'.length)}` : value;
  });
}
