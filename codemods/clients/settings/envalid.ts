/** envalid: https://github.com/af/envalid. The environment by a schema, with defaults. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { parsedBy } from '../../evaluate/settings/settings.ts';
import { choiceOf, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';

/** `url({ default: '…', devDefault: '…', example: '…' })`: an example that says the same as a default is shown for it. */
const defaultOf: LibraryFunction = (_ev, [options]) => {
  const values = (names: readonly string[]): Value[] =>
    options?.type === 'object' ? options.entries.flatMap(({ name, value }) => (names.includes(name ?? '') ? optionsOf(value()) : [])) : [];
  const given = values(['default', 'devDefault']);
  const said = new Set(given.map(plainText));
  return given.length === 0 ? undefined : choiceOf([...given, ...values(['example']).filter((each) => said.has(plainText(each) ?? ''))]);
};

export const envalidLibrary: ClientRule = {
  name: 'envalid',
  givesBack: ['cleanEnv'],
  functions: {
    'envalid:cleanEnv': (ev, [given, schema]) => (schema?.type === 'object' ? parsedBy(ev, schema, given) : undefined),
    ...Object.fromEntries(['str', 'url', 'host'].map((name) => [`envalid:${name}`, defaultOf])),
  },
};
