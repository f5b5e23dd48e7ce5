/** Joins what components and files beside the code say into one plan, in the order of the files. */
import { isTest } from '../evaluate/libraries/test-files.ts';
import { isDataFile } from '../find/kinds.ts';
import { isTemplate } from '../find/packages/production-files.ts';
import type { TextPlan } from '../component/analyse-text.ts';
import type { Edit, Finding, LedgerEntry, Plan, Span } from '../model.ts';
import type { ComponentPlan } from '../component/analyse.ts';
import type { Use, VariableUse } from '../uses-between-components.ts';
import type { Member, Constraints } from './constraints/between-components.ts';
import { placeOf } from './variables-by-default.ts';
import type { Bases } from '../verdict/bases/routes.ts';

/** What is said of places, before what nothing moves is counted. */
export type Outcome = Pick<Plan, 'edits' | 'calls' | 'findings' | 'ledger'>;

/** @param members what is left of each once all is known that holds it back */
export function merged(members: readonly Outcome[], skipReasons: readonly Finding[]): Outcome {
  const edits = distinct(
    members.flatMap((member) => member.edits),
    ({ end, text }) => `${end} ${text}`,
  );
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const editIn = ({ file, start, end }: Span): Edit | undefined => byFile.get(file)?.find((edit) => start <= edit.start && edit.end <= end);
  // Data that nothing of its file asks for may be what code which imports it asks for, or lead to where that asks: `rewrites` of Vercel.
  const isMoved = (finding: Finding): boolean =>
    (finding.code === 'unconsumed' || (/^(?:dynamic-path|mentioned)$/.test(finding.code) && isDataFile.test(finding.file))) &&
    editIn(finding) !== undefined;
  const ledger = distinct(
    members.flatMap((member) => member.ledger),
    ({ end, state, reason }) => `${end} ${state} ${reason}`,
  ).map((entry): LedgerEntry => {
    const edit = entry.state !== 'rewritten' && isDataFile.test(entry.file) && isOpen.test(entry.reason) ? editIn(entry) : undefined;
    return edit === undefined ? entry : { ...entry, state: 'rewritten', reason: edit.what };
  });
  return {
    edits: edits.toSorted(byPlace),
    calls: distinct(
      members.flatMap(({ calls }) => calls),
      ({ end, endpoint }) => `${end} ${endpoint}`,
    ).toSorted(byPlace),
    findings: withNextMention(
      distinct(
        [...members.flatMap(({ findings }) => findings), ...skipReasons],
        ({ code, detail }) => `${code} ${Object.values(detail).join(' ')}`,
      ),
      isMoved,
      ledger,
    ).toSorted(byPlace),
    ledger: ledger.toSorted(byPlace),
  };
}

/** What a file of data says of its own texts, of which code may know more. */
const isOpen = /^(?:unconsumed|mentioned|dynamic-path|no-call)$/;

/** A file of data is told once to speak of v1, and a line once of all that is on it: where such a place is moved, what stays beside it is told. */
function withNextMention(findings: readonly Finding[], isMoved: (finding: Finding) => boolean, ledger: readonly LedgerEntry[]): Finding[] {
  const left = findings.filter((each) => !isMoved(each));
  const files = new Set(findings.flatMap((each) => (isDataFile.test(each.file) && isMoved(each) ? each.file : [])));
  if (files.size === 0) return left;
  const said = new Set(left.flatMap(({ file, line, code }) => [`${file}:${line}`, ...(code === 'mentioned' ? [file] : [])]));
  const next = ledger.flatMap((entry): Finding[] => {
    const { file, line, state, reason } = entry;
    if (!files.has(file) || state !== 'person' || !(reason === 'mentioned' || reason === 'unconsumed') || said.has(`${file}:${line}`))
      return [];
    if (reason === 'mentioned' && said.has(file)) return [];
    said.add(`${file}:${line}`);
    if (reason === 'mentioned') said.add(file);
    return [{ ...mentioned(entry), code: reason }];
  });
  return [...left, ...next];
}

/** What a test does with a variable holds no program, and is told; nor does a sample in a document, where what stands of v1 is told by itself. */
export const isBeside = (use: Pick<Span, 'file'>): boolean => isTest(use) || use.file.endsWith('.md');

/** Whether no comment lets it read what moves. */
export const isUnsaid = ({ allowed }: VariableUse): boolean => allowed === undefined;

/** Components and files beside the code, as `constraintsOf` asks for them. */
export const membersOf = (components: readonly ComponentPlan[], beside: readonly TextPlan[]): Member[] => [
  ...components.map((component) => ({
    ...component,
    variables: [
      ...component.variables.filter((use) => use.group !== undefined || !isBeside(use)),
      ...component.readers.filter((use) => !isBeside(use)),
    ].filter(isUnsaid),
    isCode: true,
  })),
  ...beside.map((file) => ({
    ...file,
    variables: [...file.variables, ...file.taken, ...file.readers, ...file.foreign].filter(isUnsaid),
    routes: [],
    isCode: false,
  })),
];

/**
 * What keeps a variable as it is, or those who read it, and what a comment lets read it: one finding for each line.
 * @param readers places of programs that read it, and are not followed
 * @param setters places that set one which holds to an address that nothing proves to be ours
 */
export function holdersOf(readers: readonly VariableUse[], setters: readonly VariableUse[], changing: ReadonlySet<string>): Finding[] {
  const isHolding = ({ name }: VariableUse): boolean => changing.has(name);
  const found = [
    ...readers.filter(isHolding).map((use) => ({ ...findingAt('reads-variable', use), ...use.allowed })),
    ...setters.map((use) => findingAt('base-not-proven', use)),
  ];
  return [...new Map(found.map((each) => [`${each.file}:${each.line} ${Object.values(each.detail).join(' ')}`, each])).values()];
}

