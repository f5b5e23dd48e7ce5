/** Which problems each operation can meet. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { Endpoint, V2EndpointId } from '../contract/endpoints.ts';
import { isParameter } from '../contract/route-templates.ts';
import type { ProblemId } from './problems.ts';
import type { Mark } from './schema.ts';
import type { Api } from './types.ts';

export interface Occurrence {
  readonly id: ProblemId;
  /** Where it is shown, but not for this operation. */
  readonly mark?: Mark;
  /** When it occurs here, where that is more than the problem itself says. */
  readonly condition?: string;
}

/** The problems of one operation, in the order in which a call is checked. */
export function occurrences(api: Api, id: V2EndpointId, endpoint: Endpoint, assumptions: Assumptions): readonly Occurrence[] {
  return [
    missingKey[api],
    ...plain(['invalidKey', 'expiredKey', ...limits[api]]),
    ...permission(endpoint, assumptions),
    ...plain(endpoint.body === 'none' ? [] : ['contentType', 'bodyTooLarge', 'invalidJson', 'badRequest']),
    ...plain(endpoint.required === undefined ? [] : ['missingField', 'invalidChannel']),
    ...plain(own[id] ?? []),
    ...conflict(endpoint),
    ...missingResource(id, endpoint),
    { id: 'serverFault' },
  ];
}

const plain = (ids: readonly ProblemId[]): Occurrence[] => ids.map((id) => ({ id }));

const missingKey: Record<Api, Occurrence> = {
  v1: { id: 'missingKey' },
  v2: { id: 'missingKey', mark: 'The 401 for a missing key is shown for v1 only' },
};

/** What is answered to a path that is not listed. */
export const unlisted: Record<Api, readonly Occurrence[]> = {
  v1: [{ id: 'gone' }, { id: 'notFound', condition: 'The path is no endpoint' }],
  v2: [{ id: 'notFound', condition: 'The path is no endpoint' }],
};

const limits: Record<Api, readonly ProblemId[]> = { v1: ['gone', 'rateLimited', 'dailyLimit'], v2: ['hourlyLimit'] };

function permission({ access, method }: Endpoint, { putNeedsWrite }: Assumptions): Occurrence[] {
  if (access === 'read' || (method === 'PUT' && !putNeedsWrite)) return [];
  if (method === 'PUT') return [{ id: 'noPermission', mark: 'putNeedsWrite' }];
  return [method === 'POST' ? { id: 'noPermission' } : { id: 'noPermission', mark: 'The 403 is shown for POST only' }];
}

function missingResource(id: V2EndpointId, { path }: Endpoint): Occurrence[] {
  if (!path.split('/').some(isParameter)) return [];
  // `/v1/messages/:id` is that of a message.
  const condition = `The ${path.split('/')[2]?.slice(0, -1)} is not in the workspace`;
  const shown: Occurrence = { id: 'notFound', condition };
  return [id === 'getMessage' ? shown : { ...shown, mark: 'Of all resources, the 404 is shown for messages only' }];
}

function conflict(endpoint: Endpoint): Occurrence[] {
  if (endpoint.conflict === undefined) return [];
  const shown: Occurrence = { id: 'contactExists' };
  return [endpoint.conflict === 'shown' ? shown : { ...shown, mark: 'The 409 is shown for creating a contact only' }];
}

const own: Partial<Record<V2EndpointId, readonly ProblemId[]>> = {
  createContact: ['contactIdentity', 'unacceptedField'],
  updateContact: ['contactIdentity', 'unacceptedField'],
  createWebhook: ['webhookEvents', 'webhookUrl', 'webhookLimit'],
};
