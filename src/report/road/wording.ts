/** What a roll-out says in words: the same in the terminal and on the page. Names are other people's text, and escaped where they are written. */
import { or } from '../../text/list.ts';
import type { Fallback, Match } from '../../rollout/rules.ts';
import { count, counted, lengthOf, timeOf } from '../text/figures.ts';
import type { BrownoutView, OverlapView, RoadView, RuleView, StepView, UnmatchedView, WindowView } from './model.ts';

/** A share in full: rounded, 0.01% of the keys would look like none. */
export const shareText = (share: number): string => `${Number((share * 100).toFixed(4))}%`;

/** More names of one part tell nobody more. */
const mostNames = 5;
const names = (all: readonly string[]): string =>
  all.length > mostNames ? `${all.slice(0, mostNames - 1).join(', ')} or ${count(all.length - mostNames + 1)} more` : or(all);

/** Whom a rule is about. */
export function matchText({ workspace, unknown, keys, client, endpoint, methods, percent }: Match): string {
  const parts = [
    workspace && `workspace ${names(workspace)}`,
    unknown && 'keys of no workspace',
    keys && `keys ${names(keys)}`,
    client && `client ${names(client)}`,
    endpoint && names(endpoint),
    methods && `method ${names(methods)}`,
    percent === undefined ? undefined : `the first ${shareText(percent)} of the keys`,
  ].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? 'every call' : parts.join('; ');
}

/** When a rule is taken back. */
export const guardText = ({ errors, over, atLeast, to }: Fallback): string =>
  `back to ${to} at ${shareText(errors)} more errors than v1 in ${lengthOf(over)}, of ${counted(atLeast, 'call')} or more`;

const reasons = {
  stopped: 'stopped',
  tripped: 'taken back',
  sunset: 'v1 is gone',
  over: 'over',
} as const satisfies Record<NonNullable<RuleView['because']>, string>;

/** The stage in a cell, with why it is another one than the rule's. */
export const stageText = ({ inForce, because }: Pick<UnmatchedView, 'inForce' | 'because'>): string =>
  [inForce ?? 'none', ...(because === null ? [] : [`(${reasons[because]})`])].join(' ');

export const noRuleName = 'no rule';
export const noRuleText = 'calls that no rule matches';

/** What stands above the rules: what makes them other than they are written. */
export function standingTexts({ stopped, gone, atSunset, rules, proxy }: RoadView): readonly string[] {
  const who = proxy === null ? 'a proxy' : 'this proxy';
  return [
    ...(stopped === null
      ? []
      : [`Everything is stopped since ${timeOf(stopped.at)}, ${stopped.detail}: v1 answers every call, until somebody resumes`]),
    ...(gone
      ? [
          atSunset === 'translate'
            ? `v1 is gone, as ${who} found: what went to v1 goes to v2`
            : `v1 is gone, as ${who} found; as atSunset is stay, calls go there still`,
        ]
      : []),
    ...rules.flatMap(({ name, tripped, fallback }) =>
      tripped === null || fallback === null
        ? []
        : [
            `The rule ${quoted(name)} is taken back to ${fallback.to} since ${timeOf(tripped.at)}: ${tripped.detail}; until somebody releases it`,
          ],
    ),
  ];
}

export const quoted = (name: string): string => `"${name}"`;

/** What is odd about two rules. */
export const overlapText = ({ kind, first, second }: OverlapView): string =>
  kind === 'unreachable'
    ? `No call comes to ${quoted(second)}: ${quoted(first)} before it takes them all`
    : `${quoted(first)} and ${quoted(second)} share calls; the first of the two has them`;

/** A time of a brownout; on one day, the day stands once. */
export function windowText({ since, until }: WindowView): string {
  const isOneDay = since.slice(0, 10) === until.slice(0, 10);
  return isOneDay ? `${since.slice(0, 10)} ${since.slice(11, 16)} to ${until.slice(11, 16)} UTC` : `${timeOf(since)} to ${timeOf(until)}`;
}

/** When a brownout is on, comes again, or came last. */
export function whenText({ on, next, past, windows, stopped }: BrownoutView): string {
  if (stopped !== null) return `stopped since ${timeOf(stopped.at)}: it refuses nobody any more`;
  const more = windows.toCome - next.length;
  const texts = [
    ...(on === null ? [] : [`on now, until ${timeOf(on.until)}`]),
    ...(next.length === 0 ? [] : [`next ${next.map(windowText).join(', ')}${more > 0 ? ` and ${counted(more, 'more time')}` : ''}`]),
    ...(past.length === 0 ? [] : [`was ${past.map(windowText).join(', ')}`]),
  ];
  return texts.length === 0 ? 'never, before the sunset' : texts.join('; ');
}

/** Whom a brownout refuses. */
export const refusedText = ({ match, exempt }: Pick<BrownoutView, 'match' | 'exempt'>): string =>
  exempt.length === 0 ? matchText(match) : `${matchText(match)}; but for ${names(exempt)}`;

const stepTexts = {
  stopped: 'everything stopped',
  resumed: 'went on',
  tripped: 'taken back by its guard',
  released: 'released',
  'changed-over': 'v1 found gone',
  'brownout-began': 'brownout began',
  'brownout-ended': 'brownout ended',
  'brownout-stopped': 'brownout stopped',
} as const satisfies Record<StepView['kind'], string>;

export const stepText = ({ kind }: StepView): string => stepTexts[kind];

/** What the figures of the rules count. */
export function countedText({ counted, uncounted }: RoadView): string {
  if (uncounted !== null) return `Calls under the rules cannot be counted: ${uncounted}.`;
  if (counted === null) return 'Nothing is recorded, so calls under the rules are not counted.';
  const inPart = 'Rules that name more of a key than the record has are not found in it';
  return `Calls of the 24 hours until ${timeOf(counted.until)}, under the rules as they are now. ${inPart}.`;
}
