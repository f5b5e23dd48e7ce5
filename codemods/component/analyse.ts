/** The plan for one component: what is rewritten, what is left and why, and what became of every suspicious literal. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import type { Node } from '../syntax/tree.ts';
import { createEvaluation } from '../evaluate/evaluate.ts';
import type { Far, Place } from '../evaluate/budget.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { clientRules, isKnownPackage } from '../clients/registry.ts';
import { elsewhereTo, foreignTo } from '../verdict/foreign-addresses.ts';
import type { Bases } from '../verdict/routes.ts';
import { type CallGraph, callGraphOf } from '../requests/call-graph.ts';
import { isData, type SourceModule } from '../evaluate/module.ts';
import type { World } from '../evaluate/program.ts';
import type { Call, Edit, Finding, LedgerEntry, Span, Step, Costs } from '../model.ts';
import { changesBesideDefault } from '../verdict/choices.ts';
import { type ChangesByPlace, changesByPlace } from '../verdict/changes-by-place.ts';
import { addressCandidates } from './address-candidates.ts';
import { advise } from '../escape/advice.ts';
import { askedByPackages } from '../escape/calls/asking-packages.ts';
import { askedByName } from '../escape/calls/asked-by-name.ts';
import { type Ask, asksOf } from '../escape/calls/asks.ts';
import { environmentOf, type EnvironmentUse } from '../verdict/environment.ts';
import { escapesOf, withSharedEnds } from '../escape/escapes.ts';
import { allowedAt, allowLines, exempted } from '../verdict/directives.ts';
import { hostPatterns } from '../escape/paths/host-patterns.ts';
import { hookedIn } from '../escape/flow/hooks.ts';
import { foreignInstances } from '../escape/flow/instances.ts';
import { ledgerOf } from '../escape/ledger/ledger.ts';
import { notReportedBy } from '../escape/ledger/ledger-entry.ts';
import { problemsOf, type Problem } from '../escape/problems.ts';
import { answerersOf } from '../escape/servers/answered-by.ts';
import { withKeysOfNoOps, withoutNoOps } from '../escape/calls/no-ops.ts';
import { withLinks } from '../verdict/links.ts';
import { cacheKeysIn, endpointOf } from '../verdict/cache-keys.ts';
import { withMocksResolved } from '../verdict/mocks.ts';
import { withReplacedVersions } from '../verdict/replaced-versions.ts';
import { withoutOtherFunctions } from '../verdict/other-functions.ts';
import { reachedIn } from '../verdict/reached.ts';
import { uncalledIn } from '../escape/calls/uncalled.ts';
import { readByName } from '../escape/calls/read-by-name.ts';
import { nearBase, toHostLikeOurs } from '../escape/ledger/reach.ts';
import { versionTables } from '../escape/paths/version-tables.ts';
import { askedOutOfSight } from '../escape/calls/asked-out-of-sight.ts';
import { unaskedClients } from '../escape/calls/unasked-clients.ts';
import { unfollowedProblems } from '../escape/calls/unfollowed-calls.ts';
import { type Overwrite, overwritesOf } from '../escape/calls/overwrites.ts';
import { type LocalAsk, localAsksOf } from '../escape/servers/local-asks.ts';
import { leftoversOf } from '../escape/calls/leftovers.ts';
import { leftByGuards } from '../escape/paths/past-guards.ts';
import { hostDecisionsOf } from '../escape/headers/host-decisions.ts';
import { withPresenceGuards } from '../escape/headers/presence-guards.ts';
import { takenKeysOf } from '../escape/headers/taken-keys.ts';
import { withMovingGuards } from '../escape/paths/moving-guards.ts';
import { pathDecisionsOf } from '../escape/paths/path-decisions.ts';
import { keyOf } from '../verdict/groups.ts';
import { once } from '../once.ts';
import { sharedNames, withNamesKept } from '../verdict/kept-names.ts';
import { keysOf } from '../verdict/proof.ts';
import { placesOf, requestSitesOf, type RequestSite } from '../verdict/request-sites.ts';
import { withPresenceTests } from '../verdict/presence-tests.ts';
import { sdkVersions } from '../escape/paths/sdk-versions.ts';
import { versionsLeftInSchemas } from '../escape/paths/versions-in-schemas.ts';
import { versionsLeftInTests } from '../escape/paths/versions-in-tests.ts';
import { namedForOwnServer, readByServers } from '../escape/headers/own-names.ts';
import { hiddenConstants, redactionsByName } from '../escape/headers/redacted-names.ts';
import { besideIn } from '../escape/ledger/help-texts.ts';
import { allowedNamesIn, readsArrivals } from '../escape/headers/allowed-names.ts';
import { logsArrivals, redactionsIn } from '../escape/headers/redactions.ts';
import { otherHostsOf, sharedKeysOf } from '../verdict/other-hosts.ts';
import { routesOf } from '../verdict/route-uses.ts';
import { echoesIn } from '../verdict/echoes.ts';
import { standInHosts, withSetVariables } from '../verdict/set-variables.ts';
import { movedPaths } from '../verdict/moved-paths.ts';
import { withVersionEnds } from '../verdict/version-ends.ts';
import { withAskedDirectly } from '../verdict/asked-directly.ts';
import { movedStages, withStandIns } from '../verdict/stand-ins.ts';
import type { Change } from '../verdict/spans.ts';
import { namedAtStandIns, standInServers } from '../escape/servers/stand-in-servers.ts';
import { type LooseCall, looseCallsOf, type PathMethod, pathMethodsOf } from '../escape/calls/loose-calls.ts';
import { unresolvedCallsOf } from '../escape/calls/unresolved-calls.ts';
import { type StrayCall, strayCallsOf } from '../escape/calls/stray-calls.ts';
import { type CandidateCall, candidateCalls, candidatesIn } from '../verdict/candidates.ts';
import { variableReadersOf } from '../escape/calls/variable-readers.ts';
import type { Left, RouteUse, VariableUse } from '../cross-file-uses.ts';
import { Judgement } from './judgement.ts';

export interface ComponentPlan {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  /** What would have changed, where nobody looked for who uses it. */
  readonly unfollowed: readonly Span[];
  readonly refused: readonly Left[];
  /** For the list of bases where none is configured. */
  readonly candidates: readonly CandidateCall[];
  /** Environment variables that bases are read from. */
  readonly variables: readonly EnvironmentUse[];
  /** Places that read such a variable, and stay. */
  readonly readers: readonly VariableUse[];
  /** Requests, and mocks of requests that were not seen. */
  readonly routes: readonly RouteUse[];
  /** The endpoints that are asked on v2, or will be, by the key under which a library keeps the answer. */
  readonly askedByKey: readonly V1EndpointId[];
  readonly looseCalls: readonly LooseCall[];
  readonly pathMethods: readonly PathMethod[];
  readonly strayCalls: readonly StrayCall[];
  /** Where requests are given credentials. */
  readonly keys: readonly Step[];
  /** Whether a request is with v2 already. */
  readonly asksV2: boolean;
  readonly asks: readonly Ask[];
  readonly localAsks: readonly LocalAsk[];
  /** Files of tests with a server that stands in for the service. */
  readonly fakes: readonly string[];
  readonly costs: Costs;
}

