/**
 * Cloud Functions for Firebase: parameters (https://firebase.google.com/docs/functions/config-env), which are variables that `.env` files set, secrets, and the older
 * `functions.config()`, which `firebase functions:config:set` fills and `.runtimeconfig.json` holds on a developer's machine.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { givenOr } from '../../evaluate/libraries/given.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import { optionsOf, plainText } from '../../evaluate/values/values.ts';
import { configAbove } from './project-config.ts';

const parameter: LibraryFunction = (ev, [given, options], node, at) => {
  const name = given && plainText(given);
  if (name === undefined) return undefined;
  const variable = { type: 'env', name, node, module: at.module } as const;
  return options === undefined ? variable : orDefault(variable, ev.member(options, 'default', node, at));
};

const local = /(?<=^|\/)\.runtimeconfig\.json$/;

const config: LibraryFunction = (ev, _args, node, { module }) => {
  const found = configAbove(ev, module, local);
  return givenOr('functions.config()', { node, module }, found === undefined ? [] : optionsOf(found.value));
};

const name = 'firebase-functions';
const parameters = ['defineString', 'defineSecret'].map((each) => [`${name}/params:${each}`, parameter] as const);

export const firebaseParamsLibrary: ClientRule = {
  name,
  title: "Firebase's parameters",
  functions: Object.fromEntries([...parameters, ...[name, `${name}/v1`].map((each) => [`${each}:config`, config] as const)]),
  takes: { by: /^config$/, file: local },
  ambient: { mark: /^\s*\{\s*"[\w-]+"\s*:\s*\{[^{}]*"https?:/, reached: /\bfirebase-functions(?:\/v1)?['"]/, isSilent: true },
};
