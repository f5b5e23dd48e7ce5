/**
 * What v2 says of its limit: RateLimit and RateLimit-Policy (an IETF draft, in its newer form and its older ones), or the X-RateLimit fields that
 * many servers have. Fields can be wrong, and proxies add their own: what contradicts itself, or is no hourly limit, says nothing.
 */
import { parseDictionary, parseList } from 'structured-headers';
import { hourInMs } from '../../src/contract/times.ts';

/** What one answer says. */
export interface RateLimitFields {
  /** Calls in an hour. */
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Milliseconds until there is more. */
  readonly reset: number | undefined;
  /** Whether the answer itself says that it is of an hour. */
  readonly isNamed: boolean;
}

const hour = hourInMs / 1_000;
const most = 1_000_000_000;

/** Longer than this, a window that is still to end is no minute, so that its limit can be that of the hour. */
const longerThanMinutes = 10 * 60;

/**
 * Reads the fields of an answer.
 * @param fields as they came, names and values in turn
 * @param now epoch milliseconds
 */
export function readRateLimit(fields: readonly string[], now: number): RateLimitFields | undefined {
  let found: Map<string, string> | undefined;
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index];
    if (name === undefined || !mayLimit(name)) continue;
    const known = spellings.get(name.toLowerCase());
    if (known === undefined) continue;
    const value = fields[index + 1] ?? '';
    found ??= new Map();
    // Two of one name, each with a value of its own: nobody knows which holds.
    found.set(known, found.has(known) ? '' : value);
  }
  return found === undefined ? undefined : agreed(found, now);
}

/** Whether it begins with `ra` or `x-ra`, in either case: most fields do not, and are not looked up. */
function mayLimit(name: string): boolean {
  const at = (name.charCodeAt(0) | 0x20) === 0x78 ? 2 : 0;
  return (name.charCodeAt(at) | 0x20) === 0x72 && (name.charCodeAt(at + 1) | 0x20) === 0x61;
}

const spellings: ReadonlyMap<string, string> = new Map(
  ['limit', 'remaining', 'reset']
    .flatMap((what) => ['ratelimit-', 'x-ratelimit-', 'x-rate-limit-', 'rate-limit-'].map((prefix) => [prefix + what, what] as const))
    .concat([
      ['ratelimit', 'ratelimit'],
      ['ratelimit-policy', 'policy'],
    ]),
);

type Figures = Partial<Record<'limit' | 'remaining' | 'reset' | 'window', number>>;

/** What the fields say together; nothing where two of them say different things. */
function agreed(found: ReadonlyMap<string, string>, now: number): RateLimitFields | undefined {
  const policies = found.has('policy') ? listed(found.get('policy') ?? '') : undefined;
  const states = found.has('ratelimit') ? (dictionary(found.get('ratelimit') ?? '') ?? listed(found.get('ratelimit') ?? '')) : undefined;
  const policy = policies === undefined ? undefined : ofTheHour(policies);
  // Limits of other windows alone: what is left of them says nothing of the hour.
  if (policies !== undefined && policies.length > 0 && policy === undefined) return undefined;
  const state = states === undefined ? undefined : (states.find(({ name }) => name === policy?.name) ?? only(states));
  const plain: Figures = {
    limit: whole(found.get('limit')),
    remaining: whole(found.get('remaining')),
    reset: seconds(found.get('reset'), now),
  };
  const limit = same(policy?.limit, state?.limit, plain.limit);
  const remaining = same(state?.remaining, plain.remaining);
  const reset = same(state?.reset, plain.reset);
  if (limit === 'differ' || remaining === 'differ' || reset === 'differ') return undefined;
  if (reset !== undefined && reset > hour) return undefined;
  if (remaining !== undefined && limit !== undefined && remaining > limit) return undefined;
  const isHourly = policy?.window === hour || (reset !== undefined && reset > longerThanMinutes);
  return {
    limit: isHourly && limit !== undefined && limit >= 1 && limit <= most ? limit : undefined,
    remaining: isHourly ? remaining : undefined,
    reset: isHourly && reset !== undefined ? reset * 1_000 : undefined,
    isNamed: policy?.window === hour,
  };
}

/** The value that all of them have which say something; `differ` where they do not agree. */
function same(...values: readonly (number | undefined)[]): number | 'differ' | undefined {
  const told = values.filter((value) => value !== undefined);
  return told.every((value) => value === told[0]) ? told[0] : 'differ';
}

interface Named extends Figures {
  readonly name: string;
}

/** The draft's newer form: a list of policies, each with parameters. */
function listed(value: string): readonly Named[] {
  const list = parsed(parseList, value) ?? [];
  return list.map(([name, parameters]) => {
    const figure = (key: string): number | undefined => natural(parameters.get(key));
    // An older form of the policy has the limit itself in the place of its name.
    const bare = natural(name);
    return { name: String(name), limit: bare ?? figure('q'), window: figure('w'), remaining: figure('r'), reset: figure('t') };
  });
}

/** An older form: `limit=100, remaining=50, reset=30`. */
function dictionary(value: string): readonly Named[] | undefined {
  const read = parsed(parseDictionary, value);
  if (read?.has('remaining') !== true && read?.has('reset') !== true) return undefined;
  const figure = (key: string): number | undefined => natural(read.get(key)?.[0]);
  return [{ name: '', limit: figure('limit'), remaining: figure('remaining'), reset: figure('reset') }];
}

const ofTheHour = (policies: readonly Named[]): Named | undefined =>
  policies.find(({ window }) => window === hour) ?? (policies.length === 1 && policies[0]?.window === undefined ? policies[0] : undefined);
const only = (states: readonly Named[]): Named | undefined => (states.length === 1 ? states[0] : undefined);

const natural = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
const whole = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;

// Above the first it is no number of seconds (31 years) but an epoch time, above the second one in milliseconds.
const [epochSeconds, epochMilliseconds] = [1e9, 1e11];

/** Seconds from now, or an epoch time: servers put either into X-RateLimit-Reset. */
function seconds(text: string | undefined, now: number): number | undefined {
  const value = whole(text);
  if (value === undefined || value < epochSeconds) return value;
  return Math.max(0, Math.ceil(((value < epochMilliseconds ? value * 1_000 : value) - now) / 1_000));
}

/** A structured field (RFC 9651); undefined where it is none of that type. */
function parsed<T>(parse: (value: string) => T, value: string): T | undefined {
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}