/** A place that speaks of v1. */
export function mentioned({ file, start, end, line, column }: LedgerEntry): Finding {
  return { file, start, end, line, column, code: 'mentioned', detail: {} };
}

export const byPlace = (one: Span, other: Span): number =>
  one.file === other.file ? one.start - other.start || one.end - other.end : one.file < other.file ? -1 : 1;

/** What two members say of one place is said once, wherever each sees its end: of a JSON file that code imports, of a request whose header stands in its collection. */
const distinct = <At extends Span>(all: readonly At[], about: (at: At) => string): At[] => [
  ...new Map(all.map((each) => [`${each.file}\0${each.start}\0${about(each)}`, each])).values(),
];

/** Of uses of variables, those of variables that move. */
function ofMoved(uses: readonly VariableUse[], members: readonly Member[], constraints: Constraints): VariableUse[] {
  const moved = new Set(
    members.flatMap(({ variables }) =>
      variables.flatMap(({ name, needsValue, group }) =>
        needsValue && group !== undefined && constraints.held(group) === undefined ? name : [],
      ),
    ),
  );
  return uses.filter(({ name }) => moved.has(name));
}

/** Places that only pass on a value which comes from elsewhere, of variables that move. */
export const passedOnElsewhere = (uses: readonly VariableUse[], members: readonly Member[], constraints: Constraints): Finding[] =>
  ofMoved(uses, members, constraints).map((use) => {
    const finding = findingAt('env-elsewhere', use);
    return Object.hasOwn(finding.detail, 'how') ? finding : { ...finding, detail: { where: fromElsewhere, ...finding.detail } };
  });

const fromElsewhere = 'here from what is set elsewhere';

/** Samples of settings that what moves reads. */
export const leftInSamples = (samples: readonly VariableUse[], members: readonly Member[], constraints: Constraints): Finding[] =>
  ofMoved(samples, members, constraints).map((use) => ({ ...findingAt('env-elsewhere', use), detail: { name: use.name, how: 'sample' } }));

/** Tests that do with variables which move what is not followed: one finding for each line. */
export const readByTests = (readers: readonly VariableUse[], members: readonly Member[], constraints: Constraints): Finding[] => {
  const found = ofMoved(
    readers.filter((use) => isTest(use) && isUnsaid(use)),
    members,
    constraints,
  );
  const lines = new Map(found.map((use) => [`${use.file}:${use.line}`, { ...findingAt('repeats-path', use), detail: { how: 'test' } }]));
  return [...lines.values()];
};

/** What is told of a place that goes by a name. */
export const findingAt = (
  code: Finding['code'],
  {
    name,
    file,
    start,
    end,
    line,
    column,
    version,
    isByDefault,
    isByTests,
    hasDefault,
    group,
    base,
    image,
  }: Use & Pick<VariableUse, 'version' | 'isByDefault' | 'isByTests' | 'hasDefault' | 'base' | 'image'>,
): Finding => ({
  code,
  file,
  start,
  end,
  line,
  column,
  detail:
    code === 'base-not-proven'
      ? { env: name, ...(base !== undefined && { base }) }
      : {
          name,
          ...(image !== undefined && { image }),
          ...(version !== undefined && { value: version, ...(group === undefined && { where: 'here, beside nothing of this service' }) }),
          ...(code === 'env-elsewhere' && ((isByDefault === true && isByTests !== true) || hasDefault === true) && { how: 'default' }),
        },
});

/** Where the code moves and the variable that it reads is set by no file of production: a person sets it. */
export function setElsewhere(
  components: readonly ComponentPlan[],
  beside: readonly TextPlan[],
  constraints: Constraints,
  { envByDefaults }: Pick<Bases, 'envByDefaults'>,
): Finding[] {
  const defaultFor = (use: VariableUse): string | undefined => envByDefaults?.get(use.name)?.get(placeOf(use));
  const envs = beside.flatMap((file) => file.envs);
  // Beside an image, a template or a default says that the program also runs without it.
  const open = new Set(envs.flatMap(({ name, isForProduction }) => (isForProduction ? [] : name)));
  const set = new Set(
    envs.flatMap(({ name, isForProduction, isOfImage }) => (isForProduction && !(isOfImage && open.has(name)) ? name : [])),
  );
  const elsewhere = components
    .flatMap(({ variables }) => variables)
    .filter(
      (use) =>
        (use.needsValue || defaultFor(use) !== undefined) &&
        use.group !== undefined &&
        constraints.held(use.group) === undefined &&
        (defaultFor(use) !== undefined || !set.has(use.name)),
    );
  // What stands in a pipeline's file, a test or on a developer's machine moves, and says nothing of where it runs for its users.
  const places = new Map(
    beside.flatMap(({ variables: uses }) =>
      uses.flatMap(({ name, group, file, line }) => (group === undefined || isTemplate(file) ? [] : [[name, `${file}:${line}`] as const])),
    ),
  );
  const found = elsewhere.map((use) => {
    const finding = findingAt('env-elsewhere', use);
    const by = defaultFor(use);
    if (by !== undefined) return { ...finding, detail: { ...finding.detail, how: 'same', by } };
    const at = places.get(use.name);
    return at === undefined || use.version !== undefined
      ? finding
      : { ...finding, detail: { ...finding.detail, where: `outside of these files, but for ${at}, where it is moved` } };
  });
  return [...new Map(found.map((each) => [`${each.file}\0${each.start}`, each])).values()];
}
