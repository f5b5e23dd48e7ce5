/** Every suspicious literal ends in exactly one state. */
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import { isTemplate } from '../../clients/http/frameworks/angular.ts';
import { isHeaderOfContract } from '../../clients/contracts.ts';
import { isCaptured } from '../../clients/testing/expected/captured.ts';
import { isOfNginx } from '../../engines/nginx.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import { mockIn } from '../../evaluate/language/comparisons.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { type Bases, namingOurs, routeHeads } from '../../verdict/bases/routes.ts';
import type { Finding, FindingCode, LedgerEntry } from '../../model.ts';
import { memo, once } from '../../once.ts';
import type { FunctionNode, Node } from '../../syntax/tree.ts';
import { besideMoved } from './path-tables.ts';
import { accountedBy, besideDecisions, openBaseBeside } from './accounted.ts';
import { besideLeft } from './beside-left.ts';
import { type State, changedState, entryFor, messageDetail, namesLeft, notReportedBy, placeIn, versionsLeft } from './ledger-entry.ts';
import { isV2Alone, isVersionAlone, oldTypes } from '../answers/old-types.ts';
import type { Escape } from '../escapes.ts';
import { isRun } from './commands.ts';
import { composedPaths } from '../paths/composed-paths.ts';
import { chains } from './call-chains.ts';
import { clientFiles } from './client-files.ts';
import { commentsOn } from './comments.ts';
import { keptFor } from '../headers/reads/kept-keys.ts';
import { expensiveAround, expensiveIn, isSentToOther } from './expensive-calls.ts';
import { isGuardedForOthers } from './guarded-headers.ts';
import { besideIn, isHelp, leadingTo } from './help-texts.ts';
import { spokenIn } from './page-texts.ts';
import { expectedAddresses } from '../paths/expected-addresses.ts';
import { isAskedOfOwn } from '../servers/asked-of-own.ts';
import { isToldOfOwn } from '../servers/told-of-own.ts';
import { letInBeside } from '../servers/let-in.ts';
import { servedIn } from '../servers/own-routes.ts';
import { isRouteOfPage } from '../servers/page-routes.ts';
import { addressesOfOthers, isForOthers } from '../calls/foreign-variables.ts';
import { isSaidOfBoth } from '../headers/lists/both-headers.ts';
import { openPlaces } from './reach.ts';
import { passedOn } from '../flow/addresses/passed-on.ts';
import { askedBeside, holdersIn, isExpected, isRepeated, isSnapshot, isTitle, movedBeside, snapshotOf } from '../paths/repeats.ts';
import type { NamedAtStandIns } from '../servers/stand-in-servers.ts';
import { namesReadByServers } from '../headers/lists/own-names.ts';
import { besidePath, isGivenByName, setsHeader } from '../headers/hooks/given-headers.ts';
import {
  isOfBase,
  isOfRequest,
  isOurPattern,
  isPatternOfOthers,
  isRequestLine,
  isRoute,
  isRuleOfOurs,
  isTableRow,
  type Suspicious,
  suspicious,
  textIn,
} from './suspicious.ts';
import { asksOwnServer } from '../../clients/testing/libraries.ts';
import { isTest, runsTests } from '../../evaluate/libraries/test-files.ts';
import { placesOf, type RequestSite } from '../../verdict/request-sites.ts';
import { type ChangesByPlace, changesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import {
  holdsOurs,
  isAboutOurs,
  isForeignAddress,
  isOfOtherService,
  isOurAddress,
  isWrittenRequest,
  mentionsOurs,
  speaksOfOurs,
} from './texts-of-ours.ts';
import { askedOfStatement } from '../statements.ts';
import { withHeadersBeside } from './headers-beside.ts';
import { heldBeside } from './held-beside.ts';
import { versionsBesideBases } from './versions-beside.ts';
import type { CallGraph } from '../../requests/call-graph.ts';

export function ledgerOf(
  ev: Evaluation,
  { expensive }: Pick<CallGraph, 'expensive'>,
  sites: readonly RequestSite[],
  changes: ChangesByPlace,
  refusedFor: (change: Change) => FindingCode | undefined,
  isCandidate: (file: string) => boolean,
  bases: Bases,
  reported: readonly Pick<Escape, 'node' | 'code'>[],
  standIns: NamedAtStandIns,
): { readonly entries: LedgerEntry[]; readonly findings: Finding[] } {
  const foreign = new Map<Node, 'other-host'>();
  const person = new Map<Node, FindingCode>(reported.flatMap(({ node, code }) => (code === undefined ? [] : [[node, code]])));
  const openIn = new Map<FunctionNode, FindingCode>();
  // Where the key goes to an address of which nothing is known: a path of v1 beside it may be that one's.
  const keyed = new Set<FunctionNode | undefined>();
  for (const site of sites) {
    const { verdict } = site;
    const isForeign = verdict.kind === 'foreign' && verdict.hasLogin !== true;
    const code = isForeign ? undefined : openCodes[verdict.kind];
    const caller = code && functionAround(site.request.call);
    if (caller !== undefined && code !== undefined) openIn.set(caller, code);
    if (caller !== undefined && verdict.kind === 'unproven' && site.keys.length > 0) keyed.add(caller);
    for (const { node } of accountedBy(site)) {
      if (isForeign) foreign.set(node, 'other-host');
      else if (code !== undefined) person.set(node, code);
    }
  }
  const isGivenByPath = besideDecisions(reported);
  // What some request uses is reported with the request.
  const consumed = new Set(sites.flatMap((site) => accountedBy(site).map(({ node }) => node)));
  const moved = changesByPlace(changes.all.filter((change) => refusedFor(change) === undefined));
  const onV2 = sites.filter(isOnV2);
  // What a run tells beside the calls that it moves, the next one tells beside those that it moved.
  const isAnyMoved = moved.all.length > 0 || onV2.length > 0;
  const speaksOfUs = memo((module: SourceModule) => speaksOfOurs(module, bases));
  const isBesideMoved = besideMoved(moved, onV2.length > 0);
  // What a server in front says of v1 is no text of a program that calls something else; it may say the same of v2, or be included by others.
  const isServer = memo(
    ({ tree, text }: SourceModule): boolean =>
      isOfNginx(tree.program) && (isAnyMoved || namingOurs(bases)(text) || !text.includes('proxy_pass')),
  );
  const isOfServer = ({ module, start, end }: Suspicious): boolean =>
    isServer(module) && !isBesideV2(module.text, module.text.slice(start, end));
  const isPassedOn = passedOn(sites, bases);
  const isLoose = (literal: Suspicious): boolean =>
    isOurAddress(literal.node, bases) ||
    isPassedOn(textIn(literal.node)) ||
    isBesideMoved(literal) ||
    isOfServer(literal) ||
    isWrittenRequest(literal, bases) ||
    (isTemplate(literal.node) && sites.some(({ verdict }) => /^(?:ours|v2|dynamic-path)$/.test(verdict.kind))) ||
    (isAnyMoved && mentionsOurs(literal.node, bases));
  const isMoved = (site: RequestSite): boolean =>
    site.verdict.kind === 'v2' || site.changes.some((change) => refusedFor(change) === undefined);
  const namesRead = once(() => namesReadByServers(ev));
  const isFaked = sites.some((site) => site.isForStandIn === true && isMoved(site));
  const isAtOthers = addressesOfOthers(sites);
  const movedFiles = new Set([...moved.all, ...onV2.flatMap(placesOf)].map(({ module }) => module.file));
  const isKept = keptFor(sites, isMoved, bases);
  const isLeading = leadingTo(ev.world, movedFiles);
  const isBeside = besideIn(ev.world, movedFiles);
  /** Of tests, and of what these are helped by. */
  const isRunning = (module: SourceModule): boolean => isAnyMoved && isTest(module) && isBeside(module);
  /** What a test has for requests that it runs: a mock may look its answers up by it. */
  const isOfTest = ({ node, module, start, end }: Suspicious): boolean => {
    if (!(isRequestLine(node) || isOfRequest(node)) || isTitle(node) || !isRunning(module)) return false;
    return !saysV2(node, module) || !isBesideV2(writtenAround(node, module), module.text.slice(start, end));
  };
  /** What a test kept of requests that it ran, of ours among others. */
  const isOfCaptured = ({ node, module }: Suspicious): boolean => {
    const actual = snapshotOf(node);
    const at = { ev, module, frame: undefined };
    const isOfMock = (each: Node): boolean => mockIn(ev.evaluate(each, at)) !== undefined;
    const isOfRequests = (each: Node): boolean => isCaptured(each, at) || isOfMock(each);
    // `fetch.mock.calls.map(([url]) => new URL(url).pathname)`: what is made of them.
    return actual !== undefined && isTest(module) && isLeading(module) && [actual, ...holdersIn(actual)].some(isOfRequests);
  };
  /** What a test reads of each request that it recorded: `calls.map((call) => call.headers['x-api-key'])`. */
  const isOfRecord = (literal: Suspicious): boolean =>
    isHeaderName(literal) && isRead(literal.node) && isRunning(literal.module) && !asksOwnServer(literal.module.text);
  const mocking = new Set(sites.flatMap((site) => (site.request.isMock && isMoved(site) ? site.request.module.file : [])));
  const isMovedBeside = movedBeside(moved.all);
  const isAskedBeside = askedBeside(sites.filter((site) => !site.request.isMock && isMoved(site)));
  const isOfOthersHeader = (literal: Suspicious): boolean => isHeaderName(literal) && isGuardedForOthers(literal.node, bases);
  // What a test that puts its own in the place of `fetch` has its answers from.
  const isFilling = memo((module: SourceModule): boolean => {
    const isHelping = leadingTo(ev.world, new Set([module.file]));
    return (
      !runsTests(module.text) &&
      [...ev.world.modules.values()].some((each) => isTest(each) && stubsFetch.test(each.text) && isHelping(each))
    );
  });
  // What it expects of requests, it may have from helpers that keep these; of routes that the program has, it may expect the same.
  const left = once(
    () =>
      new Set(
        [...ev.world.modules.values()]
          .filter((module) => !isTest(module))
          .flatMap((module) => suspicious(module).filter((literal) => changedState(literal, changes, refusedFor) === undefined))
          .map(({ node }) => textIn(node)),
      ),
  );
  const isOfHelper = ({ node, module }: Pick<Suspicious, 'node' | 'module'>): boolean =>
    isExpected(node, module) && !asksOwnServer(module.text) && !left().has(textIn(node));
  const isOpen = openPlaces(
    ev,
    bases,
    (place) =>
      isPathOf(place.node) &&
      isRunning(place.module) &&
      (stubsFetch.test(place.module.text) || isFilling(place.module) || isOfHelper(place)),
  );
  const isLetIn = letInBeside(sites, bases);
  const isOfClient = clientFiles(ev, moved, sites, onV2);
  const chainAround = chains();
  const theirs = new Set([...foreign.keys()].map((node) => chainAround(node)));
  // Path and header of one call are one place to look at.
  const named = new Set<Node>();
  const leftBeside = besideLeft(sites, moved, chainAround);
  const openBase = openBaseBeside(sites, chainAround);
  const stateOf = (node: Node): State => {
    const other = foreign.get(node);
    const isTold = other === undefined && (person.has(node) || chainAround(node).kind !== 'call');
    const ours = isTold ? undefined : openBase(node);
    if (ours !== undefined) return ['person', ours];
    if (other !== undefined) return ['foreign', other];
    const open = person.get(node) ?? leftBeside(node);
    return open === undefined ? ['foreign', 'no-call'] : ['person', open];
  };
  const entries: LedgerEntry[] = [];
  const findings: Finding[] = [];
  const unconsumed: Suspicious[] = [];
  const report = (code: FindingCode, entry: LedgerEntry, literal: Suspicious, detail: Finding['detail'] = {}): void => {
    entries.push(entryFor(literal, ['person', code]));
    findings.push({
      code,
      ...placeIn(entry, literal.module, code),
      detail: isBesideKey(literal.node, literal.module) ? detail : messageDetail(code, literal, detail),
    });
    named.add(chainAround(literal.node));
    if (code === 'unconsumed') unconsumed.push(literal);
  };
  /** An expectation that names a key which stays would be half of v1 and half of v2. */
  const isBesideKey = askedOfStatement(
    (text, { start, end }, module) =>
      text.toLowerCase().includes(v1Auth.field) &&
      !moved.at(module, start, end).some(({ what, start: at }) => what === 'header name' && start <= at && at < end),
  );
  // Where an address of ours is given to something that nobody knows, so may the header be.
  const unseen: { readonly entry: LedgerEntry; readonly literal: Suspicious }[] = [];
  let isAskedUnseen = false;
  const dear = new Set<SourceModule>();
  // Messages repeat each other.
  const speaking = new Set<SourceModule>();
  const mention = (entry: LedgerEntry, literal: Suspicious): void => {
    if (!isHelp(literal.node) && speaking.has(literal.module)) return void entries.push(entryFor(literal, ['person', 'mentioned']));
    speaking.add(literal.module);
    report('mentioned', entry, literal);
  };
  for (const module of ev.world.modules.values()) {
    if (!isCandidate(module.file)) {
      // A form or a schema that asks for a base of v1 would refuse that of v2, and need hold nothing else of it.
      // So does a test that cuts the version off: `url.split('/v1')[1]`.
      const isNear = isRunning(module);
      for (const literal of isAnyMoved ? suspicious(module).filter(({ node }) => isNear || isOfBase(node)) : [])
        if (isRepeated(literal.node, module) && changedState(literal, changes, refusedFor) === undefined)
          report('repeats-path', entryFor(literal, ['foreign', 'no-call']), literal);
      continue;
    }
    const served = servedIn(ev, module);
    const isOfFake = (literal: Suspicious): boolean => {
      const { node } = literal;
      if (consumed.has(node) || standIns.isOther(node, module)) return false;
      if (standIns.isNamed(node, module)) return true;
      // Beside a mock that moves, what reads the key may well be given to that.
      if (
        (mocking.has(module.file) || (isAnyMoved && isTest(module) && stubsFetch.test(module.text))) &&
        isHeaderName(literal) &&
        served.has(node)
      )
        return true;
      return isFaked && isTest(module) && !isAtOthers(node) && (!served.has(node) || module.text.includes('createServer'));
    };
    for (const literal of suspicious(module)) {
      const call = expensiveAround(literal, expensive);
      const entry = entryFor(literal, changedState(literal, changes, refusedFor) ?? stateOf(literal.node));
      isAskedUnseen ||= entry.reason === 'base-not-proven' && !isTest(module) && isOurAddress(literal.node, bases);
      if (standIns.isExpectedKey(literal.node, module)) report('reads-header', entry, literal, { how: 'test' });
      else if (entry.reason !== 'no-call') entries.push(entry);
      else if (isHeaderName(literal) && isGivenByPath(literal.node)) entries.push(entryFor(literal, ['person', 'decides-by-path']));
      else if (isAnyMoved && isSnapshot(literal.node) && (isOfFake(literal) || isLoose(literal) || isOfCaptured(literal)))
        report('repeats-path', entry, literal, { how: 'snapshot' });
      else if (isOfFake(literal)) report(isHeaderName(literal) ? 'reads-header' : 'repeats-path', entry, literal);
      else if (
        (served.has(literal.node) || (isHeaderName(literal) && namesRead().has(literal.node))) &&
        !isOurAddress(literal.node, bases)
      ) {
        if (isOfRecord(literal)) report('reads-header', entry, literal, { how: 'test' });
        else entries.push({ ...entry, reason: 'own-server' });
      } else if (isLetIn(literal.node, module) || isToldOfOwn(literal.node, module, bases) || isAskedOfOwn(ev, literal))
        entries.push({ ...entry, reason: 'own-server' });
      else if (consumed.has(literal.node) || isSaidOfBoth(literal.node, module) || isRouteOfPage(literal.node, module)) entries.push(entry);
      else if (isPatternOfOthers(literal.node, bases)) entries.push({ ...entry, reason: 'other-host' });
      else if (isRuleOfOurs(literal.node, module, bases)) report('repeats-path', entry, literal, { how: 'let through', path: '/v1/' });
      else if (call !== undefined && isSentToOther(literal, bases, ev.world)) entries.push({ ...entry, reason: 'other-host' });
      else if (call !== undefined && !isForeignAddress(literal.node, bases)) {
        // What a test does and was too much is mostly so as a whole.
        if (isTest(module) && dear.has(module)) entries.push(entryFor(literal, ['person', 'too-complex']));
        else report('too-complex', entry, literal, expensiveIn(ev, { node: call, module }));
        dear.add(module);
      } else if (isOurPattern(literal.node, bases) || (isAboutOurs(literal, bases) && isRepeated(literal.node, module, true)))
        report('repeats-path', entry, literal);
      else if ((isAnyMoved || speaksOfUs(module)) && isRepeated(literal.node, module) && !isForeignAddress(literal.node, bases))
        report('repeats-path', entry, literal);
      else if (isAnyMoved && served.size === 0 && isKept(literal) && isLeading(module)) report('repeats-path', entry, literal);
      else if (
        isTest(module) &&
        isExpected(literal.node, module) &&
        [isMovedBeside, isAskedBeside].some((isBeside) => isBeside(textIn(literal.node), module))
      )
        report('repeats-path', entry, literal);
      else if (isOfOtherService(literal.node, bases) || isForOthers(literal.node, ev.world, sites) || isOfOthersHeader(literal))
        entries.push({ ...entry, reason: 'other-host' });
      else if (isRun(ev, literal.node, textIn(literal.node), module) && (isLoose(literal) || holdsOurs(ev, literal, bases)))
        report('unconsumed', entry, literal, { how: 'run' });
      else if (isHeaderOfContract(literal.node, module) && movedFiles.has(module.file))
        report('old-type', entry, literal, { how: 'schema' });
      else if (isLoose(literal)) {
        isAskedUnseen ||= !isTest(module) && isOurAddress(literal.node, bases);
        report('unconsumed', entry, literal);
      } else if (holdsOurs(ev, literal, bases)) report('mentioned', entry, literal);
      else if (
        isAnyMoved &&
        isSentence(literal) &&
        told.test(textIn(literal.node)) &&
        isExpected(literal.node, module) &&
        isLeading(module)
      )
        report('repeats-path', entry, literal);
      else if (isOfTest(literal)) report('repeats-path', entry, literal);
      else if (theirs.has(chainAround(literal.node))) entries.push({ ...entry, reason: 'other-host' });
      else if (isSentence(literal) && isOfClient(module, literal.node)) mention(entry, literal);
      else if (!isOpen(literal) && setsHeader(ev, literal, bases)) unseen.push({ entry, literal });
      else if (!isOpen(literal) && !(isRoute(literal.node) && keyed.has(functionAround(literal.node)))) entries.push(entry);
      else if (!isPathOf(literal.node) && named.has(chainAround(literal.node))) entries.push(entryFor(literal, ['person', 'unconsumed']));
      else report('unconsumed', entry, literal);
    }
  }
  const placed = new Set(entries.map(({ file, start }) => `${file} ${start}`));
  for (const literal of composedPaths(ev, sites, bases))
    if (!placed.has(`${literal.module.file} ${literal.start}`)) report('unconsumed', entryFor(literal, ['person', 'unconsumed']), literal);
  const beside = [...versionsBesideBases(ev, bases, consumed), ...heldBeside(ev, unconsumed, bases, placed)];
  for (const literal of new Map(beside.map((each) => [each.node, each])).values())
    if (!consumed.has(literal.node) && changedState(literal, changes, refusedFor) === undefined)
      report('unconsumed', entryFor(literal, ['person', 'unconsumed']), literal);
  for (const literal of expectedAddresses(ev, [...ev.world.modules.values()].filter(isRunning), sites, isMoved, bases))
    if (!placed.has(`${literal.module.file} ${literal.start}`) && !consumed.has(literal.node))
      report('repeats-path', entryFor(literal, ['person', 'repeats-path']), literal);
  for (const { entry, literal } of unseen) {
    if (!isAskedUnseen) entries.push(isGivenByName(literal.node) ? { ...entry, sentUnseen: besidePath(literal.node) } : entry);
    else if (named.has(chainAround(literal.node))) entries.push(entryFor(literal, ['person', 'unconsumed']));
    else report('unconsumed', entry, literal);
  }
  entries.push(...versionsLeft(entries, changes, refusedFor), ...namesLeft(sites, changes, refusedFor));
  const modules = [...ev.world.modules.values()];
  const isVersionMoved = moved.all.some(isVersionAlone);
  const withVersions = isVersionMoved || onV2.some((site) => placesOf(site).some(({ node }) => isV2Alone(node)));
  if (changes.all.length > 0 || onV2.length > 0)
    findings.push(
      ...modules.flatMap((module) => oldTypes(module, bases, withVersions, isVersionMoved)),
      ...spokenIn(ev, bases).filter(notReportedBy(findings)),
    );
  if (isAnyMoved) {
    const movedIn = new Set([...moved.all, ...onV2.flatMap(placesOf)].map(({ module }) => module));
    findings.push(...commentsOn(ev, bases, movedIn, isOfClient));
  }
  const codeOf = (node: Node): FindingCode | undefined => (named.has(chainAround(node)) ? 'unconsumed' : undefined);
  return { entries: withHeadersBeside(entries, modules, codeOf, openIn), findings };
}

/** A test puts its own in the place of `fetch`. */
const stubsFetch =
  /\bstubGlobal\(\s*['"`]fetch\b|\b(?:globalThis|global|window|self)\.fetch\s*=(?!=)|\b(?:spyOn|method|stub|replace)\(\s*\w+,\s*['"`]fetch\b/;

const isOnV2 = ({ verdict, request }: RequestSite): boolean => verdict.kind === 'v2' && !request.isMock;

/** A text with the header or a route that is read by people: no name, no list of names, and nothing about another's address. */
function isSentence({ node }: Suspicious): boolean {
  const text = textIn(node).trim();
  if (!/\s/.test(text) || /https?:\/\//.test(text)) return false;
  if (told.test(text)) return true;
  return text.toLowerCase().includes(v1Auth.field) && !/^[\w-]+(?:\s*,\s*[\w-]+)*$/.test(text);
}

/** `PUT /v1/contacts/… answered 500` */
const told = new RegExp(`(?:^|[\\s(\`])(?:${routeHeads.join('|')})(?![\\w-])`);

/** Each path is to be changed, in a table of answers, too. */
const isPathOf = (node: Node): boolean => isRoute(node) || (node.kind === 'property' && isTableRow(node));

const writtenAround = askedOfStatement((text) => text);
/** What says nothing of v2 has nothing of it beside v1, whichever of its lines is asked about. */
const saysV2 = askedOfStatement((text) => text.includes('/v2'));
const isBesideV2 = (text: string, said: string): boolean => said.includes('/v1') && text.includes(said.replace('/v1', '/v2'));

const isHeaderName = ({ node }: Suspicious): boolean =>
  (node.kind === 'string' && isKeyHeader(node.value)) || (node.kind === 'patternProperty' && isKeyHeader(node.name));

/** `headers['x-api-key']`, `{ 'x-api-key': key }` as a pattern: no name that something is given under. */
const isRead = (node: Node): boolean => node.kind === 'patternProperty' || node.parent?.kind === 'member';

/** What is said of a call that is not moved for what it is, and of all that it is made of. */
const openCodes: Partial<Record<Verdict['kind'], FindingCode>> = {
  foreign: 'authorization-present',
  unproven: 'base-not-proven',
  'unknown-route': 'unknown-route',
  'dynamic-path': 'dynamic-path',
};
