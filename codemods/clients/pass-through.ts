/** What functions of libraries make of a client, an address or a configuration that they are given: mostly the same again. */
import type { LibraryFunction } from '../evaluate/libraries/client-rule.ts';
import { type Entry, unknown } from '../evaluate/values/values.ts';

/** The first argument, as it is. */
export const first: LibraryFunction = (_ev, [value]) => value;

/** A schema of an object: `Joi.object({ … })`, or `Joi.object()`, which gets its properties later, by `.keys({ … })`. */
export const schemaOf: LibraryFunction = (_ev, [properties], node, { module }) =>
  properties ?? { type: 'object', node, module, entries: [], unknown: [] };

/** What the function that is given returns. */
export const returned: LibraryFunction = (ev, [fn], node, at) => (fn?.type === 'function' ? ev.apply(fn, [], node, at) : undefined);

/** An object that keeps a value under a name: a reference of React or Vue. */
export const keptAs =
  (name: string, of: LibraryFunction): LibraryFunction =>
  (ev, args, node, at) => {
    const value = of(ev, args, node, at) ?? unknown(node, at.module);
    const entry: Entry = { name, key: undefined, node, module: at.module, valueNode: undefined, value: () => value };
    return { type: 'object', node, module: at.module, entries: [entry], unknown: [] };
  };
