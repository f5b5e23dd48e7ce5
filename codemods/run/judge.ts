/** What becomes of every place, once everything that speaks for and against it is known: all components, all other files, one plan. */
import { keyOfEdits, type Replacement } from '../edit/splice.ts';
import { type Versions, versionOf } from '../edit/version.ts';
import { loadEngines } from '../engines/choose.ts';
import type { VariableUse } from '../cross-file-uses.ts';
import type { Ask } from '../escape/calls/asks.ts';
import { notReportedBy } from '../escape/ledger/ledger-entry.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import type { TextPlan } from '../component/analyse-text.ts';
import type { ComponentResult } from '../component/component.ts';
import { scriptReader } from '../component/script-reader.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { type Cost, type Costs, type Finding, ofLimits, type Plan } from '../model.ts';
import type { MigrateResult } from '../result.ts';
import { besideMoved } from './unused-values.ts';
import { dataUsesIn, withDataReaders } from './data-readers.ts';
import { variablesGivenByFiles } from './files-of-variables.ts';
import { foreignUsesIn } from './foreign-readers.ts';
import { frontGuardsIn } from './front-servers.ts';
import type { Resolve } from '../find/resolver.ts';
import { type UnresolvedImport, unresolvedImports } from '../find/unresolved-imports.ts';
import { usedUnresolved } from './unresolved-importers.ts';
import { positionsOf } from '../syntax/position.ts';
import { withForms } from './page-forms.ts';
import { pageCallsIn } from './page-calls.ts';
import { isConfiguration, pathGuardsIn } from './path-guards.ts';
import { candidatesOf } from '../verdict/candidates.ts';
import { allowedAt, allowLines, findingOf, type IsOpen } from '../verdict/directives.ts';
import { type Bases, matchUrl } from '../verdict/routes.ts';
import type { Evaluated } from './evaluate.ts';
import { constraintsOf, type Member } from './cross-file-constraints.ts';
import { domainOf, isLocal, isMadeUp } from '../verdict/hosts.ts';
import { withDeniedHeaders } from './denied-headers.ts';
import { isOfMoved, withoutOwnLists } from './listed-headers.ts';
import { withTakenHeaders } from './taken-headers.ts';
import { unreadDescriptions } from './description-readers.ts';
import { withDocuments } from './documents.ts';
import {
  findingAt,
  isBeside,
  isUnsaid,
  skippedFinding,
  membersOf,
  merged,
  passedOnElsewhere,
  holdersOf,
  readByTests,
  leftInSamples,
  setElsewhere,
  unreadable,
} from './merge.ts';
import { withMovedComments } from './moved-comments.ts';
import { withMovedMessages } from './moved-messages.ts';
import { withMovedRecordings } from './moved-recordings.ts';
import { withNamedBases } from './named-bases.ts';
import { withNamedData } from './named-data.ts';
import { withNamedAnswers } from './named-answers.ts';
import { leftWithLooseCalls } from './loose-callers.ts';
import { packagesOf, withMovedPassages } from './moved-passages.ts';
import { withMovedTypes, withTypesOfLines } from './moved-types.ts';
import { withLocalSettings } from './local-settings.ts';
import { leftWithOptions } from './options-left.ts';
import { optionsSetIn, samplesIn } from './options-set.ts';
import { withRouteComments } from './route-comments.ts';
import { withAskersOfFakes } from './asked-fakes.ts';
import { withStandIns } from './stand-ins.ts';
import { withStrayCalls } from './stray-calls.ts';
import { withBesideUnconsumed } from './beside-unconsumed.ts';
import { withHostsOfV1 } from './hosts-of-v1.ts';
import { withPatternsOfHosts } from './patterns-of-hosts.ts';
import { withTestsOfMoved } from './tests-of-moved.ts';
import { withoutOthersExpectations } from './others-expectations.ts';
import { withGeneratedFiles } from './generated-files.ts';
import { askedBy } from './open-mocks.ts';
import { withoutOwnRoutes } from './own-routes.ts';
import { withoutOthers } from './other-services.ts';
import { withKeysOfUnusedBases } from './unused-bases.ts';
import { type PositionIn, retracted } from './retract.ts';
import type { Surroundings } from './surroundings.ts';
import { kindOfModule, scripts } from './tasks.ts';
import { changingIn, usesIn } from './changing.ts';
import { analysedWith, provenBy } from './texts-with-code.ts';

