/**
 * What the report says in words, for every format: the model has codes and figures alone. The sentences may hold names, which are other
 * people's text: a format escapes them as a whole.
 */
import type {
  ClientRow,
  Coverage,
  Forecast,
  GapRow,
  LimitFit,
  NoForecast,
  Polling,
  Report,
  Sunset,
  Usage,
  WorkspaceRow,
} from '../model.ts';
import type { Blocker, Condition, Verdict } from '../verdict-model.ts';
import { dayInMs } from '../../contract/times.ts';
import { chances, leastQuiet } from '../verdict.ts';
import { ago, count, counted, dateOf, lengthOf, percent, timeOf } from './figures.ts';

export const verdictTitles = { safe: 'SAFE', not_yet: 'NOT YET', unknown: 'UNKNOWN' } as const satisfies Record<Verdict['state'], string>;

/** The verdict in one sentence, without its title. */
export function verdictText({ state, window, criteria }: Verdict): string {
  switch (state) {
    case 'safe':
      return `nobody has used v1 for ${lengthOf(window.duration)}, and the record would have shown any job that runs at least every ${lengthOf(criteria.rarestJob)}`;
    case 'not_yet':
      return 'v1 is still in use';
    case 'unknown':
      return `nobody was seen lately, but that does not rule out a job that runs every ${lengthOf(criteria.rarestJob)}`;
  }
}

const calledTooRecently = 'called too recently';
const ifQuiet = (quietFrom: string): string => `quiet for long enough on ${dateOf(quietFrom)} if they never call again`;

/** The same of clients in the report, with the one that takes longest, and why. */
function ifAllQuiet(
  blocker: Extract<Blocker, { code: 'recent_calls' | 'rare_calls' | 'unidentified_calls' }>,
  { clients }: Report,
): string {
  const isNobodys = blocker.code === 'unidentified_calls';
  const date = Date.parse(blocker.quietFrom);
  const slowest = clients.find(
    ({ workspace, lastSeen, quiet }) =>
      (workspace === null) === isNobodys && lastSeen !== null && Date.parse(lastSeen) + quiet.needed === date,
  );
  if (slowest === undefined) return ifQuiet(blocker.quietFrom);
  const { longestPause, needed } = slowest.quiet;
  const why = longestPause !== null && longestPause * 2 === needed ? `once paused for ${lengthOf(longestPause)}` : '';
  const reason = blocker.clients === 1 ? why && `, as it ${why}` : `, the last of them ${labelOf(slowest)}${why && `, which ${why}`}`;
  return `${ifQuiet(blocker.quietFrom)}${reason}`;
}

