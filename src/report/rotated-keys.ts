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
  // Thousands of customers may use one library: where they call from tells most of them apart.
  const strangers = Map.groupBy(
    unknown.flatMap((client) => traitsOf(client).map((trait) => ({ trait, client }))),
    ({ trait }) => trait,
  );
  return (group) => {
    const found = group.clients
      .filter(({ accepted }) => accepted)
      .flatMap((client) =>
        traitsOf(client).flatMap((trait) => (strangers.get(trait) ?? []).filter((other) => succeeds(other.client, client))),
      );
    return [...new Set(found.map(({ client }) => client))];
  };
}

/** What a client calls itself, whatever its version – keys are changed together with code –, with each network that it was seen from. */
const traitsOf = ({ caller, product, sources }: Client): readonly string[] =>
  sources.map(({ network }) => JSON.stringify([product, caller.name, network]));

const succeeds = (stranger: Client, client: Client): boolean =>
  stranger.key?.group !== client.key?.group && stranger.seen.first > client.seen.last - overlap;
