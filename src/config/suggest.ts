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

/** At most so many are named. */
const mostNear = 5;

/**
 * Names that are near to what somebody wrote, the nearest first: typing errors, and parts of names in whatever case.
 * @param given what the user wrote
 */
export function nearNames(given: string, known: Iterable<string>): readonly string[] {
  const wanted = given.toLowerCase();
  return [...known]
    .map((name) => {
      const lower = name.toLowerCase();
      const isPart = wanted.length > 1 && (lower.includes(wanted) || (lower.length > 1 && wanted.includes(lower)));
      // What is longer is no typing error, and would take the square of its length to compare.
      const isNear = Math.abs(lower.length - wanted.length) <= wanted.length / 3;
      return { name, distance: isPart ? 0 : isNear ? editDistance(wanted, lower) : Infinity };
    })
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 3)))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, mostNear)
    .map(({ name }) => name);
}

/** Without what differs between the spellings of one name: `--v2-base`, `v2Base`, `MIGRATE_V2_V2_BASE`. */
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** How many letters to insert, delete, replace or exchange with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
