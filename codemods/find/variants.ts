/** Files that a build puts in place of another: Angular's environments (https://angular.dev/tools/cli/environments). */

/** @returns the files that may stand for this one, without itself: `environment.prod.ts` for `environment.ts` */
export function variantsOf(file: string, files: Iterable<string>): string[] {
  const [, stem] = /^(.*(?:^|\/)environments\/environment)\.ts$/.exec(file) ?? [];
  if (stem === undefined) return [];
  return [...files].filter((other) => other !== file && other.startsWith(`${stem}.`) && /^\.[\w-]+\.ts$/.test(other.slice(stem.length)));
}
