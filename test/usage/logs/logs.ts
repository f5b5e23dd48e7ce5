/** Logs as the tests of their import need them. */
import { onTestFinished } from 'vitest';
import { importLog, type ImportOptions, type LogFigures, logTools } from '../../../src/usage/logs/import-log.ts';
import { openLogWriter, openReader } from '../../../src/usage/store/open.ts';
import { everything, storePath } from '../record.ts';

export const now = Date.parse('2026-11-22T12:00:00Z');

const importing: ImportOptions = {
  format: undefined,
  fields: {},
  pattern: undefined,
  source: undefined,
  host: undefined,
  skipNetworks: [],
  hashSecret: undefined,
  now,
};

interface Told {
  readonly target: string;
  readonly method?: string;
  readonly status?: number;
  readonly address?: string;
  readonly agent?: string;
  /** Seconds after the first line. */
  readonly second?: number;
}

const months = ['Oct', 'Nov'];
/** A line of a combined log. */
export function lineOf({ target, method = 'GET', status = 200, address = '192.0.2.7', agent = 'axios/1.7.0', second = 0 }: Told): string {
  const [date = '', clock = ''] = new Date(Date.parse('2026-11-20T08:00:00Z') + second * 1_000).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  return `${address} - - [${day}/${months[Number(month) - 10]}/${year}:${clock} +0000] "${method} ${target} HTTP/1.1" ${status} 5 "-" "${agent}"\n`;
}

/** As many calls, one a second. */
export const linesOf = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => lineOf({ target: `/v1/messages/${from + index}`, second: from + index }));

/** The bytes in chunks of some size, as a file comes. */
export async function* chunksOf(text: string | Buffer, size = 65_536): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A store, and what imports texts into it. */
export function logStore(store = storePath()) {
  return {
    store,
    async read(
      text: string | Buffer,
      changes: Partial<ImportOptions> & { readonly size?: number; readonly isWhole?: boolean } = {},
    ): Promise<LogFigures> {
      const { size, isWhole = false, ...options } = changes;
      const writer = await openLogWriter(store);
      try {
        return await importLog(chunksOf(text, size), isWhole, logTools(writer, { ...importing, ...options }));
      } finally {
        await writer.close();
      }
    },
    async open() {
      const reader = await openReader(store);
      onTestFinished(() => reader.close());
      return reader;
    },
    async uses() {
      const reader = await openReader(store);
      const uses = await reader.logUses(everything);
      await reader.close();
      return uses;
    },
    async calls(): Promise<number> {
      return (await this.uses()).reduce((sum, { calls }) => sum + calls, 0);
    },
  };
}
