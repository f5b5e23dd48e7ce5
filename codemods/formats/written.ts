/** Texts of a file as the evaluator has values: parts with the place where each stands, and unknown parts for placeholders. */
import { isAuthorization, isKeyHeader, v2Auth } from '../../src/contract/auth.ts';
import { expressionMark } from '../evaluate/values/text.ts';
import { type Entry, type EnvValue, type Part, type TextPart, type Value, unknown } from '../evaluate/values/values.ts';
import { bareRequest } from '../requests/requests.ts';
import type { StringNode } from '../syntax/tree.ts';
import { anyPlaceholder } from '../verdict/bases/routes.ts';
import type { Setting, Stretch, WrittenRequest } from './reading.ts';
import { substitutionsIn } from './substitutions.ts';
import { type TextRange, type Text, slice } from './text.ts';
import { type Scope, expansions, referencesIn } from './variables.ts';

/** A header as it is written. */
export interface Header {
  readonly name: Text;
  /** undefined where it is not a text: an alias with a tag, a list, null. */
  readonly value: Text | undefined;
  /** See `Entry`; offsets are the stretch's. */
  readonly rewrite?: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Names as a file has them, where blanks may stand around. */
export const isKeyField = (name: string): boolean => isKeyHeader(name.trim());
export const isAuthorizationField = (name: string): boolean => isAuthorization(name.trim());

/** A place of a file as the literal that stands there. */
export function nodeAt({ start: from }: Stretch, { start, end }: TextRange, value = ''): StringNode {
  return { kind: 'string', quote: '"', value, start: from + start, end: from + end };
}

/**
 * The parts of a text; a variable that is not known is one of the environment, as it is for programs.
 * @param scope where the text is read: `NAME ?= value` says there what the variable is where nobody sets it
 */
export function partsIn(text: Text, stretch: Stretch, scope?: Scope): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { start, end, name, fallback } of placeholdersIn(text.value)) {
    const node = nodeAt(stretch, { start: text.at[start] || 0, end: (text.at[end - 1] || 0) + 1 });
    // A place in a file that was not found is no variable.
    const held: Value =
      name === undefined || name.startsWith('self:')
        ? unknown(node, stretch.source)
        : {
            type: 'env',
            name,
            node,
            module: stretch.source,
            ...defaultOf(name, fallback && slice(text, fallback.start, fallback.end), stretch, scope),
          };
    parts.push(...literalParts(slice(text, from, start), stretch), { unknownPart: held });
    from = end;
  }
  return [...parts, ...literalParts(slice(text, from), stretch)];
}

/** What a variable is where nobody sets it, as far as it stands there. */
function defaultOf(name: string, fallback: Text | undefined, stretch: Stretch, scope: Scope | undefined): Pick<EnvValue, 'otherwise'> {
  const defaults = scope?.get(name).filter(({ isDefault }) => isDefault === true) ?? [];
  const [text] = fallback === undefined ? defaults.map(({ value }) => value) : [fallback];
  return text === undefined ? {} : { otherwise: { type: 'text', parts: literalParts(text, stretch) } };
}

interface Placeholder extends TextRange {
  /** Of the variable, if it is one. */
  readonly name: string | undefined;
  /** Where its default stands. */
  readonly fallback?: TextRange | undefined;
}

/** What a script or a function is given. */
const parameter = String.raw`\$[\d@*]`;

function placeholdersIn(value: string): Placeholder[] {
  const found: Placeholder[] = referencesIn(value);
  const others = Array.from(value.matchAll(new RegExp(`${anyPlaceholder.source}|${parameter}`, 'g')), ({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    name: undefined,
  }));
  const substituted = substitutionsIn(value).map((range): Placeholder => ({ ...range, name: undefined }));
  let end = 0;
  return [...found, ...others, ...substituted]
    .toSorted((a, b) => a.start - b.start || b.end - a.end || Number(a.name === undefined) - Number(b.name === undefined))
    .filter((each) => {
      const isFirst = each.start >= end;
      if (isFirst) end = each.end;
      return isFirst;
    });
}

/** Runs of characters that stand in the file as they are; each that is written with an escape is a part of its own. */
function literalParts({ value, at }: Text, stretch: Stretch): TextPart[] {
  const kindOf = (i: number): 'as written' | 'escaped' | 'nowhere' => {
    const offset = at[i] ?? Number.NaN;
    if (Number.isNaN(offset)) return 'nowhere';
    return stretch.source.text[stretch.start + offset] === value[i] ? 'as written' : 'escaped';
  };
  const goesOn = (i: number): boolean => {
    const kind = kindOf(i);
    return kind === kindOf(i - 1) && (kind === 'nowhere' || (kind === 'as written' && at[i] === (at[i - 1] ?? 0) + 1));
  };
  const parts: TextPart[] = [];
  for (let start = 0; start < value.length;) {
    let end = start + 1;
    while (end < value.length && goesOn(end)) end++;
    const kind = kindOf(start);
    parts.push(partAt(value.slice(start, end), kind === 'nowhere' ? undefined : at[start], kind === 'as written', stretch));
    start = end;
  }
  return parts;
}

