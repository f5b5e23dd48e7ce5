/**
 * Where a call came from: what v2 is told of it, and what the record has. Anybody can write any address into these fields, so that only
 * the connection counts, and what the proxies before say that the configuration trusts.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, type Socket, isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { remembering } from '../src/usage/remembering.ts';
import { forwardedAddresses } from './forwarded-field.ts';
import type { ProxyOptions } from './options.ts';

/** The names that balancers and content delivery networks have for the address of a client; see `addressField` for those of a common form. */
const tellsAddress: ReadonlySet<string> = new Set([
  'forwarded',
  'x-host',
  'x-scheme',
  'x-url-scheme',
  'x-rewrite-url',
  'x-ssl-client-cn',
  'cf-pseudo-ipv4',
  'x-envoy-external-address',
  'x-envoy-original-path',
  'x-envoy-original-dst-host',
  'x-envoy-internal',
  'x-appengine-user-ip',
  'x-azure-socketip',
  'x-proxyuser-ip',
]);

/** `x-forwarded…` and `x-original-…` are of proxies; `true-client-ip`, `cf-connecting-ip`, `x-real-ip` and their like end alike. */
const addressField =
  /^(?:x-(?:[\w-]*-)?)?(?:forward(?:ed)?-for|forwarded|original-(?:for|host|proto|url))|(?:client|connecting|connection|real|remote|originating|source)-?ip(?:v6)?$|(?:client|peer|viewer|remote)-?addr(?:ess)?$/;

/** Whether a request field (name in lower case) tells where the request came from. Of a client it is a claim, and does not go on to v2. */
export function tellsOrigin(name: string): boolean {
  // Gateways such as CGI and WSGI make one variable of these signs.
  const dashed = /[_.]/.test(name) ? name.replaceAll(/[_.]/g, '-') : name;
  return addressField.test(dashed) || tellsAddress.has(dashed);
}

/** A proxy before us, or the client. */
interface Hop {
  readonly address: string;
  readonly trusted: boolean;
}

/** Proxies before us at most, so that what goes to v2 is bounded. */
const maxHops = 16;
/** No address is longer, with its brackets and port. */
const maxHop = 64;

