import { initContract } from '@ts-rest/core';

const c = initContract();

export interface Contact {
  id: string;
  name: string;
  phone: string;
}

const contacts = c.router({
  list: {
    method: 'GET',
    path: '/v1/contacts',
    query: c.type<{ page?: number; limit?: number }>(),
    responses: { 200: c.type<{ data: Contact[] }>() },
  },
  get: {
    method: 'GET',
    path: '/v1/contacts/:id',
    pathParams: c.type<{ id: string }>(),
    responses: { 200: c.type<{ data: Contact }>(), 404: c.type<{ error: string }>() },
  },
  create: {
    method: 'POST',
    path: '/v1/contacts',
    body: c.type<{ name: string; phone: string }>(),
    responses: { 201: c.type<{ data: Contact }>(), 409: c.type<{ data: Contact; existed: true }>() },
    summary: 'Adds a contact; one that exists comes back with 409',
  },
});

const messages = c.router({
  send: {
    method: 'POST',
    path: '/v1/messages/send',
    body: c.type<{ channel: 'SMS' | 'EMAIL' | 'WHATSAPP'; to: string; content: string }>(),
    responses: { 200: c.type<{ messageId: string }>(), 201: c.type<{ messageId: string }>() },
  },
});

const campaigns = c.router(
  {
    create: {
      method: 'POST',
      path: '',
      body: c.type<{ name: string }>(),
      responses: { 200: c.type<{ data: { id: string } }>(), 201: c.type<{ data: { id: string } }>() },
    },
    send: {
      method: 'POST',
      path: '/:id/send',
      pathParams: c.type<{ id: string }>(),
      body: c.type<Record<string, never>>(),
      responses: { 200: c.type<unknown>(), 202: c.type<unknown>() },
    },
  },
  { pathPrefix: '/v1/campaigns' },
);

export const messagingContract = c.router({ contacts, messages, campaigns });
