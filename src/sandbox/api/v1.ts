/** Version 1 as api.md §§4, 5 and 7 show it. Apart from v2, because the two are compared with each other through the proxy. */
import type { IncomingMessage } from 'node:http';
import type { Assumptions } from '../../contract/assumptions.ts';
import { v1Auth, v2Auth } from '../../contract/auth.ts';
import { endpointIds, v1Endpoints, type V1EndpointId } from '../../contract/endpoints.ts';
import { errorStatus, v1ErrorBody } from '../../contract/errors.ts';
import type { ContactExistsAnswer } from '../../contract/fields.ts';
import { paging } from '../http/paging.ts';
import { createRoutes } from '../http/routes.ts';
import { jsonType, type Handler, type Version, type Written } from '../http/serve.ts';
import type { JsonObject } from '../values/json.ts';
import type { Limits } from '../service/limits.ts';
import type { Operations } from '../service/operations.ts';
import { answer, bodyTooLarge, type Answer, type Refusal } from '../service/outcome.ts';
import type { Contact } from '../store/contacts.ts';
import type { Key, Keys } from '../store/keys.ts';
import type { Page } from '../store/records.ts';
import type { Sunset } from './sunset.ts';
import { campaignData, campaignDetails, contactData } from '../service/views.ts';

export interface V1Parts {
  readonly keys: Keys;
  readonly limits: Limits;
  readonly sunset: Sunset;
  readonly operations: Operations;
  readonly assumptions: Assumptions;
}

export function createV1({ keys, limits, sunset, operations, assumptions }: V1Parts): Version {
  const handlers = createHandlers(operations, assumptions);
  return {
    handled: Object.keys(handlers),
    findRoute: createRoutes(endpointIds(v1Endpoints).map((id) => ({ endpoint: v1Endpoints[id], handler: handlers[id] }))),
    switchedOff: sunset.switchedOff,
    authenticate: (req) => authenticate(req, keys, assumptions),
    count: (key) => limits.countV1(key),
    fields: sunset.fields,
    writeError: (refusal) => writeError(refusal, assumptions),
  };
}

function createHandlers(operations: Operations, assumptions: Assumptions): Record<V1EndpointId, Handler> {
  const { createdStatus, sendStatus } = assumptions;
  const pageOf = (query: string) => paging(new URLSearchParams(query), assumptions);
  return {
    sendMessage: ({ workspace, body }) =>
      answer(operations.sendMessage(workspace, body), sendStatus, (message) => ({
        success: true,
        messageId: message.messageId,
        data: message,
      })),
    getMessage: ({ workspace, id }) => answer(operations.getMessage(workspace, id), 200, (message) => ({ success: true, data: message })),
    listMessages: ({ workspace, query }) => list(workspace.messages.newestFirst(pageOf(query))),
    createContact: ({ workspace, body }) => answer(operations.createContact(workspace, body), createdStatus, oneContact),
    getContact: ({ workspace, id }) => answer(operations.getContact(workspace, id), 200, oneContact),
    listContacts({ workspace, query }) {
      const found = workspace.contacts.newestFirst(pageOf(query));
      return list({ ...found, entries: found.entries.map(contactData) });
    },
    updateContact: ({ workspace, id, body }) => answer(operations.updateContact(workspace, id, body), 200, oneContact),
    createCampaign: ({ workspace, body }) =>
      answer(operations.createCampaign(workspace, body), createdStatus, (campaign) => ({ success: true, data: campaignData(campaign) })),
    getCampaign: ({ workspace, id }) =>
      answer(operations.getCampaign(workspace, id), 200, (campaign) => ({ success: true, data: campaignDetails(campaign) })),
    sendCampaign: ({ workspace, id }) =>
      answer(operations.sendCampaign(workspace, id), sendStatus, (campaign) => ({
        success: true,
        data: { id: campaign.id, status: campaign.status },
      })),
  };
}

function oneContact(contact: Contact): JsonObject {
  return { success: true, data: contactData(contact) };
}

function list({ entries, ...place }: Page<object>): Answer {
  return { status: 200, body: { success: true, data: entries, ...place } };
}

/** api.md §5, version 1: exactly one key in x-api-key; an Authorization beside it says nothing. */
function authenticate(req: IncomingMessage, keys: Keys, assumptions: Assumptions): Key | Refusal {
  // node:http joins repeated fields with a comma; no key has one in it.
  const value = String(req.headers[v1Auth.field] ?? '');
  if (value === '') return isBearer(req) ? { refused: 'missingKey', error: assumptions.bearerOnV1Text } : { refused: 'missingKey' };
  const key = keys.resolve(value);
  if (typeof key !== 'string') return key;
  if (key === 'expired') return { refused: 'expiredKey' };
  const repeated = (req.headersDistinct[v1Auth.field]?.length ?? 0) > 1;
  return repeated ? { refused: 'invalidKey', error: assumptions.repeatedKeyText } : { refused: 'invalidKey' };
}

function isBearer({ headers }: IncomingMessage): boolean {
  return headers[v2Auth.field]?.split(' ', 1)[0]?.toLowerCase() === v2Auth.scheme.toLowerCase();
}

/** api.md §7: `success`, `error` and on some errors `code`; a 409 adds the existing contact. */
function writeError(refusal: Refusal, assumptions: Assumptions): Written {
  const { status, body } = describe(refusal, assumptions);
  return { status, contentType: jsonType, content: JSON.stringify(body) };
}

function describe({ refused, status, error, field, existing, details }: Refusal, assumptions: Assumptions): Answer {
  if (refused === 'bodyTooLarge') {
    return { status: bodyTooLarge.status, body: { ...v1ErrorBody('badRequest', assumptions, { error: bodyTooLarge.text }) } };
  }
  const row = refused === 'unacceptedField' ? 'serverFault' : refused;
  const body: JsonObject = {
    ...v1ErrorBody(row, assumptions, { ...(error !== undefined && { error }), ...(field !== undefined && { field }) }),
  };
  const shown: ContactExistsAnswer | undefined = existing && { data: existing, existed: true };
  return { status: status ?? errorStatus(row, assumptions), body: { ...body, ...shown, ...details } };
}
