/** What a package holds of v1 once edits are made, and the names that it has to do with: by these, documents tell whether what they say still holds. */
import { v1Auth } from '../../src/contract/auth.ts';
import { isComment as isCommentOfLine } from '../escape/ledger/text-places.ts';
import { answersRequests, handlesRequests } from '../clients/servers/frameworks.ts';
import type { FoundFile } from '../find/walk.ts';
import { coverOf } from '../formats/text.ts';
import type { Edit, Finding } from '../model.ts';
import { once } from '../once.ts';
import { isComment } from '../syntax/comments.ts';
import { routeHeads } from '../verdict/bases/routes.ts';
import { servesV1 } from './own-routes.ts';

/** What reads variables of the environment. */
export const isScript = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|sh|bash)$/i;
const heads = routeHeads.map((head) => head.slice('/v1/'.length)).join('|');
const ofService = new RegExp(String.raw`/(?:v1/(?:(?:${heads})\b|\W)|v1$|(?:${heads})\b)`);
/** `/v${major}`, `'/v' + version`, `%s/v%d`. */
const composed = String.raw`/v(?=["'\x60]\s?[+.]|%|[$#]?\{)`;
/** A server has these, or something that asks by a base which is not known. */
const ownRoutes = [
  String.raw`(?<![\w.@-])(?:/[\w-]+)*(?:/v1/(?:${heads})\b|/v1/?(?=["'\x60*:({$\\]|\s|$)|${composed})`,
  String.raw`["'\x60]v1(?:/(?:${heads})\b|["'\x60])`,
  String.raw`(?:prefix|(?<!^api)version|namespace|path|route|use|mount|register|stage)\W{1,4}v1\b(?!/(?!(?:${heads})\b)[a-z])|\benableVersioning\b`,
].join('|');
/** Others may have the header; routes behind addresses of theirs, where nobody read who asks for them. */
const ofOthers = String.raw`(?<header>(?<![\w-])${v1Auth.field}(?![\w-]))|(?<=[\w}])(?:/v1(?![\w-])|${composed})`;
const ofV1 = new RegExp(`(?<own>${ownRoutes})|${ofOthers}`, 'gim');
/** Files of which nobody knows whose such a thing is. */
const unread: ReadonlySet<FoundFile['kind']> = new Set(['other', 'bare', 'plain']);

/** What others may share of v1: what is in a file of which nobody knows whose it is, may be ours and all that is left. */
export type Use = 'routes' | 'header' | 'all' | 'called';

/** Whether routes of v1 stay, if only as what calls go by. */
export const holdsRoutes = (uses: ReadonlySet<Use>): boolean => uses.has('routes') || uses.has('called');

/** What a program holds of v1 once edits are made, outside of comments. */
export function usesOf(
  { path: file, kind }: Pick<FoundFile, 'path' | 'kind'>,
  edits: readonly Edit[],
  textIn: (file: string) => string,
): ReadonlySet<Use> {
  const uses = new Set<Use>(servesV1(file) ? ['routes'] : []);
  const text = textIn(file);
  const isEdited = coverOf(edits.filter(({ what }) => what !== 'header value'));
  const isDescribed = describedIn(file, text);
  const asks = once(() => edits.some(isAddressEdit) && !answersAny(text));
  for (const { index: start, 0: found, groups = {} } of text.matchAll(ofV1)) {
    const line = text.slice(Math.max(0, start - longestLine), start);
    const own = groups['own'] === undefined ? undefined : isCalled.test(line) && asks() ? 'called' : 'routes';
    const use = unread.has(kind) ? 'all' : groups['header'] !== undefined ? 'header' : own;
    if (use === undefined || uses.has(use)) continue;
    const isSaid =
      ofEnding.test(line) ||
      isComment(line, line.length) ||
      isCommentOfLine({ file, text: line }, { start: line.length, end: line.length }) ||
      isDescribed(start);
    if (!isSaid && !isEdited({ start, end: start + found.length })) uses.add(use);
  }
  return uses;
}

/** `'another address, without /v1 (TEXTS_URL)'`: what people are told of how one ends. */
const ofEnding = /\b(?:with|without|including|excluding|ends?\s(?:with|in)|no|adds?|appends?)\s(?:the\s|an?\s|trailing\s)?$/i;

