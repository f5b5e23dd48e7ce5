/**
 * Which requests are identical: v2 would answer them alike. Two are, where their key, path, query and every field are the same, but for fields
 * that say nothing of the answer. In doubt they differ: a saving is missed then, and nothing else.
 */
import { cacheDirectives, seconds } from './directives.ts';

/** Who asks, which way it came, how it is traced; and what it says to caches, which is heeded here. */
const ignored: ReadonlySet<string> = new Set([
  'user-agent',
  'via',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'traceparent',
  'tracestate',
  'baggage',
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-flags',
  'cache-control',
  'pragma',
]);

/** Whether identical requests may differ in a field; its name is in lower case. */
export const isIgnored = (name: string): boolean => ignored.has(name);

/** They ask whether something has changed, or for a part of it: their answers are their own (RFC 9110 §§13, 14). */
const own: ReadonlySet<string> = new Set(['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'range']);

/** What of a read decides whether it can have another's answer. */
export interface Asked {
  /** Every field that may matter to the answer, the key's among them, as one text. */
  readonly fields: string;
  /** How old an answer it takes, in milliseconds; less than 0 for none that was not asked for it. */
  readonly maxAge: number;
  /** For how long an answer has to be good still, in milliseconds. */
  readonly minFresh: number;
  /** Whether the answer may be kept for others. */
  readonly keeps: boolean;
}

/**
 * Reads the fields that go on to v2.
 * @param fields names and values in turn
 * @returns undefined for a request whose answer is its own, and no other's is its
 */
export function readAsked(fields: readonly string[]): Asked | undefined {
  let text = '';
  let control: string | undefined;
  let pragma: string | undefined;
  for (let i = 0; i < fields.length; i += 2) {
    const name = (fields[i] ?? '').toLowerCase();
    const value = fields[i + 1] ?? '';
    if (own.has(name)) return undefined;
    if (name === 'cache-control') control = control === undefined ? value : `${control},${value}`;
    else if (name === 'pragma') pragma = value;
    if (!ignored.has(name)) text += `${name}:${value}\n`;
  }
  return { fields: text, ...wishes(control, pragma) };
}

/** What a client says to caches (RFC 9111 §5.2.1); Pragma speaks where Cache-Control is silent (§5.4). */
function wishes(control: string | undefined, pragma: string | undefined): Omit<Asked, 'fields'> {
  if (control === undefined)
    return { maxAge: pragma?.toLowerCase().includes('no-cache') === true ? -1 : Infinity, minFresh: 0, keeps: true };
  const told = cacheDirectives(control);
  const maxAge = told.has('no-cache') || told.has('no-store') ? -1 : (seconds(told, 'max-age') ?? Infinity);
  return { maxAge, minFresh: seconds(told, 'min-fresh') ?? 0, keeps: !told.has('no-store') };
}
