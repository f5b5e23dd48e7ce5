import { initContract } from '@ts-rest/core';

const c = initContract();

/** Bookkeeping, by others. */
export const ledgerContract = c.router(
  {
    contact: {
      method: 'GET',
      path: '/contacts/:id',
      pathParams: c.type<{ id: string }>(),
      responses: { 200: c.type<{ balance: number }>() },
    },
  },
  { pathPrefix: '/v1' },
);
