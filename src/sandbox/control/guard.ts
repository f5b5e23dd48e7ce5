/** Keeps web pages and webhooks away from the control surface: it asks for no password, because it listens on the own machine only. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { v1Auth, v2Auth } from '../../contract/auth.ts';
import { deliveryHead } from '../../contract/events.ts';
import { ControlError } from './error.ts';

/**
 * A page of another site can have the browser call this machine; the browser then says where the call comes from. Where the page's own
 * name is made to resolve to this machine (DNS rebinding), it can even read the answer; then Host holds that name.
 * A delivery says so in its head, by whichever name or address it found its way here: whoever may register a webhook on v2 must not be
 * able to order the service to reset itself.
 * @throws ControlError WEBHOOK_DELIVERY, FORBIDDEN_HOST, CROSS_SITE; KEY_NOT_ACCEPTED where an API key is sent, which the dashboard does not accept (api.md §5)
 */
export function guard(headers: IncomingHttpHeaders): void {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (headers['user-agent'] === deliveryHead.userAgent || headers[deliveryHead.signatureField.toLowerCase()] !== undefined) {
    throw new ControlError('WEBHOOK_DELIVERY', 'The control surface takes no webhooks; register the address of a receiver');
  }
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
  if (headers[v1Auth.field] !== undefined || headers[v2Auth.field] !== undefined) {
    throw new ControlError('KEY_NOT_ACCEPTED', 'The control surface stands for the dashboard, which accepts no API keys; send none');
  }
}

/** Whether an origin (RFC 6454 §7; `null` is one, too) is that of this server. */
function isSame(origin: string, host: string): boolean {
  const expected = URL.parse(`http://${host}`)?.origin;
  return expected !== undefined && URL.parse(origin)?.origin === expected;
}
