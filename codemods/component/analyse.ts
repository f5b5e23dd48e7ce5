/** The plan for one island: what is rewritten, what is left and why, and what became of every suspicious literal. */
import { createEvaluation } from '../evaluate/evaluate.ts';
import { clientRules } from '../clients/registry.ts';
import type { Bases } from '../verdict/routes.ts';
import { survey } from '../requests/call-graph.ts';
import type { World } from '../evaluate/program.ts';
import type { Call, Edit, Finding, FindingCode, LedgerEntry, Span, Step } from '../model.ts';
import type { Node } from '../syntax/tree.ts';
import { advise } from '../escape/advice.ts';
import { environmentOf, type EnvironmentUse } from '../verdict/environment.ts';
import { escapesOf } from '../escape/escapes.ts';
import { Groups, keyOf } from '../verdict/groups.ts';
import { exempted } from '../verdict/ignored.ts';
import { foreignInstances } from '../escape/instances.ts';
import { ledgerOf } from '../escape/ledger.ts';
import { problemsOf, type Problem } from '../escape/problems.ts';
import { withoutIdle } from '../escape/no-ops.ts';
import { settled } from '../verdict/mocks.ts';
import { type Overwrite, overwritesOf } from '../escape/overwrites.ts';
import { leftoversOf } from '../escape/leftovers.ts';
import { keysOf, proofOf } from '../verdict/proof.ts';
import { placeOfCall, type Site, sitesOf } from '../verdict/request-sites.ts';
import { routesOf } from '../verdict/route-uses.ts';
import { withSetVariables } from '../verdict/set-variables.ts';
import type { Change } from '../verdict/spans.ts';
import { straysOf } from '../escape/unresolved-calls.ts';
import { type CandidateCall, candidateCalls } from '../verdict/candidates.ts';
import type { RouteUse } from '../uses.ts';

export interface IslandPlan {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  /** What would have changed, and is left. */
  readonly refused: readonly Span[];
  /** For the list of bases where none is configured. */
  readonly candidates: readonly CandidateCall[];
  /** Environment variables that bases are read from. */
  readonly variables: readonly EnvironmentUse[];
  /** Requests, and mocks of requests that were not seen. */
  readonly routes: readonly RouteUse[];
  /** Where requests are given credentials. */
  readonly keys: readonly Step[];
}

export interface AboutFiles {
  /** Whether a file holds suspicious literals, or was only read for what it imports. */
  readonly isCandidate: (file: string) => boolean;
  /** Files that a file which could not be read may use, with that one. */
  readonly unseen: ReadonlyMap<string, string>;
}

export function analyse(world: World, bases: Bases, { isCandidate, unseen }: AboutFiles): IslandPlan {
  const ev = createEvaluation(world, clientRules);
  const found = survey(ev);
  const all = withSetVariables(world, settled(sitesOf(ev, found, bases), bases), bases);
  const ours = all.filter(({ verdict }) => verdict.kind === 'ours');
  const changes = distinct(ours.flatMap((site) => site.changes));
  const sites = withoutIdle(ev, all, changes);
  const groups = groupsOf(ours);
  const escapes = escapesOf(ev, found, sites, changes);
  const problems = problemsOf(
    sites,
    changes,
    [...escapes, ...leftoversOf(sites, escapes)],
    straysOf(ev, sites),
    foreignInstances(ev, sites, bases),
  );
  if (ev.effort.isSpent || found.isCut) problems.push(...unfinished(changes));
  if (unseen.size > 0) problems.push(...unseenUses(changes, unseen));
  const refused = new Map<string, FindingCode>();
  const refuse = ({ change, site, code }: Problem): void => {
    const forbidden = change ?? site?.changes[0];
    if (forbidden !== undefined) refused.set(groups.of(keyOf(forbidden)), code);
  };
  problems.flat().forEach(refuse);
  const open = ours.filter(({ changes: [first] }) => first !== undefined && !refused.has(groups.of(keyOf(first))));
  const overwrites = overwrittenIn(overwritesOf(ev, found, all, open, bases));
  overwrites.flat().forEach(refuse);
  problems.push(...overwrites);
  problems.push(...heldBack(ours, problems, groups));
  const isMade = (change: Change): boolean => !refused.has(groups.of(keyOf(change)));
  const groupOf = ({ changes: [first] }: Site): string | undefined =>
    first !== undefined && isMade(first) ? groups.of(keyOf(first)) : undefined;
  const stuck = new Set(problems.flat().map(({ site }) => site));
  // What has nothing to change, and nothing against it, is ready for v2.
  const bound = sites.filter((site) => site.verdict.kind !== 'ours' || site.changes.length > 0 || stuck.has(site));
  const real = new Set(ours.filter(({ request }) => !request.isMock).flatMap((site) => site.changes.map(keyOf)));
  const edits = changes.filter(isMade).map((change) => editOf(change, groups, real.has(keyOf(change))));
  const calls = callsOf(ours, groups).filter(({ group }) => !refused.has(group));
  const findings = [
    ...problems.flatMap(([problem]) => (problem === undefined ? [] : [findingOf(problem, groups)])),
    ...advise(ev, sites, isCandidate),
  ];
  const ledger = ledgerOf(ev, sites, changes, (change) => refused.get(groups.of(keyOf(change))), isCandidate, bases);
  return {
    edits,
    calls,
    findings: exempted(world.modules, [...findings, ...ledger.findings.filter((finding) => !isToldBy(findings, finding))]),
    ledger: ledger.entries,
    candidates: candidateCalls(sites, bases),
    refused: changes.filter((change) => !isMade(change)).map(({ module, start, end }) => ({ file: module.file, start, end })),
    variables: environmentOf(bound, groupOf, bases.v2 !== undefined),
    routes: routesOf(bound, groupOf),
    keys: keysOf(all),
  };
}

