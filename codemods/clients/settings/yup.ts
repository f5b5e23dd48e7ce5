/** yup: https://github.com/jquense/yup. Schemas that the environment is read by; `validateSync` is known by its name (see `schemaCall`). */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { schemaOf } from '../pass-through.ts';

export const yupLibrary: ClientRule = { name: 'yup', functions: { 'yup:object': schemaOf, 'yup:default.object': schemaOf } };
