/** What documents say of the service to people goes with the program that they are about, once nothing of that is left on v1. */
import { posix } from 'node:path';
import { v1Auth } from '../../src/contract/auth.ts';
import { isTest } from '../evaluate/test-files.ts';
import { memo } from '../once.ts';
import type { Mention, Passage } from '../escape/passages.ts';
import { isComment as isCommentOfLine } from '../escape/text-places.ts';
import { coverOf, firstBehind } from '../formats/text.ts';
import type { FoundFile } from '../find/walk.ts';
import { type Edit, type Finding, type FindingCode, type LedgerEntry, ofLimits, type Plan } from '../model.ts';
import { isComment } from '../syntax/comments.ts';
import { type Bases, namingOurs, routeHeads } from '../verdict/routes.ts';
import { mentioned, type Moved } from './documents.ts';
import { byPlace } from './merge.ts';
import { servesV1 } from './own-routes.ts';
import { serves } from './route-comments.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

/** What is told of code that is on v2 all the same. */
const besideV2: ReadonlySet<FindingCode> = new Set<FindingCode>([
  ...ofLimits,
  'env-elsewhere',
  'minute-limit',
  'answer-shape',
  'browser-key',
  'reads-header',
  'redacts-header',
  'repeats-path',
  'mentioned',
  'old-type',
  'allowed',
  'other-host',
  'own-server',
]);

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Files that could not be looked at. */
  readonly failures: readonly Finding[];
  /** What looked like calls of ours, and is somebody else's. */
  readonly settled: readonly Finding[];
  readonly files: readonly FoundFile[];
  readonly bases: Bases;
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedPassages<P extends Read>(plan: P, passages: readonly Passage[], known: Known): P {
  const open = passages.length === 0 || known.moved.length === 0 ? [] : openIn(passages, plan.ledger);
  if (open.length === 0) return plan;
  const edits = [...Map.groupBy(open, packagesOf(known.files))].flatMap(([folder, own]) =>
    own.filter(trueIn(folder, plan, known)).flatMap(editsOf),
  );
  return edits.length === 0 ? plan : withEdits(plan, edits);
}

/** Tells which passages about a package say what is so once all edits are made. */
function trueIn(folder: string, plan: Read, { moved, failures, settled, files, bases, textIn }: Known): (passage: Passage) => boolean {
  const read = memo(textIn);
  const isWithin = ({ file }: { readonly file: string }): boolean => file.startsWith(folder);
  const isLeft = (each: Finding): boolean => !besideV2.has(each.code) && !isTest(each) && isWithin(each);
  const endpoints = new Set(moved.flatMap((call) => (isWithin(call) && !isTest(call) ? call.endpoint : [])));
  if (endpoints.size === 0 || plan.findings.some(isLeft) || failures.some(isLeft)) return () => false;
  const isProgram = ({ path: file, aside }: FoundFile): boolean =>
    aside === undefined && isWithin({ file }) && !isDocument.test(file) && !isTest({ file });
  const left = leftIn(files.filter(isProgram), plan.edits, textIn);
  const isLike = ({ reason, file, start, end }: LedgerEntry): boolean =>
    (reason === 'other-host' || reason === 'own-server') && isWithin({ file }) && route.test(read(file).slice(start, end));
  const isServed = left.routes || settled.some(isWithin) || plan.ledger.some(isLike);
  const isMoved = ({ kind, endpoints: all }: Mention): boolean =>
    kind === 'address' || (!isServed && all.some((endpoint) => endpoints.has(endpoint)));
  const headers = plan.edits.filter((edit) => edit.what.startsWith('header') && isWithin(edit));
  const ours = new Set([...bases.env, ...headers.flatMap((edit) => keyIn(edit, read))]);
  const namesOurs = namingOurs({ ...bases, env: ours });
  return ({ text, mentions }) => {
    const paths = mentions.filter(({ kind }) => kind !== 'header');
    if (!paths.every(isMoved)) return false;
    if (paths.length === mentions.length) return true;
    // Others may have a header of this name: a sentence has to say whose it is.
    const namesOthers = left.header && Array.from(text.matchAll(variable)).some(({ 0: name }) => !ours.has(name));
    return headers.length > 0 && (paths.length > 0 || namesOurs(text)) && !namesOthers;
  };
}

const variable = /\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g;

/** Those that hold nothing else of v1 than what they say to people: beside what stays, or is somebody else's, a sentence is not rewritten by half. */
function openIn(passages: readonly Passage[], ledger: readonly LedgerEntry[]): Passage[] {
  const byFile = Map.groupBy(passages, ({ file }) => file);
  const entriesOf = Map.groupBy(ledger, ({ file, start }) => {
    const own = byFile.get(file) ?? [];
    return own[firstBehind(own, start)];
  });
  return passages.filter((passage) => {
    const isMention = coverOf(passage.mentions);
    const entries = (entriesOf.get(passage) ?? []).filter(({ start }) => start >= passage.start);
    const isOpen = (entry: LedgerEntry): boolean => entry.reason === 'mentioned' && isMention(entry);
    return entries.some(isOpen) && entries.every((entry) => entry.state === 'rewritten' || isOpen(entry));
  });
}

const editsOf = ({ file, mentions }: Passage): Edit[] =>
  mentions.flatMap(({ replacements }) => replacements.map((each) => ({ file, ...each, group: `${file}:passages` })));

