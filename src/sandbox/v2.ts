/**
 * Version 2 as far as api.md §§4 and 5 show it; bodies are assumed to look like v1's.
 * Apart from v1, because the two are compared with each other through the proxy.
 */
import type { IncomingMessage } from 'node:http';
import type { Assumptions } from '../contract/assumptions.ts';
import { v2Auth } from '../contract/auth.ts';
import { endpointIds, v2Endpoints, type V2EndpointId } from '../contract/endpoints.ts';
import { errorRows, errorStatus, errorText, type ErrorRow } from '../contract/errors.ts';
import { writeDialect, type ErrorDialect, type V2Error } from './dialects.ts';
import { paging } from './http/paging.ts';
import { createRoutes } from './http/routes.ts';
import type { Handler, Version } from './http/serve.ts';
import type { JsonObject } from './json.ts';
import type { Operations } from './operations.ts';
import { answer, bodyTooLarge, type Answer, type Refusal } from './outcome.ts';
import type { Contact } from './store/contacts.ts';
import type { Key, Keys } from './store/keys.ts';
import type { Page } from './store/records.ts';
import type { Campaign } from './store/workspace.ts';
import { campaignData, campaignDetails, contactData } from './views.ts';

/** Listed in the contract, but not in the core yet: they answer like any path that is not listed. */
export const notInTheCoreYet = ['createWebhook', 'listWebhooks', 'deleteWebhook'] as const satisfies readonly V2EndpointId[];

type CoreEndpointId = Exclude<V2EndpointId, (typeof notInTheCoreYet)[number]>;

export function createV2(keys: Keys, operations: Operations, assumptions: Assumptions, dialect: ErrorDialect): Version {
  const handlers = createHandlers(operations, assumptions);
  const served = endpointIds(v2Endpoints).filter(isInTheCore);
  return {
    handled: Object.keys(handlers),
    findRoute: createRoutes(served.map((id) => ({ endpoint: v2Endpoints[id], handler: handlers[id] }))),
    authenticate: (req) => authenticate(req, keys),
    writeError(refusal) {
      const error = describe(refusal, assumptions);
      return { status: error.status, ...writeDialect(dialect, error) };
    },
  };
}

function isInTheCore(id: V2EndpointId): id is CoreEndpointId {
  return !notInTheCoreYet.some((absent) => absent === id);
}

function createHandlers(operations: Operations, assumptions: Assumptions): Record<CoreEndpointId, Handler> {
  return {
    ...messageHandlers(operations, assumptions),
    ...contactHandlers(operations, assumptions),
    ...campaignHandlers(operations, assumptions),
  };
}

type Handlers<Id extends CoreEndpointId> = Record<Id, Handler>;

function messageHandlers(operations: Operations, assumptions: Assumptions): Handlers<'sendMessage' | 'getMessage' | 'listMessages'> {
  return {
    sendMessage: ({ workspace, body }) =>
      answer(operations.sendMessage(workspace, body), assumptions.sendStatus, (message) => ({
        success: true,
        messageId: message.messageId,
        data: message,
      })),
    getMessage: ({ workspace, id }) => answer(operations.getMessage(workspace, id), 200, success),
    listMessages: ({ workspace, query }) => list(workspace.messages.newestFirst(paging(new URLSearchParams(query), assumptions))),
  };
}

function contactHandlers(
  operations: Operations,
  assumptions: Assumptions,
): Handlers<'createContact' | 'getContact' | 'listContacts' | 'updateContact' | 'deleteContact'> {
  return {
    createContact: ({ workspace, body }) => answer(operations.createContact(workspace, body), assumptions.createdStatus, contactBody),
    getContact: ({ workspace, id }) => answer(operations.getContact(workspace, id), 200, contactBody),
    listContacts({ workspace, query }) {
      const parameters = new URLSearchParams(query);
      const text = parameters.get(assumptions.contactSearchParameter) ?? '';
      const found = workspace.contacts.newestFirst(paging(parameters, assumptions), text);
      return list({ ...found, entries: found.entries.map(contactData) });
    },
    updateContact: ({ workspace, id, body }) => answer(operations.updateContact(workspace, id, body), 200, contactBody),
    deleteContact: ({ workspace, id }) => answer(operations.deleteContact(workspace, id), assumptions.deleteStatus, contactBody),
  };
}

function campaignHandlers(
  operations: Operations,
  assumptions: Assumptions,
): Handlers<'createCampaign' | 'getCampaign' | 'sendCampaign' | 'updateCampaign'> {
  return {
    createCampaign: ({ workspace, body }) => answer(operations.createCampaign(workspace, body), assumptions.createdStatus, campaignBody),
    getCampaign: ({ workspace, id }) =>
      answer(operations.getCampaign(workspace, id), 200, (campaign) => success(campaignDetails(campaign))),
    sendCampaign: ({ workspace, id }) =>
      answer(operations.sendCampaign(workspace, id), assumptions.sendStatus, ({ id, status }) => success({ id, status })),
    updateCampaign: ({ workspace, id, body }) => answer(operations.updateCampaign(workspace, id, body), 200, campaignBody),
  };
}

function success(data: object): JsonObject {
  return { success: true, data };
}

function contactBody(contact: Contact): JsonObject {
  return success(contactData(contact));
}

function campaignBody(campaign: Campaign): JsonObject {
  return success(campaignData(campaign));
}

function list({ entries, page, limit, total }: Page<object>): Answer {
  return { status: 200, body: { success: true, data: entries, page, limit, total } };
}

// RFC 6750 §2.1; the scheme in any case (RFC 9110 §11.1).
const credentials = new RegExp(`^${v2Auth.scheme} +(.+)$`, 'i');

/** api.md §5, version 2: the key as a Bearer token; an x-api-key says nothing. */
function authenticate({ headers }: IncomingMessage, keys: Keys): Key | Refusal {
  const value = credentials.exec(headers[v2Auth.field] ?? '')?.[1];
  if (value === undefined) return { refused: 'missingKey' };
  const key = keys.resolve(value);
  if (typeof key !== 'string') return key;
  return { refused: key === 'expired' ? 'expiredKey' : 'invalidKey' };
}

/** The error of a refusal, before a dialect writes it. */
function describe({ refused, error, field, existing }: Refusal, assumptions: Assumptions): V2Error {
  if (refused === 'bodyTooLarge') return { status: bodyTooLarge.status, message: bodyTooLarge.text };
  if (refused === 'unacceptedField') {
    const status = assumptions.v2UnacceptedFieldStatus;
    return { status, message: errorText(status < 500 ? 'badRequest' : 'serverFault', assumptions) };
  }
  const { code }: ErrorRow = errorRows[refused];
  return {
    status: errorStatus(refused, assumptions),
    message: error ?? errorText(refused, assumptions, field),
    ...(code !== undefined && { code }),
    ...(existing && { existing }),
  };
}
