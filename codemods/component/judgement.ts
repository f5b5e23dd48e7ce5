/** What becomes of all that would change: groups of changes that are made or refused as a whole, and what is reported of them. */
import { v1Auth } from '../../src/contract/auth.ts';
import { v1Endpoints } from '../../src/contract/endpoints.ts';
import type { Call, Edit, Finding, FindingCode, Span } from '../model.ts';
import type { Node } from '../syntax/tree.ts';
import { allowed, type Problem } from '../escape/problems.ts';
import type { Fate, Left } from '../uses-between-components.ts';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { Groups, keyOf } from '../verdict/changes/groups.ts';
import { proofOf } from '../verdict/changes/proof.ts';
import { placeOfCall, placeOfRoute, type RequestSite } from '../verdict/request-sites.ts';
import type { Change } from '../verdict/changes/spans.ts';
import { truest } from './truest.ts';
import { withoutQuotes } from './unquoted-names.ts';

/** How many of the calls that a finding holds are named; a report shows fewer. */
const maxHeld = 100;

/** What a person says of a place holds wherever it stands. */
const spoken: ReadonlySet<FindingCode> = new Set<FindingCode>(['ignored', 'allowed', 'held-back', 'held-elsewhere']);

const ofTest = 'test';
const isOfTest = ({ code, detail }: Problem): boolean => code === 'repeats-path' && detail['how'] === ofTest;

export class Judgement {
  /** All that would change, each once. */
  readonly changes: readonly Change[];
  readonly #ours: readonly RequestSite[];
  /** What changes together whatever mocks do. */
  readonly #parts: Groups;
  /** Of these, those with a change that a request needs. */
  readonly #real: ReadonlySet<string>;
  /** … and those with a change in code that is no test. */
  readonly #ofProgram: ReadonlySet<string>;
  readonly #problems: (readonly Problem[])[] = [];
  /** By parts. */
  readonly #refused = new Map<string, FindingCode>();
  /** Expectations that no request waits for: some that they may be about move, and others stay. */
  readonly #torn = new Set<RequestSite>();
  /** What tests do with changes that they would otherwise forbid. */
  readonly #besideTests = new Map<Problem, Change>();
  #whole: Whole | undefined;

