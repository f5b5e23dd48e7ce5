/** The sites of a component: where v1 is asked, stood in for, expected or set, and what changes there. */
import { nobodysAmong, withKeysOfNoOps, withoutNoOps } from '../escape/calls/no-ops.ts';
import { withoutOtherBranches } from '../escape/calls/other-branches.ts';
import { uncalledIn } from '../escape/calls/uncalled.ts';
import { escapesOf } from '../escape/escapes.ts';
import { hookedIn } from '../escape/flow/functions/hooks.ts';
import { askedOfOurs, namedForOwnServer, readByServers } from '../escape/headers/lists/own-names.ts';
import { dataflowQueryOf } from '../escape/flow/dataflow-query.ts';
import { withHiddenOfOurs } from '../escape/headers/hiding/hidden-of-ours.ts';
import { withKeyTexts } from '../escape/headers/reads/key-texts.ts';
import { withPresenceGuards } from '../escape/headers/reads/presence-guards.ts';
import { withOneSpelling } from '../verdict/changes/header-spelling.ts';
import { withMovingGuards } from '../escape/paths/moving-guards.ts';
import { withRouteTables } from '../escape/paths/route-tables.ts';
import { withVersionNumbers } from '../escape/paths/version-numbers.ts';
import { answerersOf } from '../escape/servers/answered-by.ts';
import { standInServers, type StandInServers } from '../escape/servers/stand-in-servers.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { once } from '../once.ts';
import type { CallGraph } from '../requests/call-graph.ts';
import { withAskedDirectly } from '../verdict/expected/asked-directly.ts';
import { type CacheKeys, cacheKeysIn } from '../verdict/query-keys.ts';
import { changesByPlace } from '../verdict/changes/changes-by-place.ts';
import { changesBesideDefault } from '../verdict/bases/choices.ts';
import { echoesIn } from '../verdict/expected/echoes.ts';
import { withoutFilledQuestions } from '../verdict/changes/empty-keys.ts';
import { keyOf } from '../verdict/changes/groups.ts';
import { sharedNames, withNamesKept, withoutAsked } from '../verdict/changes/kept-names.ts';
import { withLinks } from '../verdict/next-page-links.ts';
import { madeAlone } from '../verdict/expected/made-in-tests.ts';
import { ofHostsBelow } from '../verdict/expected/mock-patterns.ts';
import { hostsInTests } from '../verdict/expected/hosts-in-tests.ts';
import { withMocksResolved } from '../verdict/expected/mocks.ts';
import { withCallsOfV2 } from '../verdict/calls-of-v2.ts';
import { withSentLetters } from '../verdict/expected/sent-letters.ts';
import { runByNames } from '../verdict/expected/run-by-names.ts';
import { withoutOtherFunctions } from '../verdict/expected/other-functions.ts';
import { withoutPlaceholders } from '../verdict/changes/placeholders.ts';
import { withPresenceTests } from '../verdict/changes/presence-tests.ts';
import type { Reach } from '../verdict/expected/reached.ts';
import { withReplacedVersions } from '../verdict/changes/replaced-versions.ts';
import { type RequestSite, requestSitesOf } from '../verdict/request-sites.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { hostsSentTo, withSetVariables } from '../verdict/bases/set-variables.ts';
import { withStandIns } from '../verdict/bases/stand-ins.ts';
import { withoutVersionsOfTests } from '../verdict/versions-of-tests.ts';
import { withTableRows } from '../verdict/changes/table-rows.ts';
import { type VersionEnds, withVersionEnds } from '../verdict/changes/version-ends.ts';
import { Judgement } from './judgement.ts';

/** What is asked of a component that it analyses. */
export interface Asked {
  readonly ev: Evaluation;
  readonly found: CallGraph;
  readonly bases: Bases;
  readonly reach: Reach;
}

export interface Sites {
  /** All requests, mocks, expectations and settings, with what changes for each. */
  readonly all: readonly RequestSite[];
  /** Names under which libraries keep answers. */
  readonly keys: CacheKeys;
  /** Servers of tests that stand in for the service. */
  readonly served: StandInServers;
  /** Ends of addresses that several have in common. */
  readonly ends: VersionEnds;
}

