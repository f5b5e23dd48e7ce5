/** What documents tell people of v1 in sentences and tables, and how that reads on v2. Whether it holds is decided once it is known what moves: `run/moved-passages.ts`. */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import type { SourceText } from '../evaluate/source-text.ts';
import { isTest } from '../evaluate/test-files.ts';
import { escaped } from '../find/literals.ts';
import { isChangeLog } from '../formats/change-log.ts';
import { type TextRange, coverOf } from '../formats/text.ts';
import type { Span } from '../model.ts';
import { anyPlaceholder, type Bases, matchRoute } from '../verdict/routes.ts';

/** A heading, a paragraph, an item of a list or a row of a table: all that it says of v1 moves, or nothing. */
export interface Passage extends Span {
  readonly text: string;
  readonly mentions: readonly Mention[];
}

export interface Mention extends TextRange {
  /** An address says by itself whose it is. */
  readonly kind: 'address' | 'route' | 'header';
  /** What a route may be. */
  readonly endpoints: readonly V1EndpointId[];
  readonly replacements: readonly Replacement[];
}

interface Replacement extends TextRange {
  readonly text: string;
  readonly what: 'base' | 'path' | 'header name' | 'header value';
}

/** What says how a program is used; not what was decided, planned or written on a day. */
const isOfUse = /(?:^|\/)readme\b[^/]*\.md$|(?:^|\/)(?:docs?|documentation)\/(?:[^/]+\/)*[^/]+\.md$/i;
const isOfItsTime =
  /(?:^|[/._-])(?:adrs?|decisions?|rfcs?|proposals?|designs?|plans?|notes?|archived?|old|legacy|blog|posts?|news|post-?mortems?|incidents?|v\d+|migrat\w*|upgrad\w*|deprecat\w*|\d{4})(?=[/._-])/i;

/** That compares versions, tells of what was or will be, forbids, says what else v1 has, or speaks of another server. */
const doubtful = new RegExp(
  [
    String.raw`(?<![\w./@:-])v1(?![\w/-]|\.\w)|(?<![\w@-])v[02]\b|\b${v2Auth.field}\b|\b${v2Auth.scheme}\b`,
    String.raw`\b(?:deprecat|migrat|upgrad|sunset|retir|replac|renam|switch)\w*|\b(?:until|legacy|old|former(?:ly)?|previous(?:ly)?|still|yet|for now|currently|today|instead|used to|moved|histor\w+|todo)\b`,
    String.raw`\b(?:was|were|had|not|never|avoid|cannot|no longer)\b|n['’]t\b|\b(?:19|20)\d\d\b|\d\.\d+\.\d`,
    String.raw`\b(?:rate|limit(?:s|ed)?|per (?:second|minute|hour|day|key))\b`,
    String.raw`\b(?:own|internal(?:ly)?|gateway|proxy|proxies|prox(?:y|i)ed|mock\w*|stub\w*|fakes?|stand-?ins?|sandbox|localhost|callers?|customers?|consumers?|inbound|incoming)\b|127\.0\.0\.1`,
  ].join('|'),
  'i',
);

/** The document knows v2. */
const ofV2 = /(?<![\w@.:-])v2(?![\w.-])/i;
/** A link to a heading by the name that it has from its text. */
const toHeading = /\]\([^)\s]*#[^)\s]*v1/;

