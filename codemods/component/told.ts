/** What is reported of a component: findings, and the ledger of its suspicious literals. */
import { authorizationReadsTold } from '../escape/headers/reads/authorization-reads-told.ts';
import { advise } from '../escape/advice.ts';
import { echoedKeys } from '../escape/headers/tests/echoed-keys.ts';
import { passedToUnseen } from '../escape/answers/passed-to-unseen.ts';
import { forwardedKeys } from '../escape/headers/hooks/forwarded-keys.ts';
import { oldKeys } from '../escape/headers/old-keys.ts';
import { allowedNamesIn, readsArrivals } from '../escape/headers/lists/allowed-names.ts';
import { hiddenConstants, redactionsByName } from '../escape/headers/hiding/redacted-names.ts';
import { logsArrivals, redactionsIn } from '../escape/headers/hiding/redactions.ts';
import { besideIn } from '../escape/ledger/help-texts.ts';
import { notReportedBy } from '../escape/ledger/ledger-entry.ts';
import { type Ledger, ledgerOf } from '../escape/ledger/ledger.ts';
import { pathsOfOpenCalls } from '../escape/ledger/open-paths.ts';
import { askedOfRequests } from '../escape/paths/asked-of-requests.ts';
import { hostPatterns } from '../escape/paths/host-patterns.ts';
import { sdkVersions } from '../escape/paths/sdk-versions.ts';
import { versionsLeftInSchemas } from '../escape/paths/versions-in-schemas.ts';
import { leftInTests } from '../escape/paths/left-in-tests.ts';
import { askedAtStandIns, namedAtStandIns } from '../escape/servers/stand-in-servers.ts';
import type { Place } from '../evaluate/budget.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isDataFile } from '../find/kinds.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Edit, Finding, LedgerEntry, Span } from '../model.ts';
import { once } from '../once.ts';
import type { Node } from '../syntax/tree.ts';
import type { ChangesByPlace } from '../verdict/changes/changes-by-place.ts';
import { allowedAt, exempted } from '../verdict/directive-comments.ts';
import { pathsInFront } from '../verdict/bases/paths-in-front.ts';
import { otherHostsOf, sharedKeysOf } from '../verdict/bases/other-hosts.ts';
import { newInV2 } from '../verdict/calls-of-v2.ts';
import { placesOf, type RequestSite, touchedBy } from '../verdict/request-sites.ts';
import { movedStages } from '../verdict/bases/stand-ins.ts';
import type { Judgement } from './judgement.ts';
import type { Refused } from './refusals.ts';
import type { Asked, Sites } from './sites.ts';

export interface Told {
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
}

/** Which files there are, for what is told of them. */
export interface AboutFiles {
  /** Whether a file holds suspicious literals, or was only read for what it imports. */
  readonly isCandidate: (file: string) => boolean;
  /** Whether a file may hold what is advised on. */
  readonly isAdvised: (file: string) => boolean;
  /** Whether a configured base is among what was read, or none is configured yet. */
  readonly isBaseNear: boolean;
}

/**
 * What a person is told, and what became of every suspicious literal; where several would speak of one place, the first does.
 * @param edits what is changed
 */
