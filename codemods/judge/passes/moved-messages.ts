/**
 * What tests expect messages to say of a call (`rejects.toThrow('GET /v1/contacts: 404')`) goes with the call, once nothing else that they may run says it of
 * v1: an expectation that stays could then only fail.
 */
import { type Mention, mentionsIn } from '../../escape/ledger/mentions.ts';
import { runsTests } from '../../clients/testing/declared-tests.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { escaped } from '../../find/words/literals.ts';
import type { FoundFile } from '../../find/walk.ts';
import { coverOf } from '../../formats/text.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Moved } from '../moved.ts';
import { isOnlyRead } from '../only-read.ts';
import { byPlace } from '../merge.ts';
import { besideV2 } from '../beside-v2.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;
/** Files that belong together by their imports. */
type Component = readonly { readonly file: string }[];

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Calls of services that are not known to be ours. */
  readonly others: readonly Pick<CandidateCall, 'file' | 'route'>[];
  readonly bases: Bases;
  readonly components: readonly Component[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedMessages<P extends Read>(plan: P, known: Known): P {
  let open = known.moved.length === 0 ? [] : plan.findings.filter(isMessage);
  for (let rounds = 0; rounds < maxRounds && open.length > 0; rounds++) {
    const edits = editsOf(open, plan, known);
    const moving = open.filter((each) => edits.has(each));
    if (moving.length === open.length) return withEdits(plan, edits);
    // Those that stay may be what others expect.
    open = moving;
  }
  return plan;
}

const maxRounds = 4;

const isMessage = ({ code, detail }: Finding): boolean => /^(?:repeats-path|unconsumed)$/.test(code) && detail['how'] === 'expected';

/** @param open the messages that may move, all together */
function editsOf(open: readonly Finding[], plan: Read, known: Known): ReadonlyMap<Finding, readonly Edit[]> {
  const { bases, textIn } = known;
  const read = mentionsIn(bases);
  const saidOf = saidIn([...plan.edits, ...open], known);
  const componentOf = new Map(known.components.flatMap((own) => own.map(({ file }) => [file, own] as const)));
  const left = new Set(plan.findings.flatMap(({ code, file }) => (besideV2.has(code) || isTest({ file }) ? [] : file)));
  const isHeld = memo((own: Component) => own.some(({ file }) => left.has(file)));
  const movedIn = Map.groupBy(known.moved, ({ file }) => file);
  const endpointsOf = memo((own: Component) => {
    const calls = own.flatMap(({ file }) => movedIn.get(file) ?? []);
    return new Set(calls.map(({ endpoint }) => endpoint));
  });
  const editsFor = ({ file, start, end }: Finding): readonly Edit[] => {
    const own = componentOf.get(file);
    const said = textIn(file).slice(start, end);
    const mentions = own === undefined || isHeld(own) ? [] : read(said);
    if (own === undefined || !mentions.every((mention) => isOf(endpointsOf(own), mention) && !saidOf(own, mention, said, file))) return [];
    return mentions.flatMap(({ replacements }) =>
      replacements.map((each): Edit => {
        const place = { start: start + each.start, end: start + each.end };
        return { file, ...place, text: each.text, what: 'expectation', group: `${file}:messages` };
      }),
    );
  };
  const found = open.map((finding) => [finding, editsFor(finding)] as const);
  return new Map(found.filter(([, edits]) => edits.length > 0));
}

const isOf = (asked: ReadonlySet<Moved['endpoint']>, { endpoints }: Mention): boolean => endpoints.some((each) => asked.has(each));

/**
 * @param changing what says nothing of v1 any more
 * @returns whether anything else may say what a message says: of an address whatever has our base, or may put its version behind that; of a path alone
 *   whatever has a version, asks another service for such a path, or keeps an answer with it
 */
function saidIn(
  changing: readonly { readonly file: string; readonly start: number; readonly end: number }[],
  { bases, others, files, textIn }: Known,
): (own: Component, mention: Mention, said: string, file: string) => boolean {
  const byFile = Map.groupBy(changing, ({ file }) => file);
  const isChanged = memo((file: string) => coverOf(byFile.get(file) ?? []));
  const says = (file: string, pattern: RegExp, segment?: string): boolean =>
    Array.from(textIn(file).matchAll(pattern)).some(
      ({ index: start, 0: { length } }) =>
        !isChanged(file)({ start, end: start + length }) &&
        !isOnlyRead(textIn(file), start) &&
        !isOfOtherPath(textIn(file), start + length, segment),
    );
  const hosts = bases.v1.map((base) => escaped(base.replace(/^https?:\/\//, ''))).join('|');
  const address = new RegExp(`(?:${hosts})/v1(?![\\w-])`, 'gi');
  const isAddressSaid = memo(() => files.some(({ path, aside }) => aside === undefined && !isDocument.test(path) && says(path, address)));
  const asking = new Set(others.flatMap(({ file, route }) => (route === undefined ? [] : file)));
  // What a runner runs beside it, a test does not run.
  const isRunOf =
    (test: string) =>
    (file: string): boolean =>
      file === test || !runsTests(textIn(file));
  const sayingPrefix = memo((own: Component) => own.flatMap(({ file }) => (says(file, prefix) ? file : [])));
  const sayingPath = memo((own: Component) =>
    memo((segment: string) => own.flatMap(({ file }) => (asking.has(file) || says(file, version, segment) ? file : []))),
  );
  const data = memo(
    () => new Set(files.flatMap(({ path, kind, aside }) => (aside === undefined && isData(path, kind) ? pathsIn(textIn(path)) : []))),
  );
  const isAnswered = (said: string): boolean => pathsIn(said).some((path) => data('').has(path));
  return (own, { kind }, said, file) =>
    kind === 'address'
      ? isAddressSaid('') || sayingPrefix(own).some(isRunOf(file))
      : kind !== 'route' || sayingPath(own)(segmentIn(said)).some(isRunOf(file)) || isAnswered(said);
}

/** What answers of a stand-in may be kept in: `404.json`. */
const isData = (path: string, kind: FoundFile['kind']): boolean => kind !== 'script' && !isDocument.test(path) && !path.endsWith('.snap');

/** What stands behind the version. */
const segmentIn = (said: string): string => /v1\/([\w-]+)/.exec(said)?.[1] ?? '';

/** Whether a version is followed by a segment that is written out, and is another. */
function isOfOtherPath(text: string, end: number, segment = ''): boolean {
  const [, next = segment] = /^\/([\w-]+)(?=[/?'"`\s])/.exec(text.slice(end, end + maxSegment)) ?? [];
  return segment !== '' && next !== segment;
}

const maxSegment = 60;

/** The whole paths of v1 that a text names. */
const pathsIn = (text: string): string[] => text.match(/\/v1\/[\w\-/]+/g) ?? [];

/** What people read. */
const isDocument = /\.(?:mdx?|rst|adoc|txt)$/i;
/** What a version is put behind: `/v${major}`, `'v' + version`. */
const composed = String.raw`(?<!\w)v(?=["'\x60]\s?[+.]|%|[$#]?\{)`;
const version = new RegExp(String.raw`(?<!\w)v1(?!\w)|${composed}`, 'gi');
/** What may stand behind a host. */
const prefix = new RegExp(String.raw`["'\x60]/?v1(?!\w)|${composed}`, 'gi');

function withEdits<P extends Read>(plan: P, edits: ReadonlyMap<Finding, readonly Edit[]>): P {
  const moved = new Set([...edits.keys()].map(placeOf));
  return {
    ...plan,
    edits: [...plan.edits, ...[...edits.values()].flat()].toSorted(byPlace),
    findings: plan.findings.filter((each) => !edits.has(each)),
    ledger: plan.ledger.map((entry): LedgerEntry =>
      moved.has(placeOf(entry)) ? { ...entry, state: 'rewritten', reason: 'expectation' } : entry,
    ),
  };
}

const placeOf = ({ file, start }: Finding | LedgerEntry): string => `${file} ${start}`;
