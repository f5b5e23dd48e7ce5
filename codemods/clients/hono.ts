/** Hono: https://hono.dev/docs/helpers/adapter. What the platform binds, as an object of variables; `c.env` is known by its name. */
import type { ClientRule } from '../evaluate/client-rule.ts';

export const honoLibrary: ClientRule = {
  name: 'hono',
  functions: { 'hono/adapter:env': () => ({ type: 'external', source: '', path: ['process', 'env'] }) },
};
