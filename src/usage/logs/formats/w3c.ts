/** Logs that say on a line of their own what their fields are: CloudFront's with tabs, and others of W3C's extended format, as IIS's. */
import { given, type ReadLine, statusOf } from '../line.ts';

/** CloudFront's, for files whose first lines were lost on the way. */
const usual =
  'date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header';

const heading = '#Fields:';

type Places = Readonly<Record<string, number>>;
const placesOf = (fields: string): Places =>
  Object.fromEntries(
    fields
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .map((name, index) => [name, index]),
  );

/** A reader, and what takes the lines that begin with `#`. */
export interface W3cReader {
  readonly read: ReadLine;
  readonly comment: (text: string) => void;
}

export function w3cReader(timeOf: (text: string) => number): W3cReader {
  let places = placesOf(usual);
  let isTold = false;
  const read: ReadLine = (text, line) => {
    const hasTabs = text.includes('\t');
    if (!hasTabs && !isTold) return false;
    const cells = text.split(hasTabs ? '\t' : ' ');
    const cell = (name: string): string => given(cells[places[name] ?? -1] ?? '');
    line.time = timeOf(cell('timestamp') || `${cell('date')} ${cell('time')}`);
    if (Number.isNaN(line.time)) return false;
    line.method = cell('cs-method');
    line.target = cell('cs-uri-stem') || cell('cs-uri');
    line.status = statusOf(cell('sc-status'));
    line.address = cell('c-ip');
    const agent = cell('cs(user-agent)');
    line.agent = hasTabs ? decoded(agent) : agent.replaceAll('+', ' ');
    line.host = cell('x-host-header') || cell('cs(host)') || cell('cs-host');
    line.key = cell('cs(x-api-key)');
    line.via = decoded(cell('cs(via)'));
    return true;
  };
  const comment = (text: string): void => {
    if (!text.startsWith(heading)) return;
    places = placesOf(text.slice(heading.length));
    isTold = true;
  };
  return { read, comment };
}

/** CloudFront encodes what it writes, and in older files twice. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text.replaceAll('%25', '%'));
  } catch {
    return text;
  }
}
