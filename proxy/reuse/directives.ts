/** Cache-Control, of requests and of answers (RFC 9111 §5.2). */

/** The directives by their names in lower case, with what stands after the equals sign. */
export function cacheDirectives(control: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  // A comma in quotes parts nothing: no-cache="a, b" (RFC 9110 §5.6.1).
  for (const [, name = '', quoted, token] of control.matchAll(/([^\s,;="]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g)) {
    const value = quoted ?? token ?? '';
    const other = found.get(name.toLowerCase());
    // Of two that contradict each other, the stricter one holds (RFC 9111 §4.2.1).
    found.set(name.toLowerCase(), other !== undefined && Number(other) < Number(value) ? other : value);
  }
  return found;
}

/** A directive's seconds, in milliseconds; none at all where they cannot be read, so that nothing is taken for fresh (RFC 9111 §4.2.1). */
export function seconds(directives: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = directives.get(name);
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) * 1_000 : 0;
}
