/**
 * The client's product, from its User-Agent (RFC 9110 §10.1.5), as it may appear in logs.
 * Only names from a closed list are shown, with a version made of digits and dots: a User-Agent can hold anything, a key too.
 * Any other name is shown as `other-` and a keyed hash, so that it can still be told apart and counted.
 */
import { createHmac } from 'node:crypto';
import { remembering } from './remembering.ts';

const wellKnown = [
  'axios',
  'node-fetch',
  'undici',
  'node',
  'got',
  'ky',
  'needle',
  'superagent',
  'request',
  'Deno',
  'Bun',
  'Mozilla',
  'curl',
  'Wget',
  'HTTPie',
  'python-requests',
  'Python-urllib',
  'aiohttp',
  'python-httpx',
  'okhttp',
  'Java',
  'Java-http-client',
  'Apache-HttpClient',
  'Go-http-client',
  'GuzzleHttp',
  'PHP',
  'Ruby',
  'Faraday',
  'rest-client',
  'HTTParty',
  'RestSharp',
  'Dart',
  'reqwest',
  'hyper',
  'PostmanRuntime',
  'insomnia',
  'n8n',
  'Make',
  'Zapier',
  'Google-Apps-Script',
  'k6',
  'Dalvik',
  'CFNetwork',
  'WordPress',
  'migrate-v2',
];

const lowerCase: ReadonlySet<string> = new Set(wellKnown.map((name) => name.toLowerCase()));

/** Whether a product name is that of a library or program which many use. */
export const isKnownLibrary = (name: string): boolean => lowerCase.has(name.toLowerCase());

const longestUserAgent = 512;

/**
 * Makes the function that names clients.
 * @param configured further product names that may be shown
 * @param secret of the keyed hash for all others
 */
export function clientProducts(configured: readonly string[], secret: string): (userAgent: string | undefined) => string {
  const names = new Map([...wellKnown, ...configured].map((name) => [name.toLowerCase(), name]));
  const describe = remembering((userAgent) => {
    const [, product = '', version] =
      /^([^\s/()]+)(?:\/(\d{1,6}(?:\.\d{1,6}){0,3})(?![^\s();,-]))?/.exec(userAgent.slice(0, longestUserAgent)) ?? [];
    const name = names.get(product.toLowerCase());
    if (name === undefined) return `other-${createHmac('sha256', secret).update(product).digest('hex').slice(0, 8)}`;
    return version === undefined ? name : `${name}/${version}`;
  });
  return (userAgent) => (userAgent === undefined || userAgent === '' ? 'none' : describe(userAgent));
}
