import ipaddr from 'ipaddr.js';

/**
 * The network that an address belongs to, as it is recorded: a /24 of IPv4 (also where IPv6 carries it), a /48 of IPv6.
 * @returns undefined for what is no address
 */
export function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().replace(/%.*/, '')}/48`).toString()}/48`;
}