  /** @param sites all requests: those of ours may change */
  constructor(sites: readonly RequestSite[]) {
    this.#ours = sites.filter(({ verdict }) => verdict.kind === 'ours');
    this.changes = distinct(this.#ours.flatMap((site) => site.changes));
    this.#parts = groupsOf(this.#ours, () => false);
    const real = this.#ours.filter(({ request }) => !request.isMock);
    this.#real = new Set(real.flatMap((site) => site.changes).map((change) => this.#parts.of(keyOf(change))));
    const ofProgram = this.changes.filter(({ module }) => !isTest(module));
    this.#ofProgram = new Set(ofProgram.map((change) => this.#parts.of(keyOf(change))));
  }

  /** @param found each list becomes one finding */
  refuse(found: readonly (readonly Problem[])[]): void {
    const problems = found.map((each) => each.map((problem) => allowed(problem) ?? this.#unlessOfTest(problem)));
    for (const { change, site, code } of problems.flat()) {
      const forbidden = change ?? site?.changes[0];
      if (forbidden !== undefined) this.#refused.set(this.#parts.of(keyOf(forbidden)), code);
    }
    this.#problems.push(...problems);
    this.#whole = undefined;
  }

  /** What a test does with code of the program is no reason to leave that on v1: the test is told, to be changed with it. */
  #unlessOfTest(problem: Problem): Problem {
    const { change, site, code, node, module } = problem;
    const forbidden = change ?? site?.changes[0];
    if (forbidden === undefined || spoken.has(code) || !isTest(module) || !this.#ofProgram.has(this.#parts.of(keyOf(forbidden))))
      return problem;
    const told: Problem = { code: 'repeats-path', node, module, detail: { how: ofTest } };
    this.#besideTests.set(told, forbidden);
    return told;
  }

  /**
   * An expectation of requests of which some move and others stay, stays itself, and is told: which of them it is about, nobody knows.
   * What only one of them can move is no reason for the others to wait.
   */
  settle(): void {
    const groups = groupsOf(this.#ours, ({ request }) => !request.isMock);
    const refused = new Set([...this.#refused.keys()].map((part) => groups.of(part)));
    const changed = changedCalls(this.#ours);
    const told = new Set(this.#problems.flat().map(({ site }) => site?.request.call));
    // Where a variable holds the version, nothing changes at a call, and no group can be refused for it.
    const isStuck = ({ request: { call } }: RequestSite): boolean => !changed.has(call) && told.has(call);
    const isLeft = (site: RequestSite): boolean =>
      isStuck(site) || site.changes.slice(0, 1).some((first) => refused.has(groups.of(keyOf(first))));
    const expecting = this.#ours.filter(
      (site) =>
        site.request.isMock &&
        site.changes.length > 0 &&
        site.isForStandIn !== true &&
        site.follows?.every(({ request }) => !request.isMock),
    );
    const torn = [...Map.groupBy(expecting, ({ changes: [first] }) => first && this.#parts.of(keyOf(first)))].flatMap(([part, sites]) => {
      const about = sites.flatMap(({ follows = [] }) => follows).filter((each) => each.changes.length > 0 || isStuck(each));
      const cause = about.find(isLeft);
      if (part === undefined || cause === undefined || (about.every(isLeft) && !about.every(isStuck))) return [];
      for (const site of sites) this.#torn.add(site);
      return this.#real.has(part) || this.#refused.has(part)
        ? []
        : sites.map((site) => heldBy(site, lineOf({ ...cause.request, node: cause.request.call }), cause));
    });
    this.refuse([...Map.groupBy(torn, ({ module, node }) => `${module.file} ${node.start}`).values()]);
  }

  /** Our requests that nothing speaks against so far. */
  open(): RequestSite[] {
    return this.#ours.filter(({ changes: [first] }) => first !== undefined && this.#isMade(first));
  }

  /**
   * Calls that no comment speaks of, but that share what an ignored call uses: they are still on v1, and reported as such.
   * @param isCall false for addresses without a request
   */
  holdBack(isCall: (site: RequestSite) => boolean = () => true): void {
    const ignored = this.#problems.flat().filter(({ code }) => code === 'ignored');
    const groupOf = (change: Change | undefined): string | undefined => (change === undefined ? undefined : this.#of(change));
    const held = new Set(ignored.map(({ change, site }) => groupOf(change ?? site?.changes[0])));
    const places = new Set(ignored.map(({ module, node }) => `${module.file} ${module.position(node.start).line}`));
    const exempt = new Set(ignored.flatMap(({ site }) => site?.request.call ?? []));
    const found = this.#ours.flatMap((site): Problem[] => {
      const group = groupOf(site.changes[0]);
      const { node, module } = placeOfCall(site);
      if (group === undefined || !held.has(group) || exempt.has(site.request.call) || site.request.isMock || !isCall(site)) return [];
      return places.has(`${module.file} ${module.position(node.start).line}`)
        ? []
        : [{ code: 'held-back', node, module, detail: {}, site }];
    });
    this.#problems.push(...Map.groupBy(found, ({ module, node }) => `${module.file} ${node.start}`).values());
  }

  /** Mocks that stay with what another of them has that cannot move, though the calls do that they are about: their tests fail, and say so. */
  nameHeldMocks(): void {
    const told = new Set(this.#problems.flat().map(lineOf));
    const isMoving = ({ changes: [first] }: RequestSite): boolean => first !== undefined && this.#isMade(first);
    const causes = this.#causes();
    const found = this.#ours.flatMap((site): Problem[] => {
      const { request, changes, follows = [] } = site;
      const cause = changes[0] && causes.get(this.#of(changes[0]));
      const isHeld = request.isMock && cause !== undefined && !isMoving(site) && follows.some(isMoving);
      const problem = isHeld ? heldBy(site, cause, site, { why: 'mock' }) : undefined;
      return problem === undefined || told.has(lineOf(problem)) ? [] : [problem];
    });
    this.#problems.push(...Map.groupBy(found, ({ module, node }) => `${module.file} ${node.start}`).values());
  }

  readonly refusedFor = (change: Change): FindingCode | undefined => this.#groups().refused.get(this.#of(change));

  /** The group that a site moves with; undefined where it stays. */
  readonly groupOf = ({ changes: [first] }: RequestSite): string | undefined =>
    first !== undefined && this.#isMade(first) ? this.#of(first) : undefined;

  /** Tells what becomes of a site, and of one that stays, why. */
  fates(): (site: RequestSite) => Fate {
    const causes = this.#causes();
    // Where nothing would change, what is told of the request itself keeps it.
    const own = new Map(
      this.#problems
        .flat()
        .toReversed()
        .map((problem) => [problem.site, lineOf(problem)]),
    );
    return (site) => {
      const [first] = site.changes;
      const group = this.groupOf(site);
      return { group, cause: group !== undefined ? undefined : first === undefined ? own.get(site) : causes.get(this.#of(first)) };
    };
  }

  /** Without what has nothing to change, and nothing against it: that is ready for v2. */
  bound(sites: readonly RequestSite[]): RequestSite[] {
    const stuck = new Set(this.#problems.flat().map(({ site }) => site));
    return sites.filter((site) => site.verdict.kind !== 'ours' || site.changes.length > 0 || stuck.has(site));
  }

  /** @param instead what is edited in the place of some changes, by their keys */
  edits(instead: ReadonlyMap<string, readonly Change[]> = new Map()): Edit[] {
    const real = new Set(this.#ours.filter(({ request }) => !request.isMock).flatMap((site) => site.changes.map(keyOf)));
    const edits = this.changes
      .filter((change) => this.#isMade(change))
      .flatMap((change): Edit[] => {
        const [group, what] = [this.#of(change), real.has(keyOf(change)) ? change.what : 'expectation'];
        return (instead.get(keyOf(change)) ?? [change])
          .map(withoutQuotes)
          .map((each) => ({ ...spanOf(each), text: each.text, group, what }));
      });
    return [...new Map(edits.map((each) => [`${each.file} ${each.start} ${each.end}`, each])).values()];
  }

  /** What would have changed, and is left. */
  left(): Left[] {
    const causes = this.#causes();
    return this.changes
      .filter((change) => !this.#isMade(change))
      .map((change) => ({ ...spanOf(change), by: causes.get(this.#of(change)) }));
  }

  /** The first place that speaks against each group. */
  #causes(): ReadonlyMap<string, string> {
    const causes = new Map<string, string>();
    for (const { change, site, module, node } of this.#problems.flat().toReversed()) {
      const forbidden = change ?? site?.changes[0];
      if (forbidden !== undefined) causes.set(this.#of(forbidden), `${module.file}:${module.position(node.start).line}`);
    }
    return causes;
  }

  /** @param proofs whether they are to say how they were proven */
  calls(proofs = true): Call[] {
    const calls = new Map<string, Call>();
    for (const site of this.#ours) {
      const { request, verdict, changes, follows } = site;
      const [first] = changes;
      // A mock of a call is no call of its own, unless the call is nowhere to be seen.
      if (follows !== undefined || verdict.kind !== 'ours' || verdict.endpoint === undefined || first === undefined) continue;
      if (!this.#isMade(first)) continue;
      const { node, module } = placeOfRoute(site);
      calls.set(`${module.file}:${node.start}:${verdict.endpoint}`, {
        file: module.file,
        start: node.start,
        end: node.end,
        endpoint: verdict.endpoint,
        client: request.client,
        group: this.#of(first),
        proof: proofs ? proofOf(site) : [],
      });
    }
    return [...calls.values()];
  }

  findings(): Finding[] {
    const held = this.#callsByGroup();
    const isTrue = (problem: Problem): boolean => {
      const change = this.#besideTests.get(problem);
      return change === undefined || this.#isMade(change);
    };
    const together = new Map(this.#problems.map((each) => [each[0], each]));
    const all = this.#problems.flatMap(([problem]) => problem ?? []).filter(isTrue);
    const problems = [...new Map(all.map((problem) => [isOfTest(problem) ? `test ${lineOf(problem)}` : problem, problem])).values()];
    const told = new Set(problems.filter(({ code }) => code !== 'reads-header').map(lineOf));
    return truest(problems, (problem) => this.#groupOf(problem))
      .filter((problem) => problem.code !== 'reads-header' || !told.has(lineOf(problem)))
      .map((problem) => this.#findingOf(problem, this.#heldFor(together.get(problem) ?? [], held)));
  }

  /** A mock goes with the requests that it is about, but for one that a person has to write anew: its test is named, and they move. */
  #groups(): Whole {
    if (this.#whole !== undefined) return this.#whole;
    const groups = groupsOf(this.#ours, (site) => !this.#isLeft(site));
    this.#whole = { groups, refused: new Map([...this.#refused].map(([part, code]) => [groups.of(part), code])) };
    return this.#whole;
  }

  #isLeft(site: RequestSite): boolean {
    if (this.#torn.has(site)) return true;
    const [first] = site.changes;
    const part = first === undefined || site.isForStandIn === true ? undefined : this.#parts.of(keyOf(first));
    return part !== undefined && this.#refused.has(part) && !this.#real.has(part);
  }

  #of(change: Change): string {
    return this.#groups().groups.of(keyOf(change));
  }

  #isMade(change: Change): boolean {
    return this.refusedFor(change) === undefined;
  }

  #groupOf({ change, site }: Problem): string | undefined {
    const forbidden = change ?? site?.changes[0];
    return forbidden && this.#of(forbidden);
  }

  /** @param calls those that stay for it */
  #findingOf(problem: Problem, calls: ReadonlySet<string>): Finding {
    const { code, node, module, detail } = problem;
    const { line, column } = module.position(node.start);
    const of = this.#groupOf(problem);
    const group = of === undefined ? {} : { group: of };
    const told = heldIn(calls, `${module.file}:${line}`);
    return { code, file: module.file, start: node.start, end: node.end, line, column, detail: { ...detail, ...told }, ...group };
  }

  /** The calls that stay for what is told of one place once: it may be said of several groups. */
  #heldFor(problems: readonly Problem[], held: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
    const groups = new Set(problems.flatMap((problem) => this.#groupOf(problem) ?? []));
    return new Set([...groups].flatMap((group) => (this.#groups().refused.has(group) ? [...(held.get(group) ?? [])] : [])));
  }

  /** Where the calls of each group are made. */
  #callsByGroup(): ReadonlyMap<string, ReadonlySet<string>> {
    const found = new Map<string, Set<string>>();
    for (const site of this.#ours) {
      const [first] = site.changes;
      if (first === undefined || site.request.isMock) continue;
      const { node, module } = placeOfRoute(site);
      const calls = found.get(this.#of(first)) ?? new Set();
      found.set(this.#of(first), calls.add(`${module.file}:${module.position(node.start).line}`));
    }
    return found;
  }
}

/** The calls that stay, but for those at the place that is told: at most some by their places, and of each file one before others. */
function heldIn(calls: ReadonlySet<string>, place: string): Finding['detail'] {
  const others = [...calls].filter((call) => call !== place);
  if (others.length === 0) return {};
  const ofFiles = new Map(others.toReversed().map((call) => [call.replace(/:\d+$/, ''), call]));
  const firsts = new Set(ofFiles.values());
  const listed = [...others.filter((call) => firsts.has(call)), ...others.filter((call) => !firsts.has(call))].slice(0, maxHeld);
  return { holds: String(others.length), calls: listed.join(', ') };
}

const spanOf = ({ module, start, end }: Change): Span => ({ file: module.file, start, end });

function distinct(changes: readonly Change[]): Change[] {
  const byKey = new Map<string, Change>();
  for (const change of changes) byKey.set(`${keyOf(change)}:${change.text}`, change);
  return [...byKey.values()];
}

interface Whole {
  readonly groups: Groups;
  readonly refused: ReadonlyMap<string, FindingCode>;
}

/**
 * Everything that one request changes goes together, and so does everything that meets in one change.
 * @param isBound whether a mock goes with the requests that it is about
 */
function groupsOf(ours: readonly RequestSite[], isBound: (site: RequestSite) => boolean): Groups {
  const groups = new Groups();
  const changed = changedCalls(ours);
  const first = new Map<Node, string>();
  const followed = new Map<readonly RequestSite[], string | undefined>();
  // Many mocks follow the same requests, which are one group from the first of them on.
  const keyOfAll = (sites: readonly RequestSite[]): string | undefined => {
    if (followed.has(sites)) return followed.get(sites);
    const keys = sites.flatMap(({ changes: [own], request }) => own ?? changed.get(request.call) ?? []).map(keyOf);
    groups.join(keys);
    followed.set(sites, keys[0]);
    return keys[0];
  };
  for (const site of ours) {
    const { request, changes, follows } = site;
    const all = follows === undefined || !isBound(site) ? undefined : keyOfAll(follows);
    const keys = [...changes.map(keyOf), ...(all === undefined ? [] : [all])];
    // The ways to one call are one call; of what a mock looks up, each row goes with the requests that it is about, and others with the first.
    const before = request.isMock && (follows?.length ?? 0) > 0 ? undefined : first.get(request.call);
    groups.join(before === undefined ? keys : [before, ...keys]);
    if (keys[0] !== undefined) first.set(request.call, keys[0]);
  }
  return groups;
}

/** What changes with each call: what a mock follows was found before the settings that tests give a call. */
const changedCalls = (ours: readonly RequestSite[]): ReadonlyMap<Node, Change> =>
  new Map(ours.flatMap(({ request, changes: [first] }) => (request.isMock || first === undefined ? [] : [[request.call, first] as const])));

const lineOf = ({ module, node }: Pick<Problem, 'module' | 'node'>): string => `${module.file}:${module.position(node.start).line}`;

/** A mock that stays as something else does, named by the endpoint that it is about. */
function heldBy(site: RequestSite, by: string, { verdict } = site, why: Problem['detail'] = {}): Problem {
  const { call, module } = site.request;
  const route = verdict.kind === 'ours' && verdict.endpoint !== undefined ? v1Endpoints[verdict.endpoint].path : undefined;
  return { code: 'held-elsewhere', node: call, module, detail: { name: route ?? v1Auth.field, by, ...why }, site };
}
