/** When a rate-limited client may try again: what v2 says, in any of the usual fields, or the end of v2's hour. */
import { parseDictionary, parseList } from 'structured-headers';
import { dayInMs, hourInMs } from '../src/contract/times.ts';

type Read = (value: string, now: number) => number | undefined;

/** The fields in which servers say it, the plainest first, and how each is read: milliseconds from now. */
const readers: readonly (readonly [name: string, read: Read])[] = [
  ['retry-after', waitIn],
  ['retry-after-ms', (value) => numberIn(value)],
  ['x-retry-after', waitIn],
  ['x-retry-after-ms', (value) => numberIn(value)],
  ['ratelimit', waitInRateLimit],
  ['ratelimit-reset', waitIn],
  ...['x-ratelimit-', 'x-rate-limit-', 'rate-limit-'].flatMap((prefix) => [
    [`${prefix}reset-after`, waitIn] as const,
    [`${prefix}retry-after`, waitIn] as const,
    [`${prefix}reset`, waitIn] as const,
  ]),
];

/**
 * Seconds for Retry-After on a 429, at least 1: from the first of the fields above that says something of use, or else the end of the running
 * hour, as v2's limit is per hour (api.md §8). More than a day is none: no limit of the service lasts longer.
 * @param field gives v2's field by its lower-case name
 * @param now epoch milliseconds
 */
export function retryAfterSeconds(field: (name: string) => string | undefined, now: number): number {
  const wait = waitSaid(field, now) ?? hourInMs - (now % hourInMs);
  return Math.max(1, Math.ceil(wait / 1000));
}

/** What the fields say of it, in milliseconds from now; undefined where they say nothing of use. */
export function waitSaid(field: (name: string) => string | undefined, now: number): number | undefined {
  for (const [name, read] of readers) {
    const value = unquoted(field(name));
    const wait = value === undefined ? undefined : read(value, now);
    if (wait !== undefined && Math.abs(wait) <= dayInMs) return wait;
  }
  return undefined;
}

/** Some servers quote what is to be a number or a date. */
function unquoted(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === undefined ? undefined : (/^"([^"]*)"$/.exec(text)?.[1] ?? text);
}

/** Seconds until the next 00:00 UTC, at least 1: when the daily limit resets. */
export function secondsUntilMidnight(now: number): number {
  return Math.max(1, Math.ceil((dayInMs - (now % dayInMs)) / 1000));
}

/** The next 00:00 UTC as an ISO 8601 timestamp. */
export function nextMidnight(now: number): string {
  return new Date(now - (now % dayInMs) + dayInMs).toISOString();
}

/** A number without a sign, whole or not. */
function numberIn(value: string): number | undefined {
  return /^\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : undefined;
}

// A number above the first is no number of seconds (31 years) but an epoch time, above the second one in milliseconds.
const [epochSeconds, epochMilliseconds] = [1e9, 1e11];

/** Seconds, an epoch time or a date: servers put each of them into each of the fields. Of several, as proxies may add one, the longest counts. */
function waitIn(value: string, now: number): number | undefined {
  if (/^\d[\d.]*(?:, +\d[\d.]*)+$/.test(value)) {
    const waits = value.split(',').map((each) => waitIn(each.trim(), now) ?? Number.NaN);
    return Math.max(...waits);
  }
  const number = numberIn(value);
  if (number === undefined) {
    const at = dateIn(value);
    return at === undefined ? undefined : at - now;
  }
  if (number < epochSeconds) return number * 1000;
  return (number < epochMilliseconds ? number * 1000 : number) - now;
}

// Date.parse would also take "1" or "June", and read dates without a zone in the machine's.
const httpDate = /^[a-z]{3,9}, \d\d[ -][a-z]{3}[ -]\d{2,4} \d\d:\d\d:\d\d (?:gmt|utc|[+-]\d{4})$/i;
const asctimeDate = /^[a-z]{3} [a-z]{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/i;
const isoDate = /^(\d{4})-?(\d\d)-?(\d\d)[t ](\d\d):?(\d\d)(?::?(\d\d(?:\.\d+)?))?(?:z|([+-]\d\d):?(\d\d)?)?$/i;

/** A date in any form of RFC 9110 §5.6.7, or of RFC 5322 §3.3, or of ISO 8601. */
function dateIn(value: string): number | undefined {
  const iso = isoDate.exec(value);
  if (iso === null && !httpDate.test(value) && !asctimeDate.test(value)) return undefined;
  const at = Date.parse(iso !== null ? isoOf(iso) : asctimeDate.test(value) ? `${value} GMT` : value);
  return Number.isNaN(at) ? undefined : at;
}

/** In the one form that Date.parse reads, whatever was left out: without a zone it is UTC. */
function isoOf([, year, month, day, hour, minute, seconds = '00', zone = '+00', minutes = '00']: RegExpExecArray): string {
  return `${year}-${month}-${day}T${hour}:${minute}:${seconds}${zone}:${minutes}`;
}

/**
 * RateLimit (an IETF draft): a list of policies with what is left (`r`) and the seconds until it is more (`t`), or in its older form one
 * dictionary. The policies of which nothing is left decide, and among them the last to be renewed.
 */
function waitInRateLimit(value: string): number | undefined {
  const policies = policiesIn(value);
  const exhausted = policies.filter(({ left }) => left === 0);
  const waits = (exhausted.length > 0 ? exhausted : policies).map(({ seconds }) =>
    typeof seconds === 'number' && seconds >= 0 ? seconds : Number.NaN,
  );
  // When a policy that decides is renewed, it need not say; what another says would be too early.
  return waits.length === 0 || waits.some(Number.isNaN) ? undefined : Math.max(...waits) * 1000;
}

function policiesIn(value: string): { readonly left: unknown; readonly seconds: unknown }[] {
  const dictionary = parsed(parseDictionary, value);
  if (dictionary?.has('reset') === true) return [{ left: dictionary.get('remaining')?.[0], seconds: dictionary.get('reset')?.[0] }];
  return (parsed(parseList, value) ?? []).map(([, parameters]) => ({ left: parameters.get('r'), seconds: parameters.get('t') }));
}

/** A structured field (RFC 9651); undefined where it is none of that type. */
function parsed<T>(parse: (value: string) => T, value: string): T | undefined {
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}
