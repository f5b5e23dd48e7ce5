/** Reads the Forwarded field (RFC 7239) from its end: there is what the nearest proxy wrote, and before it anybody may have written anything. */

/** Beyond this nothing is read. */
const longestElement = 1_024;

/** §4: a name, and a token or a quoted text. Servers write spaces around the semicolon, which the grammar has not. */
const pair = /[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)")[ \t]*(?:;|$)/y;

/** §6: an address of IPv4, or one of IPv6 in brackets, and a port, which may be obfuscated. */
const node = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::(?:\d{1,5}|_[\w.-]+))?$/i;

/**
 * The addresses that the last elements name, the nearest first. `undefined` stands for an element that names none – `unknown`, an obfuscated
 * name, or what is no element – and ends the list, since nothing before it is known to be true.
 * @param most elements that are read
 */
export function forwardedAddresses(value: string, most: number): (string | undefined)[] {
  const addresses: (string | undefined)[] = [];
  let end = value.length;
  while (end >= 0 && addresses.length < most) {
    const start = beginOf(value, end);
    if (start === undefined) return [...addresses, undefined];
    const element = value.slice(start, end).trim();
    end = start - 1;
    // Empty members of a list are no members (RFC 9110 §5.6.1.2).
    if (element === '') continue;
    const address = addressIn(element);
    addresses.push(address);
    if (address === undefined) break;
  }
  return addresses;
}

/** Where the element before `end` begins; undefined where it is too long. From the end, a quote that a client left open stays its own. */
function beginOf(value: string, end: number): number | undefined {
  let isQuoted = false;
  for (let at = end - 1; at >= 0; at--) {
    if (end - at > longestElement) return undefined;
    if (value[at] === ',' && !isQuoted) return at + 1;
    if (value[at] !== '"') continue;
    let backslashes = 0;
    while (at - backslashes > 0 && value[at - backslashes - 1] === '\\' && backslashes < longestElement) backslashes++;
    if (backslashes % 2 === 0) isQuoted = !isQuoted;
    at -= backslashes;
  }
  return 0;
}

function addressIn(element: string): string | undefined {
  let address: string | undefined;
  for (pair.lastIndex = 0; pair.lastIndex < element.length;) {
    const [, name, token, quoted] = pair.exec(element) ?? [];
    if (name === undefined) return undefined;
    if (name.toLowerCase() !== 'for') continue;
    // §4: each parameter at most once.
    if (address !== undefined) return undefined;
    const [, ipv4, ipv6] = node.exec(token ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '') ?? [];
    address = ipv4 ?? ipv6;
    if (address === undefined) return undefined;
  }
  return address;
}
