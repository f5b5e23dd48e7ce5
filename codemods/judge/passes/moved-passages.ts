/** What documents say of the service to people goes with the program that they are about, once nothing of that is left on v1. */
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Passage } from '../../escape/ledger/passages.ts';
import { answersRequests } from '../../clients/servers/frameworks.ts';
import type { Subject } from '../../escape/ledger/table-rows.ts';
import { coverOf, firstBehind } from '../../formats/text.ts';
import type { FoundFile } from '../../find/walk.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import { type Moved, movedBehindCalls } from '../moved.ts';
import {
  answersAny,
  asksForMore,
  isAddressEdit,
  isKey,
  isScript,
  keysKeptIn,
  longestLine,
  namesIn,
  namesLeftAt,
  none,
  usesOf,
  wordsIn,
} from '../uses-of-v1.ts';
import { saidOfEdits } from '../edited-files.ts';
import { besideV2 } from '../beside-v2.ts';
import { byPlace, mentioned } from '../merge.ts';
import { foldersAbove, packageFolders } from '../../find/packages/package-folders.ts';

type Read = Pick<Plan, 'edits' | 'calls' | 'findings' | 'ledger'>;

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
  const stays = [
    ...plan.findings.filter((each) => !besideV2.has(each.code) && !isOfPeople(each) && !asksForMore(each, textIn)),
    ...failures,
  ];
  const left = new Set(stays.flatMap(({ file }) => aboutIt(file)));
  const shared = { routes: new Set<string>(), header: new Set<string>(), all: new Set<string>(), called: new Set<string>() };
  const inExamples = new Set<string>();
  const withAnyKey = new Set<string>();
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const named = subjectsOf(open);
  const [read, sent, setToV2] = [namesIn(folders), namesIn(folders), namesIn(folders)];
  const [keptKeys, movedKeys, leftNames] = [namesIn(folders), namesIn(folders), namesIn(folders)];
  for (const found of files) {
    const about = found.aside === undefined && !isDocument.test(found.path) ? aboutIt(found.path) : [];
    // Of a package with something that stays only rows are asked that are tied to its code.
    const own = editsIn.get(found.path) ?? [];
    const uses = about.every((folder) => left.has(folder) && named.function.size + named.file.size + named.variable.size === 0)
      ? none
      : usesOf(found, own, textIn);
    for (const use of uses)
      for (const folder of about) (use === 'routes' && isExampleOf(folder, found.path) ? inExamples : shared[use]).add(folder);
    const kept = uses.has('header') ? keysKeptIn(found.path, own, named.variable, textIn) : [];
    if (kept === 'any') for (const folder of about) withAnyKey.add(folder);
    keptKeys.add(about, kept === 'any' ? wordsIn(found.path, named.variable, textIn) : kept);
    if (own.some(({ what }) => what === 'header name')) movedKeys.add(about, wordsIn(found.path, named.variable, textIn));
    if (about.length === 0 || !isScript.test(found.path)) continue;
    read.add(about, wordsIn(found.path, named.variable, textIn));
    // What is an option of the client has its default where the address stands, and is sent where the header is.
    if (own.some(isAddressEdit)) read.add(about, wordsIn(found.path, named.option, textIn));
    if (own.some(({ what }) => what === 'header name')) sent.add(about, wordsIn(found.path, named.option, textIn));
  }
  // Where something answers requests, what a call goes by may be what it answers by.
  const answering = new Set<string>();
  for (const { path } of shared.called.size > 0 || open.some(({ isUntied }) => isUntied) ? files : [])
    if (isGateway.test(path) || (isScript.test(path) && answersAny(textIn(path))))
      for (const folder of aboutIt(path)) {
        if (!isExampleOf(folder, path)) answering.add(folder);
        if (shared.called.has(folder) && isScript.test(path)) shared.routes.add(folder);
      }
  for (const [file, edits] of named.variable.size === 0 ? [] : editsIn)
    setToV2.add(
      aboutIt(file),
      edits.flatMap((edit) => variablesSetBy(edit, textIn(file))),
    );
  const behind = named.function.size + named.file.size === 0 ? [] : movedBehindCalls(plan.calls, plan.edits, textIn);
  const asking = askingIn(named, [...moved, ...behind], textIn);
  for (const each of stays) leftNames.add(aboutIt(each.file), namesLeftAt(each, named.variable, textIn));
  const leftFiles = new Set(stays.map(({ file }) => file));
  const isOfEdits = saidOfEdits({ names: named.file, files, editsIn, left: leftFiles, textIn });
  const isAnyLeft = stays.some((each) => !isTest(each));
  const isMoved = ({ mentions, subjects = [], hasOwnHeader = false, isUntied = false, ...passage }: Passage, isAlone: boolean): boolean => {
    const { isOfItsName = false } = passage;
    const folder = packageOf(passage);
    const isSet = ({ kind, name }: Subject): boolean => kind === 'variable' && setToV2.of(folder).has(name);
    const isOfAddresses = mentions.every(({ kind }) => kind === 'address');
    const isLeft = ({ name }: Subject): boolean => leftNames.of(folder).has(name);
    // What is set holds, whatever stays that has nothing of it.
    if (subjects.length > 0 && subjects.every(isSet) && isOfAddresses && !subjects.some(isLeft)) return true;
    const isEdited = isOfEdits(folder, { subjects, mentions });
    // The key of the service goes in its header, whoever else has one by that name.
    const isOfItsKey = subjects.length > 0 && subjects.every(({ kind, name }) => kind === 'variable' && !keptKeys.of(folder).has(name));
    const isSentTo = isOfItsKey && hasOwnHeader;
    const isTied = (subject: Subject): boolean => {
      if (isEdited) return true;
      if (isOfFile(subject)) return asking(subject.name).some((each) => !leftFiles.has(each.file) && asksForAll(each, folder, mentions));
      // A variable or an option that nothing here reads is set for somebody else, and a key is of the service whose address has its name.
      if (isOfAddresses) return read.of(folder).has(subject.name);
      if (subject.kind === 'option') return sent.of(folder).has(subject.name);
      // What is called as the service is its key, if another file reads it than the one that sends it, and nobody else has such a header.
      const isItsKey = isOfItsName && isKey.test(subject.name) && read.of(folder).has(subject.name) && !shared.header.has(folder);
      return (
        isItsKey ||
        isKeyBeside(subject.name, setToV2.of(folder)) ||
        (isKey.test(subject.name) && (isSentTo || !withAnyKey.has(folder)) && movedKeys.of(folder).has(subject.name))
      );
    };
    if ((isAlone ? isAnyLeft : !subjects.every(isTied)) || (isUntied && answering.has(folder))) return false;
    const [own, elsewhere] = [asked, askedElsewhere].map((endpoints) => endpoints.get(folder) ?? new Set());
    const isOfFunctions = subjects.length > 0 && subjects.every(isOfFile);
    // What an example answers, no function beside it asks for.
    const isBesideExamples = isOfFunctions && subjects.every(({ name }) => asking(name).some(({ file }) => !isExampleOf(folder, file)));
    const isOfCode = isOfFunctions || (isOfItsKey && !isOfAddresses && !withAnyKey.has(folder) && !subjects.some(isLeft));
    const isBesideV1 = shared.all.has(folder) || (left.has(folder) && !isOfCode);
    if (isBesideV1 || own === undefined || own.size === 0) return false;
    // What another service is asked for as well, a document may say of either; an address says by itself whose it is.
    const isOfRoute = (endpoint: V1EndpointId): boolean => own.has(endpoint) && elsewhere?.has(endpoint) !== true;
    return mentions.every(({ kind, endpoints, isOfAddress = false }) => {
      if (isAlone && kind === 'address' && endpoints.length > 0 && !endpoints.some((each) => own.has(each))) return false;
      if (kind === 'address' || (kind === 'header' && (isOfItsKey || hasOwnHeader || isOfAddress || isEdited))) return true;
      if (shared.routes.has(folder)) return false;
      return kind === 'header' ? !shared.header.has(folder) : (isBesideExamples || !inExamples.has(folder)) && endpoints.some(isOfRoute);
    });
  };
  const moving = new Set(
    open.filter((passage) => {
      const { isAlone = false, ofRow = [] } = passage;
      return isMoved(passage, isAlone) || (ofRow.length > 0 && isMoved({ ...passage, subjects: ofRow }, false));
    }),
  );
  // Half a table on v2 would say that there are two versions.
  for (const [table, own] of Map.groupBy(open, (row) => (row.table === undefined ? '' : `${row.file} ${row.table}`))) {
    if (table !== '' && own.every((row) => moving.has(row) || isMoved(row, true))) for (const row of own) moving.add(row);
  }
  const held = new Set(passages.flatMap((passage) => (moving.has(passage) ? [] : (paragraphOf(passage) ?? []))));
  const isHeld = (passage: Passage): boolean => passage.isSentence === true && held.has(paragraphOf(passage) ?? '');
  const edits = Map.groupBy(
    open.filter((passage) => moving.has(passage) && !isHeld(passage)),
    ({ isOfService = false }) => isOfService,
  );
  const cells = (edits.get(true) ?? []).flatMap(editsOf);
  const all = [...cells, ...(edits.get(false) ?? []).flatMap(editsOf)].toSorted(byPlace);
  return all.length === 0 ? plan : withEdits(plan, all, new Set(cells));
}

