import type { Range } from '../usage/model.ts';
import type { Point, UsageReader } from '../usage/store/store.ts';
import type { Client, Directory } from './clients.ts';

/** Callers of whose calls some are ignored: those to some endpoints. */
interface Partly {
  readonly callers: number[];
  readonly endpoints: readonly string[];
}

/** Reads when was called, without what is ignored. */
export class CountedCalls {
  readonly #reader: UsageReader;
  readonly #clients: ReadonlyMap<number, Client>;
  /** Callers that are not read with all others: ignored ones, and those that are partly. */
  readonly #apart: ReadonlySet<number>;
  readonly #partly: readonly Partly[];

  private constructor(reader: UsageReader, clients: ReadonlyMap<number, Client>, apart: ReadonlySet<number>, partly: readonly Partly[]) {
    this.#reader = reader;
    this.#clients = clients;
    this.#apart = apart;
    this.#partly = partly;
  }

  /** @param range all that will be asked for */
  static async of(reader: UsageReader, { clients }: Directory, range: Range): Promise<CountedCalls> {
    const apart = new Set([...clients].filter(([, { ignored }]) => ignored.all !== undefined).map(([id]) => id));
    const called = await callersOfIgnored(reader, clients, range);
    const partly = new Map<string, Partly>();
    for (const [id, endpoints] of called) {
      apart.add(id);
      const names = [...endpoints].toSorted();
      const key = names.join(' ');
      const same = partly.get(key) ?? { callers: [], endpoints: names };
      partly.set(key, same);
      same.callers.push(id);
    }
    return new CountedCalls(reader, clients, apart, [...partly.values()]);
  }

  /** Hands on what was called by hour or day, each client's in the order of time. */
  async read(range: Range, size: 'hour' | 'day', take: (point: Point, client: Client) => void): Promise<void> {
    const streams = [
      this.#reader.series(range, size),
      ...this.#partly.map(({ callers, endpoints }) => this.#reader.seriesWithout(range, size, callers, endpoints)),
    ];
    for (const [index, stream] of streams.entries()) {
      for await (const points of stream)
        for (const point of points) {
          const client = this.#clients.get(point.caller);
          if (client !== undefined && (index > 0 || !this.#apart.has(point.caller))) take(point, client);
        }
    }
  }
}

/** Callers that have called endpoints that are ignored of them, with these; it takes a look at every total, where there are such rules. */
async function callersOfIgnored(reader: UsageReader, clients: ReadonlyMap<number, Client>, range: Range) {
  const called = new Map<number, Set<string>>();
  const mayHave = [...clients.values()].some(({ ignored }) => ignored.all === undefined && ignored.endpoints.size > 0);
  if (!mayHave) return called;
  for await (const { caller, kind } of reader.totals(range)) {
    const ignored = clients.get(caller)?.ignored;
    if (ignored === undefined || ignored.all !== undefined || !ignored.endpoints.has(kind.endpoint)) continue;
    const endpoints = called.get(caller) ?? new Set();
    called.set(caller, endpoints.add(kind.endpoint));
  }
  return called;
}
