/** Which problems each operation can meet. */
import type { Assumptions } from '../assumptions.ts';
import type { Endpoint, V2EndpointId } from '../endpoints.ts';
import type { ProblemId } from './problems.ts';
import type { Mark } from './schema.ts';
import type { Api } from './types.ts';

export interface Occurrence {
  readonly id: ProblemId;
  /** Where it is shown, but not for this operation. */
  readonly mark?: Mark;
}

/** The problems of one operation, in the order in which a call is checked. */
export function occurrences(api: Api, id: V2EndpointId, endpoint: Endpoint, assumptions: Assumptions): readonly Occurrence[] {
  const always: readonly ProblemId[] = ['missingKey', 'invalidKey', 'expiredKey', ...limits[api]];
  return [
    ...plain(always),
    ...permission(endpoint, assumptions),
    ...plain(endpoint.body === 'none' ? [] : ['contentType', 'bodyTooLarge', 'invalidJson', 'badRequest']),
    ...(own[id] ?? []),
    ...missingResource(id, endpoint),
    { id: 'serverFault' },
  ];
}

const plain = (ids: readonly ProblemId[]): Occurrence[] => ids.map((id) => ({ id }));

const limits: Record<Api, readonly ProblemId[]> = { v1: ['gone', 'rateLimited', 'dailyLimit'], v2: ['hourlyLimit'] };

function permission({ access, method }: Endpoint, { putNeedsWrite }: Assumptions): Occurrence[] {
  if (access === 'read' || (method === 'PUT' && !putNeedsWrite)) return [];
  if (method === 'PUT') return [{ id: 'noPermission', mark: 'putNeedsWrite' }];
  return [method === 'POST' ? { id: 'noPermission' } : { id: 'noPermission', mark: 'The 403 is shown for POST only' }];
}

function missingResource(id: V2EndpointId, { path }: Endpoint): Occurrence[] {
  if (!path.includes(':id')) return [];
  return [id === 'getMessage' ? { id: 'notFound' } : { id: 'notFound', mark: 'Of all resources, the 404 is shown for messages only' }];
}

const own: Partial<Record<V2EndpointId, readonly Occurrence[]>> = {
  sendMessage: plain(['missingField', 'invalidChannel']),
  createContact: plain(['contactIdentity', 'unacceptedField', 'contactExists']),
  updateContact: [
    ...plain(['contactIdentity', 'unacceptedField']),
    { id: 'contactExists', mark: 'The 409 is shown for creating a contact only' },
  ],
  createWebhook: plain(['webhookEvents', 'webhookUrl', 'webhookLimit']),
};
