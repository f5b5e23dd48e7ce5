/** Joi: https://joi.dev. Schemas that the environment is read by; `validate` is known by its name (see `schemaCall`). */
import type { ClientRule } from '../evaluate/client-rule.ts';
import { first } from './pass-through.ts';

export const joiLibrary: ClientRule = { name: 'joi', functions: { 'joi:object': first, 'joi:default.object': first } };
