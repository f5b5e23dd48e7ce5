/** What requests are sent through hooks and clients. */
import { isWithin } from '../../evaluate/names/named.ts';
import type { Node } from '../../syntax/tree.ts';
import { type RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { type HookedClient } from '../flow/functions/hooks.ts';

export const ofLibrary = ({ library, given }: HookedClient): HookedClient => ({ library, ...(given !== undefined && { given }) });

/** What requests of these clients' libraries would change; those of a client that is not known are all. */
function sentBy(clients: readonly HookedClient[], real: readonly RequestSite[]): Change[] {
  const libraries = new Set(clients.map(({ library }) => library));
  const isAny = libraries.has(undefined);
  return real.flatMap(({ request, changes }) => (isAny || libraries.has(request.client) ? changes.slice(0, 1) : []));
}

/** Whether what is given to single requests, and not to a client, is given to one of ours: with others' it decides about none. */
export const isGivenOurs = ({ given }: HookedClient, real: readonly RequestSite[]): boolean =>
  given === undefined || given.some(({ node }) => real.some(({ request }) => mayBe(request, node)));

const mayBe = ({ call, callers, origins }: RequestSite['request'], node: Node): boolean =>
  origins.includes(node) || [call, ...callers.map((each) => each.node)].some((each) => isWithin(each, node) || isWithin(node, each));

/** What is sent through hooks, of each client what that sends; what is done to the library itself is done to all of its clients. */
export const sentThrough = (clients: readonly HookedClient[], real: readonly RequestSite[]): Change[] =>
  clients.flatMap((client) => sentBy([client], real.filter(isMadeFrom(client))));

function isMadeFrom({ library, origins = [] }: HookedClient): (site: RequestSite) => boolean {
  const made = library === undefined ? [] : origins.filter((origin) => typeof origin !== 'string');
  return ({ request }) => made.length === 0 || made.some((origin) => request.origins.includes(origin));
}
