/** Stores as the tests of the record need them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a store that does not exist yet, in a folder that goes with the test. */
export function storePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-usage-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'usage.db');
}

export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

export const everything = { since: 0, until: Number.MAX_SAFE_INTEGER - 1 };
