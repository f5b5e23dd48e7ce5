/** The suspicious literals of a file that is no script: `x-api-key`, addresses of ours, paths of v1. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Reading } from '../../formats/reading.ts';
import { type TextRange, coverOf } from '../../formats/text.ts';
import { type Bases, routeHeads, spokenBase } from '../../verdict/bases/routes.ts';
import { isComment } from './text-places.ts';
import { versionsBeside } from './versions-beside.ts';

export interface Literal extends TextRange {
  /** A base alone is one only in code that nobody reads: what follows it there is not known. */
  readonly kind: 'header' | 'our url' | 'route' | 'base';
  /** The host before a route, if it is written there. */
  readonly host: string | undefined;
}

/** How much of what stands beside a literal is looked at, in characters. */
export const longestPath = 200;

/** @returns the literals in the order in which they stand there */
export function literalsOf(
  source: SourceText,
  { elsewhere, prose }: Pick<Reading, 'elsewhere' | 'prose'>,
  bases: Bases,
  isUnread: boolean,
): Literal[] {
  const isElsewhere = coverOf(elsewhere);
  const spoken = spokenIn(source, bases);
  const isSpoken = coverOf(spoken);
  return [
    ...literalsIn(source.text, bases, isUnread && mayTakeVersion(source.text, bases)).filter((literal) => !isSpoken(literal)),
    ...spoken,
    ...versionsIn(source, coverOf(prose)),
    ...versionsBeside(source, bases).map((place): Literal => ({ ...place, kind: 'route', host: undefined })),
  ]
    .filter((literal) => !isElsewhere(literal) && !isGivenToThisKit(source, literal))
    .toSorted((one, other) => one.start - other.start);
}

/** `npx migrate-v2 --v1-base https://api.example.com/v1 --check`: it names v1 for good. */
const isGivenToThisKit = ({ text }: SourceText, { start }: TextRange): boolean => /--v1-base[ =]["']?$/.test(text.slice(start - 20, start));

const slash = String.raw`\\?\/`;
const heads = routeHeads.map((head) => escaped(head)).join('|');

/**
 * Whether a base in it may get v1 as its version: with the same host, nothing of what says no more than the base is old. Where paths are written
 * with their version, and no version without a path, these say it.
 */
function mayTakeVersion(text: string, bases: Bases): boolean {
  const rest = text.replaceAll(new RegExp(`(?:${heads})\\b`, 'g'), '');
  return bases.v2 !== undefined || new RegExp(`(?<![\\w.-])v1(?![\\w-])${rest === text ? `|${v1Auth.field}` : ''}`, 'i').test(rest);
}

/** `${VERSION:-v1}`, `{{ .Values.version | default "v1" }}`, `${opt:version, 'v1'}`: what is put in unless somebody sets another. */
const defaultedVersion = String.raw`\$?\{{1,2}[^{}\n]*(?<!\w)v1(?![\w-])[^{}\n]*\}`;
/** `variables: { version: { default: v1 } }`, as servers of an OpenAPI document have it for `https://api.example.com/{version}`. */
const versionOfServers = /^[^]*(?<![\w-])servers["']?\s*:[^]*?(?<![\w-])default["']?\s*:\s*["']?v1(?![\w-])/;

/** Finds `x-api-key`, our bases followed by the version or by nothing, and paths of v1. */
function literalsIn(text: string, bases: Bases, withBases: boolean): Literal[] {
  const versions = [String.raw`v1\b`, defaultedVersion, ...(versionOfServers.test(text) ? [String.raw`\{\w+\}`] : [])].join('|');
  // JSON may write `\/`.
  const ours = bases.v1.map((base) => `${escaped(base).replaceAll(String.raw`\/`, slash)}${slash}(?:${versions})`);
  const pattern = new RegExp(
    [
      `(?<header>(?<![\\w-])${v1Auth.field}(?![\\w-]))`,
      ...(ours.length === 0 ? [] : [`(?<ours>${ours.join('|')})`]),
      ...(ours.length === 0 || !withBases ? [] : [`(?<base>(?:${bases.v1.map(escaped).join('|')})\\/?)(?![\\w/.:-])`]),
      `(?<host>https?:\\/\\/[^\\s/"'<>]+)?(?:${heads})\\b`,
    ].join('|'),
    'gi',
  );
  return Array.from(text.matchAll(pattern), ({ index, 0: found, groups = {} }): Literal => {
    const kind =
      groups['header'] !== undefined
        ? 'header'
        : groups['ours'] !== undefined
          ? 'our url'
          : groups['base'] !== undefined
            ? 'base'
            : 'route';
    return { start: index, end: index + found.length, kind, host: groups['host']?.replace(/^https?:\/\//i, '') };
  });
}

/** Our host with its version in comments, without a scheme, too: `# POST api.example.com/v1/messages`. */
function spokenIn(source: SourceText, { v1 }: Bases): Literal[] {
  if (v1.length === 0) return [];
  const pattern = new RegExp(String.raw`(?:https?:\/\/)?(?:${v1.map(spokenBase).join('|')})\/v1\b`, 'gi');
  const found = Array.from(source.text.matchAll(pattern), ({ index: start, 0: { length } }) => ({ start, end: start + length }));
  return found.filter((place) => isComment(source, place)).map((place) => ({ ...place, kind: 'our url', host: undefined }));
}

/** What a document says a version is by default, `` | `apiVersion` | `v1` | ``, or of a version of the API: `## API (v1)`, `v1 allows 60 requests per minute`. */
function versionsIn({ file, text }: SourceText, isProse: (place: TextRange) => boolean): Literal[] {
  if (!/\.mdx?$/.test(file)) return [];
  return Array.from(text.matchAll(/(?<![\w./@:-])\/?v1\/?(?![\w/@:-]|\.\w)/gi), ({ index: start, 0: version }): Literal[] => {
    const literal = { start, end: start + version.length, kind: 'route', host: undefined } as const;
    const end = text.indexOf('\n', start);
    const line = text.slice(text.lastIndexOf('\n', start) + 1, end === -1 ? undefined : end);
    const isQuoted = /["'`]/.test(text[start - 1] ?? '') && /["'`]/.test(text[literal.end] ?? '');
    if (isQuoted && !version.startsWith('/') && /version/i.test(line)) return [literal];
    const isOfApi = (isQuoted && version.startsWith('/')) || ofApi.test(line);
    return isOfApi && !/\bv2\b/i.test(line) && isProse(literal) ? [literal] : [];
  }).flat();
}

const ofApi = /\bapis?\b|\b(?:requests|calls)\b|\blimit(?:s|ed)?\b|\bper (?:second|minute|hour|day|key)\b/i;
