/** Code that sets the environment variable which a base is read from: `process.env.API_URL = '…/v1'`, as tests do it. */
import { basesPutFor, ourVersionsInTests } from '../expected/bases-in-tests.ts';
import type { HostsInTests } from '../expected/hosts-in-tests.ts';
import { type Bases, routeHeads } from './routes.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Node } from '../../syntax/tree.ts';
import { startsApplications } from '../../clients/testing/libraries.ts';
import { runsTests } from '../../clients/testing/declared-tests.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isOption, settingOf, textsSetIn, variablesSetIn } from '../../evaluate/settings/variables-set.ts';
import { flat, literalText, unknownPart } from '../../evaluate/values/text.ts';
import { optionsOf, type Part, partsOf, type Value } from '../../evaluate/values/values.ts';
import { choicesOf, movedText } from './choices.ts';
import { envOf, takesVersion } from './environment.ts';
import type { Reach } from '../expected/reached.ts';
import { changesByPlace } from '../changes/changes-by-place.ts';
import { type RequestSite, touchedBy } from '../request-sites.ts';
import { type Change, urlChanges } from '../changes/spans.ts';
import { isMadeUp } from './hosts.ts';
import { prefixVerdict } from '../verdicts.ts';
import { type Range, versionAlone } from '../verdict.ts';

/**
 * @param staying servers of tests that stay as they are: so does what is set to their address
 * @returns the sites, those whose variable is set to a base of ours, or by a test to a server of its own, with what changes there
 */
export function withSetVariables(
  ev: Evaluation,
  sites: readonly RequestSite[],
  bases: Bases,
  reach: Pick<Reach, 'isOfTests' | 'byFile'>,
  hosts: HostsInTests,
  staying: ReadonlySet<SourceModule>,
): RequestSite[] {
  const given = changesOfBases(ev, bases, reach, hosts, staying);
  return withVariables(ev, sites, bases, reach, hosts, staying).map((site) => {
    const changes = given(site);
    return changes.length === 0 ? site : { ...site, changes: [...site.changes, ...changes] };
  });
}

function withVariables(
  ev: Evaluation,
  sites: readonly RequestSite[],
  bases: Bases,
  { isOfTests }: Pick<Reach, 'isOfTests'>,
  hosts: HostsInTests,
  staying: ReadonlySet<SourceModule>,
): RequestSite[] {
  const named = sites.map((site) => ({ site, variable: variableOf(site) }));
  const names = new Set(named.flatMap(({ variable }) => variable?.name ?? []));
  const versions = new Set(sites.flatMap((site) => site.versions.map(({ name }) => name)));
  const options = new Set(sites.flatMap(optionsSetFor));
  if (names.size === 0 && versions.size === 0 && options.size === 0) return [...sites];
  const ours = changesByName(ev, names, (url) => ourBase(url, bases), bases);
  const ofVersions = changesByName(ev, versions, (url) => ({ version: versionAlone(url), base: undefined }), bases);
  const answered = new Set(
    sites.flatMap(({ request, verdict }) => (request.isMock && verdict.kind === 'ours' ? originIn(request.url ?? []) : [])),
  );
  const ofTests = changesInTests(ev, new Set([...names, ...options]), bases, isOfTests, { staying, answered, hosts });
  // Where somebody else is asked there, too, nobody can tell whose the address is.
  const ofOptions = changesByPlace([...options].flatMap((option) => ofTests.get(option) ?? []));
  const ofOthers = new Set(sites.flatMap((site) => (site.verdict.kind === 'ours' ? [] : touchedBy(site, ofOptions))));
  return named.map(({ site, variable }) => {
    const { name = '', holdsVersion = false } = variable ?? {};
    const changes = [
      ...(ours.get(name) ?? []),
      ...(holdsVersion ? (ofTests.get(name) ?? []) : []),
      ...optionsSetFor(site).flatMap((option) => (ofTests.get(option) ?? []).filter((change) => !ofOthers.has(change))),
      ...site.versions.flatMap((version) => ofVersions.get(version.name) ?? []),
    ];
    return changes.length === 0 ? site : { ...site, changes: [...site.changes, ...changes] };
  });
}

/** The options of a command line that may give a request of ours another base, with the version. */
const optionsSetFor = ({ verdict, given }: RequestSite): string[] =>
  verdict.kind === 'ours' ? given.flatMap(({ name, holdsVersion }) => (holdsVersion && isOption(name) ? name : [])) : [];

/** The variable that a request of ours begins with. */
export function variableOf(site: RequestSite): { readonly name: string; readonly holdsVersion: boolean } | undefined {
  const { verdict, request, variable } = site;
  if (verdict.kind !== 'ours') return undefined;
  const own = envOf(request.url?.[0]);
  if (own !== undefined) return { name: own.name, holdsVersion: takesVersion(site) };
  return variable && { name: variable.value.name, holdsVersion: variable.holdsVersion };
}

