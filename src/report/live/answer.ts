/** How the pages of the admin listener are answered. */
import type { ServerResponse } from 'node:http';

/** Nothing is loaded from elsewhere, and nothing of a report can run. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Page {
  readonly status?: number;
  readonly type: string;
  /** Text, or bytes in parts: each is written by itself, so that a long body is not copied once more as a whole. */
  readonly body: string | readonly Uint8Array[];
  /** `same-origin` for a page with forms: their requests then say where they come from. */
  readonly referrer?: 'no-referrer' | 'same-origin';
}

export function answer(res: ServerResponse, { status = 200, type, body, referrer = 'no-referrer' }: Page): void {
  const fields = {
    'Content-Type': type,
    'Content-Length': typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, { length }) => sum + length, 0),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': referrer,
    'Content-Security-Policy': policy,
  };
  // A HEAD gets the head alone: Node leaves the body out.
  res.writeHead(status, fields);
  for (const part of typeof body === 'string' ? [body] : body) res.write(part);
  res.end();
}

/** Answers a method that a page does not have. */
export function refuseMethod(res: ServerResponse): void {
  res.setHeader('Allow', 'GET, HEAD');
  answer(res, { status: 405, type: 'text/plain; charset=utf-8', body: 'Only GET is known here\n' });
}
