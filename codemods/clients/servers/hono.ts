/** Hono: what the platform binds as an object of variables, https://hono.dev/docs/helpers/adapter; `c.env` is known by its name. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { named } from '../names.ts';

export const honoLibrary: ClientRule = {
  name: 'hono',
  functions: { 'hono/adapter:env': () => ({ type: 'external', source: '', path: ['process', 'env'] }) },
  // https://hono.dev/docs/api/hono#request
  binds: { packages: /^(?:hono|@hono\/zod-openapi)(?:\/|$)/, methods: { request: 2, fetch: 1 } },
  // https://hono.dev/docs/api/context#set-get
  carries: [
    named({
      where: /['"]hono(?:\/[\w-]+)?['"]/,
      space: 'hono',
      puts: { method: /^set$/, on: /^(?:c|ctx|context)$/ },
      asks: { method: /^get$/, on: /^(?:c|ctx|context)$/ },
      reads: /^var$/,
    }),
  ],
};
