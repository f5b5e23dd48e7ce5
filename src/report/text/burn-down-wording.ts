/** Who still calls, and whether all will have stopped in time, in words. As wording.ts, it escapes nothing. */
import { dayInMs } from '../../contract/times.ts';
import type { ActiveWeek, BurnDown, CameBack, Left, Miss, MissReason, Newcomer, NoOutlook, Outlook, Resting } from '../burn-down/model.ts';
import type { PastProxies } from '../logs/past.ts';
import type { Report } from '../model.ts';
import { count, counted, dateOf, lengthOf, percent } from './figures.ts';
import { sparkline } from './sparkline.ts';
import { listed, probablyText } from './wording.ts';

/** Stands for a day that is still to come. */
const dayToCome = '╌';
const sunsetMark = '┤';

/** Active workspaces day by day, and the days that are left until the sunset, in so many characters at most. */
export function burnDownLine({ burnDown, sunset, period }: Pick<Report, 'burnDown' | 'sunset' | 'period'>, width: number): string {
  const values = burnDown.days.map(({ workspaces }) => workspaces);
  if (values.length === 0) return '';
  const toCome = Math.max(0, Math.ceil((Date.parse(sunset.at) - Date.parse(period.until)) / dayInMs));
  const size = Math.ceil((values.length + toCome) / (width - 2));
  const done = sparkline(values, Math.ceil(values.length / size));
  return sunset.passed ? done : `${done}${dayToCome.repeat(Math.ceil(toCome / size))}${sunsetMark}`;
}

/** Unknown keys are workspaces of their own, and so are among them. */
export function activeText({ workspaces, clients, unknownKeys }: ActiveWeek, when = ''): string {
  const unknown = unknownKeys === 0 ? '' : `, ${counted(unknownKeys, 'unknown key')} among them`;
  return `${counted(workspaces, 'workspace')} and ${counted(clients, 'client')}${when}${unknown}`;
}

/** Whether enough of a week was recorded for it to be compared with: nothing is not zero. */
export const isTold = ({ recorded }: Pick<ActiveWeek, 'recorded'>): boolean => recorded >= 0.5;

/** Who called in the last seven days, against the seven before; who called past the proxies is in none of these figures. */
export function callingText({ now, before, resting }: BurnDown, past: PastProxies): string {
  const rest = resting.length === 0 ? '' : `; ${count(resting.length)} more rest between two runs`;
  const gaps = now.recorded < 0.995 ? `; ${percent(now.recorded)} of that time was recorded` : '';
  const besides = past.calls.length === 0 ? '' : `; besides, ${pastText(past)}`;
  const who = activeText(now, ' in the last 7 days');
  const earlier = isTold(before)
    ? `${count(before.workspaces)} and ${count(before.clients)} in the 7 days before`
    : 'the 7 days before were not recorded';
  return `${who} (${earlier})${rest}${gaps}${besides}`;
}

/** Who called past the proxies, as access logs show. */
export function pastText({ calls }: Pick<PastProxies, 'calls'>): string {
  const clients = calls.reduce((sum, each) => sum + each.clients, 0);
  const last = calls.reduce((latest, each) => (each.last > latest ? each.last : latest), '');
  const sources = [...new Set(calls.flatMap((each) => each.sources))];
  return `${counted(clients, 'client')} called past the proxies, the last time on ${dateOf(last)} (access logs: ${listed(sources)})`;
}

const noOutlooks: Readonly<Record<NoOutlook, string>> = {
  no_calls: 'no call was ever seen',
  over: 'nobody is left who calls, or may call again by what was seen',
  too_short: 'nobody can say: fewer than four weeks are recorded',
  too_patchy: 'nobody can say: too much of the last six weeks is missing from the record',
  nobody_stopped: 'not at this pace: nobody has stopped in the last six weeks',
};

/** Of calls through the proxies alone, where that is not all. */
const throughProxies: Readonly<Partial<Record<NoOutlook, string>>> = {
  no_calls: 'no call through the proxies was ever seen',
  over: 'nobody is left who calls through the proxies, or may call again by what was seen',
};

/** The outlook, which knows of calls through the proxies alone, with what access logs show of others. */
export function inTimeText(outlook: Outlook, past: PastProxies): string {
  const { calls, ended } = past;
  if (calls.length === 0 && ended.length === 0) return outlookText(outlook);
  const clients = calls.reduce((sum, each) => sum + each.clients, 0);
  const through =
    outlook.state === 'none' ? (throughProxies[outlook.reason] ?? outlookText(outlook)) : `through the proxies: ${outlookText(outlook)}`;
  const others = [
    ...(clients === 0 ? [] : [`${counted(clients, 'client')} called past them, and when that ends nobody can say`]),
    ...(ended.length === 0 ? [] : [`who calls past them now nobody can say, as access logs end (${endedText(ended)})`]),
  ];
  return [through, ...others].join('; ');
}