const paragraphOf = ({ file, paragraph }: Passage): string | undefined => (paragraph === undefined ? undefined : `${file} ${paragraph}`);

/** `TEXTS_API_KEY` beside `TEXTS_URL`. */
function isKeyBeside(name: string, addresses: Iterable<string>): boolean {
  const [, service] = /^(\w+?)(?:_API)?_(?:KEY|TOKEN|SECRET)$/.exec(name) ?? [];
  const isAddress = /^(?:_(?:API|BASE|URL|URI|HOST|ENDPOINT|ADDRESS|ORIGIN|SERVER))+$/;
  return (
    service !== undefined && Array.from(addresses).some((each) => each.startsWith(service) && isAddress.test(each.slice(service.length)))
  );
}

/** What may ask for the key of others in front of a program, or is one that is not read. */
const isGateway =
  /(?:^|\/)(?:(?:serverless|template|kong|krakend|nginx|gateway)[\w.-]*\.\w+)$|\.(?:tf|py|go|rb|php|java|kt|rs|cs|exs?|scala)$/i;

const isExampleOf = (folder: string, file: string): boolean => /^(?:examples?|demos?|samples?)\//.test(file.slice(folder.length));

const isOfFile = ({ kind }: Subject): boolean => kind === 'function' || kind === 'file';

