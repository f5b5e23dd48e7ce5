/** What of v2's answers may be given to more than the one who asked, by RFC 9111. Answers stay with their key: here is no shared cache in its sense. */
import { cacheDirectives, seconds } from './directives.ts';
import { isIgnored } from './identity.ts';

/** What the fields of an answer say of using it for others. */
export interface Cacheability {
  /** Whether others who asked meanwhile may have it. */
  readonly shared: boolean;
  /** Whether it may be kept, where it is a 200. */
  readonly kept: boolean;
  /** How long v2 says that it is good, from when it was made, in milliseconds; Infinity where v2 says nothing. */
  readonly lifetime: number;
  /** How old it was on its arrival, as the caches before say (RFC 9111 §5.1), in milliseconds. */
  readonly age: number;
  /** When v2 says that it was made, in epoch milliseconds. */
  readonly date: number | undefined;
}

/** @param raw names and values in turn */
export function cacheability(raw: readonly string[]): Cacheability {
  const fields = new Map<string, string>();
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]?.toLowerCase() ?? '';
    const value = raw[i + 1] ?? '';
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const control = cacheDirectives(fields.get('cache-control') ?? '');
  const shared = !control.has('no-store') && variesByWhatIsCompared(fields.get('vary') ?? '');
  const coding = fields.get('transfer-encoding')?.toLowerCase();
  const date = Date.parse(fields.get('date') ?? '');
  return {
    shared,
    kept: shared && !control.has('no-cache') && !fields.has('set-cookie') && (coding === undefined || coding === 'chunked'),
    lifetime: seconds(control, 'max-age') ?? untilExpiry(fields.get('expires'), date),
    age: /^\d{1,9}$/.test(fields.get('age') ?? '') ? Number(fields.get('age')) * 1_000 : 0,
    date: Number.isNaN(date) ? undefined : date,
  };
}

/** Vary names fields by which v2 chose this answer: those that identical requests share do no harm (RFC 9111 §4.1). */
function variesByWhatIsCompared(vary: string): boolean {
  return vary.split(',').every((name) => name.trim() !== '*' && !isIgnored(name.trim().toLowerCase()));
}

/** RFC 9111 §5.3: what is no date, especially 0, has passed. */
function untilExpiry(expires: string | undefined, date: number): number {
  if (expires === undefined) return Infinity;
  const until = Date.parse(expires) - date;
  return Number.isNaN(until) ? 0 : Math.max(0, until);
}
