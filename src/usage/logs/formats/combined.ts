/** The logs of nginx and Apache as they come: common, combined, either with the virtual host before it, and with anything behind. */
import { isIP } from 'node:net';
import { given, type LogLine, quoteEnd, type ReadLine, readRequest, statusOf, unescaped, withoutPort } from '../line.ts';

export const combinedReader =
  (timeOf: (text: string) => number): ReadLine =>
  (text, line) => {
    const bracket = text.indexOf(' [');
    const end = text.indexOf('] "', bracket);
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

/** `192.0.2.1 - user`, or `api.example.com:443 192.0.2.1 - user`. */
function readCaller(head: string, line: LogLine): void {
  const [first = '', second = '-'] = head.split(' ', 2);
  const hasHost = second !== '-' && isIP(first) === 0 && isIP(second) !== 0;
  line.host = hasHost ? withoutPort(first) : '';
  line.address = hasHost ? second : first;
}
