/** The plan for one file that is no script: what a reader found in it, on the road that the requests of scripts take. */
import type { Call, Edit, Finding, FindingCode, LedgerEntry } from '../model.ts';
import type { Left, VariableUse } from '../uses-between-components.ts';
import { type Ask, asksOf } from '../escape/calls/asks.ts';
import { type LocalAsk, localAsksOf } from '../escape/servers/local-asks.ts';
import { oldKeys } from '../escape/headers/old-keys.ts';
import { adviceInText } from '../escape/text-advice.ts';
import { contributedPassages, describedPassages } from '../escape/ledger/described-passages.ts';
import { type Passage, passagesIn } from '../escape/ledger/passages.ts';
import { explainedEndings } from '../escape/ledger/explained-endings.ts';
import { setAsideSettings } from '../escape/ledger/set-aside-settings.ts';
import type { FileKind } from '../find/kinds.ts';
import { type Problem, problemsOf } from '../escape/problems.ts';
import { notReportedBy, type State } from '../escape/ledger/ledger-entry.ts';
import { letThrough } from '../escape/paths/let-through.ts';
import { isOfOther } from '../escape/ledger/settled-calls.ts';
import type { Accounted } from '../escape/ledger/text-facts.ts';
import { placesIn, textLedger } from '../escape/ledger/text-ledger.ts';
import { readsWithin } from '../escape/calls/variable-readers.ts';
import { firstBehind } from '../formats/text.ts';
import { pollsOf } from '../escape/limits/text-polling.ts';
import { isOfImage, isOfProduction, isTemplate } from '../find/packages/production-files.ts';
import type { ReadFile } from '../formats/reader.ts';
import type { ParseFault, Reading } from '../formats/reading.ts';
import { formats } from '../formats/registry.ts';
import type { CandidateCall, HeldAddress } from '../verdict/bases/candidates.ts';
import { type ChangesByPlace, changesByPlace } from '../verdict/changes/changes-by-place.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import { flat, unknownPart } from '../evaluate/values/text.ts';
import { envOf, environmentOf } from '../verdict/bases/environment.ts';
import { allowedAt, allowLines, exempted, findingOf, ignoredAt, saidAt } from '../verdict/directive-comments.ts';
import { type RequestSite, touchedBy } from '../verdict/request-sites.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { withoutDoubtful } from './candidates/doubtful-versions.ts';
import { hostsIn, type HostUse, isElsewhere } from './candidates/hosts-set.ts';
import { Judgement } from './judgement.ts';
import { addressesSet, textCandidates } from './candidates/text-candidates.ts';
import { type HandedOver, handedOver, passedOn } from './texts/passed-on.ts';
import { type WrittenSite, requestSitesOf } from './written-sites.ts';

export interface TextPlan extends SetVariables {
  readonly edits: readonly Edit[];
  readonly calls: readonly Call[];
  readonly findings: readonly Finding[];
  readonly ledger: readonly LedgerEntry[];
  /** Why the file could not be read as what it is. */
  readonly failures: readonly Finding[];
  readonly variables: readonly VariableUse[];
  /** Variables of which requests take a part that changes: a version, a path, the header's name. Others may read them. */
  readonly taken: readonly VariableUse[];
  /** Places that set a variable to another service's address: they stay. */
  readonly foreign: readonly VariableUse[];
  /** Places that set a variable to what only the tool knows that runs them: `${{ secrets.API_URL }}`. */
  readonly setElsewhere: readonly VariableUse[];
  /** Places that hand such a variable to something that is not seen. */
  readonly readers: readonly VariableUse[];
  readonly handedOver: readonly HandedOver[];
  /** Variables that requests of the file take from who runs it. */
  readonly asked: ReadonlySet<string>;
  /** Whether a request is with v2 already. */
  readonly asksV2: boolean;
  readonly asks: readonly Ask[];
  readonly localAsks: readonly LocalAsk[];
  /** What would have changed, and is left. */
  readonly refused: readonly Left[];
  /** For the list of bases where none is configured. */
  readonly candidates: readonly CandidateCall[];
  readonly addresses: readonly HeldAddress[];
  /** What a document says of v1 to people. */
  readonly passages: readonly Passage[];
}

