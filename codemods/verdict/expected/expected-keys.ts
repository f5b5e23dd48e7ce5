/** Of whose request a key is expected that stands there as a text: `expect(calls[1][1].headers['x-api-key']).toBe('local')`. */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import { optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { RequestSite } from '../request-sites.ts';

/**
 * @param found requests that an expectation of a header may be about
 * @returns those that have the expected key, and those whose key nobody knows, though their callers are seen, as a test's are; all, where none is known to have it
 */
export function withExpectedKey({ request }: RequestSite, found: readonly RequestSite[]): readonly RequestSite[] {
  const expected = request.headers.filter(({ name }) => isKeyHeader(name)).map(({ value }) => plainText(value()));
  const [key] = expected;
  if (key === undefined || expected.length > 1) return found;
  const keysOf = ({ keys }: RequestSite): (string | undefined)[] =>
    keys.flatMap(({ value }) => optionsOf(value()).map((each) => knownKey(each, request.module.text)));
  const having = found.filter((each) => keysOf(each).includes(key));
  return having.length === 0
    ? found
    : found.filter((each) => having.includes(each) || (!each.request.isOpen && keysOf(each).includes(undefined)));
}

/** A key as it is written, or its default where the test does not speak of the variable, or as the test sets that. */
function knownKey(value: Value, test: string): string | undefined {
  if (value.type !== 'env') return plainText(value);
  if (test.includes(value.name)) return setIn(test, value.name);
  return value.otherwise === undefined ? undefined : plainText(value.otherwise);
}

/** `process.env.API_KEY = 'local'`, `Object.assign(process.env, { API_KEY: 'local' })`, where a test speaks of the variable once. */
function setIn(test: string, name: string): string | undefined {
  const [before = '', after, ...more] = test.split(name);
  if (after === undefined || more.length > 0 || /\w$/.test(before)) return undefined;
  return /^(?:['"]?\]?\s*=|['"]?\s*:|['"]\s*,)\s*(['"])([^'"\\\n]*)\1/.exec(after)?.[2];
}
