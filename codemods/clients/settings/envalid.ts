/** envalid: https://github.com/af/envalid. The environment by a schema, with defaults. */
import type { ClientRule, LibraryFunction } from '../../evaluate/client-rule.ts';
import { parsedBy } from '../../evaluate/settings.ts';
import { choiceOf, optionsOf } from '../../evaluate/values.ts';

/** `url({ default: '…', devDefault: '…' })` */
const defaultOf: LibraryFunction = (_ev, [options]) => {
  const given = options?.type === 'object' ? options.entries.filter(({ name }) => name === 'default' || name === 'devDefault') : [];
  return given.length === 0 ? undefined : choiceOf(given.flatMap(({ value }) => optionsOf(value())));
};

export const envalidLibrary: ClientRule = {
  name: 'envalid',
  functions: {
    'envalid:cleanEnv': (_ev, [given, schema]) => (schema?.type === 'object' ? parsedBy(schema, given) : undefined),
    ...Object.fromEntries(['str', 'url', 'host'].map((name) => [`envalid:${name}`, defaultOf])),
  },
};