function changesByName(
  ev: Evaluation,
  names: ReadonlySet<string>,
  placesIn: (url: readonly Part[]) => Parameters<typeof urlChanges>[1],
  bases: Bases,
): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  for (const module of ev.world.modules.values()) {
    for (const node of module.texts) {
      const name = node.kind === 'string' ? settingOf(node) : undefined;
      if (node.kind !== 'string' || name === undefined || !names.has(name)) continue;
      // What an app of PM2 has that runs a package, say, is read as a setting, and stays.
      if (bases.setForOthers?.get(module.file)?.has(node.start + 1) === true) continue;
      const url = partsOf(literalText(node, module));
      add(found, name, urlChanges(url, placesIn(url), bases).changes);
    }
    // `${HOST}/v1`: with the version in it, and nothing of what it is put together of.
    for (const { name, node, value } of variablesSetIn(ev, module, names)) {
      if (node.kind !== 'template' && node.kind !== 'concat') continue;
      const url = partsOf(value);
      const { changes } = urlChanges(url, placesIn(url), bases);
      if (changes.every((change) => isWithin(change, node, module))) add(found, name, changes);
    }
  }
  // What a schema allows is made of them as they are set, unless it has the new one beside it.
  for (const { name, node, module, others } of choicesOf(ev.world, names)) {
    for (const text of textsOf(ev.evaluate(node, { module, frame: undefined }))) {
      const url = partsOf(text);
      const { changes } = urlChanges(url, placesIn(url), bases);
      if (!others.has(movedText(flat(url), startOf(url), changes))) add(found, name, changes);
    }
  }
  return found;
}

const textsOf = (value: Value): Value[] =>
  optionsOf(value)
    .flatMap((each) => (each.type === 'list' ? each.items.flatMap(optionsOf) : each))
    .filter(({ type }) => type === 'text');

/** Where a text begins in its file. */
function startOf([first]: readonly Part[]): number {
  return first !== undefined && 'text' in first ? (first.source?.start ?? 0) : 0;
}

const ourBase = (url: readonly Part[], bases: Bases): Parameters<typeof urlChanges>[1] => {
  const verdict = prefixVerdict(url, bases);
  if (verdict.kind === 'ours') return verdict;
  // Without the version it is another address where v2 has another host.
  const isOther = verdict.kind === 'passes-on' && bases.v2 !== undefined;
  return { version: undefined, base: isOther ? { start: 0, end: flat(url).replace(/\/$/, '').length } : undefined };
};

const add = (found: Map<string, Change[]>, name: string, changes: readonly Change[]): void =>
  void found.set(name, [...(found.get(name) ?? []), ...changes]);

/** An address that a test has a request of ours go to. */
export interface SentTo {
  readonly origin: string;
  /** The test that does so; undefined where others may. */
  readonly module: SourceText | undefined;
  /** Whether nobody is asked there, but what the test has in that place; undefined where it is said of one client that the test makes, which may be of another service. */
  readonly isAnswered: boolean | undefined;
}

/** Where requests go as tests set their variable, or put something in the place of what holds their base: to a host that nobody has, say, or the machine itself. */
export function hostsSentTo(
  ev: Evaluation,
  sites: readonly RequestSite[],
  { setToStandIn, v1 }: Bases,
  reach: Pick<Reach, 'isOfTests' | 'byFile'>,
  hosts: HostsInTests,
): (site: RequestSite) => readonly SentTo[] {
  const sentTo = (url: readonly Part[], module: SourceText): SentTo[] => {
    const origin = originIn(url);
    if (origin === undefined || v1.some((base) => new URL(base).origin === origin)) return [];
    const isSetForAll = standInOrigin(url, v1) !== undefined || !runsTests(module.text);
    return [{ origin, module: isSetForAll ? undefined : module, isAnswered: hosts.isAnswered(hostIn(origin), module) }];
  };
  const names = new Set(sites.flatMap((site) => variableOf(site)?.name ?? []));
  const ofFiles = (name: string): SentTo[] =>
    [...(setToStandIn?.get(name) ?? [])].map((origin) => ({ origin, module: undefined, isAnswered: true }));
  const found = new Map([...names].map((name) => [name, ofFiles(name)]));
  for (const module of names.size === 0 ? [] : ev.world.modules.values()) {
    if (!reach.isOfTests(module)) continue;
    for (const { name, value } of variablesSetIn(ev, module, names)) found.get(name)?.push(...sentTo(partsOf(value), module));
    // A table stays, and what is expected of its rows with it.
    for (const { name, value } of textsSetIn(ev, module, names))
      found.get(name)?.push(...sentTo(partsOf(value), module).map((to) => ({ ...to, isAnswered: false })));
  }
  const given = basesPutFor(ev, reach);
  return (site) => [
    ...(found.get(variableOf(site)?.name ?? '') ?? []),
    ...given(site).flatMap(({ text, module, isSetting }) => {
      const isKnown = isSetting || standInOrigin(partsOf(text), v1) !== undefined;
      return sentTo(partsOf(text), module).map((to) => (isKnown ? to : { ...to, isAnswered: undefined }));
    }),
  ];
}

