/** What no import joins is bound together, or held where it is: the plans of all components and of all files beside them become one. */
import { isTerraform, isCodeFile } from '../find/kinds.ts';
import { dirname } from 'node:path/posix';
import type { RouteUse, VariableUse } from '../uses-between-components.ts';
import { isOffered } from '../clients/offered-names.ts';
import { packageFolders } from '../find/packages/package-folders.ts';
import { type UnresolvedImport, unresolvedImports } from '../find/modules/unresolved-imports.ts';
import { isValues } from '../find/files/charts.ts';
import type { Finding, Span } from '../model.ts';
import { provenBy } from '../run/analyse-beside.ts';
import { skippedFinding } from '../run/skipped-files.ts';
import { positionsOf } from '../syntax/position.ts';
import type { IsOpen } from '../verdict/directive-comments.ts';
import { changingIn, usesIn } from './constraints/changing.ts';
import { type Constraints, constraintsOf, type Member } from './constraints/between-components.ts';
import { dataUsesIn } from './constraints/data-readers.ts';
import { variablesGivenByFiles } from './constraints/env-files-given-away.ts';
import { filledTemplatesIn } from './constraints/filled-templates.ts';
import { handedToNobodyHere, heldByThem } from './constraints/handed-over.ts';
import { foreignUsesIn } from './constraints/foreign-readers.ts';
import { frontGuardsIn } from './constraints/front-servers.ts';
import { leftWithLooseCalls } from './constraints/loose-callers.ts';
import { askedBy } from './constraints/open-mocks.ts';
import { leftWithOptions } from './constraints/options-left.ts';
import { optionsSetIn, samplesIn } from './constraints/options-set.ts';
import { pageCallsIn } from './constraints/page-calls.ts';
import { isConfiguration, pathGuardsIn } from './constraints/path-guards.ts';
import { namedBesideRequests } from './constraints/sourced-headers.ts';
import { filesAskingOpenly, unseenReadersOf } from './constraints/unseen-readers.ts';
import { usedUnresolved } from './constraints/unresolved-importers.ts';
import { sentToOtherHosts } from './constraints/workflow-hosts.ts';
import {
  findingAt,
  holdersOf,
  isBeside,
  isUnsaid,
  leftInSamples,
  membersOf,
  merged,
  type Outcome,
  passedOnElsewhere,
  readByTests,
  setElsewhere,
} from './merge.ts';
import type { Program } from './program.ts';
import { type PositionIn, retracted } from './retract.ts';

export interface Bound {
  readonly members: readonly Member[];
  readonly constraints: Constraints;
  /** All paths that members ask their own server for. */
  readonly routes: readonly RouteUse[];
  /** Who reads files of data. */
  readonly data: readonly VariableUse[];
  /** Places that decide by a path which calls come in. */
  readonly deciding: readonly Finding[];
  readonly plan: Outcome;
}

