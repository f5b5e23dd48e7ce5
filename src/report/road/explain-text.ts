/** Why a rule holds for a call, in words. */
import { unlisted } from '../../contract/endpoints.ts';
import type { Match } from '../../rollout/rules.ts';
import { type Style, styleFor } from '../../text/style.ts';
import type { Column } from '../formats/columns.ts';
import { grid, wrapped } from '../formats/grid.ts';
import { count, timeOf } from '../text/figures.ts';
import type { BrownoutFor, Explanation, Passed } from './explain.ts';
import type { RoadTableOptions } from './table.ts';
import { matchText, quoted, shareText, windowText } from './wording.ts';

/** Earlier rules that are named, the last ones before the one that holds. */
const mostPassed = 50;

/** Renders an explanation for a terminal. */
export function renderExplanation(explanation: Explanation, { width, color }: RoadTableOptions): string {
  const { passed, brownouts } = explanation;
  const style = styleFor(color);
  const shown = passed.slice(-mostPassed);
  const more = passed.length - shown.length;
  const sections = [
    wrapped(callText(explanation), width).map((line) => style('bold', line)),
    passed.length === 0
      ? []
      : [
          ...(more > 0 ? [style('dim', `${count(more)} earlier rules do not match either: --format json has them all`)] : []),
          ...grid(passedColumns(explanation), shown, width, style),
        ],
    holding(explanation, width, style),
    brownouts.length === 0
      ? []
      : [style('bold', 'Brownouts'), ...brownouts.flatMap((each) => wrapped(brownoutText(each, explanation), width, '  - '))],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function callText({ asked, place }: Explanation): string {
  const { endpoint, method, client, workspace } = asked;
  const call = endpoint.startsWith(`${method} `)
    ? endpoint
    : endpoint === unlisted
      ? `${method} of a path that is not listed`
      : `${method} of ${endpoint}`;
  const whose = workspace === null ? 'of no workspace' : `of ${workspace}`;
  const key = place === null ? 'without a key' : `with the key ${keyText(asked)} ${whose}, at ${shareText(place)} of the keys`;
  return `${call} ${key}${client === null ? '' : `, by ${client}`}`;
}

const keyText = ({ keyPrefix, keyHash }: Explanation['asked']): string =>
  keyPrefix === null || keyPrefix === '' ? `hash:${keyHash}` : `${keyPrefix}… (hash:${keyHash})`;

const passedColumns = ({ asked, place }: Explanation): readonly Column<Passed>[] => [
  { head: 'Rule', text: ({ name }) => name, least: 12 },
  { head: 'Does not hold, as it is for', text: ({ part, match }) => matchText({ [part]: match[part] }), least: 20 },
  { head: 'And this is', text: ({ part, isGuess }) => isText(part, { asked, place, isGuess }), least: 16 },
];

interface Fact {
  readonly asked: Explanation['asked'];
  readonly place: number | null;
  readonly isGuess: boolean;
}

/** What the call is, of that which a part of a match asks. */
function isText(part: keyof Match, { asked, place, isGuess }: Fact): string {
  if (isGuess) return 'not known: more of the key is named than the record has; give the key by env: or file:';
  if (part === 'workspace' || part === 'unknown') return asked.workspace === null ? 'of no workspace' : `workspace ${asked.workspace}`;
  if (part === 'client') return asked.client ?? 'not said; give --client';
  if (part === 'endpoint') return asked.endpoint;
  if (part === 'methods') return asked.method;
  if (place === null) return 'without a key';
  return part === 'percent' ? `at ${shareText(place)}` : 'another key';
}

function holding({ rule, match, stage, inForce, because, step }: Explanation, width: number, style: Style): readonly string[] {
  const holds =
    rule === null || match === null
      ? 'No rule matches, and so the stage is translate.'
      : `The rule ${quoted(rule)} holds, which is for ${matchText(match)}: ${stage}.`;
  const since = step === null ? '' : ` since ${timeOf(step.at)}: ${step.detail}`;
  const changes = {
    stopped: `Everything is stopped${since}`,
    tripped: `Its guard has taken it back${since}`,
    sunset: 'v1 is gone',
  } as const;
  return [
    ...wrapped(holds, width),
    ...(because === null ? [] : wrapped(`In force is ${inForce}. ${changes[because]}.`, width).map((line) => style('yellow', line))),
  ];
}

function brownoutText({ name, why, on, next }: BrownoutFor, { asked, place }: Explanation): string {
  const times = [...(on === null ? [] : [`on now, ${windowText(on)}`]), ...(next === null ? [] : [`next ${windowText(next)}`])];
  if (times.length === 0) return `${quoted(name)} is over`;
  const when = times.join('; ');
  const reasons = {
    exempt: 'leaves it alone, as the workspace is exempt',
    stopped: 'is stopped',
    'everything stopped': 'would refuse it, but everything is stopped',
  } as const;
  if (why === null) return `${quoted(name)} refuses it: ${when}`;
  if (why === 'exempt' || why === 'stopped' || why === 'everything stopped') return `${quoted(name)} ${reasons[why]}: ${when}`;
  return `${quoted(name)} leaves it alone: this is ${isText(why, { asked, place, isGuess: false })}; ${when}`;
}
