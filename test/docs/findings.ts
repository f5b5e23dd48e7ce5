/** The codemods' findings as docs/findings.md explains them: a heading for each code, to which every report links. */
import { type Finding, type FindingCode, findingCodes } from '../../codemods/model.ts';
import { type Kind, wordsOf } from '../../codemods/report/wording.ts';

const kinds: Readonly<Record<Kind, string>> = {
  left: 'Still on v1, until a person decides',
  look: 'To look at, or to change with what is moved',
  alone: 'Left alone: nothing to do',
  failed: 'The tool could not do its work',
};

const message = { message: 'The report has the words of the parser or the system.' };
/** What stands in the place of details that only a report has, where the words need some. */
const details: Partial<Record<FindingCode, Finding['detail']>> = {
  'unknown-route': { method: 'behind', route: 'that method and path' },
  ignored: { reason: 'The reason that the comment gives is in the report.' },
  syntax: message,
  unreadable: message,
  unwritable: message,
  'worker-died': message,
};

export function findings(): string {
  const told = findingCodes.map((code) => wordsOf({ code, detail: details[code] ?? {} }));
  const section = (kind: Kind): string[] =>
    told
      .filter((one) => one.kind === kind)
      .flatMap(({ code, title, reason, remedy }) => [`### \`${code}\``, `*${title}.* ${reason}`, remedy]);
  return (
    Object.entries(kinds)
      // The keys are those of the record above.
      .flatMap(([kind, heading]) => [`## ${heading}`, ...section(kind as Kind)])
      .join('\n\n')
      // Markdown would take it for HTML.
      .replaceAll(/<(\w+)>/g, '&lt;$1&gt;')
  );
}
