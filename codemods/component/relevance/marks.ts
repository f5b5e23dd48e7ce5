/** What the text of a file says without being parsed. */
import { anyOf, cases } from '../../clients/testing/declared-tests.ts';
import { isHidingName } from '../../escape/headers/hiding/hiding.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { escaped } from '../../find/words/literals.ts';
import { mentionsAny, type Unit, wordsIn } from './outline.ts';
import type { SliceFile, Sources } from './sources.ts';

/** Whether a file may name any of the exports: by their names, or all at once. */
export const mayName = (text: string, names: ReadonlySet<string>): boolean =>
  names.has('default') ||
  names.has('*') ||
  /\*\s*(?:as|from)\b|\b(?:r|createR)equire\b|\bimport\s*\(/.test(text) ||
  mentionsAny(text, names);

/** Whether a name stands in the text of whoever imports it. */
export const isNamed = (name: string): boolean => name !== '*' && name !== 'default' && name !== '';

/** Whether a statement hands on what it takes by a name, as what it is called says: `export const useApi = () => useContext(ApiContext)`. */
export const isHook = ({ names }: Pick<Unit, 'names'>): boolean => names.some((name) => /^use[A-Z]/.test(name));

/**
 * Tells what a file may have taken from others under its own name.
 * @param implied what its framework imports by itself
 */
export function taking(text: string, implied: readonly { readonly name: string }[]): (name: string) => boolean {
  if (/\b(?:r|createR)equire\b|\bimport\s*\(/.test(text)) return () => true;
  const clauses = [...text.matchAll(/\bimport\b([^'"]*)\bfrom\b/g)].map(([, clause = '']) => clause);
  const names = new Set([...wordsIn(clauses.join(' ')), ...implied.map(({ name }) => name)]);
  return (name) => names.has(name);
}

/** Tells texts that hold one of the names, which need be none of code: `messaging-client`. */
export function holding(names: ReadonlySet<string>): (text: string) => boolean {
  const any = new RegExp(`(?<![\\w$])(?:${[...names].map(escaped).join('|')})(?![\\w$])`);
  return (text) => any.test(text);
}

/** An address that is written out: what is part of one is none of another's. */
export const wholeUrl = /https?:\/\/[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/[^\s'"`$]*)?(?=['"`])/g;

/**
 * Whether a test has nothing to say of what it runs: nothing suspicious, no part of a path, and nobody imports it or is decided for by it. What
 * speaks against an edit from within a test holds no program.
 */
export const isIdleTest = (each: SliceFile | undefined, { text, holdsPart }: Pick<Sources, 'text' | 'holdsPart'>): boolean =>
  each !== undefined &&
  isTest(each) &&
  !each.isCandidate &&
  each.importers.length + each.ambient.length === 0 &&
  !holdsPart(text(each.file)) &&
  !isSetup(text(each.file));

/** What a runner is set up with starts servers for all tests, and is none itself. */
const isSetup = (text: string): boolean => /\blisten\b/.test(text) && !declaring.test(text);
const declaring = new RegExp(String.raw`\b${anyOf(cases)}\b`);

/** `export … from`, in both module systems. */
const passesOn = /\bexport\s*(?:\*|\{[^}]*\})[^;'"]*\bfrom\b|\bexports\b.*=\s*require\b/;

/** An address, the name of a host, or where one may be read from, beside lines that are comments. */
const address = /^(?!\s*(?:\/\/|\*)).*(?:https?:\/\/[\w$]|\benv\b|['"`](?:[\w-]+\.)+[a-z]{2,}(?::\d+)?['"`/])/m;

/** What a text may be about, without being parsed. */
export interface Marks {
  /** An address, a request, or something that is handed on or hidden: whoever asks for it may learn where a request goes. */
  readonly isAnswer: boolean;
  /** A request, part of a path, a header that is read or hidden, something that is handed on, or that is done again and again. */
  readonly isUser: boolean;
}

/** A header that is read by a name: by whom the name of v1's is read, says whose it is. */
const readsHeader = /\bheaders(?:\??\.get\(|(?:\?\.)?\[)|\.(?:get|header|getHeader)\(\s*[\w$.]+\s*\)/;

/** What goes by the name of a header to hide it, or to leave it out, beside what is called so. */
const hides = /\*{2,}['"`]|\bomit|\bdelete\s[\w.?]+\[|\.removeHeader\(|\.filter\([^\n]*\b(?:includes|has|test|indexOf)\(/i;

const mayRepeat = (text: string): boolean => text.includes('Interval') || text.includes('cron');

export function marksOf(text: string, { speaksHttp, holdsPart }: Pick<Sources, 'speaksHttp' | 'holdsPart'>): Marks {
  const isEither = passesOn.test(text) || speaksHttp(text);
  const isHiding = hides.test(text) || isHidingName(text);
  return {
    isAnswer: isEither || isHiding || address.test(text),
    isUser: isEither || isHiding || mayRepeat(text) || holdsPart(text) || readsHeader.test(text),
  };
}
