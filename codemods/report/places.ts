/** From offsets to lines, for people and for SARIF. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plan, Span } from '../model.ts';
import type { ChangedFile } from '../result.ts';

/** 1-based; columns in UTF-16 units, as editors and SARIF's `utf16CodeUnits` count them. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Places {
  /** undefined where the file cannot be read any more. */
  at(span: Span): Place | undefined;
  /** The span's text; only to be compared with, never to be shown: it may hold a key. */
  textAt(span: Span): string | undefined;
}

/** Offsets at which the lines begin. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: ending } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + ending.length);
  return starts;
}

function position(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

/** How many files are read at the same time. */
const atOnce = 16;

/** What has places in it: a result, or a part of one. */
interface Placed {
  readonly changed: readonly ChangedFile[];
  readonly plan: Pick<Plan, 'calls' | 'edits' | 'keys'>;
}

/** The texts as they were analysed: of changed files those before the change, of others those on the disk. */
async function readTexts({ changed, plan: { calls, edits, keys } }: Placed, cwd: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(changed.map(({ file, before }) => [file, before]));
  const named = calls
    .flatMap(({ file, proof }) => [file, ...proof.map((step) => step.file)])
    .concat([...edits, ...keys].map(({ file }) => file));
  const missing = [...new Set(named)].filter((file) => !texts.has(file));
  for (let from = 0; from < missing.length; from += atOnce) {
    await Promise.all(
      missing.slice(from, from + atOnce).map(async (file) => {
        const text = await readFile(resolve(cwd, file), 'utf8').catch(() => undefined);
        if (text !== undefined) texts.set(file, text);
      }),
    );
  }
  return texts;
}

/**
 * Finds the lines of calls, their proofs and edits.
 * @param cwd what the files are named relative to
 */
export async function readPlaces(placed: Placed, cwd: string): Promise<Places> {
  const texts = await readTexts(placed, cwd);
  const tables = new Map<string, number[]>();
  return {
    at({ file, start, end }) {
      const text = texts.get(file);
      if (text === undefined) return undefined;
      const starts = tables.get(file) ?? lineStarts(text);
      tables.set(file, starts);
      const [from, to] = [position(starts, start), position(starts, end)];
      return { ...from, endLine: to.line, endColumn: to.column };
    },
    textAt: ({ file, start, end }) => texts.get(file)?.slice(start, end),
  };
}
