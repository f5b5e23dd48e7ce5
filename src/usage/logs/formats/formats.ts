/** The formats of logs, by their names, and which of them a log has. */
import { emptyLine, type ReadLine } from '../line.ts';
import { timeReader } from '../times.ts';
import { combinedReader } from './combined.ts';
import { envoyReader } from './envoy.ts';
import { jsonReader } from './json.ts';
import { loadBalancerReader } from './load-balancer.ts';
import { patternReader } from './pattern.ts';
import { w3cReader } from './w3c.ts';
import type { LogFormat } from '../../../config/log-formats.ts';

export interface LogReader {
  readonly format: LogFormat;
  readonly read: ReadLine;
  /** Takes the lines that begin with `#`. */
  readonly comment: (text: string) => void;
  /** Whether texts are UTF-8; otherwise they are bytes, as a header is. */
  readonly isUtf8: boolean;
}

export interface FormatOptions {
  /** Names of fields in JSON, by what they are. */
  readonly fields: Readonly<Record<string, string>>;
  readonly pattern: RegExp | undefined;
  readonly now: number;
}

/** Makes what reads lines of a format: of one file, as it remembers what that says of itself. */
export function readerOf(format: LogFormat, { fields, pattern, now }: FormatOptions): LogReader {
  const timeOf = timeReader(now);
  const plain = (read: ReadLine): LogReader => ({ format, read, comment: () => undefined, isUtf8: false });
  switch (format) {
    case 'combined':
      return plain(combinedReader(timeOf));
    case 'json':
      return { ...plain(jsonReader(timeOf, fields)), isUtf8: true };
    case 'alb':
      return plain(loadBalancerReader(timeOf));
    case 'cloudfront':
      return { ...plain(() => false), ...w3cReader(timeOf) };
    case 'envoy':
      return plain(envoyReader(timeOf));
    case 'pattern':
      return plain(patternReader(timeOf, pattern ?? /^(?!)/));
  }
}

const found = ['combined', 'json', 'alb', 'cloudfront', 'envoy'] as const satisfies readonly LogFormat[];

/**
 * Finds the format of a log.
 * @param lines its first ones, also those that begin with `#`
 * @returns undefined where no format reads more than half of them
 */
export function formatOf(lines: readonly string[], options: FormatOptions): LogFormat | undefined {
  const scores = found.map((format) => {
    const reader = readerOf(format, options);
    const line = emptyLine();
    let read = 0;
    for (const text of lines) {
      if (text.startsWith('#')) reader.comment(text);
      else if (reader.read(text, line)) read++;
    }
    return { format, read };
  });
  const best = scores.reduce((a, b) => (b.read > a.read ? b : a));
  const all = lines.filter((text) => !text.startsWith('#')).length;
  return best.read * 2 > all ? best.format : undefined;
}