const endedText = (ended: PastProxies['ended']): string => listed(ended.map(({ name, until }) => `${name} on ${dateOf(until)}`));

/** Whether all will have stopped in time, when the last one does, and how many are left at the sunset. */
function outlookText(outlook: Outlook): string {
  if (outlook.state === 'none') return noOutlooks[outlook.reason];
  const { basis, inTime, atSunset } = outlook;
  const pace = `at the pace of the last ${counted(basis.weeks, 'week')}, in which ${count(basis.stopped)} of ${counted(basis.workspaces, 'workspace')} stopped`;
  const left =
    atSunset === null
      ? []
      : [
          `${rangeText(atSunset.low, atSunset.high)} of ${count(atSunset.of)} still ${atSunset.high === 1 ? 'calls' : 'call'} at the sunset`,
        ];
  return `${inTime === null ? '' : `${answerOf(inTime)}, `}${pace}: ${[lastText(outlook), ...left].join('; ')}`;
}

const rangeText = (low: number, high: number): string => (low === high ? count(low) : `${count(low)} to ${count(high)}`);

const answers = [
  [0.9, 'yes'],
  [0.5, 'probably'],
  [0.1, 'probably not'],
  [0, 'no'],
] as const;
const answerOf = (inTime: number): string => answers.find(([from]) => inTime >= from)?.[1] ?? '';

function lastText({ date, earliest, latest, confidence }: Extract<Outlook, { state: 'forecast' }>): string {
  if (earliest === null) return 'the last one stops in more than two years';
  const when = date === null ? 'the last one stops in more than two years' : `the last one stops about ${dateOf(date)}`;
  const surely = `with ${percent(confidence)} confidence`;
  return latest === null
    ? `${when}, ${surely} not before ${dateOf(earliest)}`
    : `${when}, ${surely} between ${dateOf(earliest)} and ${dateOf(latest)}`;
}

const missReasons: Readonly<Record<MissReason, string>> = {
  promise_overdue: 'promised to have moved by then, and has not',
  promised_late: 'promised for after the sunset',
  growing: 'calls more and more',
  no_decline: 'calls as ever',
  slow: 'calls less and less, but too slowly',
};

/** Nobody knows it to a tenth, and nothing is sure. */
const chance = (probability: number): string =>
  probability > 0.99 ? 'more than 99%' : probability < 0.01 ? 'less than 1%' : `${Math.round(probability * 100)}%`;

/** Why, without whose it is. */
export function missReasonText({ reason, probability, promised }: Omit<Miss, 'workspace'>): string {
  const by = promised === null ? '' : `${dateOf(promised)}: `;
  const still = probability === null ? '' : ` (${chance(probability)} that it still calls at the sunset)`;
  return `${by}${missReasons[reason]}${still}`;
}

const missText = (miss: Miss): string => `${miss.workspace}: ${missReasonText(miss)}`;

const leftText = ({ workspace, last, probably }: Left): string =>
  [`${workspace}: last call on ${dateOf(last)}`, ...probablyText(probably)].join('; ');

const cameBackText = ({ workspace, since, quiet, wasSafe }: CameBack): string =>
  `${workspace}: calls again since ${dateOf(since)}, after ${lengthOf(quiet)}${wasSafe ? ' in which it had become SAFE' : ''}`;

const newText = ({ workspace, first, probably }: Newcomer): string =>
  `${workspace}: since ${dateOf(first)}${probably === null ? '' : `; probably a new key of ${probably}`}`;

const restingText = ({ workspace, last, until }: Resting): string =>
  `${workspace}: last call on ${dateOf(last)}, and its pauses are as long; it has left if none comes until ${dateOf(until)}`;

interface Change {
  readonly title: string;
  readonly texts: readonly string[];
}

export const missesTitle = 'Will probably miss the sunset';

/** What happened in the last seven days, and who is to be asked. */
export const burnDownChanges = ({ misses, left, cameBack, new: newcomers, resting }: BurnDown): readonly Change[] => [
  { title: missesTitle, texts: misses.map(missText) },
  { title: 'Came back in the last 7 days', texts: cameBack.map(cameBackText) },
  { title: 'New in the last 7 days', texts: newcomers.map(newText) },
  { title: 'Left in the last 7 days', texts: left.map(leftText) },
  { title: 'Between two runs', texts: resting.map(restingText) },
];
