/** The plan for one component: what is rewritten, what is left and why, and what became of every suspicious literal. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import { clientRules, isKnownPackage } from '../clients/registry.ts';
import type { Left, RouteUse, VariableUse } from '../uses-between-components.ts';
import { type Ask, asksOf } from '../escape/calls/asks.ts';
import { type LooseCall, looseCallsOf, type PathMethod, pathMethodsOf } from '../escape/calls/loose-calls.ts';
import { withoutNoOps } from '../escape/calls/no-ops.ts';
import { type StrayCall, strayCallsOf } from '../escape/calls/stray-calls.ts';
import { variablesNamedIn } from '../escape/calls/named-variables.ts';
import { variablesTakenIn } from '../escape/calls/taken-environments.ts';
import { variableReadersOf } from '../escape/calls/variable-readers.ts';
import { type LocalAsk, localAsksOf } from '../escape/servers/local-asks.ts';
import type { Far } from '../evaluate/budget.ts';
import { createEvaluation } from '../evaluate/evaluate.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { World } from '../evaluate/program.ts';
import type { Call, Costs, Edit, Finding, LedgerEntry, Step } from '../model.ts';
import type { Unfollowed } from './looks.ts';
import { callGraphOf } from '../requests/call-graph.ts';
import { endpointOf } from '../verdict/query-keys.ts';
import { type CandidateCall, candidateCalls, candidatesIn } from '../verdict/bases/candidates.ts';
import { changesByPlace } from '../verdict/changes/changes-by-place.ts';
import { allowLines } from '../verdict/directive-comments.ts';
import { environmentOf, type EnvironmentUse } from '../verdict/bases/environment.ts';
import { elsewhereTo, foreignTo } from '../verdict/bases/foreign-addresses.ts';
import { keysOf } from '../verdict/changes/proof.ts';
import { reachedIn } from '../verdict/expected/reached.ts';
import type { RequestSite } from '../verdict/request-sites.ts';
import { routesOf } from '../verdict/route-uses.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { addressCandidates } from './candidates/address-candidates.ts';
import { Judgement } from './judgement.ts';
import { type AboutEdits, refuse, type Refused } from './refusals.ts';
import { type Asked, type Sites, sitesOf } from './sites.ts';
import { type AboutFiles, toldOf } from './told.ts';

/** Which files there are, and what was looked for before. */
export interface AboutComponent extends AboutFiles, AboutEdits {
  /** What no base flows into by any name; without a base nothing is proven, so nothing is edited there. */
  readonly far?: Far | undefined;
}

export interface ComponentPlan {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  /** What would have changed, but that nobody looked for who uses it. */
  readonly unfollowed: readonly Unfollowed[];
  readonly refused: readonly Left[];
  /** For the list of bases where none is configured. */
  readonly candidates: readonly CandidateCall[];
  /** Environment variables that bases are read from. */
  readonly variables: readonly EnvironmentUse[];
  /** Places that read such a variable, and stay. */
  readonly readers: readonly VariableUse[];
  /** Places that name a variable which nothing here is seen to read, for what may read it. */
  readonly namedVariables: readonly VariableUse[];
  /** Places that may read such a variable with all others. */
  readonly takenVariables: readonly VariableUse[];
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

/** @param proofs whether calls are to say how they were proven */
export function analyse(world: World, bases: Bases, about: AboutComponent, proofs = true): ComponentPlan {
  for (const module of world.modules.values()) allowLines(module, bases.allowed?.get(module.file));
  const ev = createEvaluation(world, clientRules, about.far);
  const found = { ...callGraphOf(ev), isForeign: foreignTo(bases), isElsewhere: elsewhereTo(bases) };
  ev.budget.renew();
  const asked: Asked = { ev, found, bases, reach: reachedIn(world, isKnownPackage) };
  const made = sitesOf(asked, about.isCandidate);
  const { all } = made;
  const judgement = new Judgement(all);
  const byPlace = changesByPlace(judgement.changes);
  const sites = withoutNoOps(ev, all, byPlace);
  const refused = refuse(judgement, asked, made, sites, byPlace, about);
  const edits = judgement.edits(refused.tables.instead);
  const told = toldOf(judgement, asked, made, sites, byPlace, refused, edits, about);
  return {
    ...told,
    ...usesOf(judgement, asked, made, sites, refused),
    edits,
    calls: judgement.calls(proofs),
    candidates: candidatesOf(ev, sites, bases, told.ledger),
    unfollowed: refused.unfollowed,
    refused: judgement.left(),
    keys: keysOf(all),
    asksV2: all.some(({ verdict, request }) => verdict.kind === 'v2' && !request.isMock),
    costs: { steps: ev.budget.work, ...ev.budget.costs() },
  };
}

const isAsked = ({ verdict }: RequestSite, group: string | undefined): boolean => verdict.kind === 'v2' || group !== undefined;

/** What other components, and files that are no scripts, may have in common with this one. */
function usesOf(
  judgement: Judgement,
  { ev, found, bases }: Asked,
  { all, keys, served }: Sites,
  sites: readonly RequestSite[],
  { unresolved }: Refused,
): Pick<
  ComponentPlan,
  | 'variables'
  | 'readers'
  | 'namedVariables'
  | 'takenVariables'
  | 'routes'
  | 'askedByKey'
  | 'looseCalls'
  | 'pathMethods'
  | 'strayCalls'
  | 'asks'
  | 'localAsks'
  | 'fakes'
> {
  const bound = judgement.bound(sites);
  const fateOf = judgement.fates();
  const isMeant = ({ name, file }: Pick<VariableUse, 'name' | 'file'>): boolean => bases.variablesOfOthers?.get(name)?.has(file) !== true;
  const variables = environmentOf(bound, fateOf, bases.v2 !== undefined).filter(isMeant);
  const held = variables.flatMap(({ name, needsValue, group, isGiven }) =>
    needsValue && group !== undefined && isGiven !== true ? name : [],
  );
  const names = new Set([...bases.env, ...(bases.watched ?? []), ...held]);
  const { readers, read } = variableReadersOf(ev, found, sites, names, bases);
  return {
    variables,
    readers: readers.filter(isMeant),
    namedVariables: variablesNamedIn(ev.world.modules.values(), new Set([...names].filter((name) => !read.has(name)))).filter(isMeant),
    takenVariables: variablesTakenIn(ev, found, names).filter(isMeant),
    routes: routesOf(bound, fateOf),
    askedByKey: sites.flatMap((site) =>
      keys.isAskedBy(site.request) && isAsked(site, judgement.groupOf(site)) ? (endpointOf(site) ?? []) : [],
    ),
    looseCalls: looseCallsOf(
      ev,
      all,
      unresolved.map(({ call }) => call),
    ),
    pathMethods: pathMethodsOf(bound, judgement.groupOf),
    strayCalls: strayCallsOf(ev, all, isKnownPackage, bases),
    asks: asksOf(all, found.callers),
    localAsks: localAsksOf(sites),
    fakes: [...new Set([...served.sites.map(({ request }) => request.module), ...served.staying])].map(({ file }) => file),
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