export async function bind(program: Program): Promise<Bound> {
  const { walked, found, beside, results, components, named, textIn, isOpen, allowed } = program;
  const { members, loose, handed } = await membersIn(program);
  const unread = new Set([...found.unread, ...results.flatMap((component) => component.unread)]);
  const changing = changingIn(members);
  const moving = members.flatMap(({ edits }) => edits);
  const stays = (place: Span): boolean =>
    !moving.some(({ file, start }) => file === place.file && place.start <= start && start < place.end);
  const { given, unknown } = await readersIn(program, members, changing);
  const setBeside = beside.flatMap(({ variables }) => variables);
  const { named: namedOnly, asking } = unseenReadersOf(
    results.map((result, index) => ({ ...result, files: (components[index] ?? []).map(({ file }) => file) })),
    changing,
    textIn,
    setBeside,
  );
  const changed = setBeside.filter(({ name }) => changing.has(name));
  const asksOpenly = filesAskingOpenly(results, components);
  const givenAway = changed.length === 0 ? [] : await givenAwayIn(program, changed, asksOpenly);
  const filled = asksOpenly.size === 0 ? [] : filledTemplatesIn(walked.files, changing, textIn).filter(isOpen);
  const staying = [...unknown.filter(({ isSet }) => !isSet), ...given, ...givenAway, ...filled, ...namedOnly.filter(isOpen), ...handed];
  // What a script says under that name moves with it; of a file of data, whose it is.
  const isLeft = (place: VariableUse): boolean => isOpen(place) && (!isCodeFile.test(place.file) || stays(place));
  // What a document says of an option is an example of it.
  const files = [...walked.files.flatMap(({ path, kind }) => (kind === 'markdown' ? [] : path)), ...walked.others];
  const set = optionsSetIn(files, members, named, textIn).filter(isLeft);
  const data = dataUsesIn(walked.files, found, members, textIn, isOpen, asksOpenly);
  const routes = members.flatMap((member) => member.routes);
  const { guards, fronts, findings, deciding } = guardsIn(program, routes, stays);
  const pages = pageCallsIn(walked.others, routes, textIn, isOpen);
  const ledger = members.flatMap((member) => member.ledger);
  const constraints = constraintsOf(
    members,
    [...usesIn(unread, changing, textIn), ...staying, ...asking.filter(isOpen), ...set, ...data],
    [...guards, ...fronts, ...pages],
    askedBy(components, ledger, walked.files, textIn),
  );
  const readers = results.flatMap((component) => component.readers);
  const said = [...results, ...beside].flatMap(({ variables }) => variables.filter((use) => !isUnsaid(use)));
  const holding = new Set(members.flatMap(({ calls }) => calls.map(({ group }) => constraints.held(group)?.detail['name'])));
  const positionIn = positionsBy(textIn);
  const plan = merged(
    members.map((member) => retracted(member, constraints, positionIn)),
    [
      ...found.candidates.flatMap(skippedFinding),
      ...allowed.values(),
      ...loose,
      ...findings,
      ...pages.map((call) => ({ ...findingAt('base-not-proven', call), detail: { route: call.name } })),
      ...setElsewhere(results, beside, constraints, named),
      ...passedOnElsewhere(setIn(program, unknown), members, constraints),
      ...readByTests(readers, members, constraints),
      ...leftInSamples(samplesIn(files, members, named, textIn), members, constraints),
      ...holdersOf(
        [...readers.filter((use) => !isBeside(use)), ...beside.flatMap((other) => other.readers), ...staying, ...said],
        beside.flatMap(({ foreign }) => foreign).filter(({ name }) => holding.has(name)),
        changing,
      ),
    ],
  );
  return { members, constraints, routes, data, deciding, plan };
}

/** What components and other files say, with what is left as nobody knows who else uses it. */
async function membersIn(
  program: Program,
): Promise<{ readonly members: readonly Member[]; readonly loose: readonly Finding[]; readonly handed: readonly VariableUse[] }> {
  const { walked, found, resolve, components, results, beside, bases, textIn, isOpen } = program;
  const handed = handedToNobodyHere(results, beside, isOpen);
  const known = membersOf(results, beside);
  const unresolved = (offered: () => ReadonlySet<string>): readonly UnresolvedImport[] =>
    unresolvedImports(walked, found, resolve, textIn, offered, isOffered).filter(isOpen);
  const loose = leftWithLooseCalls(results, isOpen, packageFolders(walked.files));
  const refused = [
    ...(await usedUnresolved(components, known, unresolved, textIn)),
    ...leftWithOptions(known, textIn, isOpen),
    ...sentToOtherHosts(known, walked.files, bases, textIn, isOpen),
    ...loose.left,
    ...heldByThem(handed),
  ];
  // It says nothing itself, and leaves what others would change.
  const left: Member = { edits: [], calls: [], findings: [], ledger: [], variables: [], routes: [], refused, isCode: false };
  return { members: [...known, left], loose: loose.findings, handed };
}