/** A place that may put another host where a base is kept: told once, whatever hangs on it. */
const overwrittenIn = (overwrites: readonly Overwrite[]): Problem[][] => [
  ...Map.groupBy(
    overwrites.map(({ place: { node, module }, name, site }): Problem => {
      return { code: 'base-overwritten', node, module, detail: name === undefined ? {} : { name }, site };
    }),
    ({ node }) => node,
  ).values(),
];

/** A pattern of a mock that could not be read is compared with a path, too. */
const isToldBy = (others: readonly Finding[], { code, file, line }: Finding): boolean =>
  code === 'repeats-path' && others.some((other) => other.file === file && other.line === line);

/** Where an island was not followed to its end nothing of it is proven: told once for each file. */
const unfinished = (changes: readonly Change[]): Problem[][] => [
  ...Map.groupBy(
    changes.map((change): Problem => ({ code: 'too-complex', node: change, module: change.module, detail: {}, change })),
    ({ module }) => module,
  ).values(),
];

/** What a file may use that could not be read stays as it is: told once for each file that it would change in. */
const unseenUses = (changes: readonly Change[], unseen: ReadonlyMap<string, string>): Problem[][] => [
  ...Map.groupBy(
    changes.flatMap((change): Problem[] => {
      const by = unseen.get(change.module.file);
      const { module } = change;
      return by === undefined ? [] : [{ code: 'held-elsewhere', node: change, module, detail: { name: module.file, by }, change }];
    }),
    ({ module }) => module,
  ).values(),
];

/** Calls that no comment speaks of, but that share what an ignored call uses: they are still on v1, and told as such. */
function heldBack(ours: readonly Site[], problems: readonly (readonly Problem[])[], groups: Groups): Problem[][] {
  const ignored = problems.flat().filter(({ code }) => code === 'ignored');
  const groupOf = (change: Change | undefined): string | undefined => (change === undefined ? undefined : groups.of(keyOf(change)));
  const held = new Set(ignored.map(({ change, site }) => groupOf(change ?? site?.changes[0])));
  const places = new Set(ignored.map(({ module, node }) => `${module.file} ${module.position(node.start).line}`));
  const exempt = new Set(ignored.flatMap(({ site }) => site?.request.call ?? []));
  const found = ours.flatMap((site): Problem[] => {
    const group = groupOf(site.changes[0]);
    const { node, module } = placeOfCall(site);
    if (group === undefined || !held.has(group) || exempt.has(site.request.call) || site.request.isMock) return [];
    return places.has(`${module.file} ${module.position(node.start).line}`) ? [] : [{ code: 'held-back', node, module, detail: {}, site }];
  });
  return [...Map.groupBy(found, ({ module, node }) => `${module.file} ${node.start}`).values()];
}

function distinct(changes: readonly Change[]): Change[] {
  const byKey = new Map<string, Change>();
  for (const change of changes) byKey.set(`${keyOf(change)}:${change.text}`, change);
  return [...byKey.values()];
}

/** Everything that one request changes goes together, and so does everything that meets in one change. */
function groupsOf(ours: readonly Site[]): Groups {
  const groups = new Groups();
  const first = new Map<Node, string>();
  for (const { request, changes, follows = [] } of ours) {
    const keys = [...changes, ...follows.flatMap((site) => site.changes[0] ?? [])].map(keyOf);
    // The ways to one call are one call.
    const before = first.get(request.call);
    groups.join(before === undefined ? keys : [before, ...keys]);
    if (keys[0] !== undefined) first.set(request.call, keys[0]);
  }
  return groups;
}

const editOf = (change: Change, groups: Groups, isReal: boolean): Edit => ({
  file: change.module.file,
  start: change.start,
  end: change.end,
  text: change.text,
  group: groups.of(keyOf(change)),
  what: isReal ? change.what : 'expectation',
});

function callsOf(ours: readonly Site[], groups: Groups): Call[] {
  const calls = new Map<string, Call>();
  for (const site of ours) {
    const { request, verdict, changes, follows } = site;
    const [first] = changes;
    // A mock of a call is no call of its own, unless the call is nowhere to be seen.
    if (follows !== undefined || verdict.kind !== 'ours' || verdict.endpoint === undefined || first === undefined) continue;
    const { node, module } = placeOfCall(site);
    calls.set(`${module.file}:${node.start}:${verdict.endpoint}`, {
      file: module.file,
      start: node.start,
      end: node.end,
      endpoint: verdict.endpoint,
      client: request.client,
      group: groups.of(keyOf(first)),
      proof: proofOf(site),
    });
  }
  return [...calls.values()];
}

function findingOf({ code, node, module, detail, change, site }: Problem, groups: Groups): Finding {
  const { line, column } = module.position(node.start);
  const forbidden = change ?? site?.changes[0];
  const group = forbidden === undefined ? {} : { group: groups.of(keyOf(forbidden)) };
  return { code, file: module.file, start: node.start, end: node.end, line, column, detail, ...group };
}
