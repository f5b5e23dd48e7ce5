/** Envoy's own text, and Istio's: the request in quotes behind the time, and in the end who called, in quotes too. */
import { given, lastOf, quoteEnd, type ReadLine, readRequest, statusOf, unescaped } from '../line.ts';

/** Forwarded addresses, User-Agent, id of the request, authority and upstream. */
const quotedAtEnd = 5;
const mostQuoted = 12;

export const envoyReader =
  (timeOf: (text: string) => number): ReadLine =>
  (text, line) => {
    const end = text.startsWith('[') ? text.indexOf('] "') : -1;
    if (end === -1) return false;
    line.time = timeOf(text.slice(1, end));
    if (Number.isNaN(line.time)) return false;
    const close = quoteEnd(text, end + 3);
    if (close === -1) return false;
    readRequest(text.slice(end + 3, close), line);
    line.status = statusOf(text.slice(close + 2, close + 5));
    const [addresses = '', agent = '', , authority = ''] = quotedOf(text, close + 1).slice(-quotedAtEnd);
    line.address = lastOf(given(addresses));
    line.agent = unescaped(given(agent));
    line.host = given(authority);
    return true;
  };

function quotedOf(text: string, from: number): readonly string[] {
  const quoted: string[] = [];
  for (let open = text.indexOf('"', from); open !== -1 && quoted.length < mostQuoted;) {
    const close = quoteEnd(text, open + 1);
    if (close === -1) break;
    quoted.push(text.slice(open + 1, close));
    open = text.indexOf('"', close + 1);
  }
  return quoted;
}