/**
 * Each step adds sites, or changes to those that the steps before it found: a change must be there before it is asked who else has it.
 * @param isCandidate whether a file has something of v1, so that all who import it are among the component
 */
export function sitesOf({ ev, found, bases, reach }: Asked, isCandidate: (file: string) => boolean): Sites {
  const answerers = answerersOf(ev, reach);
  const answers = { ...answerers, isMadeAlone: madeAlone(found) };
  const uncalled = once(() => uncalledIn(ev, found));
  const isUncalled = (site: RequestSite): boolean => uncalled()(site) !== undefined;
  const asked = withAskedDirectly(
    withStandIns(
      withVersionNumbers(
        ev,
        withCallsOfV2(
          withoutOtherBranches(withoutVersionsOfTests(withoutPlaceholders(requestSitesOf(ev, found, bases))), bases),
          bases,
          isUncalled,
        ),
        isCandidate,
      ),
      bases,
      answers,
    ),
    bases,
  );
  const linked = withLinks(ev, asked, bases);
  const keys = cacheKeysIn(linked);
  const nobodys = nobodysAmong(ev, keys.sites);
  const made = keys.sites.filter((site) => !nobodys.has(site));
  const fitting = made.map((site) => ofHostsBelow(site, bases));
  const hosts = hostsInTests(ev, linked, bases, reach);
  const sent = { hosts, hostsOf: hostsSentTo(ev, linked, bases, reach, hosts) };
  const resolved = withMocksResolved(fitting, bases, reach, runByNames(ev.world), sent);
  const expected = withoutOtherFunctions(ev, withSentLetters(ev, resolved, bases), reach);
  const served = standInServers(ev, expected, bases, reach, answerers.isOfProgram);
  const ends = withVersionEnds(ev, withTableRows(ev, [...expected, ...nobodys, ...served.sites].map(withChoices)));
  const set = withReplacedVersions(ev, withSetVariables(ev, ends.sites, bases, reach, hosts, served.staying));
  const keyed = withOwnNames(ev, found, withKeysOfNoOps(ev, [...set, ...echoesIn(linked, set, bases)], bases), bases);
  const named = withPresenceTests(ev, keyed, (fn, module) => hookedIn(ev)(fn, module).length > 0);
  const guarded = withMovingGuards(ev, found.callers, withRouteTables(ev, withPresenceGuards(ev, found.callers, named)), bases);
  const hidden = withHiddenOfOurs(ev, withKeyTexts(ev, guarded), (sites) => {
    const changes = changesByPlace(new Judgement(sites).changes);
    return escapesOf(ev, found, withoutNoOps(ev, sites, changes), changes, bases);
  });
  const all = withOneSpelling(withoutFilledQuestions(ev, hidden));
  return { all, keys, served, ends };
}

/** What an option allows beside its default moves with that. */
function withChoices(site: RequestSite): RequestSite {
  const beside = site.changes.flatMap(changesBesideDefault);
  return beside.length === 0 ? site : { ...site, changes: [...site.changes, ...beside] };
}

/** Constants of the header's name that others use stay as they are, unless more than requests and servers use them: what that does, ours may need. */
function withOwnNames(ev: Evaluation, found: CallGraph, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const reads = once(() => readByServers(ev));
  const used = sharedNames(ev, sites, reads);
  if (used.size === 0) return sites;
  const changes = changesByPlace(new Judgement(sites).changes);
  const shared = withoutAsked(ev, sites, used, askedOfOurs(dataflowQueryOf(ev, found, sites, changes, bases)));
  const isOwn = namedForOwnServer(ev, reads);
  const escapes = escapesOf(ev, found, withoutNoOps(ev, sites, changes), changes, bases);
  const escaping = new Set(escapes.flatMap(({ change, ...place }) => (isOwn(place) ? [] : keyOf(change))));
  return withNamesKept(ev, sites, new Map([...shared].filter(([, own]) => !own.some((change) => escaping.has(keyOf(change))))));
}
