/** @t3-oss/env: https://env.t3.gg. The environment by schemas in groups. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { variablesOf } from '../../evaluate/settings/settings.ts';
import { optionsOf } from '../../evaluate/values/values.ts';

/** `createEnv({ server: { … }, client: { … } })` */
const createEnv: LibraryFunction = (ev, [options], node, at) => {
  if (options?.type !== 'object') return undefined;
  const groups = ['server', 'client', 'shared'].flatMap((name) => optionsOf(ev.member(options, name, node, at)));
  return variablesOf(ev, { ...options, entries: groups.flatMap((group) => (group.type === 'object' ? group.entries : [])) });
};

export const t3EnvLibrary: ClientRule = {
  name: '@t3-oss/env',
  givesBack: ['createEnv'],
  functions: Object.fromEntries(['core', 'nextjs', 'nuxt'].map((name) => [`@t3-oss/env-${name}:createEnv`, createEnv])),
};
