/**
 * Who may see the admin listener. With a token: whoever sends it, as `Authorization: Bearer`, or has signed in with it in a browser.
 * Without one: whoever can reach the listener, which is this machine alone unless the user says otherwise.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { readBody } from '../body.ts';
import { Attempts } from './attempts.ts';

export interface AdminAccess {
  /** Whether the request may see what the listener has; `pages` are those that a browser shows. */
  allows(req: IncomingMessage, kind: 'data' | 'pages'): boolean;
  /** Answers a request that may not: with the form to sign in where a browser asks for a page. */
  refuse(req: IncomingMessage, res: ServerResponse): void;
  /** Takes the form: the right token makes a session cookie. */
  signIn(req: IncomingMessage, res: ServerResponse): Promise<void>;
}

/** Where the form goes. */
export const signInPath = '/sign-in';

const cookieName = 'migrate_v2_admin';
/** Pages to which signing in may lead. */
const startPages = ['/usage', '/rollout', '/'] as const;
/** What the view of a page is made of; a query with anything else, or more of it, is left out. */
const viewQuery = /^[\w%&=+.~*-]{1,1000}$/;

/** More than any form of ours: the rest is not read. */
const maxForm = 4_096;
/** How long a form may take to come, in ms. */
const formTimeout = 5_000;

/**
 * @param token undefined where the listener is open to whoever reaches it
 * @param now epoch milliseconds
 */
export function createAccess(token: string | undefined, now: () => number = Date.now): AdminAccess {
  const attempts = new Attempts(now);
  // The cookie is made of the token, and does not hold it: a session ends with the token, and what a browser keeps opens nothing else.
  const session = token === undefined ? '' : createHmac('sha256', token).update('session of the admin listener').digest('base64url');
  const isOpen = token === undefined;
  return {
    allows(req, kind) {
      // A name of somebody else's that leads to this machine (DNS rebinding) must not let a web page read what a browser here can reach.
      // Data from another machine is asked for by whatever name it has there: no page, but a collector of metrics.
      if (isOpen) return isOwnName(req) || (kind === 'data' && !isLoopback(req.socket.localAddress));
      const presented = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1];
      return (presented !== undefined && same(presented, token)) || cookiesOf(req).some((cookie) => same(cookie, session));
    },
    refuse(req, res) {
      if (isOpen) return answer(res, 403, 'text/plain; charset=utf-8', 'Call this by localhost or an IP address, or set --admin-token.\n');
      if (req.headers.accept?.includes('text/html'))
        return answer(res, 401, 'text/html; charset=utf-8', signInPage(false, afterwards(req.url), req.url));
      res.setHeader('WWW-Authenticate', 'Bearer realm="migrate-v2 admin"');
      answer(res, 401, 'application/json', JSON.stringify({ status: 'token required' }));
    },
    async signIn(req, res) {
      // A form that is refused is not waited for, it may never end: its connection ends with the answer.
      if (isOpen || Number(req.headers['content-length'] ?? 0) > maxForm) return refuseForm(res);
      const wait = attempts.take(req.socket.remoteAddress);
      if (wait > 0) {
        res.setHeader('Retry-After', String(wait)).setHeader('Connection', 'close');
        return answer(res, 429, 'text/plain; charset=utf-8', `Too many attempts from this network; try again in ${wait} s.\n`);
      }
      const form = await within(readBody(req, maxForm), formTimeout);
      if (!Buffer.isBuffer(form)) return refuseForm(res);
      const fields = new URLSearchParams(form.toString());
      const to = afterwards(fields.get('to') ?? '');
      if (!same(fields.get('token') ?? '', token)) return answer(res, 401, 'text/html; charset=utf-8', signInPage(true, to, req.url));
      attempts.succeeded(req.socket.remoteAddress);
      res.setHeader('Set-Cookie', `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict`);
      // Relative, as whatever stands in front may have a prefix of its own.
      res.setHeader('Location', `.${to}`);
      answer(res, 303, 'text/plain; charset=utf-8', '');
    },
  };
}

/** The page that was asked for, with its view, where it is one of those. */
function afterwards(url = ''): string {
  const [asked, query = ''] = url.split('?', 2);
  const page = startPages.find((path) => path === asked);
  if (page === undefined) return startPages[0];
  return viewQuery.test(query) ? `${page}?${query}` : page;
}

/** From a page to the form's address, as it leads there behind a prefix, too. */
const toSignIn = (url = ''): string =>
  `${'../'.repeat(Math.max(0, (url.split('?', 1)[0] ?? '').split('/').length - 2))}${signInPath.slice(1)}`;

function refuseForm(res: ServerResponse): void {
  res.setHeader('Connection', 'close');
  answer(res, 400, 'application/json', JSON.stringify({ status: 'nothing to sign in with' }));
}

async function within<T>(work: Promise<T>, time: number): Promise<T | 'too late'> {
  const { promise, resolve } = Promise.withResolvers<'too late'>();
  const timer = setTimeout(() => resolve('too late'), time);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Compares without telling by the time it takes; hashed first, since the comparison wants equal lengths. */
function same(presented: string, expected: string): boolean {
  return timingSafeEqual(digest(presented), digest(expected));
}

const digest = (value: string): Buffer => createHmac('sha256', 'comparison').update(value).digest();

function cookiesOf({ headers }: IncomingMessage): string[] {
  const pairs = (headers.cookie ?? '').split(/;\s*/);
  return pairs.filter((pair) => pair.startsWith(`${cookieName}=`)).map((pair) => pair.slice(cookieName.length + 1));
}

function isOwnName({ headers }: IncomingMessage): boolean {
  if (headers.host === undefined || !URL.canParse(`http://${headers.host}`)) return false;
  const { hostname } = new URL(`http://${headers.host}`);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');
/** Whether an address leads to this machine alone. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

function answer(res: ServerResponse, status: number, type: string, body: string): void {
  const fields = {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  };
  res.writeHead(status, fields).end(body);
}

const signInPage = (wasWrong: boolean, to: string, url: string | undefined): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in – migrate-v2</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 22rem; margin: 15vh auto; padding: 0 1rem }
input, button { font: inherit; box-sizing: border-box; width: 100%; padding: .5rem; margin: .25rem 0 1rem }
</style>
</head>
<body>
<main>
<h1>migrate-v2</h1>
${wasWrong ? '<p role="alert">That is not the token.</p>\n' : ''}<form method="post" action="${toSignIn(url)}">
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<input name="to" type="hidden" value="${to.replaceAll('&', '&amp;')}">
<button>Sign in</button>
</form>
</main>
</body>
</html>
`;
