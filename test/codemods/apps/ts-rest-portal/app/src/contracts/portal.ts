import { initContract } from '@ts-rest/core';

const c = initContract();

/** What the portal itself serves to partners, who show a key of ours. */
export const portalContract = c.router(
  {
    invite: {
      method: 'POST',
      path: '/v1/contacts',
      headers: c.type<{ 'x-api-key': string }>(),
      body: c.type<{ name: string; phone: string }>(),
      responses: { 201: c.type<{ id: string }>(), 401: c.type<{ error: string }>() },
    },
  },
  { strictStatusCodes: true },
);