/** Who else has variables that would change: programs that are not read, those that a whole file of variables is given to, and whatever names a header's. */
async function readersIn(
  { walked, found, bases, isMadeHere, isHere, textIn, isOpen }: Program,
  members: readonly Member[],
  changing: ReadonlySet<string>,
): Promise<{ readonly unknown: ReturnType<typeof foreignUsesIn>; readonly given: readonly VariableUse[] }> {
  const parsed = new Set(found.candidates.flatMap(({ path, kind }) => (kind === 'nginx' ? path : [])));
  const others = [...walked.others, ...found.programs].filter((path) => !parsed.has(path));
  const unknown = foreignUsesIn(others, changing, textIn, isOpen, bases);
  const moving = members.flatMap(({ edits }) => edits);
  const named = namedBesideRequests(
    walked.files.map(({ path }) => path),
    members,
    textIn,
    isOpen,
  );
  const given = await variablesGivenByFiles(walked, changing, moving, { textIn, isOpen, isMadeHere, isHere });
  return { unknown, given: [...given, ...named] };
}

/** What packages and other programs are given all variables by. Loaded as late as this: most runs change no variable. */
async function givenAwayIn(
  { walked, found, resolve, textIn, isOpen, isMadeHere }: Program,
  changed: readonly VariableUse[],
  open: ReadonlySet<string>,
): Promise<readonly VariableUse[]> {
  const [{ givenEnvironmentsIn }, { envExampleCopiesIn }] = await Promise.all([
    import('./constraints/given-environments.ts'),
    import('./constraints/env-example-copies.ts'),
  ]);
  return [
    ...(await givenEnvironmentsIn(found, resolve, changed, textIn, isOpen, { files: walked.files, open })),
    ...envExampleCopiesIn(walked, changed, { textIn, isOpen, isMadeHere }),
  ];
}

/** Servers in front that decide by a path, or pass calls on as they are. */
function guardsIn({ walked, textIn, isOpen }: Program, routes: readonly RouteUse[], stays: IsOpen) {
  const configurations = walked.files.flatMap(({ path, kind }) => (isConfiguration.has(kind) ? path : []));
  const guards = pathGuardsIn([...configurations, ...walked.others], routes, textIn, (place) => isOpen(place) && stays(place));
  const fronts = frontGuardsIn(walked.files, routes, textIn, isOpen);
  const guarding = guards.map((guard) => findingAt('decides-by-path', guard));
  const fronted = fronts
    .map((guard): Finding => ({ ...findingAt(guard.code, guard), detail: guard.detail }))
    .filter(({ file, line }) => !guarding.some((each) => each.file === file && each.line === line));
  const deciding = [...guarding, ...fronted.filter(({ code }) => code === 'decides-by-path')];
  return { guards, fronts, findings: [...guarding, ...fronted], deciding };
}

/**
 * Places that set a variable from elsewhere. Of a file of which some variables are read, these are moved there, as what Terraform sets one to by a local value is;
 * what others may say in the place of what stands in a file that moves is a default: a value of a chart, `${param:url, 'https://…'}`.
 */
function setIn({ beside }: Program, unknown: ReturnType<typeof foreignUsesIn>): VariableUse[] {
  const read = beside.flatMap(({ variables }) => variables.filter(({ group }) => group !== undefined));
  const moved = new Set(read.map(({ file, name }) => `${file} ${name}`));
  const places = new Set(read.map(({ file, start, name }) => `${file} ${start} ${name}`));
  const inTerraform = new Set(read.flatMap(({ file, name }) => (isTerraform(file) ? name : [])));
  const inCharts = new Set(read.flatMap(({ file, name }) => (isValues(file) ? `${dirname(file)} ${name}` : [])));
  const isFollowed = ({ file, name, isByLocal }: (typeof unknown)[number]): boolean =>
    moved.has(`${file} ${name}`) || (isByLocal && inTerraform.has(name));
  const hasDefault = ({ file, start, name }: VariableUse): boolean =>
    places.has(`${file} ${start} ${name}`) || inCharts.has(`${file.replace(/\/templates\/.*$/s, '')} ${name}`);
  return [
    ...unknown.filter((use) => use.isSet && !isFollowed(use)),
    ...beside.flatMap(({ setElsewhere: set }) => set.map((use) => ({ ...use, hasDefault: hasDefault(use) }))),
  ];
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

/** Variables that hold a base of ours, by what the user gave, what code proves and what files say. */
export const ourVariables = ({ bases, results, beside }: Program): ReadonlySet<string> =>
  new Set([...bases.env, ...provenBy(results), ...beside.flatMap(({ envs }) => envs.map(({ name }) => name))]);