interface SetVariables {
  /** Variables that are set to one of our addresses here, and move or need not. */
  readonly envs: readonly SetVariable[];
  /** Variables set to another service here, or to a base that stays: the name alone proves nothing. A developer's own machine does not count. */
  readonly otherEnvs: readonly { readonly name: string; readonly host: string }[];
}

export interface SetVariable {
  readonly name: string;
  /** Whether paths go behind it; another is the whole address of an endpoint. */
  readonly isBase: boolean;
  /** Whether its value ends in the version, and is changed. */
  readonly holdsVersion: boolean;
  /** The address as a program gets it. */
  readonly value: string;
  /** The group of its edits; undefined where nothing of it is changed. */
  readonly group: string | undefined;
  /** Whether it is this where the program runs for its users: no template, test or pipeline sets it, and no default. */
  readonly isForProduction: boolean;
  /** Whether that is what an image has. */
  readonly isOfImage: boolean;
}

export function analyseText(read: ReadFile, bases: Bases): TextPlan {
  const { kind, source, reading } = read;
  const { namesHeaders, isExample } = formats[kind];
  allowLines(source, bases.allowed?.get(source.file));
  const [written, doubtful] = withoutDoubtful(requestSitesOf(reading, bases), reading, kind, bases);
  const sites = written.map(({ site }) => site);
  const judgement = new Judgement(sites);
  const changes = changesByPlace(judgement.changes);
  const problems = reportedAsOne([
    ...ownProblems(written, changes),
    ...passedOn(reading, written, changes),
    ...looseKeys(reading, written),
  ]);
  judgement.refuse(problems);
  const settings = written.filter(({ setting }) => setting !== undefined);
  const areSettings = new Set(settings.map(({ site }) => site));
  // Requests of other files that have a header from here are looked at there, too.
  const own = sites.filter((site) => !areSettings.has(site) && site.request.module === source);
  judgement.holdBack((site) => !areSettings.has(site));
  const ledger = textLedger(source, reading, {
    changes,
    refusedFor: judgement.refusedFor,
    accounted: accounted(written, judgement, problems, source),
    namesHeaders,
    explains: kind === 'env',
    isUnread: kind === 'other' || kind === 'pipeline',
    isOfOthers: kind === 'bruno' && own.length > 0 && own.every(({ verdict }) => verdict.kind === 'foreign'),
    bases,
  });
  const bound = judgement.bound(sites).filter(({ verdict }) => verdict.kind !== 'unproven' && verdict.kind !== 'foreign');
  const readers = bound.filter((site) => !areSettings.has(site));
  const setters = settings.filter(({ site }) => bound.includes(site));
  const isTemplateFile = isExample || isTemplate(source.file);
  const isOfOthers = ({ name }: { readonly name: string }): boolean => bases.isOfOthers?.(source.file, name) === true;
  const others = isTemplateFile ? [] : settings.filter(isElsewhere);
  const hosts = isTemplateFile ? [] : hostsIn(reading, source, bases);
  const elsewhere = [...setBy(others, judgement, isExample), ...hosts].filter((use) => !isOfOthers(use));
  const allowed = elsewhere.flatMap(({ file, start, end, line, column }): Finding[] => {
    const found = allowedAt(source, start, end);
    return found === undefined ? [] : [{ file, start, end, line, column, ...findingOf(found) }];
  });
  const findings = [...judgement.findings(), ...allowed, ...letThrough(source, reading, bases)];
  const edits = judgement.edits();
  return {
    edits,
    calls: judgement.calls(),
    findings: exempted(new Map([[source.file, source]]), [
      ...findings,
      ...adviceInText(source, reading, bases),
      ...pollsOf(source, own),
      ...oldKeys(own, () => false),
      ...ledger.findings.filter(notReportedBy(findings)),
    ]),
    ledger: ledger.entries,
    failures: reading.fault === undefined ? [] : [syntaxFault(reading.fault, source)],
    variables: [...environmentOf(readers, judgement.fates(), bases.v2 !== undefined), ...setBy(setters, judgement, isExample)],
    taken: isExample ? [] : takenOf(reading, edits, source),
    foreign: elsewhere.flatMap((use) => (allowedAt(source, use.start, use.end) === undefined ? { ...use, isOther: true } : [])),
    setElsewhere: isExample ? [] : [...setElsewhere(reading, source), ...doubtful],
    readers: isExample ? [] : readersIn(reading, own, source, bases),
    handedOver: isExample ? [] : handedOver(reading, changes, source),
    asked: new Set(readers.flatMap(({ request: { url = [] } }) => url.flatMap((part) => envOf(part)?.name ?? []))),
    asksV2: sites.some(({ verdict, authorizations }) => verdict.kind === 'v2' && authorizations.length > 0),
    asks: asksOf(own),
    localAsks: localAsksOf(own),
    // What a JSON file leaves by itself, code that imports it may still move.
    refused: kind === 'json' ? [] : judgement.left(),
    candidates: textCandidates(read, own, bases),
    addresses: addressesSet(reading),
    passages: passagesOf(source, kind, reading, bases),
    ...(isExample ? { envs: [], otherEnvs: [] } : environmentSet(settings, hosts, judgement, isOfOthers)),
  };
}

