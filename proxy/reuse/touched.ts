/**
 * Which reads a write touches. The reference shows no body of an answer (api.md §2), so that nobody knows what else of an account stands in it:
 * in doubt a write touches more.
 */
import { type V2EndpointId, v2Endpoints } from '../../src/contract/endpoints.ts';
import { v2EndpointOf } from '../route.ts';

type Writing = { [Id in V2EndpointId]: (typeof v2Endpoints)[Id]['access'] extends 'write' ? Id : never }[V2EndpointId];

/** What endpoints are about: the first segment of their paths behind the version. */
type About<Path extends string> = Path extends `/v2/${infer First}/${string}` ? First : Path extends `/v2/${infer First}` ? First : never;
export type Resource = About<(typeof v2Endpoints)[V2EndpointId]['path']>;

/** What is no endpoint may change whatever it likes. */
export const everything: readonly Resource[] = ['messages', 'contacts', 'campaigns', 'webhooks'];

const changes: Readonly<Record<Writing, readonly Resource[]>> = {
  // Its recipient may become a contact, or a contact show when it was last written to.
  sendMessage: ['messages', 'contacts'],
  // Messages may show the names of contacts (those of an event do, api.md §6), and campaigns whom they reach.
  createContact: ['contacts', 'messages', 'campaigns'],
  updateContact: ['contacts', 'messages', 'campaigns'],
  deleteContact: ['contacts', 'messages', 'campaigns'],
  createCampaign: ['campaigns'],
  updateCampaign: ['campaigns'],
  // To its audience: messages come of it, and its stats change.
  sendCampaign: ['campaigns', 'messages', 'contacts'],
  createWebhook: ['webhooks'],
  deleteWebhook: ['webhooks'],
};

export interface Touched {
  readonly resources: readonly Resource[];
  /** What also reaches answers in a final state: this one, or `all` of the resources. */
  readonly item: string | 'all' | undefined;
}

/**
 * What a write touches.
 * @param target path and query on v2
 */
export function touchedBy(method: string, target: string): Touched {
  const path = target.split('?', 1)[0] ?? '';
  const id = v2EndpointOf(method, path);
  if (id === undefined || !isWriting(id)) return { resources: everything, item: 'all' };
  return { resources: changes[id], item: v2Endpoints[id].path.includes('/:id') ? (itemOf(path) ?? 'all') : undefined };
}

/** What an endpoint is about. */
export function resourceOf(id: V2EndpointId): Resource {
  const [, , first] = v2Endpoints[id].path.split('/');
  return everything.find((resource) => resource === first) ?? 'messages';
}

const isWriting = (id: V2EndpointId): id is Writing => Object.hasOwn(changes, id);

/** The id in a path on v2, decoded: two spellings of one id are the same (RFC 3986 §6.2.2.2). */
export function itemOf(target: string): string | undefined {
  const encoded = target.split('?', 1)[0]?.split('/')[3];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
