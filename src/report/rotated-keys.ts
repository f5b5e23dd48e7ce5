/** A workspace that changes its key goes on calling under one that no configuration has yet. */
import { dayInMs } from '../contract/times.ts';
import type { Client, Group } from './clients.ts';

/** For so long, both keys may be in use. */
const overlap = 7 * dayInMs;

/**
 * Makes the function that finds the clients of unknown keys which are probably clients of a workspace: the same product and name, seen from a
 * network that both share, and first seen about when the other fell quiet.
 */
export function successorsIn(groups: readonly Group[]): (group: Group) => readonly Client[] {
  const unknown = groups.filter(({ origin }) => origin === 'unknown').flatMap(({ clients }) => clients.filter(({ accepted }) => accepted));
  const strangers = Map.groupBy(unknown, productOf);
  return (group) => {
    const found = group.clients
      .filter(({ accepted }) => accepted)
      .flatMap((client) => (strangers.get(productOf(client)) ?? []).filter((stranger) => succeeds(stranger, client)));
    return [...new Set(found)];
  };
}

/** What a client calls itself, whatever its version: keys are changed together with code. */
const productOf = ({ caller, product }: Client): string => JSON.stringify([product, caller.name]);

function succeeds(stranger: Client, client: Client): boolean {
  if (stranger.key?.group === client.key?.group || stranger.seen.first <= client.seen.last - overlap) return false;
  const networks = new Set(client.sources.map(({ network }) => network));
  return stranger.sources.some(({ network }) => networks.has(network));
}
