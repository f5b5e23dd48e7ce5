/** envalid: https://github.com/af/envalid. The environment by a schema, with defaults. */
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import { parsedBy } from '../evaluate/settings.ts';

/** `url({ default: '…' })` */
const defaultOf: LibraryFunction = (ev, [options], node, at) => options && ev.member(options, 'default', node, at);

export const envalidLibrary: ClientRule = {
  name: 'envalid',
  functions: {
    'envalid:cleanEnv': (_ev, [given, schema]) => (schema?.type === 'object' ? parsedBy(schema, given) : undefined),
    ...Object.fromEntries(['str', 'url', 'host'].map((name) => [`envalid:${name}`, defaultOf])),
  },
};
