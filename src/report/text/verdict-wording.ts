/** What a verdict says in words, with what stands in its way and what it takes for granted. As wording.ts, it escapes nothing. */
import type { ClientRow, Report } from '../model.ts';
import type { Blocker, Condition, Verdict } from '../verdict-model.ts';
import { dayInMs } from '../../contract/times.ts';
import { chances, leastQuiet } from '../verdict.ts';
import { ago, count, counted, dateOf, lengthOf, percent, timeOf } from './figures.ts';
import { clientName, gapReasons, listed, replicaName } from './wording.ts';

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
    case 'logged_calls': {
      const who = `${counted(blocker.clients, 'client')} called v1 past the proxies, as access logs show (${listed(blocker.sources)})`;
      const whose = blocker.known ? '' : ', and the logs tell no key that anybody knows, so that it may be this workspace';
      return `${who}${whose}; the last call was ${lastOf(blocker.last, report)}; ${ifQuiet(blocker.quietFrom)}. See where they call, and send them through a proxy`;
    }
    case 'ended_logs': {
      const names = listed(blocker.sources.map(({ name, until }) => `${name} (until ${timeOf(until)})`));
      const remedy =
        'Import newer logs, or if nothing passes there any more, forget them with migrate-v2 usage import --anew --source NAME';
      return `access logs had v1 calls past the proxies, and end too early to tell who calls since: ${names}. ${remedy}`;
    }
    case 'log_holes': {
      const names = listed(blocker.holes.map(({ name, since, until }) => `${name} (${timeOf(since)} to ${timeOf(until)})`));
      const remedy = `Import the logs of that time; without them it is past on ${dateOf(blocker.knownFrom)}`;
      return `access logs had v1 calls past the proxies, and have no line for more than a day, in which somebody may have called: ${names}. ${remedy}`;
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
    case 'imported_logs': {
      const sources = condition.sources.map(({ name, since, until }) => `${name} (${dateOf(since)} to ${dateOf(until)})`);
      return `Access logs were read of ${listed(sources)}: who calls v1 another way stands in neither`;
    }
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
