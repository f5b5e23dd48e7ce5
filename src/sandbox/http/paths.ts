/** Paths and their templates, in which `:name` stands for one segment that is not empty. */

/**
 * Compares a path with a template, segment by segment and byte for byte.
 * @param template its segments; @param path those of the path as sent
 * @returns what stands in the places of the names, decoded; undefined where the template is not that of the path
 */
export function matchPath(template: readonly string[], path: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (template.length !== path.length) return undefined;
  const pairs = template.map((part, i) => [part, path[i] ?? ''] as const);
  if (!pairs.every(([part, segment]) => (part.startsWith(':') ? segment !== '' : part === segment))) return undefined;
  return Object.fromEntries(pairs.filter(([part]) => part.startsWith(':')).map(([part, segment]) => [part.slice(1), decode(segment)]));
}

/** No id is empty, so that what cannot be decoded (RFC 3986 §2.1) stands for nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
