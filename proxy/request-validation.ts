/**
 * What Node's listener lets through although HTTP forbids it (RFC 9112 §§3.2, 6.1, 6.3).
 * Anything here could be read differently by us and by whoever is behind us, which is how requests are smuggled.
 */
import { type IncomingMessage, METHODS } from 'node:http';
import type { FailureId } from './failures.ts';
import type { RequestHead } from './head.ts';
import { originForm } from './route.ts';

/** Where a request is refused, why; otherwise the origin-form of its target. */
export type RequestValidation = { readonly refused: FailureId } | { readonly target: string };

// RFC 3986 §3.2.2 and §3.2.3: an IP literal or a registered name, with an optional port; a name may be empty.
const authority = /^(?:\[[0-9A-Fa-f:.]+\]|[\w\-.~!$&'()*+,;=%]*)(?::\d*)?$/;

/** Bytes of the target, and of all fields, at most; RFC 9112 §3 wants room for 8,000 in a request line. */
const maxSize = 16 * 1024;

/**
 * Node's parser also reads RTSP and ICE, and does not tell: by their own methods they are known. (RTSP has GET, POST and OPTIONS in common
 * with HTTP; such a request is framed by the same rules, and goes on as HTTP.)
 */
const httpMethods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'SOURCE'));

/**
 * Checks the framing and the target of a request.
 * @returns the target with path and query exactly as sent, or the failure to answer with
 */
export function validateRequest(req: IncomingMessage, head: RequestHead): RequestValidation {
  // Node reads any version of this shape; what HTTP/2.0 or HTTP/0.9 mean in plain text, nobody has said.
  if (req.httpVersionMajor !== 1 || !httpMethods.has(req.method ?? '')) return { refused: 'versionNotSupported' };
  const target = req.url ?? '';
  if (target.length > maxSize) return { refused: 'targetTooLong' };
  if (head.size > maxSize) return { refused: 'headersTooLarge' };
  const host = head.hosts[0];
  if (head.hosts.length > 1 || (host === undefined && req.httpVersion !== '1.0')) return bad;
  if (host !== undefined && !authority.test(host)) return bad;

  const coding = head.transferEncodings;
  if (coding.length > 0) {
    if (req.httpVersion === '1.0' || head.contentLengths.length > 0) return bad;
    if (coding.length > 1 || coding[0]?.toLowerCase() !== 'chunked') return { refused: 'codingNotImplemented' };
  }
  if (head.contentLengths.length > 1 || (head.contentLengths[0] !== undefined && !/^\d+$/.test(head.contentLengths[0]))) return bad;

  if (target.includes('#')) return bad;
  return target.startsWith('/') || target === '*' ? { target } : absoluteForm(target, host);
}

const bad = { refused: 'badRequest' } as const;

/** RFC 9112 §3.2.2: a server must accept the absolute form; where Host says otherwise, the two may be meant for different services. */
function absoluteForm(target: string, host: string | undefined): RequestValidation {
  const [, named] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (named === undefined || !authority.test(named)) return bad;
  if (host !== undefined && named.toLowerCase() !== host.toLowerCase()) return bad;
  return { target: originForm(target) };
}
