/** As what the libraries that the codemods know present themselves: product names of their default User-Agents, as the record shows them. */
import { isKnownLibrary } from '../../usage/client-product.ts';
import type { Evidence } from './model.ts';

/** What both go through on a phone: React Native's requests are those of the platform. */
const phones = ['okhttp', 'CFNetwork', 'Dalvik'];
/** What runs `fetch`: browsers, the runtimes that have it, and packages in its place. */
const fetches = ['node', 'undici', 'Deno', 'Bun', 'Mozilla', 'node-fetch', ...phones];
/** Node's own client, and what adds nothing to it, sends no User-Agent; in a browser its own is sent. */
const silent = ['none', 'Mozilla'];

/** A library that is not here may present itself as anything. */
const products: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    angular: ['Mozilla'],
    axios: ['axios', 'Mozilla', ...phones],
    curl: ['curl'],
    fetch: fetches,
    got: ['got'],
    httpie: ['HTTPie'],
    jquery: ['Mozilla'],
    k6: ['k6'],
    ky: fetches,
    nest: ['axios'],
    ofetch: fetches,
    'openapi-fetch': fetches,
    postman: ['PostmanRuntime'],
    superagent: ['node-superagent', ...silent],
    undici: ['undici', 'node', 'none'],
    wget: ['Wget'],
    xhr: ['Mozilla', ...phones],
  }),
);

const nameOf = (product: string): string => product.split('/', 1)[0] ?? product;

/** The own name of a client, where it presents itself by more than a library: `acme-crm` of `acme-crm/2.1 via axios/1.7`. */
export function ownNameOf(product: string): string | undefined {
  const [first = ''] = product.split(' via ', 1);
  const name = nameOf(first);
  return isKnownLibrary(name) || /^(?:none|other-[0-9a-f]{8})$/.test(name) ? undefined : name;
}

/** What a client's library says of a site's: undefined where it cannot be the same one. */
export function evidenceOf(library: string | null, product: string): Exclude<Evidence, 'name'> | undefined {
  const [own = '', via] = product.split(' via ', 2);
  const shown = nameOf(via ?? own).toLowerCase();
  const expected = library === null ? undefined : products.get(library);
  if (expected === undefined) return 'endpoint';
  if (expected.some((name) => name.toLowerCase() === shown)) return 'library';
  // Who gives itself a name of its own hides its library; who shows another one is not it.
  return isKnownLibrary(shown) || shown === 'none' ? undefined : 'endpoint';
}
