import type { IgnoreRule } from '../../usage/ignored.ts';
import type { LogUse } from '../../usage/logs/model.ts';
import type { Range } from '../../usage/model.ts';
import { readServed } from '../logs/read.ts';
import type { OwnBase } from './base.ts';

/** Calls of a short time, by the ids of clients and by endpoints. */
export interface RecentCalls {
  readonly clients: ReadonlyMap<number, number>;
  readonly endpoints: ReadonlyMap<string, number>;
  /** Those that access logs show past the proxies, which are among the calls of `endpoints`. */
  readonly logged: readonly LogUse[];
}

export async function readRecentCalls(
  { reader, directory, workspaces }: OwnBase,
  range: Range,
  ignore: readonly IgnoreRule[],
): Promise<RecentCalls> {
  const [clients, endpoints] = [new Map<number, number>(), new Map<string, number>()];
  for await (const { caller, kind, counts } of reader.totals(range)) {
    const client = directory.clients.get(caller);
    if (client === undefined || client.ignored.endpoints.has(kind.endpoint)) continue;
    clients.set(client.caller.id, (clients.get(client.caller.id) ?? 0) + counts.calls);
    endpoints.set(kind.endpoint, (endpoints.get(kind.endpoint) ?? 0) + counts.calls);
  }
  const logged = await readServed(reader, directory, { workspaces, ignore }, range);
  for (const { kind, calls } of logged) endpoints.set(kind.endpoint, (endpoints.get(kind.endpoint) ?? 0) + calls);
  return { clients, endpoints, logged };
}
