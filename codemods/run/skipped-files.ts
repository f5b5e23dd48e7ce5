/** The findings for files that are not looked at. */
import type { Suspect } from '../find/scan.ts';
import type { Fault } from '../find/walk.ts';
import type { Finding } from '../model.ts';

/** What helps where the right to read does not. */
const remedies: Readonly<Record<string, string>> = {
  binary: 'look for v1 in it by hand, or leave it out with --exclude',
  'UTF-16': 'save it as UTF-8 and run again, or leave it out with --exclude',
  'name is not UTF-8': 'rename it and run again, or leave it out with --exclude',
};

const withRemedy = (reason: string): Finding['detail'] => {
  const remedy = remedies[reason];
  return remedy === undefined ? { reason } : { reason, remedy };
};

/** The finding for a file that is not analysed, with the reason. */
export const skippedFinding = ({ path, skipReason, isSaid = false }: Suspect): Finding[] =>
  skipReason === undefined || isSaid
    ? []
    : [{ code: skipReason.code, file: path, start: 0, end: 0, line: 1, column: 1, detail: withRemedy(skipReason.reason) }];

export const unreadable = ({ path, reason }: Fault): Finding => ({
  code: 'unreadable',
  file: path,
  start: 0,
  end: 0,
  line: 1,
  column: 1,
  detail: withRemedy(reason),
});