export interface AboutFiles {
  /** Whether a file holds suspicious literals, or was only read for what it imports. */
  readonly isCandidate: (file: string) => boolean;
  /** Whether a file may hold what is advised on. */
  readonly isAdvised: (file: string) => boolean;
  /** Whether everybody was looked for who may use what stands at a place: nothing else is edited. */
  readonly isFollowed: (file: string, offset: number) => boolean;
  /** Files that a file which could not be read may use, with that one. */
  readonly unseen: ReadonlyMap<string, string>;
  /** Whether a configured base is among what was read, or none is configured yet. */
  readonly isBaseNear: boolean;
  /** What no base flows into by any name; without a base nothing is proven, so nothing is edited there. */
  readonly far?: Far | undefined;
}

const none: ReadonlySet<Node> = new Set();

/** @param proofs whether calls are to say how they were proven */
export function analyse(
  world: World,
  bases: Bases,
  { isCandidate, isAdvised, isFollowed, unseen, isBaseNear, far }: AboutFiles,
  proofs = true,
): ComponentPlan {
  for (const module of world.modules.values()) allowLines(module, bases.allowed?.get(module.file));
  const ev = createEvaluation(world, clientRules, far);
  const found = { ...callGraphOf(ev), isForeign: foreignTo(bases), isElsewhere: elsewhereTo(bases) };
  ev.budget.renew();
  const reach = reachedIn(world, isKnownPackage);
  const answerers = answerersOf(ev, reach);
  const asked = withAskedDirectly(withStandIns(requestSitesOf(ev, found, bases), bases, answerers.ownRoutes), bases);
  const linked = withLinks(ev, asked, bases);
  const keys = cacheKeysIn(linked);
  const resolved = withMocksResolved(keys.sites, bases, reach, standInHosts(ev, linked, bases, reach));
  const expected = withoutOtherFunctions(ev, resolved, reach);
  const served = standInServers(ev, expected, bases, reach, answerers.isOfProgram);
  const ends = withVersionEnds(ev, [...expected, ...served.sites].map(withChoices));
  const set = withReplacedVersions(ev, withSetVariables(ev, ends.sites, bases, reach, served.staying));
  const named = withPresenceTests(
    ev,
    withOwnNames(ev, found, withKeysOfNoOps(ev, [...set, ...echoesIn(linked, set, bases)], bases), bases),
    (fn, module) => hookedIn(ev)(fn, module).length > 0,
  );
  const all = withMovingGuards(ev, found.callers, withPresenceGuards(ev, found.callers, named), bases);
  const judgement = new Judgement(all);
  const { changes } = judgement;
  const byPlace = changesByPlace(changes);
  const sites = withoutNoOps(ev, all, byPlace);
  const unresolved = unresolvedCallsOf(ev, sites);
  const escapes = escapesOf(ev, found, sites, byPlace, bases);
  const decisions = [...pathDecisionsOf(ev, sites, byPlace, bases), ...hostDecisionsOf(ev, sites, byPlace, bases)];
  judgement.refuse(
    problemsOf(
      sites,
      byPlace,
      withSharedEnds(
        [
          ...escapes,
          ...leftByGuards(all, sites, byPlace),
          ...askedByName(ev, sites, byPlace),
          ...leftoversOf(sites, escapes),
          ...takenKeysOf(ev, sites, escapes),
          ...decisions,
        ],
        ends,
      ),
      [...unresolved, ...readByName(sites)],
      foreignInstances(ev, found, sites, bases),
      uncalledIn(ev, found),
      nearBase(world, bases),
      toHostLikeOurs(bases),
    ),
  );
  judgement.refuse(askedOutOfSight(ev, found, sites, byPlace, bases));
  judgement.refuse(unfollowedProblems(found, all));
  judgement.refuse(askedByPackages(all, bases, reach));
  judgement.refuse(unaskedClients(ev, all, changes));
  judgement.refuse(unfollowedUses(changes, isFollowed));
  if (unseen.size > 0) judgement.refuse(unseenUses(changes, unseen));
  judgement.refuse(overwrittenIn(overwritesOf(ev, found, all, judgement.open(), bases)));
  const tables = versionTables(ev, sites);
  judgement.refuse(tables.problems);
  judgement.settle();
  judgement.holdBack();
  judgement.nameHeldMocks();
  const bound = judgement.bound(sites);
  const findings = [
    ...judgement.findings(),
    ...movedStages(sites, judgement.groupOf),
    ...movedPaths(sites, judgement.groupOf),
    ...otherHostsOf(sites, judgement.groupOf),
    ...sharedKeysOf(sites, judgement.groupOf),
  ];
  findings.push(...advise(ev, found.callers, sites, isCandidate, isAdvised).filter(notReadOf(findings)));
  findings.push(...redactions(ev, sites, byPlace, isCandidate).filter(notReadOf(findings)).filter(notReportedBy(findings)));
  const ledger = withoutNames(
    ledgerOf(
      ev,
      isBaseNear ? found : { ...found, expensive: none },
      sites,
      byPlace,
      judgement.refusedFor,
      isCandidate,
      bases,
      // What a comment lets move along still has to be written anew.
      [
        ...decisions.filter(({ node, module }) => allowedAt(module, node.start, node.end) === undefined),
        ...hiddenConstants(ev, editedIn(byPlace)).map((node) => ({ node, code: 'redacts-header' as const })),
      ],
      namedAtStandIns(ev, sites, (site) => judgement.groupOf(site) !== undefined, reach),
    ),
    keys.isName,
  );
  const edits = judgement.edits(tables.instead);
  const unread = tables.unread.flatMap(({ finding, edit }) =>
    edits.some(({ file, start }) => file === edit.module.file && start === edit.start) ? [finding] : [],
  );
  const patterns = hostPatterns(world, bases).filter(notReportedBy([...findings, ...ledger.findings]));
  const sdks = sdkVersions(ev, sites, bases, isBaseNear).filter(notReportedBy([...findings, ...ledger.findings]));
  const versions = [
    ...versionsLeftInTests(world.modules.values(), edits, bases),
    ...versionsLeftInSchemas(world.modules.values(), edits, sites, bases),
  ].filter(notReportedBy([...findings, ...ledger.findings]));
  const fateOf = judgement.fates();
  const isMeant = ({ name, file }: Pick<VariableUse, 'name' | 'file'>): boolean => bases.variablesOfOthers?.get(name)?.has(file) !== true;
  const variables = environmentOf(bound, fateOf, bases.v2 !== undefined).filter(isMeant);
  const held = variables.flatMap(({ name, needsValue, group, isGiven }) =>
    needsValue && group !== undefined && isGiven !== true ? name : [],
  );
  return {
    edits,
    calls: judgement.calls(proofs),
    findings: exempted(world.modules, [
      ...findings,
      ...ledger.findings.filter(notReportedBy(findings)),
      ...sdks,
      ...versions,
      ...patterns,
      ...unread,
    ]),
    ledger: ledger.entries,
    candidates: candidatesOf(ev, sites, bases, ledger.entries),
    unfollowed: changes.flatMap(({ module: { file }, start, end }) => (isFollowed(file, start) ? [] : [{ file, start, end }])),
    refused: judgement.left(),
    variables,
    readers: variableReadersOf(ev, found, sites, new Set([...bases.env, ...(bases.watched ?? []), ...held]), bases).filter(isMeant),
    routes: routesOf(bound, fateOf),
    askedByKey: sites.flatMap((site) =>
      keys.isAskedBy(site.request) && (site.verdict.kind === 'v2' || judgement.groupOf(site) !== undefined) ? (endpointOf(site) ?? []) : [],
    ),
    looseCalls: looseCallsOf(
      ev,
      all,
      unresolved.map(({ call }) => call),
    ),
    pathMethods: pathMethodsOf(bound, judgement.groupOf),
    strayCalls: strayCallsOf(ev, all, isKnownPackage, bases),
    keys: keysOf(all),
    asksV2: all.some(({ verdict, request }) => verdict.kind === 'v2' && !request.isMock),
    asks: asksOf(all, found.callers),
    localAsks: localAsksOf(sites),
    fakes: [...new Set([...served.sites.map(({ request }) => request.module), ...served.staying])].map(({ file }) => file),
    costs: { steps: ev.budget.spent, ...ev.budget.costs() },
  };
}

