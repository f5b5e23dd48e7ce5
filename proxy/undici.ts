/**
 * Of undici, the clients for HTTP/1.1 and what they are made of, by their files: with the whole of it come a browser's fetch, caches, and what tests need, which took
 * a tenth of the proxy's start. Files are no promise of a package, so package.json takes corrections of this one release alone.
 */
import { createRequire } from 'node:module';
import type * as undici from 'undici';

const load = createRequire(import.meta.url);

// As undici's own entry does: its clients have no `request` otherwise, by which the proxy asks whether v2 is back.
load('undici/lib/dispatcher/dispatcher.js').prototype.request = load('undici/lib/api/api-request.js');

export const Client: typeof undici.Client = load('undici/lib/dispatcher/client.js');
export const Pool: typeof undici.Pool = load('undici/lib/dispatcher/pool.js');
export const buildConnector: typeof undici.buildConnector = load('undici/lib/core/connect.js');
export const errors: typeof undici.errors = load('undici/lib/core/errors.js');
