/** Parameters of Cloud Functions for Firebase (https://firebase.google.com/docs/functions/config-env): variables that `.env` files set, and secrets. */
import type { ClientRule, LibraryFunction } from '../evaluate/client-rule.ts';
import { orDefault } from '../evaluate/or-default.ts';
import { plainText } from '../evaluate/values.ts';

const parameter: LibraryFunction = (ev, [given, options], node, at) => {
  const name = given && plainText(given);
  if (name === undefined) return undefined;
  const variable = { type: 'env', name, node, module: at.module } as const;
  return options === undefined ? variable : orDefault(variable, ev.member(options, 'default', node, at));
};

const source = 'firebase-functions/params';

export const firebaseParamsLibrary: ClientRule = {
  name: source,
  title: "Firebase's parameters",
  functions: Object.fromEntries(['defineString', 'defineSecret'].map((name) => [`${source}:${name}`, parameter])),
};
