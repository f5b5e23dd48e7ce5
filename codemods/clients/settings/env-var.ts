/** env-var: https://github.com/evanshortiss/env-var. `env.get('NAME').default('…').required().asString()`. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { plainText } from '../../evaluate/values/values.ts';

const variable: LibraryFunction = (_ev, [given], node, { module }) => {
  const name = given && plainText(given);
  return name === undefined ? undefined : { type: 'env', name, node, module };
};

export const envVarLibrary: ClientRule = { name: 'env-var', functions: { 'env-var:get': variable, 'env-var:default.get': variable } };
