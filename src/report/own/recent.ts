import type { Range } from '../../usage/model.ts';
import type { OwnBase } from './base.ts';

/** Calls of a short time, by the ids of clients and by endpoints. */
export interface RecentCalls {
  readonly clients: ReadonlyMap<number, number>;
  readonly endpoints: ReadonlyMap<string, number>;
}

export async function readRecentCalls({ reader, directory }: OwnBase, range: Range): Promise<RecentCalls> {
  const [clients, endpoints] = [new Map<number, number>(), new Map<string, number>()];
  for await (const { caller, kind, counts } of reader.totals(range)) {
    const client = directory.clients.get(caller);
    if (client === undefined || client.ignored.endpoints.has(kind.endpoint)) continue;
    clients.set(client.caller.id, (clients.get(client.caller.id) ?? 0) + counts.calls);
    endpoints.set(kind.endpoint, (endpoints.get(kind.endpoint) ?? 0) + counts.calls);
  }
  return { clients, endpoints };
}
