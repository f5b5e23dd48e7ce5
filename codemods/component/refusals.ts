/** What of a component's changes must not be made, and why. */
import type { Unfollowed } from './looks.ts';
import { askedByName } from '../escape/calls/asked-by-name.ts';
import { askedOutOfSight } from '../escape/calls/asked-out-of-sight.ts';
import { askedByClientsOutOfSight } from '../escape/calls/clients-out-of-sight.ts';
import { overwrittenInCopies } from '../escape/calls/copied-clients.ts';
import { askedByPackages } from '../escape/calls/asking-packages.ts';
import { handedByTemplates } from '../escape/flow/holders/handed-by-templates.ts';
import { leftoversOf } from '../escape/calls/leftovers.ts';
import { mayAskLikeOurs } from '../escape/calls/unknown-requests-of-others.ts';
import { askedByNobody } from '../escape/calls/unasked-hosts.ts';
import { mirroredRequests } from '../escape/calls/mirrored-requests.ts';
import { type Overwrite, overwritesOf } from '../escape/calls/overwrites.ts';
import { prototypeUses } from '../escape/calls/prototype-uses.ts';
import { readByName } from '../escape/calls/read-by-name.ts';
import { unaskedClients } from '../escape/calls/unasked-clients.ts';
import { uncalledIn } from '../escape/calls/uncalled.ts';
import { unfollowedProblems } from '../escape/calls/unfollowed-calls.ts';
import { unreadProblems } from '../escape/calls/unread-calls.ts';
import { unresolvedCallersOf } from '../escape/calls/unresolved-callers.ts';
import { type UnresolvedCall, unresolvedCallsOf } from '../escape/calls/unresolved-calls.ts';
import { type Escape, escapesOf, withSharedEnds } from '../escape/escapes.ts';
import { foreignInstances } from '../escape/flow/holders/instances.ts';
import { hostDecisionsOf } from '../escape/headers/hooks/host-decisions.ts';
import { takenKeysOf } from '../escape/headers/hooks/taken-keys.ts';
import { nearBase, toHostLikeOurs } from '../escape/ledger/reach.ts';
import { namesOfAnswers } from '../escape/paths/named-answers.ts';
import { leftByGuards } from '../escape/paths/past-guards.ts';
import { pathDecisionsOf } from '../escape/paths/path-decisions.ts';
import { versionTables, type VersionTables } from '../escape/paths/version-tables.ts';
import { type Problem, problemsOf } from '../escape/problems.ts';
import type { ChangesByPlace } from '../verdict/changes/changes-by-place.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import type { Change } from '../verdict/changes/spans.ts';
import type { Judgement } from './judgement.ts';
import type { Asked, Sites } from './sites.ts';

/** Whether what would be edited may be. */
export interface AboutEdits {
  /** Whether everybody was looked for who may use what stands at a place: nothing else is edited. */
  readonly isFollowed: (file: string, offset: number) => boolean;
  /** Whether a generator makes a file, which is not edited then. */
  readonly isGenerated: (file: string) => boolean;
  /** Files that a file which could not be read may use, with that one. */
  readonly unseen: ReadonlyMap<string, string>;
}

export interface Refused {
  readonly unfollowed: readonly Unfollowed[];
  /** Conditions that go by the path or the host, and so move with it or not at all. */
  readonly decisions: readonly Escape[];
  /** Calls of which nobody knows whose they are. */
  readonly unresolved: readonly UnresolvedCall[];
  readonly tables: VersionTables;
}

/**
 * Refuses what must stay as it is, in this order: what is found first gives the reason that is told.
 * @param sites those of `all` that make a difference
 */
export function refuse(
  judgement: Judgement,
  { ev, found, bases, reach }: Asked,
  { all, ends, keys }: Sites,
  sites: readonly RequestSite[],
  byPlace: ChangesByPlace,
  { isFollowed, isGenerated, unseen }: AboutEdits,
): Refused {
  const { world } = ev;
  const { changes } = judgement;
  const unresolved = unresolvedCallsOf(ev, sites);
  const escapes = escapesOf(ev, found, sites, byPlace, bases);
  const decisions = [...pathDecisionsOf(ev, sites, byPlace, bases), ...hostDecisionsOf(ev, sites, byPlace, bases)];
  const escaping = [
    ...escapes,
    ...leftByGuards(all, sites, byPlace),
    ...namesOfAnswers(world, keys.inSegments, byPlace),
    ...askedByName(ev, sites, byPlace),
    ...leftoversOf(sites, escapes),
    ...takenKeysOf(ev, sites, escapes),
    ...decisions,
  ];
  judgement.refuse(
    problemsOf(
      sites,
      byPlace,
      withSharedEnds(escaping, ends),
      [...unresolved, ...unresolvedCallersOf(ev, found, sites), ...readByName(sites)],
      foreignInstances(ev, found, sites, bases),
      uncalledIn(ev, found),
      nearBase(world, bases),
      toHostLikeOurs(bases),
    ),
  );
  judgement.refuse(askedOutOfSight(ev, found, sites, byPlace, bases));
  judgement.refuse(askedByClientsOutOfSight(ev, found, judgement.open(), byPlace, bases));
  judgement.refuse(handedByTemplates(ev, found, byPlace));
  judgement.refuse(overwrittenInCopies(ev, found, sites, bases));
  judgement.refuse(unfollowedProblems(found, all));
  judgement.refuse(unreadProblems(ev, found, all));
  judgement.refuse(askedByPackages(all, bases, reach));
  judgement.refuse(unaskedClients(ev, all, changes));
  const unfollowed = changes.filter((change) => !isFollowed(change.module.file, change.start));
  const further = unfollowed.map((change): Unfollowed => {
    const { module, start, end } = change;
    return { file: module.file, start, end, isRefused: judgement.refusedFor(change) !== undefined };
  });
  judgement.refuse(unfollowedUses(unfollowed));
  judgement.refuse(generatedChanges(changes, isGenerated));
  if (unseen.size > 0) judgement.refuse(unseenUses(changes, unseen));
  judgement.refuse(overwrittenIn(overwritesOf(ev, found, all, judgement.open(), bases)));
  judgement.refuse(prototypeUses(ev, found.callers, judgement.open()));
  judgement.refuse(mirroredRequests(ev, sites, judgement.open()));
  judgement.refuse(mayAskLikeOurs(ev, all, judgement.open(), bases));
  judgement.refuse(askedByNobody(ev, found, all, judgement.open(), bases));
  const tables = versionTables(ev, sites);
  judgement.refuse(tables.problems);
  judgement.settle();
  judgement.holdBack();
  judgement.nameHeldMocks();
  return { unfollowed: further, decisions, unresolved, tables };
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
const unfollowedUses = (changes: readonly Change[]): Problem[][] => [
  ...Map.groupBy(
    changes.map((change): Problem => {
      const { module } = change;
      return { code: 'held-elsewhere', node: change, module, detail: { name: module.file, why: 'large' }, change };
    }),
    ({ module }) => module,
  ).values(),
];

/** What would change in a file that a generator makes is lost the next time: reported once for each. */
const generatedChanges = (changes: readonly Change[], isGenerated: AboutEdits['isGenerated']): Problem[][] => [
  ...Map.groupBy(
    changes.flatMap((change): Problem[] => {
      const { module } = change;
      return isGenerated(module.file)
        ? [{ code: 'held-elsewhere', node: change, module, detail: { name: module.file, why: 'generated' }, change }]
        : [];
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
