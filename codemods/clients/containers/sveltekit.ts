/** Svelte's contexts, and SvelteKit's modules of the environment: https://svelte.dev/docs/kit/$env-static-private. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { named } from '../names.ts';

export const svelteKitLibrary: ClientRule = {
  name: 'sveltekit',
  environments: ['$env/dynamic/private.env', '$env/dynamic/public.env'],
  environmentModules: /^\$env\/static\//,
  // https://svelte.dev/docs/svelte/context
  // Layouts and pages do not import each other.
  ambient: { mark: /\bgetContext\(/, reached: /\bsetContext\(/ },
  carries: [named({ where: /['"]svelte['"]/, space: 'svelte', puts: { method: /^setContext$/ }, asks: { method: /^getContext$/ } })],
};
