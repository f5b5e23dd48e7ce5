/** zod: https://zod.dev. Schemas that the environment is read by; `parse` is known by its name, as other libraries have it too (see `parsedBy`). */
import type { ClientRule } from '../../evaluate/client-rule.ts';
import { first } from '../pass-through.ts';

export const zodLibrary: ClientRule = { name: 'zod', functions: { 'zod:z.object': first, 'zod:object': first } };
