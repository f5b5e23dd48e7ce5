/** zod: https://zod.dev. Schemas that the environment is read by; `parse` is known by its name, as other libraries have it too (see `parsedBy`). */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import { first } from '../pass-through.ts';

/** Its versions beside one another, the one without methods, and what hands it on. */
const sources = ['zod', 'zod/v3', 'zod/v4', 'zod/mini', 'zod/v4-mini', '@hono/zod-openapi'];

/** `z._default(z.string(), 'https://…')` of the one without methods. */
const otherwise: LibraryFunction = (_ev, [schema, value]) => value ?? schema;

const functions: Readonly<Record<string, LibraryFunction>> = {
  object: first,
  strictObject: first,
  looseObject: first,
  _default: otherwise,
};

export const zodLibrary: ClientRule = {
  name: 'zod',
  functions: Object.fromEntries(
    Object.entries(functions).flatMap(([name, made]) =>
      sources.flatMap((source) => [
        [`${source}:z.${name}`, made],
        [`${source}:${name}`, made],
      ]),
    ),
  ),
};