export function toldOf(
  judgement: Judgement,
  { ev, found, bases, reach }: Asked,
  { keys }: Sites,
  sites: readonly RequestSite[],
  byPlace: ChangesByPlace,
  { decisions, tables }: Refused,
  edits: readonly Edit[],
  { isCandidate, isAdvised, isBaseNear }: AboutFiles,
): Told {
  const { world } = ev;
  const judged = [
    ...judgement.findings(),
    ...movedStages(sites, judgement.groupOf),
    ...pathsInFront(sites, judgement.groupOf),
    ...otherHostsOf(sites, judgement.groupOf),
    ...newInV2(sites, judgement.groupOf),
    ...sharedKeysOf(sites, judgement.groupOf),
  ];
  const isKeyMoved = (site: RequestSite): boolean =>
    touchedBy(site, byPlace).some((change) => change.what === 'header name' && judgement.refusedFor(change) === undefined);
  const isMoving = (site: RequestSite): boolean => judgement.groupOf(site) !== undefined;
  const advised = [
    ...judged,
    ...[...advise(ev, found.callers, sites, isCandidate, isAdvised, isMoving), ...oldKeys(sites, isKeyMoved)].filter(notReadOf(judged)),
  ];
  const moved = sites.filter((site) => site.keys.length > 0 && judgement.groupOf(site) !== undefined);
  const beside = [
    ...redactions(ev, sites, byPlace, isCandidate).filter(notReadOf(advised)),
    ...authorizationReadsTold(ev, found.callers, moved, edits),
    ...echoedKeys(ev, sites, (site) => moved.includes(site), edits, reach),
    ...forwardedKeys(moved),
    ...passedToUnseen([...moved, ...sites.filter(({ verdict, authorizations }) => verdict.kind === 'v2' && authorizations.length > 0)]),
  ];
  const findings = [...advised, ...beside.filter(notReportedBy(advised))];
  const ledger = withoutNames(
    ledgerOf({
      ev,
      expensive: isBaseNear ? found.expensive : none,
      sites,
      changes: byPlace,
      refusedFor: judgement.refusedFor,
      isCandidate,
      bases,
      // What a comment lets move along still has to be written anew.
      reported: [
        ...decisions.filter(({ node, module }) => allowedAt(module, node.start, node.end) === undefined),
        ...hiddenConstants(ev, editedIn(byPlace)).map((node) => ({ node, code: 'redacts-header' as const })),
      ],
      standIns: namedAtStandIns(ev, sites, (site) => judgement.groupOf(site) !== undefined, reach),
    }),
    keys.isName,
  );
  const isNew = notReportedBy([...findings, ...ledger.findings]);
  return {
    findings: exempted(world.modules, [
      ...findings,
      ...ledger.findings.filter(notReportedBy(findings)),
      ...sdkVersions(ev, sites, bases, isBaseNear).filter(isNew),
      ...leftInTests(ev, edits, bases, askedAtStandIns(sites, reach)).filter(isNew),
      ...versionsLeftInSchemas(world.modules.values(), edits, sites, bases).filter(isNew),
      ...hostPatterns(world, bases).filter(isNew),
      ...askedOfRequests(ev, edits).filter(isNew),
      ...unreadTables(tables, edits),
    ]),
    ledger: [...ledger.entries, ...pathsOfOpenCalls(sites, findings, ledger.entries)],
  };
}

const none: ReadonlyMap<Node, SourceModule> = new Map();

/** Tables of versions that change, and that something reads in a way of its own. */
const unreadTables = ({ unread }: Refused['tables'], edits: readonly Edit[]): Finding[] =>
  unread.flatMap(({ finding, edit }) =>
    edits.some(({ file, start }) => file === edit.module.file && start === edit.start) ? [finding] : [],
  );

/** What only names an answer belongs to no version. */
function withoutNames({ entries, findings }: Ledger, isName: (place: Span) => boolean): Ledger {
  const isLeft = (place: LedgerEntry | Finding, why: string): boolean => why === 'unconsumed' && isName(place);
  return {
    entries: entries.map((entry) => (isLeft(entry, entry.reason) ? { ...entry, state: 'foreign', reason: 'no-call' } : entry)),
    findings: findings.filter((finding) => !isLeft(finding, finding.code)),
  };
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
  const candidates = modules.filter(({ file }) => isCandidate(file) || isDataFile.test(file));
  const written = candidates.flatMap((module) => redactionsIn(ev, module, isUsed(module), isLogging && !isPassedOn(module)));
  const isReading = once(() => readsArrivals(ev));
  const allowed = candidates.flatMap((module) => {
    const names = allowedNamesIn(ev, module, isUsed(module));
    return names.length > 0 && (isPassedOn(module) || !isReading()) ? names : [];
  });
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