/** What is known before anything is written. */
export interface Judged {
  readonly plan: Plan;
  readonly failures: readonly Finding[];
  /** Where this service is asked, in either version. */
  readonly asks: readonly Ask[];
  readonly files: MigrateResult['files'];
  readonly costs: Costs;
  /** Throws where the text that some edits make of a file does not parse. */
  readonly parse: (file: string, text: string, edits: readonly Replacement[]) => Promise<void>;
  /** Of all files that edits and findings stand in. */
  readonly versions: Versions;
}

export async function judge(walked: Walk, read: Surroundings, evaluated: Evaluated, bases: Bases, resolve: Resolve): Promise<Judged> {
  const { found, named, texts, faults } = read;
  const { components: tasks, results: components } = evaluated;
  const proven = provenBy(components);
  const others = analysedWith(evaluated, read, walked.files, bases);
  const known = membersOf(components, others.map(withoutRefused(components)));
  const textIn = (path: string): string => found.texts.utf8(path);
  const { isOpen, allowed } = openIn(textIn, bases);
  const unresolved = (offered: () => ReadonlySet<string>): readonly UnresolvedImport[] =>
    unresolvedImports(walked, found, resolve, textIn, offered).filter(isOpen);
  const loose = leftWithLooseCalls(components, isOpen, packagesOf(walked.files));
  const left = [...(await usedUnresolved(tasks, known, unresolved, textIn)), ...leftWithOptions(known, textIn, isOpen), ...loose.left];
  const members = [...known, leftBecauseOf(left)];
  const unread = new Set([...found.unread, ...components.flatMap((component) => component.unread)]);
  const changing = changingIn(members);
  const parsed = new Set(found.candidates.flatMap(({ path, kind }) => (kind === 'nginx' ? path : [])));
  const unknown = foreignUsesIn(
    [...walked.others, ...found.programs].filter((path) => !parsed.has(path)),
    changing,
    textIn,
    isOpen,
    bases,
  );
  // What a document says of an option is an example of it.
  const files = [...walked.files.flatMap(({ path, kind }) => (kind === 'markdown' ? [] : path)), ...walked.others];
  const moving = members.flatMap(({ edits }) => edits);
  const given = await variablesGivenByFiles(walked, changing, moving, { textIn, isOpen, isMadeHere: read.isMadeHere });
  const staying = [...unknown.filter(({ isSet }) => !isSet), ...given];
  const stays = (place: Pick<VariableUse, 'file' | 'start' | 'end'>): boolean =>
    !moving.some(({ file, start }) => file === place.file && place.start <= start && start < place.end);
  // What a script says under that name moves with it; of a file of data, whose it is.
  const isLeft = (place: VariableUse): boolean => isOpen(place) && (!/\.[cm]?[jt]sx?$/.test(place.file) || stays(place));
  const set = optionsSetIn(files, members, named, textIn).filter(isLeft);
  const data = dataUsesIn(walked.files, found, members, textIn, isOpen);
  const routes = members.flatMap((member) => member.routes);
  const guards = pathGuardsIn(
    [...walked.files.flatMap(({ path, kind }) => (isConfiguration.has(kind) ? path : [])), ...walked.others],
    routes,
    textIn,
    (place) => isOpen(place) && stays(place),
  );
  const fronts = frontGuardsIn(walked.files, routes, textIn, isOpen);
  const guarding = guards.map((guard) => findingAt('decides-by-path', guard));
  const fronted = fronts
    .map((guard): Finding => ({ ...findingAt(guard.code, guard), detail: guard.detail }))
    .filter(({ file, line }) => !guarding.some((each) => each.file === file && each.line === line));
  const deciding = [...guarding, ...fronted.filter(({ code }) => code === 'decides-by-path')];
  const pages = pageCallsIn(walked.others, routes, textIn, isOpen);
  const constraints = constraintsOf(
    members,
    [...usesIn(unread, changing, textIn), ...staying, ...set, ...data],
    [...guards, ...fronts, ...pages],
    askedBy(
      tasks,
      members.flatMap(({ ledger }) => ledger),
      walked.files,
      textIn,
    ),
  );
  const readers = components.flatMap((component) => component.readers);
  const said = [...components, ...others].flatMap(({ variables }) => variables.filter((use) => !isUnsaid(use)));
  const holding = new Set(members.flatMap(({ calls }) => calls.map(({ group }) => constraints.held(group)?.detail['name'])));
  // Of a file of which some variables are read, these are moved there.
  const movedThere = new Set(
    others.flatMap(({ variables }) => variables.flatMap(({ file, name, group }) => (group === undefined ? [] : `${file} ${name}`))),
  );
  const isMovedThere = ({ file, name }: VariableUse): boolean => movedThere.has(`${file} ${name}`);
  const positionIn = positionsBy(textIn);
  const joined = merged(
    members.map((member) => retracted(member, constraints, positionIn)),
    [
      ...found.candidates.flatMap(skippedFinding),
      ...allowed.values(),
      ...guarding,
      ...loose.findings,
      ...fronted,
      ...pages.map((call) => ({ ...findingAt('base-not-proven', call), detail: { route: call.name } })),
      ...setElsewhere(components, others, constraints),
      ...passedOnElsewhere(
        [...unknown.filter((use) => use.isSet && !isMovedThere(use)), ...others.flatMap(({ setElsewhere }) => setElsewhere)],
        members,
        constraints,
      ),
      ...readByTests(readers, members, constraints),
      ...leftInSamples(samplesIn(files, members, named, textIn), members, constraints),
      ...holdersOf(
        [...readers.filter((use) => !isBeside(use)), ...others.flatMap((other) => other.readers), ...staying, ...said],
        others.flatMap(({ foreign }) => foreign).filter(({ name }) => holding.has(name)),
        changing,
      ),
    ],
  );
  const candidates = [...components, ...others].flatMap((member) => member.candidates);
  const whole = withLocalSettings(joined, members, constraints, found, textIn, candidates, named);
  const ours = new Set([...bases.env, ...proven, ...others.flatMap(({ envs }) => envs.map(({ name }) => name))]);
  // A template says it, too, where it names our base: then hosts in it are no words to be replaced, but those of our domain may be stages.
  const isElsewhere = ({ host }: { readonly host: string }): boolean =>
    !isMadeUp(host, bases.v1) && bases.v1.every((base) => domainOf(new URL(base).host) !== domainOf(host));
  const setToOthers = others.flatMap(({ foreign, otherEnvs, envs }) => [
    ...foreign,
    ...(envs.length > 0 || (named.setToV2?.size ?? 0) > 0 ? otherEnvs.filter(isElsewhere) : []),
  ]);
  const theirs = new Set(setToOthers.flatMap(({ name }) => (ours.has(name) ? [] : name)));
  const asks = [...components, ...others].flatMap((member) => member.asks);
  const moved = [...whole.calls, ...asks.flatMap(({ file, endpoint }) => (endpoint === undefined ? [] : { file, endpoint }))];
  // A key is where it was as long as no header is moved, in this run or before.
  const isMoved = whole.edits.some(({ what }) => what === 'header name') || [...components, ...others].some(({ asksV2 }) => asksV2);
  const strays = components.flatMap(({ strayCalls }) => strayCalls);
  const naming = found.candidates.filter(({ hits }) => hits.needles.length > 0);
  const withStrays = withStrayCalls(whole, strays, { naming, files: walked.files, textIn, isOpen });
  const asked = withDataReaders(withoutOwnRoutes(withoutOthers(withStrays, theirs), walked.files, textIn), data);
  const told = withDocuments(asked, moved, bases, textIn);
  const failures = [
    ...[...walked.faults, ...found.faults].map(unreadable),
    ...faults,
    ...[...components, ...others].flatMap((member) => member.failures),
  ];
  const expected = withMovedMessages(told, { moved, others: candidates, bases, components: tasks, files: walked.files, textIn });
  const variables = new Set(components.flatMap((component) => component.variables.flatMap(({ isOurs, name }) => (isOurs ? name : []))));
  const recorded = withMovedRecordings(expected, {
    moved,
    others: candidates,
    variables,
    bases,
    components: tasks,
    suspects: found.candidates,
    files: walked.files,
    textIn,
  });
  const typedAnew = withTypesOfLines(withMovedTypes(recorded, { components: tasks, others: candidates, bases, textIn }));
  const commented = withMovedComments(typedAnew, { moved, others: candidates, bases, textIn });
  const passages = others.flatMap((other) => other.passages);
  const around = { moved, others: candidates, failures, files: walked.files, textIn };
  // What still has the header is a document of OpenAPI as long as it stays.
  const described = withMovedPassages(commented, unreadDescriptions(passages, walked.files, textIn), around);
  const code = found.candidates.flatMap(({ path, kind }) => (kind === 'script' ? path : []));
  const isOthers = (address: string): boolean => matchUrl(address, bases).kind === 'foreign' && !isLocal(URL.parse(address)?.host ?? '');
  const spoken = withRouteComments(
    withAskersOfFakes(
      withStandIns(
        withMovedPassages(
          described,
          passages.filter(({ isDescription }) => !isDescription),
          around,
        ),
        moved,
        isMoved,
        textIn,
      ),
      {
        servers: new Set(components.flatMap((component) => component.fakes)),
        asks: [...components, ...others].flatMap((member) => member.localAsks),
        files: walked.files,
      },
      textIn,
    ),
    moved,
    code,
    walked.files,
    textIn,
  );
  const answered = withNamedAnswers(
    withTestsOfMoved(spoken, moved, tasks, textIn),
    components.flatMap(({ askedByKey }) => askedByKey),
    tasks,
    textIn,
  );
  const withData = withNamedBases(withNamedData(answered, tasks, walked.files, textIn), found.candidates, tasks, bases, textIn);
  const formed = withForms(withData, routes, [...walked.files, ...walked.others.map((path) => ({ path }))], textIn);
  const taken = withTakenHeaders(withDeniedHeaders(formed, tasks, isOthers, textIn), {
    components: tasks,
    patchers: found.patchers,
    textIn,
  });
  const open = withKeysOfUnusedBases(taken, bases, walked.files, textIn);
  const settled = withoutOthersExpectations(withGeneratedFiles(withBesideUnconsumed(open, tasks, textIn), textIn), bases, textIn);
  const paths = [...walked.files.map(({ path }) => path), ...walked.others];
  const matched = withPatternsOfHosts(
    settled,
    walked.files.flatMap(({ path, kind }) => (kind === 'script' ? path : [])),
    bases,
    textIn,
  );
  const plan = withHostsOfV1(matched, isMoved, paths, bases, textIn);
  const isSaid = notReportedBy(deciding);
  // Others have limits, too: what only looks like this service is of it where a base of it is seen.
  const isNear = isMoved || naming.length > 0;
  return {
    plan: {
      ...plan,
      findings: besideMoved(
        withoutOwnLists(plan.findings, walked.files, code, textIn)
          .filter((each) => each.code === 'decides-by-path' || isSaid(each))
          .filter((each) => (isMoved || !isOfMoved(each)) && (isNear || !ofLimits.has(each.code))),
        plan.edits,
        tasks,
      ),
      candidates: candidatesOf(
        candidates,
        others.flatMap(({ addresses }) => addresses),
        bases,
      ),
      keys: components.flatMap(({ keys }) => keys),
    },
    asks,
    failures,
    files: {
      walked: walked.files.length,
      candidates: found.candidates.length,
      naming: naming.length,
      parsed: components.reduce((sum, { parsed }) => sum + parsed, 0),
    },
    costs: costsOf(components),
    parse: parserFor(found, new Map(components.flatMap(({ checked }) => [...checked]))),
    versions: new Map([
      ...texts.map(({ file, text }) => [file, versionOf(text)] as const),
      ...components.flatMap(({ versions }) => [...versions]),
    ]),
  };
}

