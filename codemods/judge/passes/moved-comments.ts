/** Comments that name what the calls of their file ask for go with these, once nothing of the file is left on v1. */
import { v1Auth, v2Auth } from '../../../src/contract/auth.ts';
import type { V1EndpointId } from '../../../src/contract/endpoints.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { namesOfService } from '../../escape/ledger/service-names.ts';
import { type Mention, mentionsIn } from '../../escape/ledger/mentions.ts';
import { plainWords } from '../../escape/ledger/words.ts';
import { escaped } from '../../find/words/literals.ts';
import { answersRequests, handlesRequests } from '../../clients/servers/frameworks.ts';
import type { TextRange } from '../../formats/text.ts';
import type { Edit, Finding, Plan } from '../../model.ts';
import { memo } from '../../once.ts';
import type { CandidateCall } from '../../verdict/bases/candidates.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Moved } from '../moved.ts';
import { byPlace } from '../merge.ts';
import { besideV2 } from '../beside-v2.ts';
import { servesV1 } from '../own-routes.ts';
import { holdsRoutes, usesOf } from '../uses-of-v1.ts';

type Read = Pick<Plan, 'edits' | 'findings' | 'calls'>;

interface Known {
  /** All that is moved, by this run or one before. */
  readonly moved: readonly Moved[];
  /** Calls of services that are not known to be ours. */
  readonly others: readonly Pick<CandidateCall, 'base' | 'file' | 'route' | 'withKey'>[];
  readonly bases: Bases;
  /** Files that imports join. */
  readonly components: readonly (readonly { readonly file: string }[])[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
}

/** @returns the plan with the comments of moved files on v2 that say no more of a call than what it asks, and what it does */
export function withMovedComments<P extends Read>(plan: P, { moved, others, bases, components, textIn }: Known): P {
  const open = plan.findings.filter(isComment);
  if (open.length === 0) return plan;
  const ours = new Set(moved.map(({ file, endpoint }) => `${file} ${endpoint}`));
  const isOthers = ({ base, file, route, withKey }: Known['others'][number]): boolean =>
    (route !== undefined || withKey) && !(base.startsWith('env:') && ours.has(`${file} ${route}`));
  const stays = [...plan.findings.filter(({ code }) => !besideV2.has(code)), ...others.filter(isOthers)];
  const left = new Set(stays.map(({ file }) => file));
  const asked = Map.groupBy(moved, ({ file }) => file);
  const editsIn = Map.groupBy(plan.edits, ({ file }) => file);
  const callsIn = Map.groupBy(plan.calls, ({ file }) => file);
  const saidIn = readerOf(bases);
  const isAsking = (file: string): boolean => (asked.get(file)?.length ?? 0) > 0;
  const componentOf = componentsByFile(components, open);
  // What asks for nothing itself, as types of options, has the address of what its component asks; whose header and which routes it speaks of, nobody can tell.
  const aboutOf = memo((file: string) => (isAsking(file) ? [file] : componentOf(file)));
  // By what it is about once: there may be as many comments as calls, and as many files of types.
  const ownOf = memo(
    (files: readonly string[]) => new Set(files.flatMap((file) => asked.get(file)?.map(({ endpoint }) => endpoint) ?? [])),
  );
  // What gives the header to calls that stand elsewhere speaks of that one, where nobody else of its component has any.
  const givesHeader = memo((file: string) => editsIn.get(file)?.some(({ what }) => what === 'header name') === true);
  const hasHeader = memo((files: readonly string[]) => files.some(givesHeader));
  // A server of the component, or another service that it asks, may be whose routes and whose header are meant.
  const staysIn = memo(
    (files: readonly string[]) =>
      new Set(files.flatMap((file) => [...usesOf({ path: file, kind: 'script' }, editsIn.get(file) ?? [], textIn)])),
  );
  const isLeft = memo((files: readonly string[]) => files.some((file) => left.has(file)));
  // What a program answers itself may have the same path and the same header.
  const isServer = memo((file: string) => servesV1(file) || answersRequests.test(textIn(file)) || handlesRequests.test(textIn(file)));
  const groupsOf = memo((file: string) => groupsIn(callsIn.get(file) ?? [], editsIn.get(file) ?? []));
  const groupOf = (file: string, endpoints: readonly V1EndpointId[]): string => {
    const { byEndpoint, all } = groupsOf(file);
    const own = new Set(endpoints.flatMap((endpoint) => byEndpoint.get(endpoint) ?? []));
    const [group, more] = own.size > 0 ? own : all;
    return group === undefined || more !== undefined ? `${file}:comments` : group;
  };
  const editsFor = ({ file, start }: Finding): readonly Edit[] => {
    const about = aboutOf(file);
    const own = ownOf(about);
    const isOwn = ({ kind, endpoints }: Mention): boolean => {
      if (kind !== 'address' && (!(isAsking(file) || (kind === 'header' && givesHeader(file))) || isServer(file))) return false;
      if (kind === 'header') return hasHeader(about) && !staysIn(componentOf(file)).has('header');
      return (
        endpoints.length === 0 ||
        (isAsking(file) && endpoints.some((each) => own.has(each)) && (kind === 'address' || !holdsRoutes(staysIn(componentOf(file)))))
      );
    };
    const mentions = own.size === 0 || left.has(file) || isLeft(about) ? [] : saidIn(textIn(file), start);
    if (!mentions.every(isOwn)) return [];
    const endpoints = mentions.flatMap((mention) => mention.endpoints);
    const group = groupOf(file, endpoints);
    return mentions.flatMap(({ replacements }) => replacements.map((each) => ({ file, ...each, group })));
  };
  // A comment is not rewritten by half.
  const blocks = Map.groupBy(open, ({ file, start }) => `${file}:${blockAround(textIn(file), lineAt(textIn(file), start)).start}`);
  const whole = [...blocks.values()].flatMap((findings) => {
    const found = findings.map((finding) => ({ finding, edits: editsFor(finding) }));
    return found.every((each) => each.edits.length > 0) ? found : [];
  });
  const gone = new Set(whole.map(({ finding }) => finding));
  const edits = whole.flatMap((each) => each.edits);
  if (edits.length === 0) return plan;
  return { ...plan, edits: [...plan.edits, ...edits].toSorted(byPlace), findings: plan.findings.filter((each) => !gone.has(each)) };
}

/** Of tests nothing is asked: what they expect is told of by itself. */
function componentsByFile(components: Known['components'], open: readonly Finding[]): (file: string) => readonly string[] {
  const files = new Set(open.map(({ file }) => file));
  const byFile = new Map(
    components.flatMap((own) => {
      const all = own.flatMap(({ file }) => (isTest({ file }) ? [] : file));
      return all.flatMap((file) => (files.has(file) ? [[file, all] as const] : []));
    }),
  );
  return (file) => byFile.get(file) ?? [];
}

interface Groups {
  readonly byEndpoint: ReadonlyMap<V1EndpointId, readonly string[]>;
  /** Of all edits; more than one say nothing. */
  readonly all: ReadonlySet<string>;
}

/** Two are as many as can be told apart. */
function groupsIn(calls: Plan['calls'], edits: readonly Edit[]): Groups {
  const byEndpoint = Map.groupBy(calls, ({ endpoint }) => endpoint);
  return {
    byEndpoint: new Map([...byEndpoint].map(([endpoint, own]) => [endpoint, [...new Set(own.map(({ group }) => group))].slice(0, 2)])),
    all: new Set(edits.map(({ group }) => group)),
  };
}

const isComment = ({ code, detail }: Finding): boolean => code === 'mentioned' && detail['how'] === 'comment';

/** @returns what a line of a comment says of v1, if nothing in it or around it says more of that than which call it is about */
function readerOf(bases: Bases): (text: string, at: number) => readonly Mention[] {
  const read = mentionsIn(bases);
  const withoutNames = namesOfService(bases, '');
  const own = new RegExp(`(?:https?://)?(?:${bases.v1.map((base) => escaped(base.replace(/^https?:\/\//, ''))).join('|')})`, 'g');
  return (text, at) => {
    const { start, end } = lineAt(text, at);
    const marker = markerOf(text.slice(start, end), at - start);
    const block = blockAround(text, { start, end });
    if (marker === '' || doubts.test(text.slice(block.start, block.end))) return [];
    const said = text
      .slice(start + marker.length, end)
      .replace(/\s*\*\/\s*$/, '')
      // A base that is written as the name of what holds it.
      .replaceAll(/\$?\{[\w.]+\}(?=\/v1\b)/g, blank);
    const mentions = [...read(said), ...headersAtEnd(said)].toSorted((one, other) => one.start - other.start);
    if (!areAllCalls(said, mentions, (gap) => withoutNames(gap.replaceAll(own, ' ')))) return [];
    const by = start + marker.length;
    return mentions.map((mention) => ({ ...mention, replacements: mention.replacements.map((each) => movedBy(each, by)) }));
  };
}

const blank = (found: string): string => ' '.repeat(found.length);
const movedBy = <Place extends TextRange>(place: Place, by: number): Place => ({ ...place, start: place.start + by, end: place.end + by });

/** `{ from, to } + x-api-key`: as somebody says it who means header and value. */
function headersAtEnd(said: string): Mention[] {
  const { index: start, 0: found } = atEnd.exec(said) ?? { index: 0, 0: '' };
  if (found === '') return [];
  const place = { start, end: start + v1Auth.field.length };
  const text = `${v2Auth.fieldName}: ${v2Auth.scheme}`;
  return [{ ...place, kind: 'header', endpoints: [], replacements: [{ ...place, text, what: 'header name' }] }];
}
const atEnd = new RegExp(String.raw`(?<![\w\x60'"-])${v1Auth.field}(?=[.,;)]?\s*$)`, 'i');

/** Whether what stands around the mentions only says which call is meant, and in plain words what it does: free ones may limit, deny, date or compare. */
function areAllCalls(said: string, mentions: readonly Mention[], withoutOwn: (gap: string) => string): boolean {
  const gaps = [...mentions, undefined].map((next, i) => said.slice(mentions[i - 1]?.end ?? 0, next?.start));
  // In front of nothing but the header a word may say whose that is.
  const label = mentions.every(({ kind }) => kind === 'header') ? /^\s*(?:auth\w*|headers?)\s?:(?=\s)/iu : /^\s*\p{L}+\s?:(?=\s)/u;
  const isKnown = (gap: string): boolean =>
    plainWords(
      withoutOwn(gap)
        .replace(label, ' ')
        .replaceAll(/\{[\w\s,?:.]*\}|@\w+|[+→—–=>]/g, ' '),
      verbs,
    );
  return gaps.every(isKnown);
}

/** What people say that a call does. */
const verbs = new Set(
  'queue list get fetch create update delete remove read return post make load find search add save store give submit retrieve issue hit wrap'
    .split(' ')
    .flatMap((verb) => [verb, `${verb}s`, verb.endsWith('e') ? `${verb}d` : `${verb}ed`])
    .concat('via through using one single new id ids page pages paged all full whole raw thin typed wrapper around over body'.split(' '))
    .concat('specified them by and or with from phone number email whatsapp details delivery'.split(' ')),
);

/** Another time, version or service, or what one of them has not: what such a comment says of v1 may be about that. */
const doubts =
  /\bv2\b|deprecat|legacy|\bold(?:er)?\b|former|previous|migrat|sunset|shut|switch|replac|instead|until|since|\bnow\b|no longer|used to|\bwas\b|\bwere\b|todo|fixme|\bnot?\b|cannot|n't\b|\bonly\b|limit(?:ed|s)\b|minute|retire|remove|discontinu|goes away|bearer|\bnever\b|unlike|except|prox(?:y|ie)|mirror|compat|\bboth\b|version|partner|upstream|changelog|@(?:swagger|openapi|route|api[a-z]*)\b/i;

/** What stands before the words of a comment on its line: its marks, or the code in front of it. */
function markerOf(line: string, at: number): string {
  const [marker] = beginning.exec(line) ?? [];
  // Lines below it may go on without a mark of their own: nobody reads where they are part of it.
  if (marker !== undefined) return marker.includes('/*') && !marker.includes('/**') && !line.includes('*/') ? '' : marker;
  const [before = ''] = /^.*[\s;,{(]\/\/+[ \t]*/.exec(line.slice(0, at)) ?? [];
  return ['"', "'", '\x60'].every((quote) => before.split(quote).length % 2 === 1) ? before : '';
}

const beginning = /^[ \t]*(?:\/\*\*?(?!\/)|\*(?!\/)|\/\/+|#+)[ \t]*/;
/** In lines, before and behind: a comment that goes on for longer is read no further. */
const longestBlock = 24;

function lineAt(text: string, at: number): TextRange {
  const end = text.indexOf('\n', at);
  return { start: text.lastIndexOf('\n', at - 1) + 1, end: end === -1 ? text.length : end };
}

/** The comment that a line is part of. */
function blockAround(text: string, line: TextRange): TextRange {
  let { start, end } = line;
  for (let lines = 0; lines < longestBlock && start > 0; lines++) {
    const before = lineAt(text, start - 1);
    if (!beginning.test(text.slice(before.start, before.end))) break;
    ({ start } = before);
  }
  for (let lines = 0; lines < longestBlock && end < text.length; lines++) {
    const next = lineAt(text, end + 1);
    if (!beginning.test(text.slice(next.start, next.end))) break;
    ({ end } = next);
  }
  return { start, end };
}
