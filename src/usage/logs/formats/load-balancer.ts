/** The logs of AWS's Application Load Balancer, and of its classic one. Fields may follow, as they do every other year. */
import { given, quoteEnd, type ReadLine, readRequest, statusOf, unescaped, withoutPort } from '../line.ts';

const kinds: ReadonlySet<string> = new Set(['http', 'https', 'h2', 'grpcs', 'ws', 'wss']);

/** Fields before the request: the classic one has no kind before the time. */
const fieldsOfApplication = 12;

export const loadBalancerReader =
  (timeOf: (text: string) => number): ReadLine =>
  (text, line) => {
    const open = text.indexOf(' "');
    if (open === -1) return false;
    const fields = text.slice(0, open).split(' ', fieldsOfApplication + 1);
    const shift = kinds.has(fields[0] ?? '') ? 1 : 0;
    if (fields.length !== fieldsOfApplication - 1 + shift) return false;
    line.time = timeOf(fields[shift] ?? '');
    if (Number.isNaN(line.time)) return false;
    line.address = portless(fields[2 + shift] ?? '');
    line.status = statusOf(fields[7 + shift] ?? '');
    const close = quoteEnd(text, open + 2);
    if (close === -1) return false;
    readRequest(text.slice(open + 2, close), line);
    const agentEnd = text.startsWith(' "', close + 1) ? quoteEnd(text, close + 3) : -1;
    line.agent = agentEnd === -1 ? '' : unescaped(given(text.slice(close + 3, agentEnd)));
    return true;
  };

/** Of addresses of IPv6 without brackets, too: there is always a port. */
const portless = (address: string): string =>
  address.startsWith('[') ? withoutPort(address) : given(address.slice(0, Math.max(0, address.lastIndexOf(':'))));
