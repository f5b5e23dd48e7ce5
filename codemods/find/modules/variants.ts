/** Files that a build puts in place of another, as Angular does with its environments. */

/**
 * @param stems what the paths of such files match, with all before the extension as the first group
 * @returns the files that may stand for this one, without itself: `environment.prod.ts` for `environment.ts`
 */
export function variantsOf(file: string, files: Iterable<string>, stems: readonly RegExp[]): string[] {
  const stem = stems.map((pattern) => pattern.exec(file)?.[1]).find((found) => found !== undefined);
  if (stem === undefined) return [];
  return [...files].filter((other) => other !== file && other.startsWith(`${stem}.`) && /^\.[\w-]+\.ts$/.test(other.slice(stem.length)));
}
