/** The logs of nginx and Apache as they come: common, combined, either with the virtual host before it, and with anything behind. */
import { isIP } from 'node:net';
import { given, type LogLine, quoteEnd, type ReadLine, readRequest, statusOf, unescaped, withoutPort } from '../line.ts';

export const combinedReader =
  (timeOf: (text: string) => number): ReadLine =>
  (text, line) => {
    const end = text.indexOf('] "');
    const bracket = text.lastIndexOf(' [', end);
    if (bracket < 1 || end === -1) return false;
    line.time = timeOf(text.slice(bracket + 2, end));
    if (Number.isNaN(line.time)) return false;
    readCaller(text.slice(0, bracket), line);
    const close = quoteEnd(text, end + 3);
    if (close === -1) return false;
    readRequest(text.slice(end + 3, close), line);
    line.status = statusOf(text.slice(close + 2, close + 5));
    if (line.status === 0 && text[close + 2] !== '-' && text.slice(close + 2, close + 5) !== '000') return false;
    const referrer = text.indexOf('"', close + 5);
    const agent = referrer === -1 ? -1 : text.indexOf('"', quoteEnd(text, referrer + 1) + 1);
    const agentEnd = agent <= referrer ? -1 : quoteEnd(text, agent + 1);
    line.agent = agentEnd === -1 ? '' : unescaped(given(text.slice(agent + 1, agentEnd)));
    return true;
  };

/** What stands between addresses of a list. */
const separators = /[\s,"]+/;

/**
 * `192.0.2.1 - user`, with the virtual host before it, and with the addresses that were forwarded. Of these the last is the one that whoever wrote
 * the log has seen.
 */
function readCaller(head: string, line: LogLine): void {
  const space = head.indexOf(' ');
  line.host = '';
  line.address = space === -1 ? head : head.slice(0, space);
  if (head.startsWith(' - ', space)) return;
  const ident = head.indexOf(' - ');
  const parts = (ident === -1 ? head : head.slice(0, ident)).split(separators).filter((part) => part !== '');
  const address = parts.findLast((part) => isIP(part) !== 0);
  if (address === undefined) return;
  const [first = ''] = parts;
  line.host = isIP(first) === 0 ? withoutPort(first) : '';
  line.address = address;
}
