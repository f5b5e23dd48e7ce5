/**
 * `; did you mean …?` for a misspelt name, or an empty text where nothing is near.
 * @param given what the user wrote
 * @param known what there is; one of them is suggested as it stands
 */
export function didYouMean(given: string, known: Iterable<string>): string {
  const plain = plainName(given);
  const nearest = [...known]
    .map((name) => ({ name, distance: editDistance(plain, plainName(name)) }))
    .toSorted((a, b) => a.distance - b.distance)
    .at(0);
  // A third of the letters may be wrong: enough for typing errors, too little to suggest another word.
  return nearest !== undefined && nearest.distance <= Math.max(1, Math.floor(plain.length / 3)) ? `; did you mean ${nearest.name}?` : '';
}

/** Without what differs between the spellings of one name: `--v2-base`, `v2Base`, `MIGRATE_V2_V2_BASE`. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Levenshtein distance: how many letters to insert, delete or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
