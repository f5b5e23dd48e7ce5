/** The log lines of calls as JSON: but for the time, how long it took and its number, a line is that of an earlier call with the same key. */
import type { DeprecatedUse } from '../usage/deprecated-use.ts';

/** What such a line has: plain values alone, and no message. */
export type CallLine = Omit<DeprecatedUse, 'event' | 'outcome' | 'daysUntilSunset'> & {
  readonly event: DeprecatedUse['event'] | 'passed_through';
  readonly outcome: string;
  readonly daysUntilSunset?: number;
};

/** A line, and the texts around what differs. */
interface Pieces {
  readonly line: CallLine;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** Keys whose lines are remembered. */
const most = 2_000;

const duration = '"duration":';
const requestId = '"requestId":"';

/**
 * Makes the function that writes lines, with the line's end.
 * @returns takes a line of a call and its level
 */
export function callLines(now = Date.now): (line: CallLine, level: number) => string {
  const known = new Map<string | undefined, Pieces>();
  return (line, level) => {
    const begin = `{"level":${level},"time":${now()},`;
    // Each call has another one.
    if (line.traceId !== undefined) return `${begin}${JSON.stringify(line).slice(1)}\n`;
    let pieces = known.get(line.keyHash);
    if (pieces === undefined || !isAlike(pieces.line, line)) {
      if (known.size >= most) known.clear();
      known.set(line.keyHash, (pieces = piecesOf(line)));
    }
    return begin + pieces.before + line.duration + pieces.between + line.requestId + pieces.after;
  };
}

/** Whether two lines with one key differ only in what does from call to call. */
const isAlike = (a: CallLine, b: CallLine): boolean =>
  a.client === b.client &&
  a.endpoint === b.endpoint &&
  a.status === b.status &&
  a.outcome === b.outcome &&
  a.method === b.method &&
  a.event === b.event &&
  a.key === b.key &&
  a.workspace === b.workspace &&
  a.daysUntilSunset === b.daysUntilSunset &&
  a.code === b.code;

function piecesOf(line: CallLine): Pieces {
  const text = JSON.stringify({ ...line, duration: 0, requestId: '' });
  // Names with their quotes: within a value these would stand behind backslashes.
  const durationAt = text.indexOf(duration) + duration.length;
  const requestAt = text.indexOf(requestId) + requestId.length;
  return {
    line,
    before: text.slice(1, durationAt),
    between: text.slice(durationAt + 1, requestAt),
    after: `${text.slice(requestAt)}\n`,
  };
}
