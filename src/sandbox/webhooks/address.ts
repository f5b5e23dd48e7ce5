/** Where webhooks may go: https and public addresses only (api.md §2, §6), so that nobody can have the service call into a private network. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { deliveryRules } from '../../contract/events.ts';

/** Gives every address of a name. Rejects, or gives none, where the name has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** A URL that may be called, and the addresses it is pinned to: connect to these, and DNS cannot change in between. */
export interface Destination {
  readonly url: URL;
  /** At least one; every one has been checked. In the order in which the resolver prefers them. */
  readonly addresses: readonly string[];
}

/** Why a URL may not be called. */
export interface RefusedUrl {
  readonly problem: 'INVALID_URL' | 'NOT_HTTPS' | 'CREDENTIALS' | 'UNRESOLVED' | 'NOT_PUBLIC';
  /** For people: what is wrong and what to do. */
  readonly detail: string;
}

export interface AddressRules {
  /**
   * Looks at a URL as it was registered, and resolves its name anew.
   * @param signal ends it at once
   * @returns never rejects, and takes no longer than a name may take
   */
  check(url: string, signal?: AbortSignal): Promise<Destination | RefusedUrl>;
}

export interface AddressRulesOptions {
  /** For receivers on the own machine: accepts any address, and http. */
  readonly allowPrivate: boolean;
  /** The machine's own resolver where absent. */
  readonly resolve?: Resolve | undefined;
  /** Milliseconds of real time for a name to resolve; what a receiver has to answer where absent. */
  readonly timeout?: number | undefined;
}

/** Characters; api.md sets no bound, the sandbox protects itself. */
const maxUrlLength = 2_048;

const hint = 'accepted with --allow-private-webhooks only';

/** Of IPv6, what has been given out as public so far (RFC 4291 §2.4, IANA's IPv6 address space). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The rules by which webhook URLs are registered and called. */
export function createAddressRules(options: AddressRulesOptions): AddressRules {
  const { allowPrivate, resolve = resolveBySystem, timeout = deliveryRules.timeout } = options;
  return {
    async check(text, signal) {
      const url = parse(text, allowPrivate);
      if (!(url instanceof URL)) return url;
      // The URL parser has put every way of writing an address into one form; that of IPv6 has brackets.
      const host = url.hostname.replaceAll(/[[\]]/g, '');
      const addresses = isIP(host) === 0 ? await inTime(resolveName(host, resolve), { host, timeout, signal }) : [host];
      if ('problem' in addresses) return addresses;
      const refused = allowPrivate ? undefined : addresses.find((address) => !isPublic(address));
      if (refused === undefined) return { url, addresses };
      return { problem: 'NOT_PUBLIC', detail: `${host} is at ${refused}, which is not a public address: ${hint}` };
    },
  };
}

/** What can be said of a URL without looking its name up. */
function parse(text: string, allowHttp: boolean): URL | RefusedUrl {
  const url = text.length > maxUrlLength ? null : URL.parse(text);
  if (url === null) return { problem: 'INVALID_URL', detail: `The URL must be an absolute one of at most ${maxUrlLength} characters` };
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return { problem: 'NOT_HTTPS', detail: `The URL must begin with https://; http:// is ${hint}` };
  }
  if (url.username + url.password !== '') {
    return { problem: 'CREDENTIALS', detail: 'The URL must hold no user name and no password: check the signature instead' };
  }
  return url;
}

async function resolveName(host: string, resolve: Resolve): Promise<readonly string[] | RefusedUrl> {
  try {
    const addresses = await resolve(host);
    // A zone (fe80::1%eth0) names an interface of this machine: no address that others could mean.
    if (addresses.length > 0 && addresses.every((address) => isIP(address) !== 0 && !address.includes('%'))) return addresses;
    return { problem: 'UNRESOLVED', detail: `The name ${host} resolves to no address` };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { problem: 'UNRESOLVED', detail: `The name ${host} cannot be resolved: ${code}` };
  }
}

interface Bounds {
  readonly host: string;
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** A resolver sets its own time, which may be long, and cannot be told to stop. */
async function inTime<T>(resolved: Promise<T>, { host, timeout, signal }: Bounds): Promise<T | RefusedUrl> {
  const { promise, resolve } = Promise.withResolvers<T | RefusedUrl>();
  const giveUp = (): void => resolve({ problem: 'UNRESOLVED', detail: `The name ${host} did not resolve in time` });
  const timer = setTimeout(giveUp, timeout);
  signal?.addEventListener('abort', giveUp);
  void resolved.then(resolve);
  const outcome = await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', giveUp);
  return outcome;
}

/**
 * Whether an address is one of the public internet. ipaddr.js knows the special registries of IANA; of IPv6, addresses outside of
 * what has been given out are refused as well: among them are those that wrap an IPv4 address in a way that no table lists.
 */
function isPublic(text: string): boolean {
  const address = ipaddr.parse(text);
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalUnicast));
}

async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