type Subjects = Readonly<Record<Subject['kind'], ReadonlySet<string>>>;

function subjectsOf(passages: readonly Passage[]): Subjects {
  const all = passages.flatMap(({ subjects = [] }) => subjects);
  const of = (asked: Subject['kind']): ReadonlySet<string> => new Set(all.flatMap(({ kind, name }) => (kind === asked ? name : [])));
  return { variable: of('variable'), option: of('option'), function: of('function'), file: of('file') };
}

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

/** An address without a route is that of all. */
const asksForAll = ({ file, endpoints }: Asking, folder: string, mentions: Passage['mentions']): boolean =>
  file.startsWith(folder) && mentions.every((each) => each.endpoints.some((one) => endpoints.has(one)) || isOfAllRoutes(each));

const isOfAllRoutes = ({ kind, endpoints }: Passage['mentions'][number]): boolean =>
  kind === 'header' || (kind === 'address' && endpoints.length === 0);

/** What a function or a class is declared by: `function name`, `class name`, `name = (`, `name: async`, and a method with its body; what people call it by is a text: `tool('send_message', …)`. */
const declared = new RegExp(
  [
    String.raw`\b(?:function\s*\*?\s*|class\s+)([A-Za-z_$][\w$]*)`,
    String.raw`['"\x60]([A-Za-z_$][\w$]*)['"\x60]`,
    String.raw`(?<![.\w$])([A-Za-z_$][\w$]*)\s*[=:]\s*(?:async\b|function\b|[(<])`,
    String.raw`^[ \t]*(?:(?:public|protected|private|static|override|async)\s+){0,4}\*?([A-Za-z_$][\w$]*)\s*(?:<[^<>\n]{0,200}>)?\([^()\n]{0,400}(?:\([^()\n]{0,200}\)[^()\n]{0,200}){0,8}\)[^\n;]{0,200}\{[ \t]*$`,
  ].join('|'),
  'gm',
);

/** The variable that is set to an address or has it as its default, if an edit is of that. */
function variablesSetBy(edit: Edit, text: string): readonly string[] {
  if (!isAddressEdit(edit)) return [];
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

/** What people or a database read. */
const isDocument = /\.(?:mdx?|rst|adoc|txt|sql|csv|tsv)$/i;

/**
 * What is told of a line is told of the next of it that stays.
 * @param cells edits of cells that are the service's: beside them stands what somebody else answers
 */
function withEdits<P extends Read>(plan: P, edits: readonly Edit[], cells: ReadonlySet<Edit>): P {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const editIn = (entry: LedgerEntry): Edit | undefined => {
    const own = isSaid(entry.file, entry.reason) ? (byFile.get(entry.file) ?? []) : [];
    const edit = own[firstBehind(own, entry.start)];
    return edit !== undefined && edit.start < entry.end ? edit : undefined;
  };
  const isMoved = (entry: LedgerEntry): boolean => editIn(entry) !== undefined;
  const lines = new Set(plan.ledger.filter(isMoved).map(lineOf));
  const rows = new Set(
    plan.ledger.flatMap((entry) => {
      const edit = cells.size === 0 ? undefined : editIn(entry);
      return edit !== undefined && cells.has(edit) ? lineOf(entry) : [];
    }),
  );
  const isTold = (each: LedgerEntry): boolean =>
    isSaid(each.file, each.reason) && lines.has(lineOf(each)) && !rows.has(lineOf(each)) && !isMoved(each);
  const told = new Map(plan.ledger.filter(isTold).map((entry) => [lineOf(entry), mentioned(entry)]));
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const edit = editIn(entry);
      if (edit === undefined && rows.has(lineOf(entry)) && isSaid(entry.file, entry.reason))
        return { ...entry, state: 'foreign', reason: 'own-server' };
      return edit === undefined ? entry : { ...entry, state: 'rewritten', reason: edit.what };
    }),
    findings: [...plan.findings.filter((each) => !isSaid(each.file, each.code) || !lines.has(lineOf(each))), ...told.values()].toSorted(
      byPlace,
    ),
  };
}

const lineOf = ({ file, line }: LedgerEntry | Finding): string => `${file}:${line}`;
