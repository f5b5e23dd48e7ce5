/**
 * What the report says in words, for every format: the model has codes and figures alone. The sentences may hold names, which are other
 * people's text: a format escapes them as a whole.
 */
import type { Coverage, Forecast, GapRow, LimitFit, NoForecast, Polling, Report, Sunset, Usage, WorkspaceRow } from '../model.ts';
import { count, counted, dateOf, lengthOf, percent, timeOf } from './figures.ts';

/** Records of older versions have no names of proxies: they are retired by what the report calls them. */
export const replicaName = (name: string): string => (name === '' ? 'a proxy without a name' : name);

/** Some of the names, as a list in a sentence. */
export function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return `${names.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}
const maxListed = 8;

/** Whom it is of, where that is a part: `of Acme, Bolt `. */
export const ofText = ({ of }: Pick<Report, 'of'>): string => (of === null ? '' : `of ${listed(of)} `);

/** What a verdict on a part must not be taken for; who still calls keeps v1 in use whoever else does. */
export const partText = (of: Report['of'], state: Report['verdict']['state']): string =>
  of === null || state === 'not_yet' ? '' : '; this says nothing of v1 as a whole';

/** What a client calls itself, with the value of the header that tells clients apart. */
export const clientName = ({ product, name }: { readonly product: string; readonly name: string | null }): string =>
  name === null ? product : `${product} ${name}`;

/** How the calls were answered. */
export function answersText({ outcomes, errors }: Usage): string {
  const { translated, local, failed } = outcomes;
  const how = `${count(translated)} by v2, ${count(local)} by the proxy alone, ${count(failed)} without an answer of v2`;
  const road = roadText(outcomes);
  return `${how}${road === undefined ? '' : `, ${road}`}; errors: ${count(errors.client)} with 4xx, ${count(errors.server)} with 5xx; ${count(errors.aborted)} left by the client`;
}

/** The calls that went past v2 on the road to it; undefined without any. */
export function roadText({ observed, compared, refused }: Usage['outcomes']): string | undefined {
  const parts = [
    ...(observed === 0 ? [] : [`${count(observed)} by v1 as it is`]),
    ...(compared === 0 ? [] : [`${count(compared)} by v1 while v2 was compared`]),
    ...(refused === 0 ? [] : [`${count(refused)} refused in a brownout`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** Clients without a key are named, so many at most. */
const mostNamed = 5;

/** The calls of the period whose key, and so whose owner, nobody knows; undefined without any. */
export function unidentifiedText(report: Report): string | undefined {
  const { unidentified, clients } = report;
  if (unidentified === null || unidentified.usage.calls === 0) return undefined;
  const names = clients.filter(({ workspace, usage }) => workspace === null && usage.calls > 0).map(clientName);
  const more = names.length > mostNamed ? ` and ${count(names.length - mostNamed)} more` : '';
  const who = `${counted(unidentified.usage.calls, 'call')} of ${counted(unidentified.clients, 'client')}`;
  return `${who}: ${names.slice(0, mostNamed).join(', ')}${more}; nobody knows whose they are`;
}

export function sunsetText({ days, passed, at }: Sunset): string {
  if (passed) return `v1 was switched off on ${timeOf(at)}`;
  return days < 1
    ? `v1 is switched off within a day, on ${timeOf(at)}`
    : `${counted(days, 'day')} until v1 is switched off on ${timeOf(at)}`;
}

const noForecasts: Readonly<Record<NoForecast, string>> = {
  no_calls: 'no call was ever seen',
  quiet: 'no call in the last two weeks, so there may come no more',
  too_short: 'fewer than four weeks are recorded',
  too_patchy: 'too many weeks are missing from the record',
  too_few: 'too few calls to tell a trend from chance',
  flat: 'the calls do not decline',
  growing: 'the calls grow from week to week',
  too_far: 'the decline is so slow or uneven that the end may be years away',
};

/** When the last call may be expected, or why nobody can say. */
export function forecastText(forecast: Forecast): string {
  if (forecast.state === 'none') return `no forecast: ${noForecasts[forecast.reason]}`;
  const { date, earliest, latest, confidence, halfLife, basis } = forecast;
  const interval = `with ${percent(confidence)} confidence between ${dateOf(earliest)} and ${dateOf(latest)}`;
  return `about ${dateOf(date)}, ${interval}; calls halve in ${lengthOf(halfLife)} (${counted(basis.weeks, 'week')} of record)`;
}

/** The peak beside the limit, in a cell: `140 of 100`. */
export function fitLabel({ limit, clockHour, sliding, fit }: LimitFit): string {
  const peak = fit === 'depends' ? sliding : (sliding ?? clockHour);
  if (peak === null) return '';
  if (limit?.perHour == null) return count(peak.v2Calls);
  return `${count(peak.v2Calls)} of ${count(limit.perHour)}`;
}

const fitTexts = {
  fits: 'fits into',
  depends: 'may exceed, depending on how v2 counts an hour,',
  exceeds: 'exceeds',
  unknown: 'cannot be compared with',
} as const satisfies Record<LimitFit['fit'], string>;

function limitName({ limit }: LimitFit): string {
  if (limit === null) return 'any limit, as no plan is configured';
  if (limit.perHour === null) return `the limit of ${limit.plan}, which is ${limit.basis === 'custom' ? 'custom' : 'not shown'}`;
  return `the ${count(limit.perHour)} an hour of ${limit.plan}`;
}

/** How the calls of a workspace go with its limit, and what to do; undefined where it never called v2. */
export function limitText(fit: LimitFit): string | undefined {
  const { clockHour, sliding, refused, tame, older } = fit;
  const before = older === null ? [] : [`earlier up to ${count(older.v2Calls)} (from ${timeOf(older.since)})`];
  if (clockHour === null || sliding === null) return older === null ? undefined : `no v2 call in 30 days; ${before.join()}`;
  const isClockHour = clockHour.v2Calls === sliding.v2Calls;
  const worst = `up to ${counted(sliding.v2Calls, 'v2 call')} in 60 minutes (from ${timeOf((isClockHour ? clockHour : sliding).since)})`;
  const peaks = isClockHour ? worst : `${worst}, ${count(clockHour.v2Calls)} in the worst clock hour`;
  const sentence = `${peaks}: ${fitTexts[fit.fit]} ${limitName(fit)}`;
  if (fit.fit === 'fits') return [sentence, ...before].join('; ');
  const tamed =
    tame === null || fit.fit === 'unknown' ? [] : [`tame ${tame.endpoint} first, which makes ${percent(tame.share)} of those for v1`];
  return [sentence, ...before, ...refusedText(refused), ...planText(fit), ...tamed].join('; ');
}

function refusedText(refused: LimitFit['refused']): string[] {
  if (refused === null) return [];
  const { clockHour, sliding } = refused;
  const calls =
    clockHour === sliding
      ? counted(sliding, 'call')
      : `${count(Math.min(clockHour, sliding))} to ${counted(Math.max(clockHour, sliding), 'call')}`;
  return [`${calls} would have been refused with 429`];
}

function planText({ limit, smallestPlan, notShown }: LimitFit): string[] {
  const maybe = notShown.length === 0 ? '' : ` (the limit of ${notShown.join(' and ')} is not shown: ask)`;
  if (smallestPlan === null) return ['no plan with a known limit is large enough'];
  return smallestPlan === limit?.plan ? [] : [`the smallest plan that fits is ${smallestPlan}${maybe}`];
}

/** What asking again and again costs, and what would save it. */
export function pollingText({ endpoint, calls, cacheSaves, webhook }: Polling): string {
  const cache = `a cache of an hour would save ${count(cacheSaves)}`;
  const polled = `${endpoint} is polled: ${counted(calls, 'call')}, of which ${cache}`;
  if (webhook === null) return polled;
  const event = webhook.event === null ? 'a webhook, if v2 has one with this news (none is shown),' : `a webhook for ${webhook.event}`;
  return `${polled} and ${event} ${count(webhook.saves)}`;
}

export const gapReasons = {
  before: 'the record had not begun',
  absent: 'no proxy was recording',
  lost: 'a proxy served calls that it could not record',
  silent: 'one proxy fell silent, and may have served calls',
  clock: 'the clock of a proxy was wrong',
} as const satisfies Record<GapRow['reason'], string>;

export function gapText({ since, until, duration, reason, calls }: GapRow): string {
  const missing = calls === 0 ? '' : `; ${counted(calls, 'call')} missing`;
  return `${timeOf(since)} to ${timeOf(until)} (${lengthOf(duration)}): ${gapReasons[reason]}${missing}`;
}

/** How much of the period was recorded. */
export function coverageText({ share, recordedUntil, recordedSince, lostCalls }: Coverage): string {
  if (recordedSince === null || recordedUntil === null) return 'nothing was recorded';
  const lost = lostCalls === 0 ? '' : `; ${counted(lostCalls, 'call')} known to be missing`;
  const length = lengthOf(Date.parse(recordedUntil) - Date.parse(recordedSince));
  return `${timeOf(recordedSince)} to ${timeOf(recordedUntil)} (${length}); ${percent(share)} of the period was recorded${lost}`;
}

/** What stands in place of figures where there are none; undefined where there are. */
export function emptyText({ total, coverage, unidentified, workspaces, ignored }: Report): string | undefined {
  if (total.calls > 0) return undefined;
  if (coverage.recordedSince === null) return 'The store is empty. Send v1 traffic through a proxy with this --store, and run this again';
  if (ignored.some(({ calls }) => calls > 0)) return 'All v1 calls of this period are ignored, as the configuration says';
  const everSeen = unidentified !== null || workspaces.some(({ lastSeen }) => lastSeen !== null);
  return everSeen ? 'No v1 call in this period. An earlier --since shows older ones' : 'No v1 call is in the record';
}

const originTexts = {
  unknown: 'unknown key: find out whose it is, and give it a workspace in the configuration',
  labelled: 'only the configuration of the proxy knows it',
  configured: '',
} as const satisfies Record<WorkspaceRow['origin'], string>;

export const refusedTitle = 'Keys that v2 never accepted: left out of the verdict';

/** What is to be found out of the keys of a workspace; empty where there is nothing. */
export function keysText({ origin, accepted, lastSeen, probably }: WorkspaceRow): string {
  if (lastSeen !== null && !accepted) return 'v2 never accepted a call of it: a scanner, or a key that is wrong or expired';
  const moved = probablyText(probably);
  return [originTexts[origin], ...moved].filter((text) => text !== '').join('; ');
}

/** Under which unknown keys a workspace probably calls now. */
export const probablyText = (probably: readonly string[]): readonly string[] =>
  probably.length === 0 ? [] : [`probably calls now under ${listed(probably)}: if so, add the key to the workspace`];

/** How things stand, in a cell: `promised 2026-12-10, overdue`; empty where nobody noted it. */
export function markLabel(mark: WorkspaceRow['mark']): string {
  if (mark === null) return '';
  const { status, until, past } = mark;
  if (until === null) return status;
  const when = status === 'snoozed' ? `until ${dateOf(until)}` : dateOf(until);
  return `${status} ${when}${past ? (status === 'promised' ? ', overdue' : ', over') : ''}`;
}

/** Owner and contact in one: `Ada <ada@example.com>`. */
export function ownerName({ owner, contact }: Pick<WorkspaceRow, 'owner' | 'contact'>): string {
  if (contact === null) return owner ?? '';
  return owner === null ? contact : `${owner} <${contact}>`;
}
