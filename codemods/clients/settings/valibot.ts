/** valibot: https://valibot.dev. Schemas that the environment is read by, with defaults. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { parsedBy } from '../../evaluate/settings/settings.ts';
import { first, keptAs } from '../pass-through.ts';

/** `v.parse(schema, process.env)` */
const parse: LibraryFunction = (ev, [schema, given]) => (schema?.type === 'object' ? parsedBy(ev, schema, given) : undefined);

/** `v.optional(v.string(), 'https://…')`: a schema is known by its default. */
const otherwise: LibraryFunction = (_ev, [schema, value]) => value ?? schema;

const functions: Readonly<Record<string, LibraryFunction>> = {
  parse,
  safeParse: keptAs('output', parse),
  ...Object.fromEntries(['object', 'looseObject', 'strictObject', 'pipe', 'nonOptional', 'nonNullish'].map((name) => [name, first])),
  ...Object.fromEntries(['optional', 'exactOptional', 'undefinedable', 'nullish', 'nullable', 'fallback'].map((name) => [name, otherwise])),
};

export const valibotLibrary: ClientRule = {
  name: 'valibot',
  functions: Object.fromEntries(Object.entries(functions).map(([name, made]) => [`valibot:${name}`, made])),
};