function passagesOf(
  source: SourceText,
  kind: FileKind,
  { prose, descriptions = [], contributed = [] }: Reading,
  bases: Bases,
): readonly Passage[] {
  if (kind === 'markdown') return passagesIn(source, prose, bases);
  if (kind === 'env') return [...setAsideSettings(source, bases), ...explainedEndings(source, bases)];
  return [...describedPassages(source, descriptions, bases), ...contributedPassages(source, contributed, bases)];
}

const syntaxFault = ({ at, reason }: ParseFault, source: SourceText): Finding => ({
  code: 'syntax',
  file: source.file,
  start: at,
  end: at,
  ...source.position(at),
  detail: { reason },
});

/** What is against each request and setting. */
function ownProblems(written: readonly WrittenSite[], changes: ChangesByPlace): Problem[] {
  const own = written.flatMap(({ problems, site }) => problems.flatMap((problem) => withUses(problem, site, changes)));
  const keyless = new Set(written.flatMap(({ site, isKeyless }) => (isKeyless ? [site] : [])));
  const unproven = new Set(own.flatMap(({ code, node }) => (code === 'base-not-proven' ? [node] : [])));
  const shared = problemsOf(
    written.map(({ site }) => site),
    changes,
    [],
    [],
    [],
  ).flat();
  const ignored = shared.filter(({ code }) => code === 'ignored');
  const exempt = new Set(ignored.map(({ site }) => site));
  const reported = new Map(ignored.flatMap(({ cause, site }) => (site === undefined ? [] : [[cause, site.request.call]])));
  return [...own, ...shared].flatMap(({ cause, ...problem }): Problem[] => {
    const { code, site } = problem;
    // What a comment exempts is reported at each request, or at the change where there is no request.
    if (code === 'ignored') return [{ ...problem, node: site?.request.call ?? reported.get(cause) ?? problem.node }];
    if (site !== undefined && exempt.has(site)) return [];
    // Whoever reads an address that stands alone sends the key.
    if (code === 'key-not-found' && site !== undefined && keyless.has(site)) return [];
    const node = site?.request.call ?? problem.node;
    if (code === 'base-not-proven' && !unproven.has(node)) return [];
    return [{ ...problem, node, code: code === 'escapes' && unproven.has(node) ? 'base-not-proven' : code }];
  });
}

/** A request of which nobody knows where it goes keeps what it shares with others: it would send them the key, and ask for a path of v2. */
function withUses(problem: Problem, site: RequestSite, changes: ChangesByPlace): Problem[] {
  const used = problem.code === 'base-not-proven' ? touchedBy(site, changes) : [];
  return used.length === 0 ? [problem] : used.map((change) => ({ ...problem, change }));
}

/** A key that stands by itself may be sent with any request of the file that has none. */
function looseKeys({ looseKeys: keys }: Reading, written: readonly WrittenSite[]): Problem[] {
  const open = written.filter(({ site }) => site.changes.length > 0 && !site.changes.some(({ what }) => what === 'header name'));
  return keys.flatMap(({ node, module }, i): Problem[] => {
    if (open.length === 0) return [{ code: 'base-not-proven', node, module, detail: {} }];
    // The first forbids them all.
    return (i === 0 ? open : open.slice(0, 1)).map(({ site }) => ({ code: 'unconsumed', node, module, detail: {}, site }));
  });
}

