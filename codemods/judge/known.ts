/** What the passes over a plan may know: whatever does not change while they run. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import type { RouteUse, VariableUse } from '../uses-between-components.ts';
import type { ComponentFile } from '../component/component-file.ts';
import type { ComponentResult } from '../component/component.ts';
import type { Ask } from '../escape/calls/asks.ts';
import type { StrayCall } from '../escape/calls/stray-calls.ts';
import type { Passage } from '../escape/ledger/passages.ts';
import type { Suspect } from '../find/scan.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Finding } from '../model.ts';
import { unreadable } from '../run/skipped-files.ts';
import type { CandidateCall } from '../verdict/bases/candidates.ts';
import type { IsOpen } from '../verdict/directive-comments.ts';
import { domainOf, isLocal, isMadeUp } from '../verdict/bases/hosts.ts';
import { type Bases, matchUrl } from '../verdict/bases/routes.ts';
import { type Bound, ourVariables } from './bind.ts';
import type { Outcome } from './merge.ts';
import type { Moved } from './moved.ts';
import type { Program } from './program.ts';

export interface Known {
  readonly files: readonly FoundFile[];
  /** Files that are no sources. */
  readonly otherFiles: readonly string[];
  readonly components: readonly (readonly ComponentFile[])[];
  readonly bases: Bases;
  readonly textIn: (file: string) => string;
  readonly isOpen: IsOpen;
  /** Files that hold a literal of v1, and those of them that name a base. */
  readonly suspects: readonly Suspect[];
  readonly naming: readonly Suspect[];
  /** Scripts among them. */
  readonly code: readonly string[];
  readonly patchers: readonly string[];
  /** Files that could not be looked at. */
  readonly failures: readonly Finding[];
  /** Calls that move now, or did in a run before, and whether a header is among what moved. */
  readonly moved: readonly Moved[];
  readonly isMoved: boolean;
  /** Calls of which it is open whose they are. */
  readonly others: readonly CandidateCall[];
  /** Whether an address is known to be another service's. */
  readonly isOthers: (address: string) => boolean;
  /** Variables of ours that code reads, and those that files set to another service alone. */
  readonly variables: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
  readonly strays: readonly StrayCall[];
  readonly passages: readonly Passage[];
  readonly askedByKey: readonly V1EndpointId[];
  /** Servers of tests, and who asks such. */
  readonly servers: ReadonlySet<string>;
  readonly localAsks: ComponentResult['localAsks'];
  readonly routes: readonly RouteUse[];
  readonly data: readonly VariableUse[];
  readonly deciding: readonly Finding[];
}

/** @param settled the plan before the passes */
export function knownOf(program: Program, { routes, data, deciding }: Bound, settled: Outcome, asks: readonly Ask[]): Known {
  const { walked, found, bases, components, results, beside, candidates: others, textIn, isOpen } = program;
  const all = [...results, ...beside];
  return {
    files: walked.files,
    otherFiles: walked.others,
    components,
    bases,
    textIn,
    isOpen,
    others,
    routes,
    data,
    deciding,
    suspects: found.candidates,
    naming: found.candidates.filter(({ hits }) => hits.needles.length > 0),
    code: found.candidates.flatMap(({ path, kind }) => (kind === 'script' ? path : [])),
    patchers: found.patchers,
    failures: failuresOf(program),
    moved: [...settled.calls, ...asks.flatMap(({ file, endpoint }) => (endpoint === undefined ? [] : { file, endpoint }))],
    // A key is where it was as long as no header is moved, in this run or before.
    isMoved: settled.edits.some(({ what }) => what === 'header name') || all.some(({ asksV2 }) => asksV2),
    isOthers: (address) => matchUrl(address, bases).kind === 'foreign' && !isLocal(URL.parse(address)?.host ?? ''),
    variables: new Set(results.flatMap((component) => component.variables.flatMap(({ isOurs, name }) => (isOurs ? name : [])))),
    theirs: othersVariables(program),
    strays: results.flatMap(({ strayCalls }) => strayCalls),
    passages: beside.flatMap((other) => other.passages),
    askedByKey: results.flatMap(({ askedByKey }) => askedByKey),
    servers: new Set(results.flatMap((component) => component.fakes)),
    localAsks: all.flatMap((member) => member.localAsks),
  };
}

/** Of files that could not be read, and of components that could not be analysed. */
export const failuresOf = ({ walked, found, faults, results, beside }: Program): Finding[] => [
  ...[...walked.faults, ...found.faults].map(unreadable),
  ...faults,
  ...[...results, ...beside].flatMap((member) => member.failures),
];

/** Variables that files set to another service, and to ours nowhere. */
function othersVariables(program: Program): ReadonlySet<string> {
  const { bases, named, beside } = program;
  const ours = ourVariables(program);
  // A template says it, too, where it names our base: then hosts in it are no words to be replaced, but those of our domain may be stages.
  const isElsewhere = ({ host }: { readonly host: string }): boolean =>
    !isMadeUp(host, bases.v1) && bases.v1.every((base) => domainOf(new URL(base).host) !== domainOf(host));
  const set = beside.flatMap(({ foreign, otherEnvs, envs }) => [
    ...foreign,
    ...(envs.length > 0 || (named.setToV2?.size ?? 0) > 0 ? otherEnvs.filter(isElsewhere) : []),
  ]);
  return new Set(set.flatMap(({ name }) => (ours.has(name) ? [] : name)));
}
