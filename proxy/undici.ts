/**
 * Of undici, how it opens connections and names what goes wrong, by their files: with the whole of it come clients, a browser's fetch, caches, and what tests need.
 * Files are no promise of a package, so package.json takes corrections of this one release alone.
 */
import { createRequire } from 'node:module';
import type * as undici from 'undici';

const load = createRequire(import.meta.url);

export const buildConnector: typeof undici.buildConnector = load('undici/lib/core/connect.js');
export const errors: typeof undici.errors = load('undici/lib/core/errors.js');