/** What only names an answer belongs to no version. */
function withoutNames({ entries, findings }: ReturnType<typeof ledgerOf>, isName: (place: Span) => boolean): ReturnType<typeof ledgerOf> {
  const isLeft = (place: LedgerEntry | Finding, why: string): boolean => why === 'unconsumed' && isName(place);
  return {
    entries: entries.map((entry) => (isLeft(entry, entry.reason) ? { ...entry, state: 'foreign', reason: 'no-call' } : entry)),
    findings: findings.filter((finding) => !isLeft(finding, finding.code)),
  };
}

/** The bases that are asked; where none is configured, also those that are only written down. */
function candidatesOf(ev: Evaluation, sites: readonly RequestSite[], bases: Bases, ledger: readonly LedgerEntry[]): CandidateCall[] {
  const asked = candidateCalls(sites, bases);
  if (bases.v1.length > 0) return asked;
  const known = new Set(asked.map(({ base }) => base));
  const written = addressCandidates(ev, sites, ledger).filter(({ base }) => !known.has(base));
  return [...candidatesIn(asked, ev.world.modules.values()), ...written];
}

/** What an option allows beside its default moves with that. */
function withChoices(site: RequestSite): RequestSite {
  const beside = site.changes.flatMap(changesBesideDefault);
  return beside.length === 0 ? site : { ...site, changes: [...site.changes, ...beside] };
}

