/** Stores for the command line, which speaks of the real present: they are filled as of now. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { callerOf, type Traffic } from '../../helpers/usage-store.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { openWriterHere } from '../../helpers/writer-here.ts';

/** A folder of one test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** What a caller last did. */
export interface Use extends Omit<Traffic, 'calls'> {
  readonly daysAgo: number;
}

/**
 * Writes `usage.db`: one call of each caller, and a record of so many days without a gap.
 * @returns its path
 */
export async function storeOfNow(folder: string, uses: readonly Use[], recordedDays = 60): Promise<string> {
  const path = join(folder, 'usage.db');
  const now = Date.now();
  const writer = openWriterHere(path);
  const rows = uses.map((use) => {
    const at = now - use.daysAgo * dayInMs - 1;
    return {
      minute: Math.floor(at / 60_000),
      caller: callerOf(use),
      kind: { endpoint: 'GET /v1/contacts', method: 'GET', status: 200, outcome: 'translated' as const },
      counts: { calls: 1, v2Calls: 1, repeats: 0, duration: 5, longest: 5, first: at, last: at },
    };
  });
  const session = { since: now - recordedDays * dayInMs, seen: now + 50_000, ended: false };
  await writer.write({ writer: 'one', replica: 'one', clock: now, rows, sources: [], session, gaps: [] });
  await writer.close();
  return path;
}
