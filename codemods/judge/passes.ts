/**
 * What follows from what moves, as passes over the plan: each reads what the one before it left. First whose a place is, then texts that go with the calls, from
 * the code outward to the documents; what of the others is told comes after them, as what has gone along is no question any more.
 */
import { notReportedBy } from '../escape/ledger/ledger-entry.ts';
import { type Finding, ofLimits } from '../model.ts';
import { withDataReaders } from './constraints/data-readers.ts';
import type { Known } from './known.ts';
import type { Outcome } from './merge.ts';
import { withoutOwnRoutes } from './own-routes.ts';
import { withActionBundles } from './passes/action-bundles.ts';
import { withAddressesLeft } from './passes/addresses-left.ts';
import { withAskersOfFakes } from './passes/asked-fakes.ts';
import { withBesideUnconsumed } from './passes/beside-unconsumed.ts';
import { withCopiedExamples } from './passes/copied-examples.ts';
import { withDeniedHeaders } from './passes/denied-headers.ts';
import { unreadDescriptions } from './passes/description-readers.ts';
import { withOldDocuments } from './passes/old-documents.ts';
import { withGeneratedFiles } from './passes/generated-files.ts';
import { withGivenInputs } from './passes/given-inputs.ts';
import { withHostsOfV1 } from './passes/hosts-of-v1.ts';
import { isOfMoved, withoutOwnLists } from './passes/listed-headers.ts';
import { withMovedComments } from './passes/moved-comments.ts';
import { withMovedDescriptions } from './passes/moved-descriptions.ts';
import { withMovedFakeAddresses } from './passes/moved-fake-addresses.ts';
import { withMovedMessages } from './passes/moved-messages.ts';
import { withMovedPermissions } from './passes/moved-permissions.ts';
import { withMovedPassages } from './passes/moved-passages.ts';
import { withMovedTitles } from './passes/moved-titles.ts';
import { withMovedRecordings } from './passes/moved-recordings.ts';
import { withMovedTypes, withTypesOfLines } from './passes/moved-types.ts';
import { withMovedWorkflows } from './passes/moved-workflows.ts';
import { withNamedAnswers } from './passes/named-answers.ts';
import { withNamedBases } from './passes/named-bases.ts';
import { withNamedData } from './passes/named-data.ts';
import { withNamedVersions } from './passes/named-versions.ts';
import { withoutOthers } from './passes/other-services.ts';
import { withoutOthersExpectations } from './passes/others-expectations.ts';
import { withForms } from './passes/page-forms.ts';
import { withPatternsOfHosts } from './passes/patterns-of-hosts.ts';
import { withRouteComments } from './passes/route-comments.ts';
import { withStandIns } from './passes/stand-ins.ts';
import { withStrayCalls } from './passes/stray-calls.ts';
import { withTakenHeaders } from './passes/taken-headers.ts';
import { withTestsOfMoved } from './passes/tests-of-moved.ts';
import { withKeysOfUnusedBases } from './passes/unused-bases.ts';
import { toldOnce } from './passes/told-once.ts';
import { besideMoved } from './passes/unused-values.ts';
import { withWorkerRoutes } from './passes/worker-routes.ts';

const scriptsAmong = (files: Known['files']): readonly string[] => files.flatMap(({ path, kind }) => (kind === 'script' ? path : []));

type Pass = (plan: Outcome, known: Known) => Outcome;

/** Whose a place is: what is another service's, or the project's own, is no question, and the passes behind these do not meet it. */
const owners: readonly Pass[] = [
  (plan, { strays, naming, files, textIn, isOpen }) => withStrayCalls(plan, strays, { naming, files, textIn, isOpen }),
  (plan, { theirs }) => withoutOthers(plan, theirs),
  (plan, { files, textIn }) => withoutOwnRoutes(plan, files, textIn),
  // Behind that, as a file of data with the own server's paths may still have a reader that asks by them.
  (plan, { data }) => withDataReaders(plan, data),
];

/** Texts that go with the calls once nothing is left of what they are about: so what stands nearer to the calls goes first. */
const alongWithCalls: readonly Pass[] = [
  // Requests themselves: what documents say waits for them.
  withMovedWorkflows,
  // Says what of a document is old; what of that can go along, the passages below take back.
  (plan, { moved, bases, files, textIn }) => withOldDocuments(plan, moved, bases, files, textIn),
  withMovedMessages,
  withMovedTitles,
  withMovedFakeAddresses,
  withMovedRecordings,
  withMovedTypes,
  (plan) => withTypesOfLines(plan),
  // A comment goes when nothing else of its file is left: the passes above decide about that.
  withMovedComments,
  withMovedDescriptions,
  // What still has the header is a document of OpenAPI as long as it stays: before other documents, which wait for it.
  (plan, known) => withMovedPassages(plan, unreadDescriptions(known.passages, known.files, known.textIn), known),
  (plan, known) =>
    withMovedPassages(
      plan,
      known.passages.filter(({ isDescription }) => !isDescription),
      known,
    ),
];

