/** The order of rows that somebody chose. */
interface Sortable<Row> {
  readonly id: string;
  readonly sort?: (row: Row) => number | string | undefined;
}

/** @param wanted the column, with a minus where the largest come first; rows stay as they are where there is none */
export function sorted<Row>(rows: readonly Row[], columns: readonly Sortable<Row>[], wanted = ''): readonly Row[] {
  const sort = columns.find(({ id }) => id === wanted.replace(/^-/, ''))?.sort;
  if (sort === undefined) return rows;
  const sign = wanted.startsWith('-') ? -1 : 1;
  const compare = (a: ReturnType<typeof sort>, b: ReturnType<typeof sort>): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    return sign * (typeof a === 'string' || typeof b === 'string' ? collate(String(a), String(b)) : a - b);
  };
  return rows
    .map((row) => ({ row, by: sort(row) }))
    .toSorted((a, b) => compare(a.by, b.by))
    .map(({ row }) => row);
}

let collator: Intl.Collator | undefined;
/** Made with the first text: it takes some ten milliseconds, which a proxy would wait for before it listens. */
const collate = (a: string, b: string): number => (collator ??= new Intl.Collator('en', { numeric: true })).compare(a, b);