const reportedAsOne = (problems: readonly Problem[]): Problem[][] => [
  ...Map.groupBy(problems, ({ code, node, cause }) => `${code} ${cause ?? node.start}`).values(),
];

/** Reported of a place that is no request or setting. */
const isLoose = ({ node, site }: Problem): boolean => node !== site?.request.call;

/** The stretches that requests, settings and loose keys account for, with what becomes of them. */
function accounted(
  written: readonly WrittenSite[],
  judgement: Judgement,
  problems: readonly (readonly Problem[])[],
  source: SourceText,
): Accounted[] {
  const refusals = new Map<RequestSite, FindingCode>();
  for (const { site, code } of problems.flat()) if (site !== undefined && !refusals.has(site)) refusals.set(site, code);
  const stateOf = (site: RequestSite): State => {
    const [first] = site.changes;
    const code = (first && judgement.refusedFor(first)) ?? refusals.get(site);
    if (code !== undefined) return ['person', code];
    if (site.verdict.kind === 'ours' && first !== undefined) return ['rewritten', first.what];
    return ['foreign', site.verdict.kind === 'foreign' || isOfOther(site) ? 'other-host' : 'own-server'];
  };
  const states = written.map(({ site, mentions }) => ({ site, mentions, state: stateOf(site) }));
  // Requests with the same headers share them, and may be many.
  const byMentions = new Map(
    states
      .toSorted((one, other) => Number(other.state[0] === 'foreign') - Number(one.state[0] === 'foreign'))
      .map(({ mentions, state }) => [mentions, state]),
  );
  return [
    ...states.flatMap(({ site, state }) => placesIn(site, source).map((place): Accounted => ({ ...place, state }))),
    ...[...byMentions].flatMap(([mentions, state]) => mentions.map((place): Accounted => ({ ...place, state }))),
    ...problems
      .flatMap((reported) => reported.filter((problem) => isLoose(problem) && problem.module === source).slice(0, 1))
      .map(({ code, node: { start, end } }): Accounted => ({ start, end, state: ['person', code] })),
  ];
}

/** Variables that are bound by what is set here: a base that stays, or moves. */
function setBy(settings: readonly WrittenSite[], judgement: Judgement, isExample: boolean): VariableUse[] {
  const fateOf = judgement.fates();
  return settings.flatMap(({ setting, variable, site }) => {
    const { group, cause } = fateOf(site);
    if (group === undefined && isExample) return [];
    const { call, module, url: [first] = [] } = site.request;
    // What stays is told where its address stands: others may be set by the same name.
    const source = group === undefined && first !== undefined && 'text' in first ? first.source : undefined;
    const { start, end } = source?.module === module ? source.node : call;
    const place = { file: module.file, start, end, ...module.position(start) };
    const names = new Set([setting?.name, variable?.name]);
    const base = baseIn(flat(site.request.url ?? []));
    return [...names].flatMap((name) =>
      name === undefined ? [] : { ...place, name, group, cause, needsValue: true, ...(base !== undefined && { base }) },
    );
  });
}

/** Collections of requests have variables of their own, called `path` or `version` as anything else is. */
const ofEnvironment = /^[A-Z][A-Z\d_]*$/;

function takenOf({ settings }: Reading, edits: readonly Edit[], source: SourceText): VariableUse[] {
  const parts = edits.filter(({ what }) => what !== 'header value').toSorted((one, other) => one.start - other.start);
  return settings.flatMap(({ name, sentAt, requests: [request] }) => {
    if (name === undefined || !ofEnvironment.test(name) || request === undefined) return [];
    const { start, end } = request.call;
    const edit = parts[firstBehind(parts, start)];
    if (edit === undefined || edit.end > end) return [];
    return { file: source.file, start, end, ...source.position(start), name, group: edit.group, needsValue: true, sentAt };
  });
}