/** The variable that a key comes from: what is said beside it is said of its header. */
function keyIn({ file, end, what }: Edit, textIn: (file: string) => string): string[] {
  if (what !== 'header value') return [];
  const [, name] =
    /^[\s`"'$<{(]*(?:process\.env\.|import\.meta\.env\.)?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)/.exec(textIn(file).slice(end, end + 100)) ?? [];
  return name === undefined ? [] : [name];
}

/** The folder of the package that a document is about: the nearest above it, or all. */
function packagesOf(files: readonly FoundFile[]): (passage: Passage) => string {
  const roots = new Set(
    files.flatMap(({ path }) => (posix.basename(path) === 'package.json' ? path.slice(0, -'package.json'.length) : [])),
  );
  return ({ file }) => {
    let folder = file;
    do folder = folder.replace(/[^/]*\/?$/, '');
    while (folder !== '' && !roots.has(folder));
    return folder;
  };
}

/** What people or a database read. */
const isDocument = /\.(?:mdx?|rst|adoc|txt|sql|csv|tsv)$/i;

/** A server has these, or something that asks by a base which is not known. */
const ownRoutes = new RegExp(
  [
    String.raw`(?<![\w.@-])(?:/[\w-]+)*(?:(?:${routeHeads.join('|')})\b|/v1/?(?=["'\x60*:({$\\]|\s|$))`,
    String.raw`["'\x60]v1/(?:${routeHeads.map((head) => head.slice('/v1/'.length)).join('|')})\b`,
    String.raw`(?:prefix|version|namespace|path|route|use|mount|register)\W{1,4}v1\b`,
  ].join('|'),
  'gi',
);
const route = new RegExp(routeHeads.join('|'), 'i');
/** The base of another service, maybe with a name, and what may be put behind it. */
const otherBase = /(?:(?<name>\b\w{4,100})["']?\s{0,9}(?:[:=]|\|\||\?\?)\s{0,9})?["'`]?https?:\/\/[^\s"'`]{1,300}\/v1\/?(?=["'`\s]|$)/g;
const resource = new RegExp(String.raw`(?<!/v1)/(?:${routeHeads.map((head) => head.slice('/v1/'.length)).join('|')})\b`);
const header = new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'gi');

/** What programs hold of v1 once edits are made, outside of comments. */
function leftIn(
  programs: readonly FoundFile[],
  edits: readonly Edit[],
  textIn: (file: string) => string,
): { readonly routes: boolean; readonly header: boolean } {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const left = { routes: false, header: false };
  const bases = new Set<string>();
  const asking: string[] = [];
  for (const { path: file } of programs) {
    const text = textIn(file);
    const isEdited = coverOf((byFile.get(file) ?? []).filter(({ what }) => what !== 'header value'));
    const isHeld = ({ index: start, 0: found }: RegExpExecArray): boolean => {
      const line = text.slice(Math.max(0, start - longestLine), start);
      const isSaid = isComment(line, line.length) || isCommentOfLine({ file, text: line }, { start: line.length, end: line.length });
      return !isSaid && !isEdited({ start, end: start + found.length });
    };
    const others = [...text.matchAll(otherBase)].filter(isHeld);
    for (const { groups } of others) bases.add(groups?.['name'] ?? '');
    const hasResource = resource.test(text);
    if (hasResource) asking.push(file);
    left.routes ||=
      servesV1(file) || serves(file, textIn) || [...text.matchAll(ownRoutes)].some(isHeld) || (hasResource && others.length > 0);
    left.header ||= [...text.matchAll(header)].some(isHeld);
  }
  const isNamed = ({ 0: word }: RegExpExecArray): boolean => bases.has(word) && !ofAnybody.test(word);
  left.routes ||= asking.some((file) => [...textIn(file).matchAll(/\w+/g)].some(isNamed));
  return left;
}

/** Words that any program has name nothing. */
const ofAnybody = /^(?:base|api|url|host|server|address|endpoint|default)+$/i;

/** How much of a line is read in front of what it holds, in characters. */
const longestLine = 2_000;

/** What is told of a line is told of the next of it that stays. */
function withEdits<P extends Read>(plan: P, edits: readonly Edit[]): P {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const editIn = ({ file, start, end, reason }: LedgerEntry): Edit | undefined => {
    const own = reason === 'mentioned' ? (byFile.get(file) ?? []) : [];
    const edit = own[firstBehind(own, start)];
    return edit !== undefined && edit.start < end ? edit : undefined;
  };
  const isMoved = (entry: LedgerEntry): boolean => editIn(entry) !== undefined;
  const lines = new Set(plan.ledger.filter(isMoved).map(lineOf));
  const isTold = (each: LedgerEntry): boolean => each.reason === 'mentioned' && lines.has(lineOf(each)) && !isMoved(each);
  const told = new Map(plan.ledger.filter(isTold).map((entry) => [lineOf(entry), mentioned(entry)]));
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const edit = editIn(entry);
      return edit === undefined ? entry : { ...entry, state: 'rewritten', reason: edit.what };
    }),
    findings: [...plan.findings.filter((each) => each.code !== 'mentioned' || !lines.has(lineOf(each))), ...told.values()].toSorted(
      byPlace,
    ),
  };
}

const lineOf = ({ file, line }: LedgerEntry | Finding): string => `${file}:${line}`;
