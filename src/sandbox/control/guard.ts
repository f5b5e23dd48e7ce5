/** Keeps web pages away from the control surface: it asks for no password, because it listens on the own machine only. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { ControlError } from './error.ts';

/**
 * A page of another site can have the browser call this machine, and where the page's own name resolves to it (DNS rebinding) even read
 * the answer. The first call says where it comes from, the second has that name in Host.
 * @throws ControlError FORBIDDEN_HOST, CROSS_SITE
 */
export function guard({ host = '', origin, 'sec-fetch-site': site }: IncomingHttpHeaders): void {
  const name = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host);
  const hostname = name?.[1] ?? name?.[2] ?? '';
  if (isIP(hostname) === 0 && hostname.toLowerCase() !== 'localhost') {
    throw new ControlError('FORBIDDEN_HOST', 'The control surface answers to an IP address or localhost only; use one of them in the URL');
  }
  if (site === 'cross-site' || (origin !== undefined && !isSame(origin, host))) {
    throw new ControlError(
      'CROSS_SITE',
      'The control surface answers no pages of other sites; call it from a program, or a page of its own',
    );
  }
}

/** Whether an origin (RFC 6454 §7; `null` is one, too) is that of this server. */
function isSame(origin: string, host: string): boolean {
  const expected = URL.parse(`http://${host}`)?.origin;
  return expected !== undefined && URL.parse(origin)?.origin === expected;
}
