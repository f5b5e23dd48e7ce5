/**
 * The client's product, from its User-Agent (RFC 9110 §10.1.5), as it may appear in logs. A User-Agent can hold anything, a key too: libraries are
 * shown from a closed list, with a version made of digits and dots; a client's own name where it reads like one. Any other is shown as `other-`
 * and a keyed hash, so that it can still be told apart and counted.
 */
import { createHmac } from 'node:crypto';
import { type KnownProduct, knownProducts, standsBefore } from './known-products.ts';
import { readsLikeName, showsPartOf } from './name-like.ts';
import { remembering, rememberingPairs } from './remembering.ts';

export interface ClientProduct {
  /** What anybody's call may show: products of the closed list and of the configuration, or a hash. */
  readonly listed: string;
  /** What a call may show whose key is known to be one: the client's own name as well, such as `acme-crm/2.1 via axios/1.7`; or the same. */
  readonly named: string;
}

const longestUserAgent = 512;
/** Products that are looked at. */
const mostProducts = 12;

/** Words that come before credentials: whoever writes them where a name belongs may write the credential next. */
const schemes: ReadonlySet<string> = new Set(
  `
    authorization auth basic bearer concealed digest dpop gnap hawk hoba mutual negotiate ntlm oauth vapid
    aws4-hmac-sha256 apikey api-key api_key x-api-key key token access-token access_token x-auth-token private-token jwt
    password passwd passphrase pass pwd secret credential credentials session cookie user username login signature
  `
    .trim()
    .split(/\s+/),
);

/** Whether a product name is that of a library or program which many use. */
export const isKnownLibrary = (name: string): boolean => knownProducts.has(name.toLowerCase());

/** What the record calls clients without a name. */
export const unnamed = /^(?:none|other-[0-9a-f]{8})$/i;
const reserved = /^(?:none|_?other(?:-[0-9a-f]{8})?|via)$/i;

const joint = ' via ';

/** A version of digits and dots, or a day. What tells how finished it is, and what follows one with a dot, is left away. */
const ownVersion =
  /^v?(\d{1,6}(?:\.\d{1,6}){0,4}|20\d\d[01]\d[0-3]\d)(?:[-+.]?(?:[ab]|alpha|beta|dev|final|ga|preview|rc|release|snapshot)[.-]?\d{0,3})?$|^v?(\d{1,6}(?:\.\d{1,6}){1,4})[-+/]/i;
/** Telephone numbers have more. */
const digitsOfVersion = 10;
const knownVersion = /^\d{1,6}(?:\.\d{1,6}){0,3}(?![^\s();,-])/;

interface Product {
  readonly name: string;
  /** Undefined without a slash. */
  readonly version: string | undefined;
  readonly known: KnownProduct | undefined;
}

/** The keyed hash by which a product is told apart that is not shown. */
export const hashOfProduct = (secret: string): ((product: string) => string) =>
  remembering((product) => `other-${createHmac('sha256', secret).update(product).digest('hex').slice(0, 8)}`);

/**
 * Makes the function that names clients.
 * @param configured further product names that may be shown
 * @param secret of the keyed hash for all others
 * @returns takes the User-Agent, and the credentials of the same call
 */
