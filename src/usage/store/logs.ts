/** What both stores do with lines of logs. */
import { randomUUID } from 'node:crypto';
import { hoursOfDay } from './plan.ts';
import { addMarks } from '../logs/known-lines.ts';
import { type LogBatch, type LogCaller, type LogFile, mostLogCallers } from '../logs/model.ts';
import { joined } from '../logs/stretches.ts';
import { otherCallers, type Range } from '../model.ts';

/** Who stands for all whom there is no more room to tell apart. */
export const otherLogCaller: LogCaller = { client: otherCallers, network: '', keyHash: null, keyPrefix: null };

/** What the names of sources begin with that are not whole yet: no reader is told of them. */
const stagedMark = '\u0001';

/** The name under which a source is read that is to take the place of the one that has its name. */
export const stagedName = (source: string): string => `${stagedMark}${randomUUID()} ${source}`;
export const isWhole = (name: string): boolean => !name.startsWith(stagedMark);

/** The first and the last line of a file. */
export const endsOf = ({ stretches }: LogFile): readonly [number, number] => [stretches[0]?.since ?? 0, stretches.at(-1)?.until ?? 0];

/** Makes the function that says over which stretches a source reaches, from the rows of all of them. */
export function stretchesByName(
  rows: readonly (readonly [name: string, first: number, last: number])[],
): (name: string) => readonly Range[] {
  const byName = Map.groupBy(rows, ([name]) => name);
  return (name) => joined((byName.get(name) ?? []).map(([, since, until]) => ({ since, until })));
}

/** The columns by which a store tells callers apart. */
export const cellsOf = ({ client, network, keyHash }: LogCaller): readonly [string, string, string] => [client, network, keyHash ?? ''];

/** How many more callers of a source a store takes. */
export const roomFor = (known: number): number => Math.max(0, mostLogCallers - known);

/** Counts to be added for a caller and kind on a day, which are known by their places in the batch. */
export interface LoggedDay {
  readonly day: number;
  readonly caller: number;
  readonly kind: number;
  calls: number;
  first: number;
  last: number;
}

/** Adds up the lines that a store does not have yet, hour by hour. */
export class FreshLines {
  readonly #kinds: number;
  readonly #days = new Map<number, Map<number, LoggedDay>>();
  calls = 0;

  constructor({ kinds }: LogBatch) {
    this.#kinds = kinds.length;
  }

  get days(): readonly LoggedDay[] {
    return [...this.#days.values()].flatMap((rows) => [...rows.values()]);
  }

  /** @returns the bytes of all marks that the store now has of this hour; undefined where it has them */
  add({ hour, marks, times, callers, kinds }: LogBatch['hours'][number], known: Uint8Array | undefined): Uint8Array | undefined {
    const added = addMarks(known, marks);
    if (added === undefined) return undefined;
    const day = Math.floor(hour / hoursOfDay);
    const rows = this.#days.get(day) ?? new Map<number, LoggedDay>();
    this.#days.set(day, rows);
    for (const place of added.fresh) {
      const [caller, kind, time] = [callers[place] ?? 0, kinds[place] ?? 0, times[place] ?? 0];
      const pair = caller * this.#kinds + kind;
      const row = rows.get(pair);
      if (row === undefined) rows.set(pair, { day, caller, kind, calls: 1, first: time, last: time });
      else {
        row.calls++;
        if (time < row.first) row.first = time;
        if (time > row.last) row.last = time;
      }
    }
    this.calls += added.fresh.length;
    return added.bytes;
  }
}
