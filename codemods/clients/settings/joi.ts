/** Joi: https://joi.dev. Schemas that the environment is read by; `validate` is known by its name (see `schemaCall`). */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { parsedBy } from '../../evaluate/settings/settings.ts';
import { schemaOf } from '../pass-through.ts';

/** `Joi.attempt(settings, schema)` gives the settings, or throws. */
const attempt: LibraryFunction = (ev, [settings, schema]) => (schema?.type === 'object' ? parsedBy(ev, schema, settings) : undefined);

export const joiLibrary: ClientRule = {
  name: 'joi',
  functions: Object.fromEntries(
    ['joi', '@hapi/joi'].flatMap((name) =>
      ['', 'default.'].flatMap((exported) => [
        [`${name}:${exported}object`, schemaOf],
        [`${name}:${exported}attempt`, attempt],
      ]),
    ),
  ),
};
