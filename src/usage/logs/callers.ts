/** Who a line says that called, as the store may know it: products, networks and fingerprints, and nothing of what the line holds. */
import ipaddr from 'ipaddr.js';
import { BlockList } from 'node:net';
import { clientProducts } from '../client-product.ts';
import { keyFingerprinter } from '../key-fingerprint.ts';
import { unlisted } from '../../contract/endpoints.ts';
import { networkOf } from '../network.ts';
import { remembering } from '../remembering.ts';
import type { LogLine } from './line.ts';
import type { LogCaller, LogKind } from './model.ts';

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const dotted = new RegExp(`^${octet}\\.${octet}\\.${octet}\\.${octet}$`);

/** Of all that can be sent as an address, the shape of most is read at once. */
function quickNetworkOf(address: string): string {
  if (dotted.test(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  return networkOf(address) ?? '';
}

/**
 * Makes the function that says who called. The name that a client gives itself is told of a call that an endpoint accepted: most logs have no keys.
 * @param secret of the hashes of keys and products
 */
export function callersOfLines(secret: string): (line: LogLine, kind: LogKind) => LogCaller {
  const productOf = clientProducts([], secret);
  const fingerprintOf = keyFingerprinter(secret);
  return ({ address, agent, key }, { endpoint, status }) => {
    const { listed, named } = productOf(agent, [key]);
    const fingerprint = key === '' ? undefined : fingerprintOf(key);
    return {
      client: endpoint !== unlisted && status >= 200 && status < 400 ? named : listed,
      network: quickNetworkOf(address),
      keyHash: fingerprint?.hash ?? null,
      keyPrefix: fingerprint?.prefix ?? null,
    };
  };
}

/** Makes the function that says whether an address lies in one of these networks, in CIDR notation. */
export function inNetworks(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address, length] = ipaddr.parseCIDR(network);
    list.addSubnet(address.toString(), length, address.kind());
  }
  return remembering((text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return list.check(address.toString(), address.kind());
  });
}
