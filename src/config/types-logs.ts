/** The types of the settings of `usage import`. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { or } from '../text/list.ts';
import { texts as list } from './types-migrate.ts';
import { show, written } from './types.ts';

/** With commas, or given again, or both. */
const texts = list.transform((given) => given.flatMap((text) => text.split(',')).map((text) => text.trim()));

/** What a line of a log can tell. */
export const lineParts = ['time', 'method', 'path', 'request', 'status', 'address', 'agent', 'host', 'key', 'via'] as const;

function readPattern(text: string): RegExp | undefined {
  try {
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

const hasGroup = ({ source }: RegExp, name: string): boolean => source.includes(`(?<${name}>`);

export const pattern = written('a regular expression of JavaScript', readPattern)
  .refine((given) => hasGroup(given, 'time'), { error: 'needs a group for the time: (?<time>…)' })
  .refine((given) => hasGroup(given, 'request') || (hasGroup(given, 'method') && hasGroup(given, 'path')), {
    error: 'needs groups for what was called: (?<method>…) and (?<path>…), or (?<request>…) for both',
  });

/** Names of fields by what they are: `path=uri`. */
export const logFields: z.ZodType<Readonly<Record<string, string>>> = z
  .union([texts, z.record(z.string(), z.string())])
  .transform((given, context) => {
    if (!Array.isArray(given)) return given;
    const pairs = given.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)] as const);
    const wrong = pairs.findIndex(([name, field]) => field === '' || !lineParts.some((part) => part === name));
    if (wrong === -1) return Object.fromEntries(pairs);
    context.issues.push({
      code: 'custom',
      input: given,
      message: `${show(given[wrong])} names no field: write name=FIELD with one of ${or(lineParts)}`,
    });
    return z.NEVER;
  });

/** Whole networks or single addresses, in CIDR notation. */
export const networks = texts.transform((given, context): readonly string[] => {
  const read = given.map((text) => {
    if (ipaddr.isValidCIDR(text)) return text;
    if (!ipaddr.isValid(text)) return undefined;
    return `${text}/${ipaddr.parse(text).kind() === 'ipv4' ? 32 : 128}`;
  });
  const wrong = read.indexOf(undefined);
  if (wrong === -1) return read.filter((network) => network !== undefined);
  const message = `${show(given[wrong])} is no network: write 192.0.2.0/24, 2001:db8::/48 or an address`;
  context.issues.push({ code: 'custom', input: given, message });
  return z.NEVER;
});

/** The port and the dot in the end, which logs write or not, say nothing of the host. */
export const hostName = written('the name of a host: write api.example.com', (text) => {
  const [, name] = /^([\w-]+(?:\.[\w-]+)*)\.?(?::\d{1,5})?$/.exec(text) ?? [];
  const found = name ?? (ipaddr.isValid(text) ? text : undefined);
  return found === undefined || found.length > 253 ? undefined : found.toLowerCase();
});
