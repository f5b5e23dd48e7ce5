import { labelOf, v1Endpoints } from '../contract/endpoints.ts';
import type { EventKind } from '../contract/events.ts';
import type { EndpointUse, Polling } from './model.ts';

const status = labelOf(v1Endpoints.getMessage);

/** The event that brings what is polled for, where api.md §6 shows one: lists of messages are read for inbound ones. */
const events: ReadonlyMap<string, EventKind> = new Map([[labelOf(v1Endpoints.listMessages), 'message.received']]);

/**
 * The GETs that are made again and again.
 * @param uses what one workspace made of its endpoints
 * @returns those with repeated calls, the most repeated first
 */
export function pollingOf(uses: readonly EndpointUse[]): readonly Polling[] {
  return uses
    .filter(({ repeats }) => repeats > 0)
    .toSorted((a, b) => b.repeats - a.repeats)
    .map(({ endpoint, calls, v2Calls, repeats }) => {
      const event = events.get(endpoint);
      // Whoever is told of a status never has to ask for it; a list is still read once in a while.
      const saves = endpoint === status ? calls : repeats;
      const isNews = endpoint === status || event !== undefined;
      return {
        endpoint,
        calls,
        v2Calls,
        cacheSaves: repeats,
        webhook: isNews ? { saves, event: event ?? null } : null,
        status: endpoint === status,
      };
    });
}
