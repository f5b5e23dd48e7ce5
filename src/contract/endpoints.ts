/**
 * Every endpoint of both versions and which v2 endpoint succeeds which v1 endpoint (api.md §4).
 * Rows are data: the proxy's routes, the sandbox's handlers and the tables in the documents derive from them.
 */

import { type Field, sendMessageFields } from './fields.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Path template; `:id` stands for exactly one non-empty, percent-encoded path segment. */
  readonly path: string;
  readonly purpose: string;
  /** The access a key needs: `read` for GET, `write` for everything else (api.md §5). */
  readonly access: 'read' | 'write';
  /** Whether a request carries a JSON body. Where there is one, `Content-Type: application/json` is required; `optional` may also come without. */
  readonly body: 'json' | 'optional' | 'none';
  /** The fields without which v1 refuses a request, in the order in which they are checked (api.md §4). */
  readonly required?: readonly Field[];
  /** That a duplicate is answered with 409 and the existing contact; whether the reference shows it for this endpoint, or for creating one alone. */
  readonly conflict?: 'shown' | 'assumed';
}

export interface V1Endpoint extends Endpoint {
  /** The v2 endpoint that does the same. */
  readonly successor: V2EndpointId;
}

export const v2Endpoints = {
  sendMessage: {
    method: 'POST',
    path: '/v2/messages/send',
    purpose: 'Send a message over WhatsApp, SMS or email',
    access: 'write',
    body: 'json',
    required: sendMessageFields,
  },
  getMessage: { method: 'GET', path: '/v2/messages/:id', purpose: 'Read a message and its delivery status', access: 'read', body: 'none' },
  listMessages: { method: 'GET', path: '/v2/messages', purpose: 'List messages, filtered and paged', access: 'read', body: 'none' },
  createContact: { method: 'POST', path: '/v2/contacts', purpose: 'Create a contact', access: 'write', body: 'json', conflict: 'shown' },
  getContact: { method: 'GET', path: '/v2/contacts/:id', purpose: 'Read a contact', access: 'read', body: 'none' },
  listContacts: { method: 'GET', path: '/v2/contacts', purpose: 'List contacts, searched and filtered', access: 'read', body: 'none' },
  updateContact: {
    method: 'PUT',
    path: '/v2/contacts/:id',
    purpose: 'Update a contact',
    access: 'write',
    body: 'json',
    conflict: 'assumed',
  },
  deleteContact: { method: 'DELETE', path: '/v2/contacts/:id', purpose: 'Delete a contact', access: 'write', body: 'none' },
  createCampaign: { method: 'POST', path: '/v2/campaigns', purpose: 'Create a campaign', access: 'write', body: 'json' },
  getCampaign: { method: 'GET', path: '/v2/campaigns/:id', purpose: 'Read a campaign and its stats', access: 'read', body: 'none' },
  sendCampaign: {
    method: 'POST',
    path: '/v2/campaigns/:id/send',
    purpose: 'Send a campaign to its audience',
    access: 'write',
    body: 'optional',
  },
  updateCampaign: { method: 'PUT', path: '/v2/campaigns/:id', purpose: 'Update the settings of a campaign', access: 'write', body: 'json' },
  createWebhook: { method: 'POST', path: '/v2/webhooks', purpose: 'Register a webhook endpoint', access: 'write', body: 'json' },
  listWebhooks: { method: 'GET', path: '/v2/webhooks', purpose: 'List the registered webhook endpoints', access: 'read', body: 'none' },
  deleteWebhook: { method: 'DELETE', path: '/v2/webhooks/:id', purpose: 'Delete a webhook endpoint', access: 'write', body: 'none' },
} as const satisfies Record<string, Endpoint>;

export type V2EndpointId = keyof typeof v2Endpoints;

export const v1Endpoints = {
  sendMessage: {
    method: 'POST',
    path: '/v1/messages/send',
    purpose: 'Send a message',
    access: 'write',
    body: 'json',
    required: sendMessageFields,
    successor: 'sendMessage',
  },
  getMessage: {
    method: 'GET',
    path: '/v1/messages/:id',
    purpose: 'Read a message and its delivery status',
    access: 'read',
    body: 'none',
    successor: 'getMessage',
  },
  listMessages: { method: 'GET', path: '/v1/messages', purpose: 'List messages', access: 'read', body: 'none', successor: 'listMessages' },
  createContact: {
    method: 'POST',
    path: '/v1/contacts',
    purpose: 'Create a contact',
    access: 'write',
    body: 'json',
    conflict: 'shown',
    successor: 'createContact',
  },
  getContact: { method: 'GET', path: '/v1/contacts/:id', purpose: 'Read a contact', access: 'read', body: 'none', successor: 'getContact' },
  listContacts: {
    method: 'GET',
    path: '/v1/contacts',
    purpose: 'List contacts; query parameters page and limit',
    access: 'read',
    body: 'none',
    successor: 'listContacts',
  },
  updateContact: {
    method: 'PUT',
    path: '/v1/contacts/:id',
    purpose: 'Update a contact',
    access: 'write',
    body: 'json',
    conflict: 'assumed',
    successor: 'updateContact',
  },
  createCampaign: {
    method: 'POST',
    path: '/v1/campaigns',
    purpose: 'Create a campaign',
    access: 'write',
    body: 'json',
    successor: 'createCampaign',
  },
  getCampaign: {
    method: 'GET',
    path: '/v1/campaigns/:id',
    purpose: 'Read a campaign',
    access: 'read',
    body: 'none',
    successor: 'getCampaign',
  },
  sendCampaign: {
    method: 'POST',
    path: '/v1/campaigns/:id/send',
    purpose: 'Send a campaign',
    access: 'write',
    body: 'optional',
    successor: 'sendCampaign',
  },
} as const satisfies Record<string, V1Endpoint>;

export type V1EndpointId = keyof typeof v1Endpoints;

/** How records and reports name an endpoint: its method and its path template. */
export const labelOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method} ${path}`;

/** How they name calls to paths that are no endpoint. */
export const unlisted = 'unlisted';

/** The ids of a table's endpoints, typed. */
export function endpointIds<Id extends string>(table: Readonly<Record<Id, Endpoint>>): Id[] {
  // Object.keys is typed string[]; the tables above are literals, so their keys are exactly Id.
  return Object.keys(table) as Id[];
}
