/** The files that stand nearest to where a base is, by who imports whom. */
import type { SliceFile } from './sources.ts';

/**
 * @param begun where it begins
 * @param lengthOf how long a file is, if it is meant
 * @param most how long those that are meant may be together
 * @returns as many as that of those that are meant, the nearest first
 */
export function nearest(
  files: readonly SliceFile[],
  begun: Iterable<string>,
  lengthOf: (file: string) => number | undefined,
  most: number,
): ReadonlySet<string> {
  const byFile = new Map(files.map((each) => [each.file, each]));
  const imported = new Map<string, string[]>();
  for (const { file, importers } of files)
    for (const importer of importers) {
      const own = imported.get(importer);
      if (own === undefined) imported.set(importer, [file]);
      else own.push(file);
    }
  const found = new Set<string>();
  let length = 0;
  const look = (file: string): void => {
    const own = length > most ? undefined : lengthOf(file);
    if (own === undefined) return;
    length += own;
    found.add(file);
  };
  const reached = new Set(begun);
  // A set that grows while it is walked: new members come up later. What no import leads to is farthest.
  for (const file of reached) {
    look(file);
    for (const other of [...(byFile.get(file)?.importers ?? []), ...(imported.get(file) ?? [])]) reached.add(other);
  }
  for (const { file } of files) if (!reached.has(file)) look(file);
  return found;
}