/** What changes of the bases that tests put in the place of one that holds the version. */
function changesOfBases(
  ev: Evaluation,
  bases: Bases,
  reach: Pick<Reach, 'isOfTests' | 'byFile'>,
  hosts: HostsInTests,
  staying: ReadonlySet<SourceModule>,
): (site: RequestSite) => readonly Change[] {
  const given = basesPutFor(ev, reach);
  return (site) => {
    const { request, verdict } = site;
    const [first] = request.url ?? [];
    if (verdict.kind !== 'ours' || first === undefined) return [];
    const behind = ourVersionsInTests(ev, site, reach).flatMap(
      ({ text, version }) => urlChanges(partsOf(text), { version, base: undefined }, bases).changes,
    );
    const isBehind = verdict.version !== undefined && 'text' in first && verdict.version.start >= first.text.length;
    const whole = given(site).flatMap(({ text, module, isSetting }) => {
      const url = partsOf(text);
      if (hosts.isShared(hostIn(originIn(url) ?? ''), module)) return [];
      const [whole, host = ''] = ofServer.exec(flat(url)) ?? [];
      if (isBehind || whole === undefined) return changesOfBase(url, bases);
      // A server at a port that nobody knows is started there: what it is asked for is seen.
      if (host.includes(unknownPart) || isServedBy(staying, module, host)) return [];
      if (!(isSetting ? hosts.isAnswered(host, module) : isMadeUp(host, bases.v1))) return changesOfBase(url, bases);
      return urlChanges(url, { version: versionBehind(whole), base: undefined }, bases).changes;
    });
    return [...whole, ...behind];
  };
}

/** Of an address that a test gives whole, the path has to be one of v1's: of another nobody knows whether v2 has it. */
function changesOfBase(url: readonly Part[], bases: Bases): readonly Change[] {
  const base = ourBase(url, bases);
  const isBase = base.version === undefined || behindVersion.test(flat(url).slice(base.version.end));
  return isBase ? urlChanges(url, base, bases).changes : [];
}

/** Where an address of a test leads, if that is a host that nobody has, or the machine itself. */
export function standInOrigin(url: readonly Part[], bases: Bases['v1']): string | undefined {
  const origin = originIn(url);
  return origin !== undefined && isMadeUp(hostIn(origin), bases) ? origin : undefined;
}

const originIn = (url: readonly Part[]): string | undefined => /^https?:\/\/[^/?#]+/i.exec(flat(url))?.[0].toLowerCase();
const hostIn = (origin: string): string => origin.replace(/^https?:\/\//, '');

interface Servers {
  /** Those that stay as they are. */
  readonly staying: ReadonlySet<SourceModule>;
  /** The addresses that mocks answer at, and move. */
  readonly answered: ReadonlySet<string | undefined>;
  readonly hosts: HostsInTests;
}

/** What a test sets the variable to names the version of what the client asks there, as the default does. */
function changesInTests(
  ev: Evaluation,
  names: ReadonlySet<string>,
  bases: Bases,
  isOfTests: Reach['isOfTests'],
  { staying, answered, hosts }: Servers,
): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  for (const module of ev.world.modules.values()) {
    if (!isOfTests(module)) continue;
    for (const { name, node, value } of variablesSetIn(ev, module, names)) {
      const url = partsOf(value);
      const [whole, host] = ofServer.exec(flat(url)) ?? [];
      if (whole === undefined || (host !== undefined && !hosts.isAnswered(host, module)) || isServedBy(staying, module, host)) continue;
      // Who answers what is set for all tests, these need not show.
      if (!isTest(module) && !startsApplications.test(module.file) && !answered.has(originIn(url))) continue;
      const { changes } = urlChanges(url, { version: versionBehind(whole), base: undefined }, bases);
      // Text that stands elsewhere may be used for more, unless it is a constant of tests.
      const isOwn = (change: Change): boolean =>
        node.kind === 'name' || isOption(name) ? isOfTests(change.module) : isWithin(change, node, module);
      add(found, name, changes.filter(isOwn));
    }
  }
  return found;
}

const isWithin = (change: Change, { start, end }: Node, module: SourceModule): boolean =>
  change.module === module && start <= change.start && change.end <= end;

/** Whether one of some servers listens at a port, or stands beside what does not name any. */
function isServedBy(servers: ReadonlySet<SourceModule>, module: SourceModule, host: string | undefined): boolean {
  const port = /:(\d+)$/.exec(host ?? '')?.[1];
  return port === undefined ? servers.has(module) : [...servers].some(({ text }) => new RegExp(`\\b${port}\\b`).test(text));
}

/** The address of a server up to the version of v1, behind which nothing stands, or one of its routes. */
const routesBehind = routeHeads.map((head) => head.slice('/v1'.length)).join('|');
const nothingElse = String.raw`/*$|(?:${routesBehind})(?:[/?#]|$)`;
const behindVersion = new RegExp(`^(?:${nothingElse})`);
const ofServer = new RegExp(String.raw`^(?:https?://([^/?#]*)|${unknownPart})/v1(?=${nothingElse})`, 'i');
const versionBehind = ({ length: end }: string): Range => ({ start: end - 2, end });
