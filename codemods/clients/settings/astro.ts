/** Astro's modules of the environment: https://docs.astro.build/en/guides/environment-variables/. Defaults of its schema are read by `find/words/code-settings.ts`. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';

export const astroLibrary: ClientRule = {
  name: 'astro',
  environmentModules: /^astro:env\/(?:client|server)$/,
};