/** What a file of settings leaves by itself, code that parses it may still move. */
function withoutRefused(components: readonly ComponentResult[]): (plan: TextPlan) => TextPlan {
  const edited = new Set(components.flatMap(({ edits }) => edits.flatMap(({ file }) => (/\.(?:ya?ml|toml)$/.test(file) ? file : []))));
  return (plan) =>
    plan.refused.some(({ file }) => edited.has(file)) ? { ...plan, refused: plan.refused.filter(({ file }) => !edited.has(file)) } : plan;
}

/** Whether nobody says of a place in a file that what it holds may move. */
function openIn(
  textIn: (file: string) => string,
  bases: Bases,
): { readonly isOpen: IsOpen; readonly allowed: ReadonlyMap<string, Finding> } {
  const sources = new Map<string, SourceText>();
  const allowed = new Map<string, Finding>();
  const isOpen: IsOpen = ({ file, start, end }) => {
    const text = textIn(file);
    const source = sources.get(file) ?? { file, text, position: positionsOf(text) };
    if (!sources.has(file)) allowLines(source, bases.allowed?.get(file));
    sources.set(file, source);
    const found = allowedAt(source, start, end);
    if (found !== undefined) allowed.set(`${file} ${found.start}`, { file, start, end, ...source.position(start), ...findingOf(found) });
    return found === undefined;
  };
  return { isOpen, allowed };
}

