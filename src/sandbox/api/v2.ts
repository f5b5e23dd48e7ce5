/**
 * Version 2 as far as api.md §§4 and 5 show it; an envelope and a dialect say how it writes what is not shown.
 * Apart from v1, because the two are compared with each other through the proxy.
 */
import type { IncomingMessage } from 'node:http';
import type { Assumptions } from '../../contract/assumptions.ts';
import { v2Auth } from '../../contract/auth.ts';
import { endpointIds, v2Endpoints, type V2EndpointId } from '../../contract/endpoints.ts';
import { errorRows, errorStatus, errorText, type ErrorRow } from '../../contract/errors.ts';
import type { ErrorDialect, SuccessEnvelope } from '../../contract/dialects.ts';
import { writeDialect, type V2Error } from './dialects.ts';
import { type Envelope, envelopes } from './envelopes.ts';
import { filters } from '../http/filters.ts';
import { paging } from '../http/paging.ts';
import { createRoutes } from '../http/routes.ts';
import type { Handler, Version } from '../http/serve.ts';
import type { Limits } from '../service/limits.ts';
import type { Operations } from '../service/operations.ts';
import { answer, bodyTooLarge, type Refusal } from '../service/outcome.ts';
import type { Contact } from '../store/contacts.ts';
import type { Key, Keys } from '../store/keys.ts';
import type { Campaign, Message } from '../store/workspace.ts';
import { campaignData, campaignDetails, contactData, webhookData } from '../service/views.ts';
import type { WebhookOperations } from '../webhooks/operations.ts';

export interface V2Parts {
  readonly keys: Keys;
  readonly limits: Limits;
  readonly operations: Operations;
  readonly webhooks: WebhookOperations;
  readonly assumptions: Assumptions;
  readonly dialect: ErrorDialect;
  readonly envelope: SuccessEnvelope;
}

export function createV2(parts: V2Parts): Version {
  const { keys, limits, assumptions, dialect } = parts;
  const handlers = createHandlers(parts);
  return {
    handled: Object.keys(handlers),
    findRoute: createRoutes(endpointIds(v2Endpoints).map((id) => ({ endpoint: v2Endpoints[id], handler: handlers[id] }))),
    switchedOff: () => undefined,
    authenticate: (req) => authenticate(req, keys),
    count: (key) => limits.countV2(key),
    writeError(refusal) {
      const error = describe(refusal, assumptions);
      return { status: error.status, ...writeDialect(dialect, error) };
    },
    fields: () => ({}),
  };
}

function createHandlers({ operations, webhooks, assumptions, envelope: name }: V2Parts): Record<V2EndpointId, Handler> {
  const envelope = envelopes[name];
  return {
    ...messageHandlers(operations, assumptions, envelope),
    ...contactHandlers(operations, assumptions, envelope),
    ...campaignHandlers(operations, assumptions, envelope),
    ...webhookHandlers(webhooks, assumptions, envelope),
  };
}

type Handlers<Id extends V2EndpointId> = Record<Id, Handler>;

function messageHandlers(
  operations: Operations,
  assumptions: Assumptions,
  { one, sent, list }: Envelope,
): Handlers<'sendMessage' | 'getMessage' | 'listMessages'> {
  return {
    sendMessage: ({ workspace, body }) => answer(operations.sendMessage(workspace, body), assumptions.sendStatus, sent),
    getMessage: ({ workspace, id }) => answer(operations.getMessage(workspace, id), 200, one),
    listMessages({ workspace, query }) {
      const parameters = new URLSearchParams(query);
      const matches = filters<Message>(parameters, assumptions.messageFilterParameters, (message) => ({ ...message }));
      return { status: 200, body: list(workspace.messages.newestFirst(paging(parameters, assumptions), matches)) };
    },
  };
}

function contactHandlers(
  operations: Operations,
  assumptions: Assumptions,
  { one, list }: Envelope,
): Handlers<'createContact' | 'getContact' | 'listContacts' | 'updateContact' | 'deleteContact'> {
  const { contactSearchParameter: search, contactFilterParameters } = assumptions;
  // The search may go by the name of a field: it finds parts of a phone number or an email, and a filter would take them away again.
  const filterNames = contactFilterParameters.filter((name) => name !== search);
  const shown = (contact: Contact) => one(contactData(contact));
  return {
    createContact: ({ workspace, body }) => answer(operations.createContact(workspace, body), assumptions.createdStatus, shown),
    getContact: ({ workspace, id }) => answer(operations.getContact(workspace, id), 200, shown),
    listContacts({ workspace, query }) {
      const parameters = new URLSearchParams(query);
      const text = parameters.get(search) ?? '';
      const matches = filters<Contact>(parameters, filterNames, ({ fields }) => fields);
      const found = workspace.contacts.newestFirst(paging(parameters, assumptions), { text, matches });
      return { status: 200, body: list({ ...found, entries: found.entries.map(contactData) }) };
    },
    updateContact: ({ workspace, id, body }) => answer(operations.updateContact(workspace, id, body), 200, shown),
    deleteContact: ({ workspace, id }) => answer(operations.deleteContact(workspace, id), assumptions.deleteStatus, shown),
  };
}

function campaignHandlers(
  operations: Operations,
  assumptions: Assumptions,
  { one }: Envelope,
): Handlers<'createCampaign' | 'getCampaign' | 'sendCampaign' | 'updateCampaign'> {
  const shown = (campaign: Campaign) => one(campaignData(campaign));
  return {
    createCampaign: ({ workspace, body }) => answer(operations.createCampaign(workspace, body), assumptions.createdStatus, shown),
    getCampaign: ({ workspace, id }) => answer(operations.getCampaign(workspace, id), 200, (campaign) => one(campaignDetails(campaign))),
    sendCampaign: ({ workspace, id }) =>
      answer(operations.sendCampaign(workspace, id), assumptions.sendStatus, ({ id, status }) => one({ id, status })),
    updateCampaign: ({ workspace, id, body }) => answer(operations.updateCampaign(workspace, id, body), 200, shown),
  };
}

function webhookHandlers(
  webhooks: WebhookOperations,
  assumptions: Assumptions,
  { one, list }: Envelope,
): Handlers<'createWebhook' | 'listWebhooks' | 'deleteWebhook'> {
  return {
    // The secret is shown this once (api.md §2).
    createWebhook: async ({ workspace, body }) =>
      answer(await webhooks.register(workspace, body), assumptions.createdStatus, (webhook) =>
        one({ ...webhookData(webhook), secret: webhook.secret }),
      ),
    listWebhooks({ workspace, query }) {
      const found = workspace.webhooks.newestFirst(paging(new URLSearchParams(query), assumptions));
      return { status: 200, body: list({ ...found, entries: found.entries.map(webhookData) }) };
    },
    deleteWebhook: ({ workspace, id }) =>
      answer(webhooks.delete(workspace, id), assumptions.deleteStatus, (webhook) => one(webhookData(webhook))),
  };
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
function describe({ refused, status, error, field, existing }: Refusal, assumptions: Assumptions): V2Error {
  if (refused === 'bodyTooLarge') return { status: bodyTooLarge.status, message: bodyTooLarge.text };
  if (refused === 'unacceptedField') {
    const status = assumptions.v2UnacceptedFieldStatus;
    return { status, message: errorText(status < 500 ? 'badRequest' : 'serverFault', assumptions) };
  }
  const { code }: ErrorRow = errorRows[refused];
  return {
    status: status ?? errorStatus(refused, assumptions),
    message: error ?? errorText(refused, assumptions, field),
    ...(code !== undefined && { code }),
    ...(existing && { existing }),
  };
}