export function clientProducts(
  configured: readonly string[],
  secret: string,
): (userAgent: string | undefined, credentials: readonly string[]) => ClientProduct {
  const given = new Map(configured.map((name) => [name.toLowerCase(), name]));
  const hash = hashOfProduct(secret);
  const shows = rememberingPairs(showsPartOf);
  const describe = remembering((userAgent): ClientProduct => {
    const text = userAgent.slice(0, longestUserAgent);
    const products = productsOf(text);
    const [first] = products;
    const isGiven = first !== undefined && given.has(first.name.toLowerCase());
    // Rules that name a library mean whoever begins with it.
    if (first?.known !== undefined && (isGiven || first.known.name === 'Mozilla')) return same(shown(first));
    const at = products.findIndex(({ known }) => known === undefined);
    const own = products[at];
    // Who calls himself a browser says nothing of what he calls with.
    const library = products.find(({ known }) => known?.isLibrary && known.name !== 'Mozilla');
    const leading = at === -1 ? products : products.slice(0, at);
    const listed = leading.find(({ known }) => known?.isLibrary) ?? leading[0];
    const anybodys = listed === undefined ? hash(/^[^\s/()]+/.exec(text)?.[0] ?? '') : shown(listed);
    const givenName = own === undefined ? undefined : given.get(own.name.toLowerCase());
    const name = givenName === undefined ? own && ownName(own, at) : withVersion(givenName, knownVersion.exec(own?.version ?? '')?.[0]);
    if (name === undefined) return same(anybodys);
    const named = library === undefined ? name : `${name}${joint}${shown(library)}`;
    return givenName === undefined ? { listed: anybodys, named } : same(named);
  });
  return (userAgent, credentials) => {
    if (userAgent === undefined || userAgent === '') return none;
    const product = describe(userAgent);
    const { listed, named } = product;
    return listed !== named && credentials.some((credential) => shows(named, credential)) ? same(listed) : product;
  };
}

const same = (text: string): ClientProduct => ({ listed: text, named: text });
const none = same('none');

/** The name of a client's own, as far as it reads like one. Behind a library there may be any words, of which only a product with a version counts. */
function ownName({ name, version }: Product, at: number): string | undefined {
  if (!/^[a-z0-9][\w.-]*(?: [\w.-]+)*$/i.test(name) || !/[a-z]/i.test(name)) return undefined;
  if (name.split(' ').some((word) => schemes.has(word.toLowerCase()) || reserved.test(word))) return undefined;
  if (version === undefined) return at === 0 && readsLikeName(name) ? name : undefined;
  const digits = finished(version);
  if (digits === undefined || digits.replaceAll('.', '').length > digitsOfVersion) return undefined;
  return readsLikeName(name) ? `${name}/${digits}` : undefined;
}

/** A version of digits and dots at the beginning of one. */
function finished(version: string): string | undefined {
  const [, whole, begun] = ownVersion.exec(version) ?? [];
  return whole ?? begun;
}

const withVersion = (name: string, version: string | undefined): string => (version === undefined ? name : `${name}/${version}`);

const shown = ({ name, version = '', known }: Product): string =>
  withVersion(known?.name ?? name, knownVersion.exec(version)?.[0] ?? finished(version));

/** The products, without comments. */
function productsOf(userAgent: string): Product[] {
  const products = withoutComments(userAgent)
    .split(/[\s;,]+/, mostProducts + 1)
    .filter((token) => token !== '')
    .slice(0, mostProducts)
    .map((token) => {
      // Java of old writes its version into its name.
      const written = token.replace(/^java(?=\d)/i, '$&/');
      const slash = written.indexOf('/');
      const name = slash === -1 ? written : written.slice(0, slash);
      return { name, version: slash === -1 ? undefined : written.slice(slash + 1), known: knownProducts.get(name.toLowerCase()) };
    });
  const [first, second] = products;
  if (first === undefined || second?.known?.name !== 'CFNetwork') return products;
  // Apps of Apple's have the names that people read, with spaces.
  return [{ ...first, name: first.name.replaceAll(space, ' ') }, ...products.slice(1)];
}

const space = '%20';

/** Comments may hold comments; one without an end takes all that follows. */
function withoutComments(text: string): string {
  let depth = 0;
  let left = '';
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) left += char;
    if (char === ')' && depth === 0) left += ' ';
  }
  return left;
}

/** The name of a recorded product, without its version and library. */
export function nameOfProduct(client: string): string {
  const end = client.search(/\/| via /);
  return end === -1 ? client : client.slice(0, end);
}

/**
 * Makes the function that gives the hashes under which older records, and calls of a key that was not known to be one yet, have the client that
 * is shown as this.
 */
export function hashesOf(secret: string): (client: string) => readonly string[] {
  const hash = hashOfProduct(secret);
  return remembering((client) => {
    if (unnamed.test(client)) return [];
    const name = nameOfProduct(client);
    const before = standsBefore.get(name);
    return [hash(name.replaceAll(' ', space)), ...(before === undefined ? [] : [hash(before)])];
  });
}