/** What says nothing itself, and leaves what others would change. */
const leftBecauseOf = (refused: Member['refused']): Member => ({
  edits: [],
  calls: [],
  findings: [],
  ledger: [],
  variables: [],
  routes: [],
  refused,
  isCode: false,
});

const maxNamed = 10;

const most = (all: readonly Cost[]): Cost[] => all.toSorted((one, other) => other.steps - one.steps).slice(0, maxNamed);

/** Those of all components. */
function costsOf(components: readonly ComponentResult[]): Costs {
  return {
    steps: components.reduce((sum, { costs }) => sum + costs.steps, 0),
    questions: most(components.flatMap(({ costs }) => costs.questions)),
    files: most(components.flatMap(({ costs }) => costs.files)),
  };
}

/** Positions in files that are read once more, if they are asked for at all: few are. */
function positionsBy(textIn: (path: string) => string): PositionIn {
  const known = new Map<string, ReturnType<typeof positionsOf>>();
  return (file, offset) => {
    const positions = known.get(file) ?? positionsOf(textIn(file));
    known.set(file, positions);
    return positions(offset);
  };
}

/** Loads what parses only for a text that no component has parsed already. */
function parserFor(found: Scan, checked: ComponentResult['checked']): Judged['parse'] {
  const kinds = new Map(found.candidates.map(({ path, kind }) => [path, kind]));
  return async (file, text, edits) => {
    const kind = kinds.get(file) ?? kindOfModule(file);
    if (!scripts.has(kind) || checked.get(file) === keyOfEdits(edits)) return;
    const [engines, scriptIn] = await Promise.all([loadEngines(), scriptReader([{ kind }])]);
    const { path, script } = scriptIn({ file, kind, text });
    engines.check(path, script);
  };
}
