/** Joi: https://joi.dev. Schemas that the environment is read by; `validate` is known by its name (see `schemaCall`). */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import { parsedBy } from '../../evaluate/settings.ts';
import { first } from '../pass-through.ts';

/** `Joi.attempt(settings, schema)` gives the settings, or throws. */
const attempt: LibraryFunction = (_ev, [settings, schema]) => (schema?.type === 'object' ? parsedBy(schema, settings) : undefined);

export const joiLibrary: ClientRule = {
  name: 'joi',
  functions: { 'joi:object': first, 'joi:default.object': first, 'joi:attempt': attempt, 'joi:default.attempt': attempt },
};
