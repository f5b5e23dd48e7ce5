/** A store of usage of a known size, as a proxy would have left it. */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { callerId } from '../../src/usage/caller-id.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../src/contract/times.ts';
import type { Caller, Kind, UsageRow } from '../../src/usage/model.ts';
import { openWriter } from '../../src/usage/store/open.ts';

export interface Size {
  readonly days: number;
  readonly clients: number;
}

const retention = { minutes: 2 * dayInMs, hours: 35 * dayInMs, days: 400 * dayInMs };
const batchSize = 5_000;

const kinds: readonly Kind[] = endpointIds(v1Endpoints).map((id) => {
  const { method, path } = v1Endpoints[id];
  return { endpoint: `${method} ${path}`, method, status: 200, outcome: 'translated' };
});

/** What the record tells apart by client: all endpoints. */
export const endpoints = kinds.length;

function caller(number: number): Caller {
  const keyHash = createHash('sha256').update(`key ${number}`).digest('hex').slice(0, 16);
  const parts = { keyHash, keyPrefix: 'ak_live_', workspace: null, client: `client-${number % 40}/1.0`, name: null };
  return { id: callerId(parts), ...parts };
}

/**
 * Makes the store: every client calls every endpoint once a day, in a minute of its own, until now.
 * @param path of its file, whose content goes, or the address of an empty database
 */
export async function makeStore(path: string, { days, clients }: Size, now: number): Promise<void> {
  if (!path.includes('://')) for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
  const writer = await openWriter(path);
  const callers = Array.from({ length: clients }, (_, number) => caller(number));
  const since = now - days * dayInMs;
  const write = (rows: readonly UsageRow[], seen: number): Promise<void> =>
    writer.write({ writer: 'bench', replica: 'bench', clock: now, rows, sources: [], session: { since, seen, ended: true }, gaps: [] });
  for (let day = 0; day < days; day++) {
    const rows = callers.flatMap((each, number) =>
      kinds.map((kind, endpoint) => row(each, kind, since + day * dayInMs, number * 10 + endpoint)),
    );
    for (let at = 0; at < rows.length; at += batchSize) await write(rows.slice(at, at + batchSize), since + (day + 1) * dayInMs);
    await writer.maintain(since + (day + 1) * dayInMs + 2 * hourInMs, retention);
  }
  await write([], now);
  await writer.close();
}

function row(of: Caller, kind: Kind, day: number, number: number): UsageRow {
  const minute = Math.floor(day / minuteInMs) + (number % 1_440);
  const at = minute * minuteInMs + 1;
  return { minute, caller: of, kind, counts: { calls: 7, v2Calls: 7, repeats: 2, duration: 70, longest: 20, first: at, last: at + 1_000 } };
}