/** @param prose what is read by people alone */
export function passagesIn(source: SourceText, prose: readonly TextRange[], bases: Bases): Passage[] {
  const { file, text } = source;
  if (!isOfUse.test(file) || isOfItsTime.test(file) || isChangeLog(file) || isTest(source)) return [];
  if (toHeading.test(text) || prose.some(({ start, end }) => ofV2.test(text.slice(start, end)))) return [];
  // Where the host changes, too, nothing else may be left to say it.
  if (bases.v2 !== undefined && new RegExp(String.raw`(?:${hosts(bases)})(?!/v1\b)`, 'i').test(text)) return [];
  const isProse = coverOf(prose);
  const mentionsIn = reader(bases);
  const headings: { readonly level: number; readonly isDoubtful: boolean }[] = [];
  let isLedIn = false;
  return [...paragraphsOf(text)].flatMap(({ start, end }) => {
    const said = text.slice(start, end);
    const isDoubtful = doubtful.test(said) || isLedIn;
    const level = /^#{1,6}(?=\s)/.exec(said)?.[0].length;
    if (level !== undefined && isProse({ start, end: start + level })) {
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop();
      headings.push({ level, isDoubtful });
    }
    const isAll = isLedIn || headings.some((heading) => heading.isDoubtful);
    // What is said of a list stands above it.
    isLedIn = isDoubtful && /:\s*$/.test(said);
    return unitsOf(said, isDoubtful).flatMap((unit): Passage[] => {
      if (isAll || unit.isDoubtful) return [];
      const part = said.slice(unit.start, unit.end);
      const mentions = mentionsIn(part, start + unit.start).filter(isProse);
      return mentions.length === 0 ? [] : [{ file, ...moved(unit, start), text: part, mentions }];
    });
  });
}

/** Rows of a table, by its head and themselves; items of a list, of which each may be about what another says. */
function unitsOf(said: string, isDoubtful: boolean): (TextRange & { readonly isDoubtful: boolean })[] {
  const lines = Array.from(said.matchAll(/[^\n]*\n|[^\n]+$/g), ({ index: start, 0: line }) => ({ start, end: start + line.length, line }));
  if (lines.every(({ line }) => /^\s*\|/.test(line))) {
    const isOfHead = doubtful.test(lines[0]?.line ?? '');
    return lines.map(({ start, end, line }) => ({ start, end, isDoubtful: isOfHead || doubtful.test(line) }));
  }
  const starts = lines.flatMap(({ start, line }, i) => (i === 0 || /^\s*(?:[-*+]|\d+[.)])\s/.test(line) ? start : []));
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? said.length, isDoubtful }));
}

/** Lines without an empty one between them; a heading by itself. What a document says of itself at its top, between lines, is none. */
function* paragraphsOf(text: string): Generator<TextRange> {
  let start = /^---\r?\n[^]*?\n---\r?\n/.exec(text)?.[0].length ?? 0;
  const top = start;
  for (const { index, 0: line } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    if (index < top) continue;
    const isHeading = /^#{1,6}\s/.test(line);
    if (!isHeading && line.trim() !== '') continue;
    if (index > start) yield { start, end: index };
    start = index + line.length;
    if (isHeading) yield { start: index, end: start };
  }
  if (start < text.length) yield { start, end: text.length };
}

