/** zod: https://zod.dev. Schemas that the environment is read by; `parse` is known by its name, as other libraries have it too (see `parsedBy`). */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { defaultGiven } from '../../evaluate/settings/settings.ts';
import { first, keptAs } from '../pass-through.ts';

/** Its versions beside one another, the one without methods, and what hands it on. */
const sources = ['zod', 'zod/v3', 'zod/v4', 'zod/mini', 'zod/v4-mini', '@hono/zod-openapi'];

/** `z._default(z.string(), 'https://…')` of the one without methods. */
const otherwise: LibraryFunction = (_ev, [schema, value]) => value ?? schema;

/** A schema of one text, which its methods are looked up by: `z.string().url().parse(process.env.URL ?? 'https://…')`. */
const ofText = 'ZodString';

const textSchema: LibraryFunction = () => ({ type: 'external', source: 'zod', path: [ofText] });

const withDefault: LibraryFunction = (ev, [value], node, at) => defaultGiven(ev, value, node, at);

/** By name, `` for \`default\`. Methods that look at the text itself are not among these: what they look for may be a version. */
const textMethods: Readonly<Record<string, LibraryFunction>> = {
  ...Object.fromEntries(
    ['url', 'min', 'max', 'length', 'nonempty', 'trim', 'describe', 'meta', 'brand', 'readonly', 'optional', 'nullable', 'nullish'].map(
      (name) => [`.${name}`, textSchema],
    ),
  ),
  '': withDefault,
  '.prefault': withDefault,
  '.parse': first,
  '.parseAsync': first,
  '.safeParse': keptAs('data', first),
};

const functions: Readonly<Record<string, LibraryFunction>> = {
  object: first,
  strictObject: first,
  looseObject: first,
  _default: otherwise,
  string: textSchema,
  url: textSchema,
  httpUrl: textSchema,
  'coerce.string': textSchema,
};

export const zodLibrary: ClientRule = {
  name: 'zod',
  givesBack: ['object', 'strictObject', 'looseObject'],
  functions: Object.fromEntries([
    ...Object.entries(functions).flatMap(([name, made]) =>
      sources.flatMap((source) => [
        [`${source}:z.${name}`, made],
        [`${source}:${name}`, made],
      ]),
    ),
    ...Object.entries(textMethods).map(([name, made]) => [`zod:${ofText}${name}`, made]),
  ]),
};