/** A host that is the same in every reading: RFC 9110 §7.2 would allow commas and quotes in it. */
const plainHost = /^(?:[\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

export class Origins {
  readonly #style: ProxyOptions['forwarded'];
  readonly #field: ProxyOptions['trustedField'];
  readonly #hop: (text: string) => Hop | undefined;

  constructor({ forwarded, trustedProxies, trustedField }: Pick<ProxyOptions, 'forwarded' | 'trustedProxies' | 'trustedField'>) {
    const trusted = networkList(trustedProxies);
    this.#style = forwarded;
    this.#field = trustedField;
    this.#hop = remembering((text) => {
      const address = addressIn(text);
      return address === undefined ? undefined : { address, trusted: trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') };
    });
  }

  /** Whoever has a connection; undefined where it has no address. */
  peerOf({ remoteAddress }: Pick<Socket, 'remoteAddress'>): Hop | undefined {
    return remoteAddress === undefined ? undefined : this.#hop(remoteAddress);
  }

  /** The address of the client: the nearest that no trusted proxy has; undefined where the connection has none, as a Unix socket. */
  clientOf(req: IncomingMessage): string | undefined {
    return this.#hops(req).at(-1)?.address;
  }

  /** The fields that tell v2 where a request came from, by `--forwarded`. @returns names and values in turn */
  fields(req: IncomingMessage): string[] {
    if (this.#style === 'none') return [];
    const hops = this.#hops(req);
    if (this.#style === 'forwarded') return ['Forwarded', forwarded(hops, originalOf(req, hops))];
    const fields = hops.length === 0 ? [] : ['X-Forwarded-For', joined(hops, ({ address }) => address)];
    if (this.#style === 'x-forwarded-for') return fields;
    const { host, proto } = originalOf(req, hops);
    if (host !== undefined) fields.push('X-Forwarded-Host', host);
    fields.push('X-Forwarded-Proto', proto);
    return fields;
  }

  /**
   * The way of a request to us, the nearest first: whoever has the connection and, as long as each is a trusted proxy, whom it had the
   * request from. What comes after the first that is not trusted is its own claim.
   */
  #hops({ socket, rawHeaders }: IncomingMessage): Hop[] {
    const peer = this.peerOf(socket);
    if (peer === undefined) return [];
    const hops = [peer];
    if (!peer.trusted) return hops;
    for (const text of this.#told(rawHeaders)) {
      const hop = text === undefined || text.length > maxHop ? undefined : this.#hop(text);
      if (hop === undefined) break;
      hops.push(hop);
      if (!hop.trusted) break;
    }
    return hops;
  }

  /**
   * Whom the proxies before us name, the nearest first. Never of both fields: one that the trusted proxy does not write is the client's. Most
   * write X-Forwarded-For, and let Forwarded pass.
   */
  #told(rawHeaders: readonly string[]): readonly (string | undefined)[] {
    const list = this.#field === 'forwarded' ? undefined : valueOf(rawHeaders, 'x-forwarded-for');
    if (list === undefined && this.#field !== 'x-forwarded-for') return forwardedAddresses(valueOf(rawHeaders, 'forwarded') ?? '', maxHops);
    // Empty members of a list are no members (RFC 9110 §5.6.1.2).
    const entries = (list ?? '').split(',').map((entry) => entry.trim());
    return entries
      .filter((entry) => entry !== '')
      .slice(-maxHops)
      .toReversed();
  }
}

/** @param networks addresses, or networks in CIDR notation */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return list;
}

/** The address in an entry of X-Forwarded-For, some of which have ports; IPv4 as IPv4 where IPv6 carries it, and without a zone. */
function addressIn(entry: string): string | undefined {
  const text = entry
    .replace(/^\[(.*)\](?::\d{1,5})?$/, '$1')
    .replace(/^([\d.]+):\d{1,5}$/, '$1')
    .replace(/%.*$/, '');
  return isIP(text) === 0 ? undefined : ipaddr.process(text).toString();
}

interface Original {
  readonly host: string | undefined;
  readonly proto: string;
}

/** How the client asked: of whom and over what, as a trusted proxy tells it or as it came to us. */
function originalOf({ rawHeaders, socket }: IncomingMessage, [peer]: readonly Hop[]): Original {
  const told = (name: string): string => (peer?.trusted === true && valueOf(rawHeaders, name)) || '';
  const hosts = [told('x-forwarded-host'), valueOf(rawHeaders, 'host') ?? ''];
  const [proto = 'encrypted' in socket ? 'https' : 'http'] = /^https?$/i.exec(told('x-forwarded-proto')) ?? [];
  return { host: hosts.find((host) => plainHost.test(host)), proto: proto.toLowerCase() };
}

/** RFC 7239 §4: one element for each hop, the client's first; host and proto belong to what the client sent. */
function forwarded(hops: readonly Hop[], { host, proto }: Original): string {
  // §6: an IPv6 address is in brackets, and whatever is no token is quoted.
  const elements = joined(hops, ({ address }) => (isIPv6(address) ? `for="[${address}]"` : `for=${address}`)) || 'for=unknown';
  const [client = '', ...proxies] = elements.split(', ');
  return [`${client}${host === undefined ? '' : `;host="${host}"`};proto=${proto}`, ...proxies].join(', ');
}

function joined(hops: readonly Hop[], text: (hop: Hop) => string): string {
  const [peer] = hops;
  // As nearly always: this is on the way of every call.
  if (peer !== undefined && hops.length === 1) return text(peer);
  return hops.map(text).toReversed().join(', ');
}

/** The values of a field (name in lower case) as one list (RFC 9110 §5.3); undefined where it did not come. */
function valueOf(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length !== name.length || rawHeaders[i]?.toLowerCase() !== name) continue;
    const next = rawHeaders[i + 1] ?? '';
    value = value === undefined ? next : `${value}, ${next}`;
  }
  return value;
}
