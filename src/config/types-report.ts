/** The types of the settings of the usage report, and of what it and the proxy know of workspaces. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { labelOf, unlisted, v1Endpoints } from '../contract/endpoints.ts';
import { plans } from '../contract/plans.ts';
import { didYouMean } from './suggest.ts';
import { isNot, table } from './tables.ts';
import { language } from './types-letters.ts';
import { standing } from './types-mark.ts';
import { instant, oneOf, period, show, written } from './types.ts';

/** An instant in epoch milliseconds, or so many milliseconds before the report is made. */
export type Moment = { readonly at: number } | { readonly ago: number };

function readMoment(text: string): Moment | undefined {
  const ago = period.safeParse(text);
  if (ago.success) return { ago: ago.data };
  const at = instant.safeParse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return at.success ? { at: Date.parse(at.data) } : undefined;
}

/** A point of time: `30d` is 30 days ago; a date is its first instant in UTC. */
export const moment = written('a point of time: write 30d for 30 days ago, 2026-11-01 or 2026-11-01T12:00:00Z', readMoment);

/** As much of a key as the record shows. */
const shownOfKey = 8;
const begins = (text: string): string => (text.length > shownOfKey ? `${text.slice(0, shownOfKey)}…` : text);

/** What may be a key, or hold some, as it may stand in a message. */
function showKeyed(value: unknown): string {
  if (typeof value === 'string') return isHash(value) ? `"${value}"` : show(begins(value));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a table';
  return begins(String(value));
}

const isHash = (key: string): boolean => /^hash:[0-9a-f]{16}$/.test(key);
/** What somebody takes for the name of a property is one word; a key is none. */
const nameOfProperty = (name: string): string => (/^[a-z]{1,16}$/i.test(name) ? name : begins(name));

const labelWith = (shown: typeof show) =>
  z.string(isNot('a text', shown)).trim().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
/** A name that somebody gives: a text on its own. */
export const label = labelWith(show);

export const keyName = labelWith(showKeyed).refine((key) => !key.startsWith('hash:') || isHash(key), {
  error: 'is not the hash of a key: write hash: and the 16 hexadecimal digits that the report shows',
});

/** A key, but never the key itself; no message may show it. */
export const keyReference: z.ZodType<string> = z.string('must be a text').regex(/^(?:hash:[0-9a-f]{16}$|env:.|file:.)/s, {
  error:
    'must be hash: and the 16 hexadecimal digits that the report shows, or env:NAME or file:PATH that holds the key: a key on the command line stands in the history of the shell and in the list of processes',
});

type TableOf<Shape extends Record<string, z.ZodType>, Required extends keyof Shape> = {
  readonly [Name in Exclude<keyof Shape, Required>]?: z.infer<Shape[Name]> | undefined;
} & { readonly [Name in Required]: z.infer<Shape[Name]> };

/** A list of tables with the same names, some of which must be there. */
export function listOf<Shape extends Record<string, z.ZodType>, Required extends keyof Shape & string>(
  what: string,
  shape: Shape,
  required: readonly Required[],
): z.ZodType<readonly TableOf<Shape, Required>[]> {
  const messages = { whole: isNot(`a table: each ${what} is one`, showKeyed), named: nameOfProperty };
  const item = table(`property of a ${what}`, shape, messages).superRefine((given, context) => {
    for (const name of required.filter((name) => given[name] === undefined)) {
      context.addIssue({ code: 'custom', path: [name], message: `is required for each ${what}` });
    }
  });
  // `table` forgets the names of the shape, and that the required ones are there.
  return z.array(item, isNot(`a list of ${what}s`, showKeyed)) as unknown as z.ZodType<readonly TableOf<Shape, Required>[]>;
}

const workspaceShape = {
  name: label,
  plan: oneOf(plans),
  owner: label,
  contact: label,
  note: label,
  status: standing,
  language,
  rarestJob: period,
  keys: z.array(keyName, isNot('a list of key prefixes and hashes', showKeyed)).min(1, 'must name at least one key'),
};

/** What belongs to whom. A key, or a name, that stands twice would belong to two. */
export const workspaces = listOf('workspace', workspaceShape, ['name', 'keys']).check((context) => {
  const names = context.value.map(({ name }) => name);
  const keys = context.value.flatMap(({ keys }) => keys);
  const twice = repeated('workspace', names, show) ?? repeated('key', keys, showKeyed);
  if (twice !== undefined) context.issues.push({ code: 'custom', input: context.value, message: `the ${twice} stands here twice` });
});

function repeated(what: string, values: readonly string[], shown: typeof show): string | undefined {
  const twice = values.find((value, index) => values.indexOf(value) < index);
  return twice === undefined ? undefined : `${what} ${shown(twice)}`;
}

const endpointNames = [...Object.values(v1Endpoints).map(labelOf), unlisted];

export const endpoint = z.enum(endpointNames, {
  error: ({ input }) =>
    `${show(input)} is not a v1 endpoint${didYouMean(String(input), endpointNames) || `; write it as ${endpointNames[0]}`}`,
});

/** The record knows no single addresses: networks of IPv4 as /24 and of IPv6 as /48. */
const network = written('a network: write 192.0.2.0/24 or 2001:db8::/48, as the record knows no smaller ones', (text) => {
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, length] = ipaddr.parseCIDR(text);
  return length <= (address.kind() === 'ipv4' ? 24 : 48) ? text : undefined;
});

/** Whoever is ignored does not keep v1 from being stopped: a prefix that all keys have in common would ignore everybody. */
const leastIgnored = 4;
const ignoredKey = keyName.refine((key) => key.length >= leastIgnored, {
  error: `means too many keys: give at least ${leastIgnored} characters, or hash: and the 16 hexadecimal digits that the report shows`,
});

const ignoredStatus = written('a status of 4xx: only calls that were refused can be ignored for their status', (text) =>
  /^4\d\d$/.test(text) ? Number(text) : undefined,
);
const isTrue = z.literal(true, isNot('true: leave it out otherwise'));
const criteria = { client: label, name: label, key: ignoredKey, network, endpoint, status: ignoredStatus, neverAccepted: isTrue };

/** Calls that count as nobody's: those to which everything in one of the rules applies. */
export const ignore = listOf('rule', { ...criteria, reason: label }, ['reason']).check((context) => {
  const index = context.value.findIndex((rule) => Object.keys(criteria).every((name) => !(name in rule)));
  if (index === -1) return;
  const message = `says nothing of what to ignore; give one of ${Object.keys(criteria).join(', ')}`;
  context.issues.push({ code: 'custom', input: context.value[index], path: [index, 'reason'], message });
});

/** Names of proxies, as they call themselves in the record. */
export const replicas = z.array(label, isNot('a list of names')).check((context) => {
  const twice = repeated('replica', context.value, show);
  if (twice !== undefined) context.issues.push({ code: 'custom', input: context.value, message: `the ${twice} stands here twice` });
});