/** Constants of the header's name that others use stay as they are, unless more than requests and servers use them: what that does, ours may need. */
function withOwnNames(ev: Evaluation, found: CallGraph, sites: readonly RequestSite[], bases: Bases): readonly RequestSite[] {
  const reads = once(() => readByServers(ev));
  const shared = sharedNames(ev, sites, reads);
  if (shared.size === 0) return sites;
  const changes = changesByPlace(new Judgement(sites).changes);
  const isOwn = namedForOwnServer(ev, reads);
  const escapes = escapesOf(ev, found, withoutNoOps(ev, sites, changes), changes, bases);
  const escaping = new Set(escapes.flatMap(({ change, ...place }) => (isOwn(place) ? [] : keyOf(change))));
  return withNamesKept(ev, sites, new Map([...shared].filter(([, own]) => !own.some((change) => escaping.has(keyOf(change))))));
}

const editedIn =
  (changes: ChangesByPlace) =>
  ({ node: { start, end }, module }: Place): boolean =>
    changes.at(module, start, end).some((change) => start <= change.start && change.start < end);

/** Where v1's key is kept out of logs: whoever logs need not be who calls. */
function redactions(
  ev: Evaluation,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  isCandidate: (file: string) => boolean,
): Finding[] {
  const used = new Set<Node>(sites.flatMap((site) => placesOf(site).map(({ node }) => node)));
  const modules = [...ev.world.modules.values()];
  const isLogging = logsArrivals(modules);
  // What a proxy of the server passes on as it came has the key of who asks.
  const passing = sites.flatMap(({ verdict, keys, request }) =>
    verdict.kind === 'passes-on' && keys.length === 0 ? request.module.file : [],
  );
  const isPassedOn = besideIn(ev.world, new Set(passing));
  const isEdited = editedIn(changes);
  const isUsed =
    (module: SourceModule) =>
    (node: Node): boolean =>
      used.has(node) || isEdited({ node, module });
  // What a file of data lists, code goes by that is handed it.
  const candidates = modules.filter(({ file }) => isCandidate(file) || isData.test(file));
  const written = candidates.flatMap((module) => redactionsIn(ev, module, isUsed(module), isLogging && !isPassedOn(module)));
  const isReading = once(() => readsArrivals(ev));
  const allowed = candidates.flatMap((module) => (isPassedOn(module) || !isReading() ? allowedNamesIn(ev, module, isUsed(module)) : []));
  return [...written, ...[...redactionsByName(ev, isEdited), ...allowed].filter(notReportedBy(written))];
}

