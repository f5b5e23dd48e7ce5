/** A store as if it held some callers alone: whatever is read through it, nothing of anybody else is there. */
import type { LogUse } from '../../usage/logs/model.ts';
import type { ComparisonRow, Mark, Range, Source, Step } from '../../usage/model.ts';
import type { Peak, Point, Saving, Totals, UsageReader } from '../../usage/store/store.ts';

/** By what it is asked for. */
type Answers<Row> = Map<string, Promise<ReadonlyMap<number | string, readonly Row[]>>>;

/** What was read of a store once, by whose it is: reports of hundreds of workspaces ask for the same. */
export class SharedReading {
  readonly reader: UsageReader;
  readonly #totals: Answers<Totals> = new Map();
  readonly #series: Answers<Point> = new Map();
  readonly #peaks: Answers<Peak> = new Map();
  readonly #savings: Answers<Saving> = new Map();
  readonly #lists = new Map<string, Promise<readonly unknown[]>>();

  constructor(reader: UsageReader) {
    this.reader = reader;
  }

  totals(range: Range): Promise<ReadonlyMap<number | string, readonly Totals[]>> {
    return once(this.#totals, rangeKey(range), () => byWhose(paged(this.reader.totals(range)), ({ caller }) => caller));
  }

  series(range: Range, size: 'hour' | 'day'): Promise<ReadonlyMap<number | string, readonly Point[]>> {
    return once(this.#series, `${size} ${rangeKey(range)}`, () => byWhose(this.reader.series(range, size), ({ caller }) => caller));
  }

  peaks(range: Range): Promise<ReadonlyMap<number | string, readonly Peak[]>> {
    return once(this.#peaks, rangeKey(range), () => byWhose(this.reader.peaks(range), ({ keyHash }) => keyHash));
  }

  savings(range: Range): Promise<ReadonlyMap<number | string, readonly Saving[]>> {
    return once(this.#savings, rangeKey(range), () => byWhose(this.reader.savings(range), ({ keyHash }) => keyHash));
  }

  logUses(range: Range): Promise<readonly LogUse[]> {
    return this.list(`log uses ${rangeKey(range)}`, () => this.reader.logUses(range));
  }

  /** What is a short list. */
  list<Row>(name: string, read: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const known = this.#lists.get(name) ?? read();
    this.#lists.set(name, known);
    // Each name has one kind of rows.
    return known as Promise<readonly Row[]>;
  }
}

const rangeKey = ({ since, until }: Range): string => `${since} ${until}`;

function once<Row>(
  answers: Answers<Row>,
  key: string,
  read: () => Promise<ReadonlyMap<number | string, readonly Row[]>>,
): Promise<ReadonlyMap<number | string, readonly Row[]>> {
  const known = answers.get(key) ?? read();
  answers.set(key, known);
  return known;
}

async function* paged<Row>(rows: AsyncIterable<Row>): AsyncIterable<readonly Row[]> {
  for await (const row of rows) yield [row];
}

async function byWhose<Row>(pages: AsyncIterable<readonly Row[]>, whose: (row: Row) => number | string) {
  const rows = new Map<number | string, Row[]>();
  for await (const page of pages)
    for (const row of page) {
      const own = rows.get(whose(row));
      if (own === undefined) rows.set(whose(row), [row]);
      else own.push(row);
    }
  return rows;
}

/** Whose rows are read. */
export interface Own {
  readonly callers: ReadonlySet<number>;
  readonly keyHashes: ReadonlySet<string>;
  isOwnComparison(row: ComparisonRow): boolean;
  isOwnMark(mark: Mark): boolean;
  /** Whether a call in an access log is theirs. */
  isOwnLog(use: LogUse): boolean;
  /** The road without names. */
  readonly steps: (steps: readonly Step[]) => readonly Step[];
  /** What an access log is called: its name may be about others. */
  readonly logName: (name: string) => string;
}

/** What access logs tell of calls of nobody known: they may be anybody's, and a verdict has to know when they were. */
export const nobodysLogs =
  (shared: SharedReading, { logName }: Pick<Own, 'logName'>, isNobodys: (use: LogUse) => boolean) =>
  async (range: Range): Promise<readonly LogUse[]> =>
    (await shared.logUses(range)).filter(isNobodys).map((use) => ({ ...use, source: logName(use.source) }));

/** Makes the reader of some callers. Times of recording, and what is left of erased callers, are nobody's, and are there. */
export function ownReader(shared: SharedReading, own: Own): UsageReader {
  const { reader } = shared;
  const ownCallers = <Row extends { readonly caller: number }>(rows: ReadonlyMap<number | string, readonly Row[]>): readonly Row[][] =>
    [...own.callers].flatMap((caller) => [[...(rows.get(caller) ?? [])]]);
  const ownKeys = <Row>(rows: ReadonlyMap<number | string, readonly Row[]>, order: (row: Row) => number): Row[] =>
    [...own.keyHashes].flatMap((hash) => rows.get(hash) ?? []).toSorted((a, b) => order(a) - order(b));
  return {
    hashSecret: reader.hashSecret,
    callers: async () => (await reader.callers()).filter(({ id }) => own.callers.has(id)),
    erased: () => shared.list('erased', () => reader.erased()),
    sources: () => filtered(reader.sources(), ({ caller }: Source) => own.callers.has(caller)),
    widen: (range) => reader.widen(range),
    totals: (range) => items(async () => ownCallers(await shared.totals(range)).flat()),
    callersOf: async (isSuch) => new Set([...(await reader.callersOf(isSuch))].filter((id) => own.callers.has(id))),
    series: (range, size) => items(async () => ownCallers(await shared.series(range, size))),
    seriesWithout: (range, size, callers, endpoints) =>
      reader.seriesWithout(
        range,
        size,
        callers.filter((id) => own.callers.has(id)),
        endpoints,
      ),
    peaks: (range) => items(async () => [ownKeys(await shared.peaks(range), ({ day }) => day)]),
    load: (range, keyHashes) =>
      reader.load(
        range,
        keyHashes.filter((hash) => own.keyHashes.has(hash)),
      ),
    savings: (range) => items(async () => [ownKeys(await shared.savings(range), ({ hour }) => hour)]),
    sessions: (range) => reader.sessions(range),
    gaps: (range) => reader.gaps(range),
    retirements: () => reader.retirements(),
    marks: async () => (await shared.list('marks', () => reader.marks())).filter((mark) => own.isOwnMark(mark)),
    steps: async () => own.steps(await shared.list('steps', () => reader.steps())),
    comparisons: async (range) =>
      (await shared.list(`comparisons ${rangeKey(range)}`, () => reader.comparisons(range))).filter((row) => own.isOwnComparison(row)),
    logSources: async () => (await reader.logSources()).map((source) => ({ ...source, name: own.logName(source.name) })),
    logUses: async (range) =>
      (await shared.logUses(range)).filter((use) => own.isOwnLog(use)).map((use) => ({ ...use, source: own.logName(use.source) })),
    close: () => reader.close(),
  };
}

async function* items<Row>(read: () => Promise<readonly Row[]>): AsyncIterable<Row> {
  yield* await read();
}

async function* filtered<Row>(rows: AsyncIterable<Row>, isOwn: (row: Row) => boolean): AsyncIterable<Row> {
  for await (const row of rows) if (isOwn(row)) yield row;
}
