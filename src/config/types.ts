/** The types of single settings: from what flags, environment and file can hold to what the code works with. */
import { isIP, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { inspect } from 'node:util';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { v1Auth, v2Auth } from '../contract/auth.ts';
import { dayInMs, hourInMs, minuteInMs } from '../contract/times.ts';
import { masked } from '../text/masked.ts';

/** A value as it may stand in a message: on one line, bounded, without the credentials a URL may hold, and with no key in the clear. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : inspect(value, { depth: 1, breakLength: Infinity });
  const safe = masked(text.replace(/\/\/[^/@\s]*@/g, '//…@'));
  return safe.length > 80 ? `${safe.slice(0, 79)}…` : safe;
}

/** A type that is written as one text or number. `read` gives undefined for what it does not accept. */
export function written<T>(what: string, read: (text: string) => T | undefined): z.ZodType<T> {
  return z.unknown().transform((input, context) => {
    const value = typeof input === 'string' || typeof input === 'number' ? read(String(input).trim()) : undefined;
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', input, message: `${show(input)} is not ${what}` });
    return z.NEVER;
  });
}

/** A number with one of the units, or without a unit; undefined for anything else. */
function quantity(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([A-Za-z]*)$/.exec(text) ?? [];
  const value = Number(number) * (units[unit] ?? NaN);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** Timers cannot run longer: a larger delay would fire at once. */
const longestTimer = 2 ** 31 - 1;
const durationUnits = { '': 1, ms: 1, s: 1_000, m: minuteInMs };
const periodUnits = { m: minuteInMs, h: hourInMs, d: dayInMs, w: 7 * dayInMs };
const sizeUnits = { '': 1, KiB: 1024, MiB: 1024 ** 2 };

const durationFrom = (least: number) => (text: string) => {
  const value = quantity(text, durationUnits);
  return value !== undefined && value >= least && value <= longestTimer ? value : undefined;
};
const countFrom = (least: number) => (text: string) => {
  const value = quantity(text, { '': 1 });
  return value !== undefined && value >= least ? value : undefined;
};

/** Milliseconds, at least one. */
export const duration = written('a duration: write 15s, 500ms, 2m or a number of milliseconds, at most 24 days', durationFrom(1));
/** Milliseconds; 0 stands for "at once". */
export const durationOrZero = written('a duration: write 0, 15s, 500ms, 2m or a number of milliseconds, at most 24 days', durationFrom(0));
/** Milliseconds of a time that no timer measures; always with its unit. */
export const period = written('a period: write 90d, 12h, 30m or 2w', (text) => quantity(text, periodUnits) || undefined);
/** Milliseconds of a time from seconds to weeks that no timer measures; always with its unit. */
export const span = written('a time: write 30s, 10m, 2h or 7d', (text) => quantity(text, { s: 1_000, ...periodUnits }) || undefined);
/** Headers that hold credentials: what they say must stand in no record. */
const credentials: ReadonlySet<string> = new Set([v1Auth.field, v2Auth.field, 'proxy-authorization', 'cookie', 'cookie2']);
/** The name of a header field (RFC 9110 §5.1) that holds no credentials, in lower case. */
export const fieldName = written('the name of a header without credentials', (text) => {
  const name = text.toLowerCase();
  return /^[\w!#$%&'*+.^`|~-]{1,64}$/.test(name) && !credentials.has(name) ? name : undefined;
});
/** Bytes. */
export const size = written('a size: write 1MiB, 512KiB or a number of bytes', (text) => quantity(text, sizeUnits) || undefined);
export const positive = written('a whole number of at least 1', countFrom(1));
export const count = written('a whole number of at least 0', countFrom(0));
/** Processes. */
export const workers = written('a number of processes from 1 to 256, or auto', (value) => {
  if (value === 'auto') return availableParallelism();
  const given = countFrom(1)(value);
  return given !== undefined && given <= 256 ? given : undefined;
});
export const text = written('a text', (value) => value || undefined);
export const file = written('the path of a file', (value) => value || undefined);

/** Like `text`, for values that no message may show. */
export const secret: z.ZodType<string> = z.string('must be a text').min(1, 'must not be empty');

const dateTime = z.iso.datetime({ offset: true });
const isInstant = (value: string): boolean => dateTime.safeParse(value).success && Date.parse(value) >= 0;

/** A time in ISO 8601 with its zone, from 1970 on; given as it was written. */
export const instant = written('an instant: write 2026-12-31T00:00:00Z', (value) => (isInstant(value) ? value : undefined));

export const oneOf = <const T extends string>(values: readonly T[]): z.ZodType<T> =>
  written(`one of ${values.join(', ')}`, (value) => values.find((allowed) => allowed === value));

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
export const boolean: z.ZodType<boolean> = z.union([z.boolean(), written('true or false', (value) => truths.get(value))], {
  error: ({ input }) => `${show(input)} is not true or false`,
});

export interface Address {
  readonly host: string;
  readonly port: number;
}

const defaultHost = '127.0.0.1';

function readAddress(value: string): Address | undefined {
  const { groups = {} } = /^(?:(?:\[(?<ipv6>[^\]]+)\]|(?<name>[A-Za-z0-9.-]*)):)?(?<port>\d{1,5})$/.exec(value) ?? {};
  const port = Number(groups['port']);
  if (!(port <= 65_535) || (groups['ipv6'] !== undefined && !isIPv6(groups['ipv6']))) return undefined;
  return { host: groups['ipv6'] ?? (groups['name'] || defaultHost), port };
}

/** Where to listen; port 0 lets the system choose. */
export const address = written('an address: write 127.0.0.1:8080, [::1]:8080, :8080 or 8080', readAddress);

export const readHttpUrl = (value: string): URL | undefined =>
  /^https?:\/\/./i.test(value) && URL.canParse(value) ? new URL(value) : undefined;

/** An absolute address, normalised: it can stand in a header field. */
export const httpUrl = written('an http(s) URL', (value) => readHttpUrl(value)?.href);

/** What no base address has: paths are appended to it, and credentials travel elsewhere. */
export const faultsOfBase = (url: URL): string[] =>
  Object.entries({
    'must not hold a user name or password': url.username !== '' || url.password !== '',
    'must not have a query or fragment': /[?#]/.test(url.href),
  }).flatMap(([fault, applies]) => (applies ? [fault] : []));

/** The base address of a collector. */
export const collectorUrl = written('an http(s) URL', readHttpUrl).transform((url, context) => {
  for (const message of faultsOfBase(url)) context.issues.push({ code: 'custom', input: url.href, message });
  return url.href.replace(/\/+$/, '');
});

/** The base address of a service, which no path of v2 follows yet. */
export const baseUrl = written('an http(s) URL', readHttpUrl).transform((url, context) => {
  const version = /\/v2\/*$/.test(url.pathname) ? ['must end before /v2, with which every path begins'] : [];
  for (const message of [...faultsOfBase(url), ...version]) context.issues.push({ code: 'custom', input: url.href, message });
  return url.href.replace(/\/+$/, '');
});

/** Product names of RFC 9110 §10.1.5 are tokens (§5.6.2), which hold no comma. */
const product = written('a product name such as my-app, without version', (value) =>
  /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(value) ? value : undefined,
);

/** An address, or a network in CIDR notation. IPv4 is meant as IPv4, also where IPv6 carries it. */
const network = written('an address or a network: write 10.0.0.0/8, 192.0.2.7 or 2001:db8::/32', (value) => {
  const [address = '', length] = value.split('/');
  const isWhole = isIP(address) !== 0 && !/^::ffff:|%/i.test(address) && (length === undefined || ipaddr.isValidCIDR(value));
  return isWhole ? value : undefined;
});

/** A list, or text with commas. */
const listOf = <T>(what: string, item: z.ZodType<T>) =>
  z
    .union([z.string(), z.array(z.unknown())], { error: ({ input }) => `${show(input)} is not a list of ${what}` })
    .transform((input) => [input].flat().flatMap((item) => (typeof item === 'string' ? item.split(',') : [item])))
    .pipe(z.array(item));

export const products = listOf('product names', product);
export const networks = listOf('networks', network);
