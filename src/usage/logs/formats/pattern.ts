/** Lines as somebody describes them: a regular expression with named groups. */
import { given, type ReadLine, readRequest, statusOf, withoutPort } from '../line.ts';

import type { lineParts } from '../../../config/types-logs.ts';

/** A pattern may take long for a long line, however it ends: of such a one it is not asked. */
const longest = 8_192;

export const patternReader =
  (timeOf: (text: string) => number, pattern: RegExp): ReadLine =>
  (text, line) => {
    const found = text.length > longest ? undefined : pattern.exec(text)?.groups;
    if (found === undefined) return false;
    const group = (name: (typeof lineParts)[number]): string => given(found[name] ?? '');
    line.time = timeOf(group('time'));
    if (Number.isNaN(line.time)) return false;
    if (group('request') === '') {
      line.method = group('method');
      line.target = group('path');
    } else readRequest(group('request'), line);
    line.status = statusOf(group('status'));
    line.address = withoutPort(group('address'));
    line.agent = group('agent');
    line.host = group('host');
    line.key = group('key');
    line.via = group('via');
    return true;
  };