/** What would be given as a base: without the version, a user name and a password. */
function baseIn(address: string): string | undefined {
  const [, scheme, rest] = /^(https?:\/\/)(?:[^/@]*@)?([^?#]+?)(?:\/v1(?:\/[^?#]*)?)?\/?$/i.exec(address) ?? [];
  return scheme === undefined || rest === undefined || rest.includes(unknownPart) ? undefined : `${scheme}${rest}`;
}

const ofTool =
  /\$\{\{\s*(?:secrets|vars|inputs|needs|steps)\.|\{\{-?\s*(?:(?:default|required)\s+"[^"]*"\s+)?\$?\.Values\b|^\$\([\w.]+\)$|\$\{(?:ssm|cf|self|param|opt|custom):|^(?:\$\{)?params\.|^credentials\s*\(/;

function setElsewhere({ settings }: Reading, source: SourceText): VariableUse[] {
  return settings.flatMap(({ name, requests }) => {
    const { start, end } = requests[0]?.call ?? { start: 0, end: 0 };
    // What the tool takes from the same file is seen there.
    const isSeen = requests.every(({ url: [first] = [] }) => first !== undefined && 'text' in first);
    if (name === undefined || isSeen || !ofTool.test(source.text.slice(start, end))) return [];
    return { file: source.file, start, end, ...source.position(start), name, group: undefined, needsValue: true };
  });
}

/**
 * Variables under another name, those that go to a program which is not read, and those in the midst of an address that stays:
 * `OTHER=$API_URL`, `node app.js $API_URL`, `curl https://elsewhere.example/$API_VERSION`.
 */
function readersIn({ settings, passedOn }: Reading, sites: readonly RequestSite[], source: SourceText, bases: Bases): VariableUse[] {
  const names = new Set([...bases.env, ...(bases.watched ?? [])]);
  const found = [
    ...passedOn.flatMap(({ parts, within, isUnderItsName, ...each }) =>
      isUnderItsName === true ? [] : parts.map((part) => ({ image: undefined, ...each, name: envOf(part)?.name, own: within?.name })),
    ),
    ...settings.flatMap(({ name: own, requests, isFollowed }) =>
      requests.flatMap(({ url = [], call: { start, end } }) =>
        requests.length > 1 || isFollowed === true
          ? []
          : url.map((part) => ({ start, end, name: envOf(part)?.name, own, image: undefined })),
      ),
    ),
    ...readsWithin(sites, names).map(({ name, node: { start, end } }) => ({ start, end, name, own: undefined, image: undefined })),
  ];
  return found.flatMap(({ own, name, start, end, image }) => {
    if (name === undefined || name === own || !names.has(name) || ignoredAt(source, start, end) !== undefined) return [];
    const said = saidAt(source, start, end);
    return { file: source.file, start, end, ...source.position(start), name, group: undefined, needsValue: true, image, ...said };
  });
}

/** `${API_URL:-https://…}` of Compose and the shell, `process.env.API_URL || 'https://…'` of code: what whoever runs it has set counts before. */
function isByDefault({ request: { url = [], module } }: RequestSite): boolean {
  const source = url.map((part) => ('text' in part ? part.source : undefined)).find((each) => each !== undefined);
  return /(?:\$\{\w+:?[-=]["']?|process\.env\.\w+\s*(?:\|\||\?\?)\s*["'`])$/.test(module.text.slice(0, source?.start ?? 0).slice(-maxName));
}

/** Characters that a name of a variable has, and what is around it. */
const maxName = 200;

function environmentSet(
  settings: readonly WrittenSite[],
  hosts: readonly HostUse[],
  judgement: Judgement,
  isOfOthers: (setting: { readonly name: string }) => boolean,
): SetVariables {
  const envs: SetVariable[] = [];
  const otherEnvs = hosts.map(({ name, host }) => ({ name, host }));
  for (const written of settings) {
    const { setting, site, base } = written;
    if (setting?.name === undefined) continue;
    const { name } = setting;
    const { verdict } = site;
    if (verdict.kind === 'foreign' && isElsewhere(written)) otherEnvs.push({ name, host: verdict.host });
    const held = base ?? (verdict.kind === 'ours' ? { holdsVersion: true, value: flat(site.request.url ?? []) } : undefined);
    if (held === undefined) continue;
    const isForProduction = isOfProduction(site.request.module.file) && !isByDefault(site);
    envs.push({
      name,
      isBase: base !== undefined,
      ...held,
      group: judgement.groupOf(site),
      isForProduction,
      isOfImage: isOfImage(site.request.module.file),
    });
  }
  return { envs, otherEnvs: otherEnvs.filter((each) => !isOfOthers(each)) };
}