/** What is left beside what moves, and may no longer fit it. */
const told: readonly Pass[] = [
  (plan, { moved, isMoved, textIn }) => withStandIns(plan, moved, isMoved, textIn),
  // Who asks a stand-in that the pass above found.
  (plan, { servers, localAsks: asks, files, textIn }) => withAskersOfFakes(plan, { servers, asks, files }, textIn),
  (plan, { moved, code, files, textIn }) => withRouteComments(plan, moved, code, files, textIn),
  (plan, { moved, components, textIn }) => withTestsOfMoved(plan, moved, components, textIn),
  (plan, { askedByKey, components, textIn }) => withNamedAnswers(plan, askedByKey, components, textIn),
  (plan, { components, files, textIn }) => withNamedData(plan, components, files, textIn),
  withNamedVersions,
  (plan, { suspects, components, bases, textIn }) => withNamedBases(plan, suspects, components, bases, textIn),
  (plan, { routes, files, otherFiles, textIn }) => withForms(plan, routes, [...files, ...otherFiles.map((path) => ({ path }))], textIn),
  (plan, { components, isOthers, textIn }) => withDeniedHeaders(plan, components, isOthers, textIn),
  (plan, { components, patchers, textIn }) => withTakenHeaders(plan, { components, patchers, textIn }),
  (plan, { bases, files, textIn }) => withKeysOfUnusedBases(plan, bases, files, textIn),
  (plan, { components, textIn }) => withBesideUnconsumed(plan, components, textIn),
  // By all edits: nothing below makes one.
  (plan, { textIn }) => withGivenInputs(plan, textIn),
  (plan, { components, textIn }) => withCopiedExamples(plan, components, textIn),
  (plan, { textIn }) => withGeneratedFiles(plan, textIn),
  (plan, { files, textIn }) => withActionBundles(plan, files, textIn),
  (plan, { bases, textIn }) => withoutOthersExpectations(plan, bases, textIn),
  (plan, { moved, bases, textIn }) => withAddressesLeft(plan, moved, bases, textIn),
  // In all scripts, as a pattern of a host need hold nothing that makes a file a suspect.
  (plan, { files, bases, textIn }) => withPatternsOfHosts(plan, scriptsAmong(files), bases, textIn),
  (plan, { moved, files, bases, textIn }) => withWorkerRoutes(plan, moved, scriptsAmong(files), bases, textIn),
  (plan, { isMoved, files, otherFiles, bases, textIn }) =>
    withHostsOfV1(plan, isMoved, [...files.map(({ path }) => path), ...otherFiles], bases, textIn),
  // Behind all that is told: a permission that went would refuse what is left.
  withMovedPermissions,
];

/** What a finding of another pass, or what did not move, makes needless to say. */
const unsaid: readonly Pass[] = [
  (plan, { files, code, textIn }) => ({ ...plan, findings: withoutOwnLists(plan.findings, files, code, textIn) }),
  (plan, { deciding }) => {
    const isSaid = notReportedBy(deciding);
    return { ...plan, findings: plan.findings.filter((each) => each.code === 'decides-by-path' || isSaid(each)) };
  },
  (plan, { isMoved, naming }) => {
    // Others have limits, too: what only looks like this service is of it where a base of it is seen.
    const isNear = isMoved || naming.length > 0;
    const isOfThis = (each: Finding): boolean => (isMoved || !isOfMoved(each)) && (isNear || !ofLimits.has(each.code));
    // What tests kept is of requests: where nothing makes any that may be ours, it is somebody's data.
    if (!isNear && plan.findings.every(isSnapshot)) return { ...plan, findings: [] };
    return { ...plan, findings: plan.findings.filter(isOfThis) };
  },
  (plan, { components }) => ({ ...plan, findings: besideMoved(plan.findings, plan.edits, components) }),
  (plan) => ({ ...plan, findings: toldOnce(plan.findings) }),
];

const isSnapshot = ({ code, file }: Finding): boolean => code === 'generated' && file.endsWith('.snap');

/** In the order in which they run. */
export const passes: readonly Pass[] = [...owners, ...alongWithCalls, ...told, ...unsaid];
