/** What documents say of the service to people goes with the program that they are about, once nothing of that is left on v1. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { isTest } from '../../evaluate/test-files.ts';
import type { Passage } from '../../escape/ledger/passages.ts';
import { answersRequests } from '../../find/server-frameworks.ts';
import type { Subject } from '../../escape/ledger/table-rows.ts';
import { isComment as isCommentOfLine } from '../../escape/ledger/text-places.ts';
import { coverOf, firstBehind } from '../../formats/text.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { isComment } from '../../syntax/comments.ts';
import type { CandidateCall } from '../../verdict/candidates.ts';
import { routeHeads } from '../../verdict/routes.ts';
import type { Moved } from '../moved.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace, mentioned } from '../merge.ts';
import { servesV1 } from '../own-routes.ts';
import { foldersAbove, packageFolders } from '../../find/package-folders.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Calls of services that are not known to be ours. */
  readonly others: readonly Pick<CandidateCall, 'base' | 'file' | 'route'>[];
  /** Files that could not be looked at. */
  readonly failures: readonly Finding[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedPassages<P extends Read>(
  plan: P,
  passages: readonly Passage[],
  { moved, others, failures, files, textIn }: Known,
): P {
  const open = passages.length === 0 || moved.length === 0 ? [] : openIn(passages, plan.ledger);
  if (open.length === 0) return plan;
  const packageOf = packageFolders(files);
  const folders = new Set(open.map(packageOf));
  const aboutIt = (file: string): string[] => (isTest({ file }) ? [] : foldersAbove(file).filter((folder) => folders.has(folder)));
  const endpointsOf = (calls: readonly Pick<Moved, 'file' | 'endpoint'>[]): ReadonlyMap<string, ReadonlySet<V1EndpointId>> => {
    const found = new Map([...folders].map((folder) => [folder, new Set<V1EndpointId>()]));
    for (const { file, endpoint } of calls) for (const folder of aboutIt(file)) found.get(folder)?.add(endpoint);
    return found;
  };
  const asked = endpointsOf(moved);
  const ours = new Set(moved.map(({ file, endpoint }) => `${file} ${endpoint}`));
  const askedElsewhere = endpointsOf(
    others.flatMap(({ base, file, route }) =>
      route === undefined || (base.startsWith('env:') && ours.has(`${file} ${route}`)) ? [] : { file, endpoint: route },
    ),
  );
  // What another document says is no program.
  const described = new Set(open.flatMap(({ file, isDescription }) => (isDescription ? file : [])));
  const isOfPeople = ({ file }: Finding): boolean => isSentences.test(file) || described.has(file);
  const stays = [...plan.findings.filter((each) => !besideV2.has(each.code) && !isOfPeople(each)), ...failures];
  const left = new Set(stays.flatMap(({ file }) => aboutIt(file)));
  const shared = { routes: new Set<string>(), header: new Set<string>(), all: new Set<string>() };
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const named = subjectsOf(open);
  const [read, sent, setToV2, keptKeys] = [namesIn(folders), namesIn(folders), namesIn(folders), namesIn(folders)];
  for (const found of files) {
    const about = found.aside === undefined && !isDocument.test(found.path) ? aboutIt(found.path) : [];
    // Of a package with something that stays only rows are asked that are tied to its code.
    const uses = about.every((folder) => left.has(folder) && named.function.size + named.file.size === 0)
      ? none
      : usesOf(found, editsIn.get(found.path) ?? [], textIn);
    for (const use of uses) for (const folder of about) shared[use].add(folder);
    if (uses.has('header')) keptKeys.add(about, wordsIn(found, named.variable, textIn));
    if (about.length === 0 || !isScript.test(found.path)) continue;
    read.add(about, wordsIn(found, named.variable, textIn));
    // What is an option of the client has its default where the address stands, and is sent where the header is.
    const edits = editsIn.get(found.path) ?? [];
    if (edits.some(isOfAddress)) read.add(about, wordsIn(found, named.option, textIn));
    if (edits.some(({ what }) => what === 'header name')) sent.add(about, wordsIn(found, named.option, textIn));
  }
  for (const [file, edits] of named.variable.size === 0 ? [] : editsIn)
    setToV2.add(
      aboutIt(file),
      edits.flatMap((edit) => variablesSetBy(edit, textIn(file))),
    );
  const asking = askingIn(named, moved, textIn);
  const leftScripts = new Set(stays.flatMap(({ file }) => (isScript.test(file) ? aboutIt(file) : [])));
  const leftFiles = new Set(stays.map(({ file }) => file));
  const isMoved = ({ mentions, subjects = [], hasOwnHeader = false, ...passage }: Passage): boolean => {
    const folder = packageOf(passage);
    const isSet = ({ kind, name }: Subject): boolean => kind === 'variable' && setToV2.of(folder).has(name);
    const isOfAddresses = mentions.every(({ kind }) => kind === 'address');
    // What the code says of it holds, whatever stays in documents, tables and deployments.
    if (!leftScripts.has(folder) && subjects.length > 0 && subjects.every(isSet) && isOfAddresses) return true;
    const isTied = (subject: Subject): boolean => {
      if (isOfFile(subject)) return asking(subject.name).some((each) => !leftFiles.has(each.file) && asksForAll(each, folder, mentions));
      // A variable or an option that nothing here reads is set for somebody else, and a key is of the service whose address has its name.
      if (isOfAddresses) return read.of(folder).has(subject.name);
      return subject.kind === 'option' ? sent.of(folder).has(subject.name) : isKeyBeside(subject.name, setToV2.of(folder));
    };
    // The key of the service goes in its header, whoever else has one by that name.
    const isOfItsKey = subjects.length > 0 && subjects.every(({ kind, name }) => kind === 'variable' && !keptKeys.of(folder).has(name));
    if (!subjects.every(isTied)) return false;
    const [own, elsewhere] = [asked, askedElsewhere].map((endpoints) => endpoints.get(folder) ?? new Set());
    const isBesideV1 = shared.all.has(folder) || (left.has(folder) && !(subjects.length > 0 && subjects.every(isOfFile)));
    if (isBesideV1 || own === undefined || own.size === 0) return false;
    // What another service is asked for as well, a document may say of either; an address says by itself whose it is.
    const isOfRoute = (endpoint: V1EndpointId): boolean => own.has(endpoint) && elsewhere?.has(endpoint) !== true;
    return mentions.every(({ kind, endpoints }) => {
      if (kind === 'address' || (kind === 'header' && (isOfItsKey || hasOwnHeader))) return true;
      return !shared.routes.has(folder) && (kind === 'header' ? !shared.header.has(folder) : endpoints.some(isOfRoute));
    });
  };
  const edits = open.filter(isMoved).flatMap(editsOf);
  return edits.length === 0 ? plan : withEdits(plan, edits);
}

/** `TEXTS_API_KEY` beside `TEXTS_URL`. */
function isKeyBeside(name: string, addresses: Iterable<string>): boolean {
  const [, service] = /^(\w+?)(?:_API)?_(?:KEY|TOKEN|SECRET)$/.exec(name) ?? [];
  const isAddress = /^(?:_(?:API|BASE|URL|URI|HOST|ENDPOINT|ADDRESS|ORIGIN|SERVER))+$/;
  return (
    service !== undefined && Array.from(addresses).some((each) => each.startsWith(service) && isAddress.test(each.slice(service.length)))
  );
}

const isOfFile = ({ kind }: Subject): boolean => kind === 'function' || kind === 'file';

type Subjects = Readonly<Record<Subject['kind'], ReadonlySet<string>>>;

function subjectsOf(passages: readonly Passage[]): Subjects {
  const all = passages.flatMap(({ subjects = [] }) => subjects);
  const of = (asked: Subject['kind']): ReadonlySet<string> => new Set(all.flatMap(({ kind, name }) => (kind === asked ? name : [])));
  return { variable: of('variable'), option: of('option'), function: of('function'), file: of('file') };
}

/** Names by the folders of packages. */
function namesIn(folders: Iterable<string>) {
  const byFolder = new Map(Array.from(folders, (folder) => [folder, new Set<string>()]));
  return {
    of: (folder: string): ReadonlySet<string> => byFolder.get(folder) ?? none,
    add(about: readonly string[], names: Iterable<string>): void {
      for (const name of names) for (const folder of about) byFolder.get(folder)?.add(name);
    },
  };
}

const none: ReadonlySet<never> = new Set();

const wordsIn = ({ path }: FoundFile, names: ReadonlySet<string>, textIn: (file: string) => string): readonly string[] =>
  names.size === 0 ? [] : (textIn(path).match(/[\w$]+/g) ?? []).filter((word) => names.has(word));

interface Asking {
  readonly file: string;
  readonly endpoints: ReadonlySet<V1EndpointId>;
}

/** The files that have a path or declare a function, and what they ask for on v2. */
function askingIn(named: Subjects, moved: readonly Moved[], textIn: (file: string) => string): (name: string) => readonly Asking[] {
  const found = new Map<string, Asking[]>();
  for (const [file, calls] of named.function.size + named.file.size === 0 ? [] : Map.groupBy(moved, (call) => call.file)) {
    const text = textIn(file);
    // What answers requests may have routes of its own by the same name.
    if (isTest({ file }) || answersRequests.test(text)) continue;
    const endpoints = new Set(calls.map(({ endpoint }) => endpoint));
    const declares = Array.from(text.matchAll(declared), ([, ...names]) => names.find((name) => name !== undefined) ?? '').filter((name) =>
      named.function.has(name),
    );
    const paths = foldersAbove(`${file}/`).map((_, i, all) => file.slice(all[i]?.length));
    for (const name of new Set([...declares, ...paths.filter((path) => named.file.has(path))]))
      found.set(name, [...(found.get(name) ?? []), { file, endpoints }]);
  }
  return (name) => found.get(name) ?? [];
}

const asksForAll = ({ file, endpoints }: Asking, folder: string, mentions: Passage['mentions']): boolean =>
  file.startsWith(folder) && mentions.every((each) => each.kind === 'header' || each.endpoints.some((one) => endpoints.has(one)));

/** What a function is declared by: `function name`, `name = (`, `name: async`, and a method with its body; what people call it by is a text: `tool('send_message', …)`. */
const declared = new RegExp(
  [
    String.raw`\bfunction\s*\*?\s*([A-Za-z_$][\w$]*)`,
    String.raw`['"\x60]([A-Za-z_$][\w$]*)['"\x60]`,
    String.raw`(?<![.\w$])([A-Za-z_$][\w$]*)\s*[=:]\s*(?:async\b|function\b|[(<])`,
    String.raw`^[ \t]*(?:(?:public|protected|private|static|override|async)\s+){0,4}\*?([A-Za-z_$][\w$]*)\s*(?:<[^<>\n]{0,200}>)?\([^()\n]{0,400}(?:\([^()\n]{0,200}\)[^()\n]{0,200}){0,8}\)[^\n;]{0,200}\{[ \t]*$`,
  ].join('|'),
  'gm',
);

const isOfAddress = ({ what }: Edit): boolean => what === 'base' || what === 'path';

/** The variable that is set to an address or has it as its default, if an edit is of that. */
function variablesSetBy(edit: Edit, text: string): readonly string[] {
  if (!isOfAddress(edit)) return [];
  const { start } = edit;
  const line = text.slice(Math.max(0, start - longestLine), start);
  return /\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)["']?\]?\s*(?:=|:|\?\?|\|\||:-)\s*["'`]?https?:[^\s"'`]*$/.exec(line)?.slice(1, 2) ?? [];
}

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
    const isOpen = (entry: LedgerEntry): boolean => isSaid(entry.file, entry.reason) && isMention(entry);
    return entries.some(isOpen) && entries.every((entry) => entry.state === 'rewritten' || isOpen(entry));
  });
}

/** What asks for nothing itself. A sentence may hold a command that does. */
const isSaid = (file: string, why: LedgerEntry['reason']): boolean =>
  why === 'mentioned' || (why === 'unconsumed' && !isSentences.test(file));

const isSentences = /\.mdx?$/;

const editsOf = ({ file, mentions }: Passage): Edit[] =>
  mentions.flatMap(({ replacements }) => replacements.map((each) => ({ file, ...each, group: `${file}:passages` })));

/** What reads variables of the environment. */
const isScript = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|sh|bash)$/i;
/** What people or a database read. */
const isDocument = /\.(?:mdx?|rst|adoc|txt|sql|csv|tsv)$/i;

const heads = routeHeads.map((head) => head.slice('/v1/'.length)).join('|');
/** `/v${major}`, `'/v' + version`, `%s/v%d`. */
const composed = String.raw`/v(?=["'\x60]\s?[+.]|%|[$#]?\{)`;
/** A server has these, or something that asks by a base which is not known. */
const ownRoutes = [
  String.raw`(?<![\w.@-])(?:/[\w-]+)*(?:/v1/(?:${heads})\b|/v1/?(?=["'\x60*:({$\\]|\s|$)|${composed})`,
  String.raw`["'\x60]v1(?:/(?:${heads})\b|["'\x60])`,
  String.raw`(?:prefix|(?<!^api)version|namespace|path|route|use|mount|register|stage)\W{1,4}v1\b|\benableVersioning\b`,
].join('|');
/** Others may have the header; routes behind addresses of theirs, where nobody read who asks for them. */
const ofOthers = String.raw`(?<header>(?<![\w-])${v1Auth.field}(?![\w-]))|(?<=[\w}])(?:/v1(?![\w-])|${composed})`;
const ofV1 = new RegExp(`(?<own>${ownRoutes})|${ofOthers}`, 'gim');
/** Files of which nobody knows whose such a thing is. */
const unread: ReadonlySet<FoundFile['kind']> = new Set(['other', 'bare', 'plain']);

/** What others may share of v1: what is in a file of which nobody knows whose it is, may be ours and all that is left. */
type Use = 'routes' | 'header' | 'all';

/** What a program holds of v1 once edits are made, outside of comments. */
export function usesOf(
  { path: file, kind }: Pick<FoundFile, 'path' | 'kind'>,
  edits: readonly Edit[],
  textIn: (file: string) => string,
): ReadonlySet<Use> {
  const uses = new Set<Use>(servesV1(file) ? ['routes'] : []);
  const text = textIn(file);
  const isEdited = coverOf(edits.filter(({ what }) => what !== 'header value'));
  for (const { index: start, 0: found, groups = {} } of text.matchAll(ofV1)) {
    const use = unread.has(kind) ? 'all' : groups['header'] !== undefined ? 'header' : groups['own'] !== undefined ? 'routes' : undefined;
    if (use === undefined || uses.has(use)) continue;
    const line = text.slice(Math.max(0, start - longestLine), start);
    const isSaid = isComment(line, line.length) || isCommentOfLine({ file, text: line }, { start: line.length, end: line.length });
    if (!isSaid && !isEdited({ start, end: start + found.length })) uses.add(use);
  }
  return uses;
}

/** How much of a line is read in front of what it holds, in characters. */
const longestLine = 2_000;

/** What is told of a line is told of the next of it that stays. */
function withEdits<P extends Read>(plan: P, edits: readonly Edit[]): P {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const editIn = (entry: LedgerEntry): Edit | undefined => {
    const own = isSaid(entry.file, entry.reason) ? (byFile.get(entry.file) ?? []) : [];
    const edit = own[firstBehind(own, entry.start)];
    return edit !== undefined && edit.start < entry.end ? edit : undefined;
  };
  const isMoved = (entry: LedgerEntry): boolean => editIn(entry) !== undefined;
  const lines = new Set(plan.ledger.filter(isMoved).map(lineOf));
  const isTold = (each: LedgerEntry): boolean => isSaid(each.file, each.reason) && lines.has(lineOf(each)) && !isMoved(each);
  const told = new Map(plan.ledger.filter(isTold).map((entry) => [lineOf(entry), mentioned(entry)]));
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const edit = editIn(entry);
      return edit === undefined ? entry : { ...entry, state: 'rewritten', reason: edit.what };
    }),
    findings: [...plan.findings.filter((each) => !isSaid(each.file, each.code) || !lines.has(lineOf(each))), ...told.values()].toSorted(
      byPlace,
    ),
  };
}

const lineOf = ({ file, line }: LedgerEntry | Finding): string => `${file}:${line}`;
