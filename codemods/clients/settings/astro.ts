/** Astro's modules of the environment: https://docs.astro.build/en/guides/environment-variables/. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';

export const astroLibrary: ClientRule = {
  name: 'astro',
  environmentModules: /^astro:env\/(?:client|server)$/,
};

/** `API_URL: envField.string({ context: 'server', default: 'https://…' })` in Astro's configuration. */
export const schemaDefault = /\b([A-Z][A-Z\d_]*)['"]?\s*:\s*envField\.\w+\(\s*\{[^{}]*?\bdefault\s*:\s*(['"`])((?:(?!\2)[^\\$\n])*)\2/g;