/** Beside a call that moves, where nothing answers requests, a text with method and path is what a call goes by: `trace('GET /v1/contacts', () => …)`. */
const isCalled = /(["'`])(?:(?!\1).)*\b(?:GET|POST|PUT) $/;

/** Tells what data says to people: a description in JSON, and in a schema of GraphQL. */
function describedIn(file: string, text: string): (at: number) => boolean {
  if (/\.json$/i.test(file)) return (at) => described.test(text.slice(Math.max(0, at - longestLine), at));
  if (!/\.(?:graphqls?|gql)$/i.test(file)) return () => false;
  const isCovered = coverOf(
    Array.from(text.matchAll(/"""[^]*?"""/g), ({ index, 0: { length } }) => ({ start: index, end: index + length })),
  );
  return (at) => isCovered({ start: at, end: at + 1 });
}
const described = /"(?:description|title|summary)"\s*:\s*"[^"]*$/;

/** How much of a line is read in front of what it holds, in characters. */
export const longestLine = 2_000;

export const isAddressEdit = ({ what }: Edit): boolean => what === 'base' || what === 'path';

/** Whether a file may answer requests, by a framework or by itself. */
export const answersAny = (text: string): boolean => answersRequests.test(text) || handlesRequests.test(text);

type TextIn = (file: string) => string;

export const wordsIn = (file: string, names: ReadonlySet<string>, textIn: TextIn): readonly string[] =>
  names.size === 0 ? [] : wordsOf(textIn(file), names);
/** A shell writes a variable with its sign. */
const wordsOf = (text: string, names: ReadonlySet<string>): readonly string[] =>
  (text.match(/[\w$]+/g) ?? []).map((word) => word.replace(/^\$(?=[A-Z])/, '')).filter((word) => names.has(word));

const name = String.raw`[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?![\w$])`;
const anyVariable = new RegExp(String.raw`(?<!\w)${name}`);
/** In a script, other names in such letters are constants of its own. */
const ofEnvironment = new RegExp(String.raw`(?:\benv\??\.(?:get\(["'])?|\benv\[["']|\bget(?:OrThrow)?(?:<\w+>)?\(["'\x60])${name}`);
const variableOf = (file: string): RegExp => (isScript.test(file) && !/\.(?:ba)?sh$/i.test(file) ? ofEnvironment : anyVariable);

/** @returns the variables that headers which stay are sent with, where the line of each says it */
export function keysKeptIn(file: string, edits: readonly Edit[], names: ReadonlySet<string>, textIn: TextIn): readonly string[] | 'any' {
  const text = textIn(file);
  const isEdited = coverOf(edits);
  const kept = Array.from(text.matchAll(anyHeader), ({ index: start, 0: { length } }) => ({ start, end: start + length }));
  const lines = kept.flatMap((each) => (isEdited(each) || isComment(text, each.start) ? [] : lineAt(text, each.start)));
  return lines.every((line) => variableOf(file).test(line)) ? lines.flatMap((line) => wordsOf(line, names)) : 'any';
}
const anyHeader = new RegExp(String.raw`(?<![\w-])${v1Auth.field}(?![\w-])`, 'gi');

/**
 * The variables that what stays may be about: all of a script, and in other files the keys of its line, or of all where it has none. What a deployment sets
 * an address to is not what code says of it.
 */
export function namesLeftAt({ file, line }: Finding, names: ReadonlySet<string>, textIn: TextIn): readonly string[] {
  if (names.size === 0 || isScript.test(file)) return wordsIn(file, names, textIn);
  const said = textIn(file).split('\n', line)[line - 1] ?? '';
  const own = anyVariable.test(said) ? wordsOf(said, names) : wordsIn(file, names, textIn);
  return own.filter((each) => isKey.test(each));
}

/** What a variable is called that holds a key. */
export const isKey = /_(?:KEY|TOKEN|SECRET)$/;

const lineAt = (text: string, at: number): string => text.slice(text.lastIndexOf('\n', at - 1) + 1).split('\n', 1)[0] ?? '';

/** Whether a call of nobody knows whom asks for what the service does not have: `"$URL/api/v1/health"`. */
export function asksForMore({ file, code, start, detail }: Finding, textIn: TextIn): boolean {
  if (code !== 'base-not-proven') return false;
  const asked = `${lineAt(textIn(file), start)} ${detail['route'] ?? ''} ${detail['paths'] ?? ''}`;
  return /\/v1\/\w/.test(asked) && !ofService.test(asked);
}