/** Where it is a question whose call a line is about, or the line itself holds its calls, what it reads of them is none. */
function notReadOf(findings: readonly Finding[]): (finding: Finding) => boolean {
  const open = new Set(
    findings.flatMap(({ code, file, line }) =>
      code === 'base-not-proven' || code === 'escapes' || code === 'repeats-path' ? [`${file} ${line}`] : [],
    ),
  );
  return ({ code, file, line }) => code !== 'reads-header' || !open.has(`${file} ${line}`);
}

/** A place that may put another host where a base is kept: reported once, whatever hangs on it. */
const overwrittenIn = (overwrites: readonly Overwrite[]): Problem[][] => [
  ...Map.groupBy(
    overwrites.map(({ place: { node, module }, name, site }): Problem => {
      return { code: 'base-overwritten', node, module, detail: name === undefined ? {} : { name }, site };
    }),
    ({ node }) => node,
  ).values(),
];

/** What may be used where no use was looked for stays as it is: reported once for each file that it would change in. */
const unfollowedUses = (changes: readonly Change[], isFollowed: AboutFiles['isFollowed']): Problem[][] => [
  ...Map.groupBy(
    changes.flatMap((change): Problem[] => {
      const { module, start } = change;
      return isFollowed(module.file, start)
        ? []
        : [{ code: 'held-elsewhere', node: change, module, detail: { name: module.file }, change }];
    }),
    ({ module }) => module,
  ).values(),
];

/** What a file may use that could not be read stays as it is: reported once for each file that it would change in. */
const unseenUses = (changes: readonly Change[], unseen: ReadonlyMap<string, string>): Problem[][] => [
  ...Map.groupBy(
    changes.flatMap((change): Problem[] => {
      const by = unseen.get(change.module.file);
      const { module } = change;
      return by === undefined
        ? []
        : [{ code: 'held-elsewhere', node: change, module, detail: { name: module.file, by, why: 'unread' }, change }];
    }),
    ({ module }) => module,
  ).values(),
];
