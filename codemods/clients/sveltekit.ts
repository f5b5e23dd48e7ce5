/** SvelteKit's modules of the environment: https://svelte.dev/docs/kit/$env-static-private. */
import type { ClientRule } from '../evaluate/client-rule.ts';

export const svelteKitLibrary: ClientRule = {
  name: 'sveltekit',
  environments: ['$env/dynamic/private.env', '$env/dynamic/public.env'],
  environmentModules: /^\$env\/static\//,
};
