/**
 * What servers and libraries answer in tests in the place of the service goes with the calls that it is recorded for: mappings of WireMock, where tests
 * lead nothing else there than what is moved, and what was recorded of our address, as talkback's tapes are.
 */
import { posix } from 'node:path';
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { v1Templates } from '../../../src/contract/route-templates.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { escaped } from '../../find/words/literals.ts';
import { answersRequests } from '../../clients/servers/frameworks.ts';
import { besideTests, importsPlayer } from '../../clients/testing/libraries.ts';
import type { Suspect } from '../../find/scan.ts';
import type { FoundFile } from '../../find/walk.ts';
import { type Recorded, recordedIn } from '../../formats/data/recorded.ts';
import { coverOf } from '../../formats/text.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import { isLocal } from '../../verdict/bases/hosts.ts';
import { anyPlaceholder, type Bases, matchRoute, matchUrl, routeHeads } from '../../verdict/bases/routes.ts';
import type { Moved } from '../moved.ts';
import { byPlace } from '../merge.ts';
import { besideV2 } from '../beside-v2.ts';
import { holdsRoutes, usesOf } from '../uses-of-v1.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';
import { isCodeOrPage } from '../../find/kinds.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Calls of services that are not known to be ours. */
  readonly others: readonly Pick<CandidateCall, 'base' | 'file' | 'route'>[];
  /** Variables that calls which are ours have their address from. */
  readonly variables: ReadonlySet<string>;
  readonly bases: Bases;
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** Files that speak of v1. */
  readonly suspects: readonly Suspect[];
  readonly files: readonly FoundFile[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

export function withMovedRecordings<P extends Read>(plan: P, known: Known): P {
  if (known.moved.length === 0) return plan;
  const found = known.suspects.flatMap(({ path, skipReason }): Recordings[] => {
    if (skipReason !== undefined || !isData.test(path)) return [];
    const recorded = recordedIn(path, known.textIn(path));
    return recorded.length === 0 ? [] : [{ file: path, recorded }];
  });
  if (found.length === 0) return plan;
  const endpointsOf = endpointsIn(known.bases);
  const askedIn = movingIn(plan, known, endpointsOf);
  const places = found.flatMap(({ file, recorded }): Place[] => {
    const asked = askedIn({ file, recorded });
    return asked === undefined ? [] : recorded.map((one) => ({ file, one, isAsked: endpointsOf(one).some((each) => asked.has(each)) }));
  });
  const edits = places.flatMap(({ file, one, isAsked }) => (isAsked ? editsOf(one, file, known, endpointsOf(one)) : []));
  // What nobody was seen to ask there may be asked by a package.
  const unasked = places.filter(({ one, isAsked }) => !isAsked && endpointsOf(one).length > 0);
  return places.length === 0 ? plan : withUnasked(withEdits(plan, edits), unasked);
}

interface Place {
  readonly file: string;
  readonly one: Recorded;
  readonly isAsked: boolean;
}

interface Recordings {
  readonly file: string;
  readonly recorded: readonly Recorded[];
}

const isData = /\.(?:json5?|har)$/;

type EndpointsOf = (recorded: Recorded) => readonly V1EndpointId[];

/** What the calls may be that a recording stands for; none of an address that is not ours. */
const endpointsIn = (bases: Bases): EndpointsOf =>
  memo(({ kind, method, address, origin, isPattern }: Recorded) => {
    if (isPattern) return fittedBy(address.value, method);
    if (kind === 'mapping') return matchRoute(address.value, method, { placeholder: anyPlaceholder });
    const found = matchUrl(origin + address.value, bases, method);
    return found.kind === 'ours' && found.versionStart === origin.length + pathAt(origin, address.value) ? found.routes : [];
  });

/** Behind the slash before the version, where the path begins with it. */
const pathAt = (origin: string, address: string): number => (origin === '' ? address.search(/(?<=[^/:]\/)v1(?=\/)/) : 1);

const beginning = /^\^?\\?\/(?=v1\\?\/)/;
const ids = ['c1', '42', 'abc', 'msg_12ab', '3f0e7a52-6f1b-4b8e-9a44-0c2f6c1d7e10'];
const paths = v1Templates.flatMap(({ id, endpoint }) =>
  ids.flatMap((one) =>
    ['', '?page=2'].map((query) => ({ id, method: endpoint.method, path: endpoint.path.replaceAll(/:\w+/g, one) + query })),
  ),
);

/** The endpoints whose paths a pattern of whole paths fits, by examples. */
function fittedBy(pattern: string, method: string | undefined): V1EndpointId[] {
  if (!beginning.test(pattern) || pattern.length > maxPattern || pattern.includes('|')) return [];
  try {
    const whole = new RegExp(`^(?:${pattern})$`);
    return [...new Set(paths.filter((each) => (method ?? each.method) === each.method && whole.test(each.path)).map(({ id }) => id))];
  } catch {
    return [];
  }
}

const maxPattern = 200;

/** @returns of a file what is asked by calls that it is recorded for; undefined where not all of these are moved */
function movingIn(plan: Read, known: Known, endpointsOf: EndpointsOf): (file: Recordings) => ReadonlySet<V1EndpointId> | undefined {
  const { moved, others, files, textIn } = known;
  const packageOf = packageFolders(files);
  const asked = endpointsBelow(moved);
  const ours = new Set(moved.map(({ file, endpoint }) => `${file} ${endpoint}`));
  const isOurs = ({ base, file, route }: Known['others'][number]): boolean => base.startsWith('env:') && ours.has(`${file} ${route}`);
  const askedElsewhere = endpointsBelow(
    others.flatMap((call) => (call.route === undefined || isOurs(call) ? [] : { file: call.file, endpoint: call.route })),
  );
  const left = plan.findings.filter(({ code, file }) => !besideV2.has(code) && isCodeOrPage.test(file) && !playsTapes(textIn(file)));
  const isLeft = memo((folder: string) => left.some(({ file }) => isProgram(file, folder)));
  const edited = Map.groupBy(plan.edits, ({ file }) => file);
  const isServed = memo((folder: string) =>
    files.some(
      (file) =>
        file.aside === undefined &&
        isCodeOrPage.test(file.path) &&
        isProgram(file.path, folder) &&
        !playsTapes(textIn(file.path)) &&
        holdsRoutes(usesOf(file, edited.get(file.path) ?? [], textIn)),
    ),
  );
  const isLoaded = loadedIn(known);
  // Whoever answers on v2 already has two answers for two programs, or moves them by hand.
  const knowsV2 = memo((root: string) => files.some(({ path }) => path.startsWith(root) && isData.test(path) && ofV2.test(textIn(path))));
  return ({ file, recorded }) => {
    const folder = packageOf({ file });
    const routes = recorded.flatMap((each) => endpointsOf(each));
    const isMoved =
      routes.some((route) => asked(folder).has(route)) &&
      !routes.some((route) => askedElsewhere(folder).has(route)) &&
      !isLeft(folder) &&
      !isServed(folder) &&
      !knowsV2(rootOf(file)) &&
      isLoaded(file, folder, recorded);
    return isMoved ? asked(folder) : undefined;
  };
}

/** By the folder of a package. */
const endpointsBelow = (calls: readonly { readonly file: string; readonly endpoint: V1EndpointId }[]) =>
  memo((folder: string) => new Set(calls.flatMap(({ file, endpoint }) => (isProgram(file, folder) ? endpoint : []))));

const isProgram = (file: string, folder: string): boolean => !isTest({ file }) && file.startsWith(folder);

/** What starts the player of tapes is no program, wherever it lies, unless it answers requests itself, too. */
const playsTapes = (text: string): boolean => importsPlayer.test(text) && !answersRequests.test(text);

const ofV2 = new RegExp(routeHeads.map((head) => escaped(head.replace('/v1/', '/v2/'))).join('|'));

/** The folder that all mappings of a server are in; of what else is recorded the file. */
const rootOf = (file: string): string => /^(?:.*\/)?mappings\//.exec(file)?.[0] ?? file;

/** Tells of a file whether tests of its package use it for nothing else than what is ours. */
function loadedIn({
  files,
  textIn,
  variables,
  components,
  moved,
}: Known): (file: string, folder: string, all: readonly Recorded[]) => boolean {
  const mentioning = memo((word: string) =>
    files.filter(({ path, kind }) => users.has(kind) && !inMappings.test(path) && textIn(path).toLowerCase().includes(word)),
  );
  const asking = new Set(moved.map(({ file }) => file));
  const componentOf = new Map(components.flatMap((own) => own.map(({ file }) => [file, own] as const)));
  const isAsking = (file: string): boolean => componentOf.get(file)?.some((other) => asking.has(other.file)) === true;
  return (file, folder, [first]) => {
    const isOf = (word: string): boolean =>
      mentioning(word.toLowerCase()).some(({ path }) => path.startsWith(folder) && isCodeOrPage.test(path));
    if (first?.player === undefined) return isOf(posix.basename(file));
    if (first.kind === 'tape') return isOf(first.player);
    const using = mentioning(first.player).filter(({ path }) => path.startsWith(folder));
    const around = files.filter(({ path, kind }) => kind === 'env' && path.startsWith(folder) && /test|e2e|ci/i.test(posix.basename(path)));
    const set = [...using, ...around].flatMap(({ path }) => setIn(textIn(path)));
    if (using.some(({ path }) => isCodeOrPage.test(path) && makesClients(textIn(path)))) return false;
    return using.length > 0 && set.every((name) => variables.has(name)) && (set.length > 0 || using.some(({ path }) => isAsking(path)));
  };
}

const users: ReadonlySet<FoundFile['kind']> = new Set(['script', 'json', 'yaml', 'shell', 'env', 'toml']);
const inMappings = /(?:^|\/)(?:mappings|__files)\//;

/** Whether a test makes something of a package that is none of those by which tests are written: a client of another service may be given the server's address. */
function makesClients(text: string): boolean {
  const imported = Array.from(text.matchAll(imports), ([, names = '', from = '']) =>
    besideTests.test(from) ? [] : (names.match(/[\w$]+/g) ?? []),
  ).flat();
  const isMade = (name: string): boolean => new RegExp(`\\bnew\\s+${name}\\b|(?<![\\w$.])${name}(?:\\.\\w+)?\\(`).test(text);
  return imported.some(isMade);
}

const imports =
  /(?:\bimport\s+|\b(?:const|let|var)\s+)([\w$*{}\s,:]{1,300}?)\s*(?:from\s*|=\s*(?:await\s+)?(?:require|import)\(\s*)["']([^"'./][^"']*)["']/g;
/** The variables that a file sets to a server of tests: an address without a domain, or what only the program knows. */
function setIn(text: string): string[] {
  return Array.from(text.matchAll(setting)).flatMap(({ 1: isOfProgram, 2: name = '', 3: written = '' }) => {
    const value = written.trim().replace(/^["'\x60]/, '');
    const [, host] = /^https?:\/\/([^\s"'\x60/]+)/i.exec(value) ?? [];
    // `const API_URL = process.env.API_URL` sets nothing that others read.
    const isComputed = host === undefined && isOfProgram !== undefined && /^(?!true|false|null|undefined|\d)[a-z$]/i.test(value);
    return isComputed || (host !== undefined && (/[$]/.test(host) || !host.includes('.') || isLocal(host))) ? [name] : [];
  });
}

const setting = /(\benv\s*(?:\.\s*|\[\s*["']))?\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)["'\]]*\s*[:=,](?![=>])[ \t]*([^\n,;#}]*)/g;

function editsOf(recorded: Recorded, file: string, { bases, textIn }: Known, endpoints: readonly V1EndpointId[]): Edit[] {
  const { address, origin, isPattern, isDoubtful, replacements, kind } = recorded;
  const version = kind === 'archive' ? pathAt(origin, address.value) : isPattern ? (beginning.exec(address.value)?.[0].length ?? -1) : 1;
  const at = address.text?.at[version];
  // Where the host changes, too, what was recorded of the old one is recorded anew.
  const isOfHost = kind !== 'mapping' && bases.v2 !== undefined;
  if (endpoints.length === 0 || isDoubtful || isOfHost || at === undefined || textIn(file).slice(at, at + 2) !== 'v1') return [];
  const group = `${file}:recorded:${recorded.start}`;
  return [
    { file, start: at, end: at + 2, text: 'v2', group, what: 'expectation' },
    ...replacements.map((each): Edit => ({ file, ...each, group, what: 'expectation' })),
  ];
}

function withEdits<P extends Read>(plan: P, edits: readonly Edit[]): P {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const covers = memo((file: string) => coverOf(byFile.get(file)?.filter(({ start, end }) => end > start) ?? []));
  const isMoved = (place: Finding | LedgerEntry): boolean => covers(place.file)(place);
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    findings: plan.findings.filter((each) => !isMoved(each)),
    ledger: plan.ledger.map((entry): LedgerEntry => (isMoved(entry) ? { ...entry, state: 'rewritten', reason: 'expectation' } : entry)),
  };
}

/** Their paths stay, and are told. */
function withUnasked<P extends Read>(plan: P, unasked: readonly Place[]): P {
  const byFile = Map.groupBy(unasked, ({ file }) => file);
  const covers = memo((file: string) => coverOf(byFile.get(file)?.map(({ one }) => one.address) ?? []));
  const isUntold = (entry: LedgerEntry): boolean => entry.state === 'foreign' && entry.reason === 'no-call' && covers(entry.file)(entry);
  const left = plan.ledger.filter(isUntold);
  if (left.length === 0) return plan;
  const told = left.map(({ file, start, end, line, column }): Finding => ({
    code: 'repeats-path',
    file,
    start,
    end,
    line,
    column,
    detail: {},
  }));
  return {
    ...plan,
    ledger: plan.ledger.map((entry): LedgerEntry => (isUntold(entry) ? { ...entry, state: 'person', reason: 'repeats-path' } : entry)),
    findings: [...plan.findings, ...told].toSorted(byPlace),
  };
}