/** Why it is not safe, and what to do where something can be done. */
export function blockerText(blocker: Blocker, report: Report): string {
  switch (blocker.code) {
    case 'recent_calls': {
      const who = `${counted(blocker.clients, 'client')} of ${counted(blocker.workspaces, 'workspace')} ${calledTooRecently}`;
      return `${who}${namesOf(report, blocker)}; the last call was ${lastOf(blocker.last, report)}; ${ifAllQuiet(blocker, report)}`;
    }
    case 'rare_calls': {
      const job = blocker.clients === 1 ? 'a job that runs rarely, and' : 'jobs that run rarely, and';
      const who = `${counted(blocker.clients, 'client')} may be ${job} call again${namesOf(report, blocker)}${seenOnceText(blocker)}`;
      return `${who}; the last call was ${lastOf(blocker.last, report)}; ${ifAllQuiet(blocker, report)}. If you know that they run more often, say so with --rarest-job`;
    }
    case 'moved_calls': {
      const who = `${counted(blocker.clients, 'client')} with an unknown key ${blocker.clients === 1 ? 'is' : 'are'} probably of this workspace, under a new key`;
      return `${who}${namesOf(report, blocker)}; the last call was ${lastOf(blocker.last, report)}: if so, add that key to the workspace`;
    }
    case 'unidentified_calls': {
      const who = `${counted(blocker.clients, 'client')} without a key ${calledTooRecently}: nobody knows whose`;
      return `${who}; the last call was ${lastOf(blocker.last, report)}; ${ifAllQuiet(blocker, report)}. If they are scanners, list them under ignore in the configuration`;
    }
    case 'later_calls':
      return laterText(blocker, report);
    case 'lost_calls': {
      const who = `${counted(blocker.calls, 'v1 call')} could not be recorded: nobody knows whose`;
      return `${who}; the last may have been ${lastOf(blocker.last, report)}; long enough ago on ${dateOf(blocker.quietFrom)}, if no more are lost`;
    }
    case 'erased_calls': {
      const who = `${counted(blocker.clients, 'client')} whose key was erased from the record ${calledTooRecently}: nobody knows any more whose`;
      return `${who}; the last call was on or before ${dateOf(blocker.last)}; ${ifQuiet(blocker.quietFrom)}`;
    }
    case 'coverage':
      return coverageBlockerText(blocker, report);
    case 'short_record':
      return shortRecordText(blocker, report);
    case 'hidden_calls': {
      const who =
        blocker.clients === 0
          ? 'a client that was never seen'
          : `${counted(blocker.clients, 'client')} that ${blocker.clients === 1 ? 'looks' : 'look'} quiet`;
      const how = `a job that runs every ${lengthOf(blocker.rarestJob)} could have met one each time`;
      return `${who} may have called in gaps of the record: ${how}; ruled out on ${dateOf(blocker.knownFrom)}, if no gap comes again: a second proxy that records meanwhile leaves none, nor does a restart within a minute`;
    }
    case 'silent_replicas': {
      const names = listed(blocker.replicas.map(({ name, since }) => `${replicaName(name)} (since ${timeOf(since)})`));
      const what = 'What is silent may serve calls that nobody records: let it reach the store again';
      return `silent without having been stopped: ${names}. ${what}, or if it is gone for good, say so with migrate-v2 usage retire NAME`;
    }
    case 'missing_replicas': {
      const remedy = 'Start each with this --store and its name as --replica, or take it off that list';
      return `listed under replicas in the configuration, but not recording: ${listed(blocker.names)}. ${remedy}`;
    }
    case 'never_seen':
      return 'no v1 call was ever recorded: either nobody makes any, or they go past the proxies of this store. See where your integrations send them';
    case 'all_refused':
      return 'v2 refused every call that was recorded, so the record shows no client that works: see whether the keys, and the address of v2, are right';
    case 'all_ignored':
      return 'all v1 calls that were recorded are ignored: see whether the rules under ignore match more than they should';
    case 'no_record':
      return 'nothing was ever recorded: start the proxy with this --store, and send the v1 traffic through it';
  }
}

/** How many of the clients called on one day only, which does not tell how often they run. */
function seenOnceText({ clients, seenOnce }: Extract<Blocker, { code: 'rare_calls' }>): string {
  if (seenOnce === 0) return '';
  const who = seenOnce < clients ? `${count(seenOnce)} of them ` : clients > 1 ? 'each of them ' : '';
  return `, ${who}seen on one day only`;
}

/** A record that is too short may be so until v1 is gone: then only knowing one's jobs helps. */
function shortRecordText({ needed, recorded, goodFrom }: Extract<Blocker, { code: 'short_record' }>, { sunset }: Report): string {
  const isTooLate = !sunset.passed && goodFrom >= sunset.at;
  const when = `reached on ${dateOf(goodFrom)}${isTooLate ? ', which is after v1 is switched off' : ''}`;
  if (needed === leastQuiet) return `${lengthOf(needed)} of record are needed, ${lengthOf(recorded)} so far: ${when}`;
  const why = `to see twice a job that runs every ${lengthOf(needed / chances)}`;
  const remedy = `If all your jobs run at least every ${lengthOf(leastQuiet / chances)}, say so, and ${lengthOf(leastQuiet)} are enough`;
  return `${lengthOf(needed)} of record are needed ${why}, ${lengthOf(recorded)} so far: ${when}. ${remedy}: --rarest-job ${leastQuiet / chances / dayInMs}d`;
}

/** How much is missing, and why, as far as the period shows it. */
function coverageBlockerText({ share, needed, goodFrom }: Extract<Blocker, { code: 'coverage' }>, { coverage }: Report): string {
  const reasons = new Set(coverage.gaps.map(({ reason }) => reason).filter((reason) => reason !== 'before'));
  const why = reasons.size === 0 ? '' : ` (${[...reasons].map((reason) => gapReasons[reason]).join('; ')})`;
  const shares = `${percent(share)} of the time that has to be without calls was recorded, and ${percent(needed)} is needed`;
  const remedy = reasons.has('clock') ? '. See that the clocks of all proxies are right' : '';
  return `the record has gaps${why}: ${shares}; enough on ${dateOf(goodFrom)}, if nothing more is missed${remedy}`;
}