const hosts = ({ v1 }: Bases): string => v1.map((base) => escaped(base.replace(/^https?:\/\//, ''))).join('|') || '(?!)';

/** Another API's address: no link to something to read. */
const address = /\bhttps?:\/\/[^\s"'`<>)|]+/gi;

function reader(bases: Bases): (said: string, at: number) => Mention[] {
  const path = String.raw`/v1(?![\w-])(?:<[^<>\s/]*>|\{[^{}\s]*\}|[^\s\x60|"'()<>[\]{}*\\])*`;
  const pattern = new RegExp(
    String.raw`(?<![\w./@:$}{-])(?:(?<base>(?:https?://)?(?:${hosts(bases)}))?(?<path>${path})|(?<header>${v1Auth.field})(?![\w-]))`,
    'gi',
  );
  const ours = new RegExp(`^https?://(?:${hosts(bases)})(?![\\w.-])`, 'i');
  return (said, at) => {
    const isBesideOther = (said.match(address) ?? []).some((each) => /\/v\d/.test(each) && !ours.test(each));
    const found = Array.from(said.matchAll(pattern), ({ index, groups = {} }) =>
      groups['header'] === undefined
        ? spokenPath(said, index, groups['base'] ?? '', groups['path'] ?? '', bases)
        : spokenHeader(said, index, groups['header'].length),
    );
    return found.flatMap((mention) =>
      mention === undefined || (isBesideOther && mention.kind !== 'address')
        ? []
        : {
            ...moved(mention, at),
            kind: mention.kind,
            endpoints: mention.endpoints,
            replacements: mention.replacements.map((each) => ({ ...each, ...moved(each, at) })),
          },
    );
  };
}

const moved = ({ start, end }: TextRange, by: number): TextRange => ({ start: start + by, end: end + by });

/** An address of the version or an endpoint; a route with its method, or alone in a piece of code or a cell. */
function spokenPath(said: string, start: number, base: string, written: string, bases: Bases): Mention | undefined {
  const path = written.replace(/[.,;:!?]+$/, '');
  const before = said.slice(Math.max(0, start - longestMethod), start);
  const end = start + base.length + path.length;
  const method = /(?<![\w/])(?<method>GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)[\s`|*]*$/.exec(before)?.groups?.['method'];
  const isVersion = base !== '' && method === undefined && /^\/v1\/?$/.test(path);
  const endpoints = matchRoute(path, method, { placeholder: anyPlaceholder });
  if (!isVersion && endpoints.length === 0) return undefined;
  if (base === '' && method === undefined && !isAlone(said, start, end)) return undefined;
  const version = start + base.length + 1;
  const scheme = /^https?:\/\//.exec(base)?.[0] ?? '';
  const host = bases.v2 !== undefined && base !== '' ? (scheme === '' ? bases.v2.replace(/^https?:\/\//, '') : bases.v2) : base;
  return {
    kind: base === '' ? 'route' : 'address',
    endpoints,
    start,
    end,
    replacements: [
      ...(host === base ? [] : [{ start, end: start + base.length, text: host, what: 'base' } as const]),
      { start: version, end: version + 'v1'.length, text: 'v2', what: 'path' },
    ],
  };
}

/** How far in front of a path its method begins, in characters: cells of a table are filled up. */
const longestMethod = 40;

/** The field with its value, or alone in a piece of code or a cell, or as somebody says: the x-api-key header. */
function spokenHeader(said: string, start: number, length: number): Mention | undefined {
  const end = start + length;
  const after = said.slice(end);
  const name = (text: string): Mention => ({
    kind: 'header',
    endpoints: [],
    start,
    end,
    replacements: [{ start, end, text, what: 'header name' }],
  });
  const { space } =
    new RegExp(String.raw`^(?<space>:[ \t]*)(?:${isInCode(said, start) ? String.raw`[^\s\x60]` : placeholder})`).exec(after)?.groups ?? {};
  if (space !== undefined) {
    const value = end + space.length;
    const sent = name(v2Auth.fieldName);
    return { ...sent, replacements: [...sent.replacements, { start: value, end: value, text: `${v2Auth.scheme} `, what: 'header value' }] };
  }
  if (/^[`*]*\s+(?:(?:HTTP|request)\s+)?headers?\b/i.test(after)) return name(v2Auth.fieldName);
  return isAlone(said, start, end) ? name(`${v2Auth.fieldName}: ${v2Auth.scheme}`) : undefined;
}

/** What stands for a key in a sentence; a word would be one of the sentence. */
const placeholder = String.raw`(?:<[^<>\n]+>|\$\{?\w+\}?|\{\{?[ \w]+\}?\}|[A-Z\d_-]*[A-Z\d_](?![\w-]))`;

/** Whether it is all of a piece of code or of a cell. */
function isAlone(said: string, start: number, end: number): boolean {
  if (said[start - 1] === '`') return said[end] === '`';
  return lineBefore(said, start).trimEnd().endsWith('|') && /^[ \t]*\|/.test(said.slice(end, end + longestLine));
}

const isInCode = (said: string, at: number): boolean => lineBefore(said, at).split('`').length % 2 === 0;

const lineBefore = (said: string, at: number): string =>
  said
    .slice(Math.max(0, at - longestLine), at)
    .split('\n')
    .at(-1) ?? '';

/** What is read of a line, in characters. */
const longestLine = 1_000;