function partAt(text: string, start: number | undefined, isExact: boolean, stretch: Stretch): TextPart {
  if (start === undefined) return { text };
  const node = nodeAt(stretch, { start, end: start + text.length }, text);
  return { text, source: { module: stretch.source, start: node.start, isExact, node } };
}

/** A name that is written with escapes. */
const inParts = (text: string, first: TextPart | undefined): TextPart | undefined =>
  first?.source === undefined ? undefined : { text, source: { ...first.source, isExact: false } };

interface Given extends TextRange {
  /** `curl`, `http file` … */
  readonly client: string;
  /** undefined where it is nowhere to be seen. */
  readonly url: Text | undefined;
  /** undefined where it cannot be known. */
  readonly method: string | undefined;
  readonly headers: readonly Header[];
  /** Whether credentials are sent in another way: basic authentication, a token option. */
  readonly hasCredentials: boolean;
  /** The URL once more, in parts that have to say the same. */
  readonly again?: Text;
}

/** Two keys are one too many already. */
const maxHeaders = 8;

/** A request as a format writes it; offsets are the stretch's. */
export function writtenRequest(given: Given, stretch: Stretch, scope: Scope, about: Partial<WrittenRequest> = {}): WrittenRequest {
  const call = nodeAt(stretch, given);
  const keys = given.headers.filter(({ name }) => isKeyField(name.value));
  // That of an authorisation comes in the place of a header.
  const isSameKey = keys.some(({ rewrite }) => rewrite !== undefined) && new Set(keys.map(({ value }) => value?.value)).size === 1;
  const headers = given.headers
    .filter(({ name }) => isKeyField(name.value) || isAuthorizationField(name.value))
    .slice(0, maxHeaders)
    .map((header) => headerEntry(header, call, stretch, keys.length > 1 && !isSameKey));
  const credentials: Entry[] = given.hasCredentials ? [credentialsAt(call, stretch)] : [];
  const again = given.again === undefined ? [] : expansions(given.again, scope);
  const urls = given.url === undefined ? [undefined] : expansions(given.url, scope);
  const requests = urls.map((url, i) => ({
    ...bareRequest(call, stretch.source, 'setting'),
    client: given.client,
    url: url && partsIn(url, stretch, scope),
    method: given.method?.toUpperCase(),
    headers: [...headers, ...credentials],
    prefixes: again[i] === undefined ? [] : [partsIn(again[i], stretch)],
  }));
  const isContradicted = given.again !== undefined && urls.some((url, i) => !isSame(url?.value ?? '', again[i]?.value ?? ''));
  return { requests, isKeyless: false, mentions: [], isContradicted, isLeft: false, ...about };
}

/** But for what follows the path. */
const isSame = (url: string, again: string): boolean => url.startsWith(again) && /^\/?(?:[?#]|$)/.test(url.slice(again.length));

/** @returns undefined where it is empty */
export function settingOf(value: Text, stretch: Stretch, scope: Scope, about: Partial<Setting> = {}): Setting | undefined {
  const [first, last] = [value.at[0], value.at.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const call = nodeAt(stretch, { start: first, end: last + 1 });
  const requests = expansions(value, scope).map((url) => ({
    ...bareRequest(call, stretch.source, 'setting'),
    url: partsIn(url, stretch, scope),
  }));
  return { name: undefined, ...about, requests };
}

const credentialsAt = (call: StringNode, { source }: Stretch): Entry => ({
  name: v2Auth.field,
  key: undefined,
  node: call,
  module: source,
  value: () => unknown(call, source),
  valueNode: undefined,
});

/** How a space is written where a mark says that it would end a word; undefined where it would in any way. */
const spaces: Readonly<Record<string, string | undefined>> = { ' ': ' ', e: ' ', u: String.raw`\ `, x: String.raw`\\ `, s: undefined };

/** @param isShared whether the same header is given more than once */
export function headerEntry({ name, value, rewrite }: Header, call: StringNode, stretch: Stretch, isShared: boolean): Entry {
  const { source, start: from } = stretch;
  const trimmed = value === undefined ? '' : value.value.trim();
  const blank = name.value.length - name.value.trimStart().length;
  const [key, more] = literalParts(slice(name, blank, blank + name.value.trim().length), stretch);
  const hasValue = value !== undefined && trimmed !== '';
  const first = expressionMark(value?.value ?? '');
  const start = value?.at[first] ?? 0;
  return {
    name: name.value.trim(),
    key: more === undefined ? key : inParts(name.value.trim(), key),
    node: call,
    module: source,
    value: () => (hasValue ? { type: 'text', parts: partsIn(slice(value, first), stretch) } : unknown(call, source)),
    valueNode: hasValue ? nodeAt(stretch, { start, end: (value.at.at(-1) ?? start) + 1 }) : undefined,
    ...(hasValue && { opening: { start: from + start, space: spaces[value.marks[first] ?? ' '] } }),
    ...(rewrite !== undefined && { rewrite: rewrite.map((each) => ({ ...each, start: from + each.start, end: from + each.end })) }),
    isShared,
  };
}