function laterText({ clients, last }: Extract<Blocker, { code: 'later_calls' }>, { made }: Report): string {
  const who = `${counted(clients, 'client')} called after the end of this report, the last time on ${timeOf(last)}`;
  return last > made
    ? `${who}, which is still to come: compare the clocks of this machine and of the proxy`
    : `${who}: leave out --until to see the calls`;
}

/** What the verdict takes for granted, for whoever decides. */
export function conditionText(condition: Condition): string {
  switch (condition.code) {
    case 'recorded_by':
      return `Only calls through ${recordersText(condition.replicas)} were recorded: see that none goes another way, to v1 itself or through a proxy with another store`;
    case 'never_seen_workspaces': {
      const who = counted(condition.names.length, 'workspace');
      return `${who} of the configuration never called: ${listed(condition.names)}. See that none of them calls v1 another way`;
    }
    case 'refused_clients':
      return `${counted(condition.clients, 'client')} called with keys that v2 never accepted, as scanners do: left out of the verdict, as nothing of theirs works today`;
  }
}

/** The proxies and when they recorded; of many the names alone, so that they can be compared with those that should. */
function recordersText(replicas: Extract<Condition, { code: 'recorded_by' }>['replicas']): string {
  if (replicas.length > mostDated) return `${count(replicas.length)} proxies (${listed(replicas.map(({ name }) => replicaName(name)))})`;
  const dated = replicas.map(
    ({ name, since, until, state }) =>
      `${replicaName(name)} (${dateOf(since)} to ${state === 'recording' ? 'now' : dateOf(until)}, ${replicaStates[state]})`,
  );
  return listed(dated);
}
const mostDated = 4;

const replicaStates = { recording: 'recording', ended: 'stopped', silent: 'silent', retired: 'gone' } as const;
/** Records of older versions have no names of proxies: they are retired by what the report calls them. */
export const replicaName = (name: string): string => (name === '' ? 'a proxy without a name' : name);

/** Some of the names, as a list in a sentence. */
function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  return `${names.slice(0, maxListed).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}
const maxListed = 8;

const lastOf = (last: string, { period }: Report): string => `${ago(last, period.until)} (${timeOf(last)})`;

/** `: Acme (axios/1.7.0) and 3 more`, for the clients of a blocker. */
function namesOf(report: Report, { latest, clients }: { readonly latest: readonly number[]; readonly clients: number }): string {
  const named = clientNames(report, latest);
  const more = clients - named.length;
  return named.length === 0 ? '' : `: ${named.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

/** `Acme (axios/1.7.0)`, for some clients by their ids. */
function clientNames({ clients }: Report, ids: readonly number[]): readonly string[] {
  return ids.flatMap((id) => {
    const client = clients.find((each) => each.id === id);
    return client === undefined ? [] : [labelOf(client)];
  });
}

const labelOf = (client: ClientRow): string => `${client.workspace ?? 'no key'} (${clientName(client)})`;

/** What a client calls itself, with the value of the header that tells clients apart. */
export const clientName = ({ product, name }: { readonly product: string; readonly name: string | null }): string =>
  name === null ? product : `${product} ${name}`;

/** How the calls were answered. */
export function answersText({ outcomes, errors }: Usage): string {
  const { translated, local, failed } = outcomes;
  const how = `${count(translated)} by v2, ${count(local)} by the proxy alone, ${count(failed)} without an answer of v2`;
  return `${how}; errors: ${count(errors.client)} with 4xx, ${count(errors.server)} with 5xx; ${count(errors.aborted)} left by the client`;
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

/** When the last call of all may be expected, and whether that is too late. */
export function lastCallText({ forecast, sunset }: Pick<Report, 'forecast' | 'sunset'>): string {
  const isLate = forecast.state === 'forecast' && forecast.date >= sunset.at;
  return `${forecastText(forecast)}${isLate ? '; that is after the sunset' : ''}`;
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

/** Owner and contact in one: `Ada <ada@example.com>`. */
export function ownerName({ owner, contact }: Pick<WorkspaceRow, 'owner' | 'contact'>): string {
  if (contact === null) return owner ?? '';
  return owner === null ? contact : `${owner} <${contact}>`;
}
