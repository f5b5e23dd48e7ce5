/**
 * Sends a digest to a webhook, again where that may help: what is told twice does no harm, and what is never told does. The address is a
 * secret, so that it is followed to no other one, and stands in no message.
 */
import { firstLine } from '../../config/errors.ts';
import { plain } from '../../text/escape.ts';
import { packageJson } from '../package-json.ts';

/** Milliseconds, of one try and of all together. */
const longestTry = 15_000;
const longestInAll = 120_000;
const [firstPause, longestPause] = [1_000, 30_000];

/** Of an answer that says why not. */
const bytesRead = 2_048;
const charactersShown = 200;
/** Shorter parts of an address stand in any text. */
const shortestPart = 3;

export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Aborts after so many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
}

export type Posted = { readonly posted: true } | { readonly posted: false; readonly problem: string };

type Tried =
  | { readonly state: 'posted' }
  | { readonly state: 'refused'; readonly problem: string }
  /** `after` is how long the other side asks to wait. */
  | { readonly state: 'failed'; readonly problem: string; readonly after: number };

/** @param body in JSON */
export async function post(url: URL, body: string, clock: Clock): Promise<Posted> {
  const end = clock.now() + longestInAll;
  for (let tries = 1; ; tries++) {
    const tried = await tryOnce(url, body, clock, Math.min(longestTry, end - clock.now()));
    if (tried.state === 'posted') return { posted: true };
    if (tried.state === 'refused') return { posted: false, problem: tried.problem };
    // Half of it is left to chance, so that those who failed together do not come back together.
    const backoff = Math.min(longestPause, firstPause * 2 ** (tries - 1)) * (0.5 + clock.random() / 2);
    const pause = Math.max(backoff, tried.after);
    if (clock.now() + pause >= end) return { posted: false, problem: gaveUp(tried, tries) };
    await clock.pause(pause);
  }
}

function gaveUp({ problem, after }: Extract<Tried, { state: 'failed' }>, tries: number): string {
  const asked = after >= longestInAll ? `, and asks to wait for ${Math.ceil(after / 1_000)} seconds, which is too long` : '';
  return `${problem}${asked}; gave up after ${tries} ${tries === 1 ? 'try' : 'tries'}`;
}

async function tryOnce(url: URL, body: string, { timeout, now }: Clock, longest: number): Promise<Tried> {
  const signal = timeout(longest);
  try {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': `${packageJson.name}/${packageJson.version}` };
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const { status } = response;
    if (status >= 200 && status < 300) {
      // Whatever it says besides, and however slowly.
      await response.body?.cancel();
      return { state: 'posted' };
    }
    const why = hidden(url, await beginOf(response));
    if (status >= 300 && status < 400) {
      return { state: 'refused', problem: `it was answered with ${status}, which leads elsewhere: give the address that it leads to` };
    }
    const problem = `it was answered with ${status}${why === '' ? '' : `: ${why}`}`;
    if (status !== 408 && status !== 429 && status < 500) return { state: 'refused', problem };
    return { state: 'failed', problem, after: retryAfter(response.headers.get('retry-after'), now()) };
  } catch (error) {
    const problem = signal.aborted
      ? `there was no answer within ${Math.ceil(longest / 1_000)} seconds`
      : hidden(url, reasonOf(error)) || 'there was no answer';
    return { state: 'failed', problem, after: 0 };
  }
}

/** The first bytes of an answer, as far as they come. */
async function beginOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop ends the answer.
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= bytesRead) break;
    }
  } catch {
    // What has come says enough: the status is known.
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, bytesRead));
}

/** Why there was no answer: fetch keeps that in the cause. */
const reasonOf = (error: unknown): string => firstLine(error instanceof Error && error.cause !== undefined ? error.cause : error);

/** Text of others on one line, in which nothing stands that the address is made of: an error page may repeat it. Empty where it has the path. */
function hidden(url: URL, text: string): string {
  const lower = text.toLowerCase();
  if (url.pathname !== '/' && writtenAs(url.pathname).some((path) => lower.includes(path.toLowerCase()))) return '';
  const whole = [...url.pathname.split('/'), ...[...url.search.slice(1).matchAll(/[^&=]+/g)].map(([part]) => part)].flatMap(writtenAs);
  const parts = [...whole, ...whole.flatMap((part) => part.split(/[^A-Za-z0-9]+/))];
  const secrets = parts.filter(({ length }) => length >= shortestPart).toSorted((a, b) => b.length - a.length);
  const any = secrets.map((part) => part.replace(/[^A-Za-z0-9]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`)).join('|');
  const line = text.replace(/\s+/g, ' ').trim();
  const safe = any === '' ? line : line.replaceAll(new RegExp(any, 'giu'), '…');
  return plain(safe.length > charactersShown ? `${safe.slice(0, charactersShown - 1)}…` : safe);
}

/** A part of an address as it is, decoded, and encoded as one value. */
function writtenAs(part: string): readonly string[] {
  try {
    return [part, decodeURIComponent(part), encodeURIComponent(part)];
  } catch {
    return [part, encodeURIComponent(part)];
  }
}

/** Milliseconds that the other side asks to wait (RFC 9110 §10.2.3): a number of seconds, or a date. */
function retryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isFinite(wait) ? wait : 0;
}
