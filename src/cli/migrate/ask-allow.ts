/** `--interactive`: each place that holds calls back is shown, and lets them move where a person says so. */
import { allowable } from '../../../codemods/escape/problems.ts';
import type { Finding } from '../../../codemods/model.ts';
import { holderInWords, wordsOf } from '../../../codemods/report/wording.ts';
import { plain } from '../../text/escape.ts';
import type { Style } from '../../text/style.ts';
import type { Terminal } from '../terminal.ts';

const answers = [
  { value: 'leave', label: 'Leave what it holds on v1' },
  { value: 'allow', label: 'It may move along' },
  { value: 'quit', label: 'Leave this and all that follow' },
] as const;

/**
 * Asks about places until there is none left that was not asked about: what one holds may be held by another, too.
 * @param findingsWith what a run finds that is told these places
 * @param allowed places FILE:LINE that are given already
 * @returns all places that let what they hold move along
 */
export async function askForAllowed(
  terminal: Terminal,
  style: Style,
  findingsWith: (allowed: readonly string[]) => Promise<readonly Finding[]>,
  allowed: readonly string[],
): Promise<readonly string[]> {
  const asked = new Set<string>();
  const given = [...allowed];
  for (let before = -1; before !== given.length;) {
    before = given.length;
    for (const finding of (await findingsWith(given)).filter(isHolding)) {
      const place = placeOf(finding);
      if (asked.has(place)) continue;
      asked.add(place);
      terminal.show(textOf(finding, style));
      const answer = await terminal.one(`May what ${plain(place)} holds move along?`, answers);
      if (answer === 'allow') given.push(place);
      else if (answer !== 'leave') return given;
    }
  }
  return given;
}

/** Not where an answer would let nothing move. */
const isHolding = ({ code, detail }: Finding): boolean =>
  (allowable.has(code) || code === 'dynamic-path' || code === 'unknown-route') &&
  detail['allow'] !== 'no' &&
  wordsOf({ code, detail }).kind === 'left';

/** What is held by a setting or an import is held there. */
const placeOf = ({ code, file, line, detail: { by, why } }: Finding): string =>
  code === 'held-elsewhere' && by !== undefined && why !== undefined ? by : `${file}:${line}`;

function textOf(finding: Finding, style: Style): string {
  const { title, reason } = wordsOf(finding);
  const held = holderInWords(finding);
  const lines = [
    style('bold', `${plain(placeOf(finding))}  ${plain(title)}`),
    `  ${plain(reason)}`,
    ...(held === undefined ? [] : [`  It ${plain(held)}`]),
  ];
  return `\n${lines.join('\n')}\n\n`;
}
