/** Texts in parts: cut, trimmed and joined as URLs are, without losing where each character stands. */
import {
  choiceOf,
  maxAlternatives,
  tooMany,
  type JoinStyle,
  type Part,
  partsOf,
  optionsOf,
  type TextPart,
  type TextValue,
  type Value,
} from './values.ts';
import { exact } from '../../syntax/lists.ts';
import type { Node, StringNode } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';
import type { SourceText } from './source-text.ts';

/** Whether a text stands in the source as it is, without escapes. */
const isExact = (module: SourceModule, start: number, text: string): boolean => module.text.startsWith(text, start);

/** A literal's text with where it stands. */
export function literalText(node: StringNode, module: SourceModule): TextValue {
  const start = node.start + node.quote.length;
  const source = { module, start, isExact: isExact(module, start, node.value), node };
  return { type: 'text', parts: [{ text: node.value, source, provenance: undefined }], provenance: undefined };
}

export function literalPart(text: { readonly start: number; readonly value: string }, node: Node, module: SourceModule): Value {
  const isExact = module.text.startsWith(text.value, text.start);
  return { type: 'text', parts: text.value === '' ? [] : [{ text: text.value, source: { module, start: text.start, isExact, node } }] };
}

/** All texts that pieces make one after the other: the product of their alternatives; where these are too many, its known parts. */
export function concatenated(pieces: readonly Value[]): Value {
  let made: (readonly Part[])[] = [[]];
  for (const piece of pieces) {
    const options = setOptions(piece);
    // Each alternative of what is decided once goes with itself only where there is one; the rest is a product, and bounded.
    if (made.length * options.length > maxAlternatives) return patched(pieces);
    made = made.flatMap((before) =>
      options.flatMap((option): (readonly Part[])[] => {
        if (option.why !== 'empty') return [[...before, ...partsOf(option)]];
        return options.length > 1 && endsSegment(before) ? [] : [before];
      }),
    );
    if (made.some((parts) => parts.length > maxParts)) return patched(pieces);
  }
  return choiceOf(made.map((parts) => ({ type: 'text', parts: exact(parts), provenance: undefined })));
}

/**
 * What a text may have there: nobody asks for an address of which the base is not set yet, as in `let base = null; … fetch(`${base}/v1/contacts`)`, or of which the path
 * says that there are no more pages, `path = page.next ?? null`.
 */
function setOptions(piece: Value): readonly Value[] {
  const options = optionsOf(piece);
  const set = options.filter((option) => option.type !== 'literal' || (option.value !== null && option.value !== undefined));
  return set.length === 0 ? options : set;
}

const maxParts = 64;

/** Whether what is missing behind it would be a segment of a path: nobody asks for one without a name, as for one without a query. */
function endsSegment(parts: readonly Part[]): boolean {
  const last = parts.at(-1);
  return last !== undefined && 'text' in last && last.text.endsWith('/');
}

/** A text with an unknown part for each piece that may be several; for all pieces, where there are too many. */
function patched(pieces: readonly Value[]): Value {
  const known = pieces.flatMap((each) => (each.type === 'text' ? partsOf(each) : [holed(each)]));
  return { type: 'text', parts: known.length > maxParts ? pieces.map(holed) : known };
}

const holed = (each: Value): Part => ({
  unknownPart: optionsOf(each).some(isPatched) ? tooMany([each]) : each,
  provenance: each.provenance,
});

/** Whether a value is such a text itself: within one another they would double with each that holds two. */
const isPatched = (value: Value): boolean =>
  value.type === 'text' &&
  value.parts.some((part) => 'unknownPart' in part && (part.unknownPart.type === 'text' || part.unknownPart.type === 'choice'));

/** The text of the parts; every unknown part is one NUL, which no URL holds. */
export const unknownPart = '\0';
export const flat = (parts: readonly Part[]): string => parts.map((part) => ('unknownPart' in part ? unknownPart : part.text)).join('');

/** How long the mark is before a text that is read as an expression: n8n's `=` in `={{$credentials.apiKey}}`. */
export const expressionMark = (text: string): number => (/^=.*\{\{/s.test(text) ? 1 : 0);

const widthOf = (part: Part): number => ('unknownPart' in part ? 1 : part.text.length);

/** Offsets count as in `flat`. */
export function sliceParts(parts: readonly Part[], from: number, to: number): Part[] {
  const found: Part[] = [];
  let offset = 0;
  for (const part of parts) {
    const start = Math.max(from - offset, 0);
    const end = Math.min(to - offset, widthOf(part));
    if (start < end) found.push('unknownPart' in part ? part : cut(part, start, end));
    offset += widthOf(part);
  }
  return found;
}

/** Where a text is written: in a literal of its own, or as the number that it was made of. */
export function placeOfPart(
  part: Part | undefined,
): { readonly module: SourceText; readonly start: number; readonly end: number } | undefined {
  if (part === undefined || 'unknownPart' in part) return undefined;
  const { text, source, number } = part;
  const [module, start] = source === undefined ? [number?.module, number?.node.start] : [source.module, source.start];
  return module === undefined || start === undefined ? undefined : { module, start, end: start + text.length };
}

/** What stands from an offset on, with the empty texts in it: each may be a segment of a path that is not set yet. */
function partsFrom(parts: readonly Part[], from: number): Part[] {
  let left = from;
  return parts.flatMap((part) => {
    const start = Math.max(left, 0);
    left -= widthOf(part);
    if (start === 0) return [part];
    return 'text' in part && start < part.text.length ? [cut(part, start, part.text.length)] : [];
  });
}

const cut = (part: TextPart, start: number, end: number): TextPart => ({
  ...part,
  text: part.text.slice(start, end),
  ...(part.source === undefined ? {} : { source: { ...part.source, start: part.source.start + start } }),
});

export const textOf = (parts: readonly Part[]): TextValue => ({ type: 'text', parts: exact(parts), provenance: undefined });

/** Applies a change to every alternative of a text. */
export const mapText = (value: Value, change: (parts: readonly Part[]) => readonly Part[]): Value =>
  choiceOf(optionsOf(value).map((option) => textOf(change(partsOf(option)))));

/** Without the characters that a pattern matches, which is anchored at an end: `/\/+$/`, `/^\//`. */
export function stripped(value: Value, pattern: RegExp): Value {
  return mapText(value, (parts) => {
    const text = flat(parts);
    const found = pattern.exec(text);
    if (found === null) return parts;
    const isAtStart = found.index === 0 && pattern.source.startsWith('^');
    return isAtStart ? partsFrom(parts, found[0].length) : sliceParts(parts, 0, found.index);
  });
}

/** In another letter case: each character stands where it stood, unless there are more of them then (`ß`). */
export const recased = (value: Value, change: (text: string) => string): Value =>
  mapText(value, (parts) =>
    parts.map((part) => {
      if ('unknownPart' in part) return part;
      const text = change(part.text);
      return { ...part, text, source: text.length === part.text.length ? part.source : undefined };
    }),
  );

/** The placeholders that a pattern matches, filled: `'/messages/:id'.replace(/:(\w+)/g, …)`. */
export function filled(value: Value, placeholders: RegExp, by: Value): Value {
  return mapText(value, (parts) => {
    const text = flat(parts);
    const made: Part[] = [];
    let from = 0;
    for (const { index, 0: placeholder } of text.matchAll(placeholders)) {
      made.push(...sliceParts(parts, from, index), { unknownPart: by });
      from = index + placeholder.length;
    }
    return [...made, ...sliceParts(parts, from, text.length)];
  });
}

/** The first place of `search` replaced by another value, as `'/messages/:id'.replace(':id', id)` does, or every place. */
export function replaced(value: Value, search: string, by: Value, isAll = false): Value {
  const made = optionsOf(value).map((option): Value => {
    const parts = partsOf(option);
    const text = flat(parts);
    const pieces: Value[] = [];
    let from = 0;
    for (let at = text.indexOf(search); at !== -1; at = isAll && search !== '' ? text.indexOf(search, from) : -1) {
      pieces.push(textOf(sliceParts(parts, from, at)), by);
      from = at + search.length;
    }
    return pieces.length === 0 ? option : concatenated([...pieces, textOf(sliceParts(parts, from, text.length))]);
  });
  return choiceOf(made);
}

/**
 * What `util.format` makes of a text with placeholders: strings as they are, of what it writes otherwise nothing is known.
 * @returns undefined where the placeholders cannot be told
 */
export function formatted(format: Value, args: readonly Value[]): Value | undefined {
  if (args.length === 0) return format;
  const made = optionsOf(format).map((option): Value | undefined => {
    const parts = partsOf(option);
    const text = flat(parts);
    if (option.type !== 'text' || text.includes(unknownPart)) return undefined;
    const left = [...args];
    const pieces: Value[] = [];
    let from = 0;
    for (const { index, 0: found } of text.matchAll(/%[sdifjoOc%]/g)) {
      const arg = found === '%%' ? percent : left.shift();
      if (arg === undefined) break;
      pieces.push(textOf(sliceParts(parts, from, index)), found === '%%' || found === '%s' ? arg : unknownValue);
      from = index + found.length;
    }
    pieces.push(textOf(sliceParts(parts, from, text.length)));
    return concatenated([...pieces, ...left.flatMap((arg) => [textOf([{ text: ' ' }]), arg])]);
  });
  const known = made.filter((each) => each !== undefined);
  return known.length === made.length ? choiceOf(known) : undefined;
}

const unknownValue: Value = { type: 'unknown', node: undefined, module: undefined };
const percent: Value = { type: 'text', parts: [{ text: '%' }] };

export const isAbsolute = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** Whether the host stands whole in the beginning of an address, and another host or address is looked for: nobody writes that behind it. */
export const isBeforeOthers = (begin: string, sought: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i.test(begin) && (isAbsolute(sought) || /^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(sought));

/** A URL from a base and what is called relative to it; an absolute one stands alone. */
export function joinUrl(base: Value | undefined, url: Value | undefined, style: JoinStyle): Value | undefined {
  if (base === undefined || url === undefined) return url ?? base;
  const paths = optionsOf(url);
  const isAlone = paths.some((path) => isAbsolute(flat(partsOf(path)))) ? isVariableFirst : () => false;
  const bases = optionsOf(base).map(partsOf);
  // A variable holds what stands in its place otherwise, with a slash at its end or without.
  const written = bases.map(flat).find(isAbsolute);
  const isBare = written === undefined || folderEnd(written) === originEnd(written);
  const made = paths.flatMap((path) => {
    const parts = partsOf(path);
    if (isAbsolute(flat(parts)) || isAlone(parts)) return [path];
    return bases.map((each) => joined(each, parts, style, isBare || isAbsolute(flat(each))));
  });
  return choiceOf(made);
}

/** A URL as it is written out: what is nothing but an origin has a slash for a path (https://url.spec.whatwg.org/#url-serializing). */
export const writtenOut = (url: Value): Value =>
  choiceOf(optionsOf(url).map((option) => (option.type === 'text' ? { ...option, parts: withPath(option.parts) } : option)));

function withPath(parts: readonly Part[]): readonly Part[] {
  const text = flat(parts);
  const end = originEnd(text);
  // What is not known behind a host may be its path.
  if (!isAbsolute(text) || text[end] === '/' || parts.some((part) => 'unknownPart' in part)) return parts;
  return [...sliceParts(parts, 0, end), { text: '/' }, ...sliceParts(parts, end, text.length)];
}

/** A variable in the place of which there may be an absolute address holds one, too: `${process.env.API_URL ?? 'https://…'}/v1/messages`. */
const isVariableFirst = ([first]: readonly Part[]): boolean =>
  first !== undefined && 'unknownPart' in first && optionsOf(first.unknownPart).every(({ type }) => type === 'env');

/** @param mayBeBare whether a base of which nothing is known may be an origin */
function joined(base: readonly Part[], path: readonly Part[], style: JoinStyle, mayBeBare: boolean): TextValue {
  const [before, after] = [flat(base), flat(path)];
  if (style === 'append' || after === '') return textOf([...base, ...path]);
  if (style === 'slash') {
    // An empty base stays, with where it is written: it says that nothing stands in the place of a variable.
    const head = before === '' ? base : sliceParts(base, 0, before.replace(/\/+$/, '').length);
    const tail = partsFrom(path, after.length - after.replace(/^\/+/, '').length);
    return textOf([...head, { text: '/' }, ...tail]);
  }
  const end = Math.max(resolvedFrom(before, after), 0);
  // A base without a path has a slash for one (RFC 3986 §5.2.3).
  const isBare = mayBeBare && before !== '' && end === originEnd(before) && !/^[/?#]/.test(after) && !after.startsWith(unknownPart);
  return textOf(withoutDots([...sliceParts(base, 0, end), ...(isBare ? [{ text: '/' }] : []), ...path]));
}

/** Where what is relative to a base takes its place (RFC 3986 §5.2.2). */
function resolvedFrom(base: string, relative: string): number {
  if (relative.startsWith('//')) return base.indexOf('//');
  if (relative.startsWith('/')) return originEnd(base);
  if (!/^[?#]/.test(relative)) return folderEnd(base);
  return (relative.startsWith('?') ? /^[^?#]*/ : /^[^#]*/).exec(base)?.[0].length ?? 0;
}

/** What `.` and `..` stand for in a path (RFC 3986 §5.2.4). */
function withoutDots(parts: readonly Part[]): readonly Part[] {
  const text = flat(parts);
  const start = originEnd(text);
  const path = /^[^?#]*/.exec(text.slice(start))?.[0] ?? '';
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return parts;
  const kept: Part[][] = [];
  for (const { 0: segment, index } of path.matchAll(/\/[^/]*/g)) {
    const name = segment.slice(1);
    if (name === '..') kept.pop();
    if (name !== '.' && name !== '..') kept.push(sliceParts(parts, start + index, start + index + segment.length));
    else if (index + segment.length === path.length) kept.push([{ text: '/' }]);
  }
  return [...sliceParts(parts, 0, start), ...kept.flat(), ...sliceParts(parts, start + path.length, text.length)];
}

/** Where the path begins in a URL; of a base that begins with something unknown all of it counts as the origin. */
function originEnd(text: string): number {
  const found = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(text);
  return found === null ? text.replace(/\/+$/, '').length : found[0].length;
}

function folderEnd(text: string): number {
  const origin = originEnd(text);
  const path = text.slice(origin).replace(/[?#].*$/s, '');
  return path === '' ? origin : origin + path.lastIndexOf('/') + 1;
}

/** From the end of what goes before a part of a URL to the end of it, as https://url.spec.whatwg.org/#api names them. */
const urlParts: Readonly<Record<string, readonly [before: RegExp, part: RegExp]>> = {
  protocol: [/^/, /^[a-z][a-z0-9+.-]*:/i],
  origin: [/^/, /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i],
  host: [/^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?/i, /^[^/?#]*/],
  hostname: [/^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?/i, /^[^/?#:]*/],
  port: [/^[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:?/i, /^[^/?#]*/],
  pathname: [/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, /^[^?#]*/],
  path: [/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, /^[^#]*/],
  search: [/^[^?#]*/, /^[^#]*/],
  username: [/^[a-z][a-z0-9+.-]*:\/\//i, /^(?:[^/?#:@]*(?=[^/?#@]*@))?/],
  password: [/^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#:@]*:(?=[^/?#@]*@))?/i, /^(?:[^/?#@]*(?=@))?/],
};
/** Parts of a URL that a host which is not known may hold. */
const beforeHost = new Set(['username', 'password']);
const isOfOpenHost = (value: Value): boolean => flat(partsOf(value)).split('/')[2]?.includes(unknownPart) ?? true;
/** Parts of a URL that are a slash where nobody writes one. */
const rooted = new Set(['pathname', 'path']);
export const urlPartNames: readonly string[] = Object.keys(urlParts).filter((name) => !beforeHost.has(name));

/** `url.hostname` and the like; undefined where it is no part of a URL, or one that cannot be told. */
export function urlPart(value: Value, name: string): Value | undefined {
  const found = Object.hasOwn(urlParts, name) ? urlParts[name] : undefined;
  const options = optionsOf(value);
  if (found === undefined || !options.every((option) => isAbsolute(flat(partsOf(option))))) return undefined;
  if (beforeHost.has(name) && options.some(isOfOpenHost)) return undefined;
  const [before, part] = found;
  return mapText(value, (parts) => {
    const text = flat(parts);
    const start = before.exec(text)?.[0].length ?? 0;
    const found = sliceParts(parts, start, start + (part.exec(text.slice(start))?.[0].length ?? 0));
    if (found.length > 0 || !rooted.has(name)) return found;
    // What is not known behind a host may be its path.
    const last = parts.findLast((each) => widthOf(each) > 0);
    return start === text.length && last !== undefined && 'unknownPart' in last ? [last] : [{ text: '/' }];
  });
}

/** Whether it is the rest of the path that a server was asked for. */
export const isRest = (part: Part): boolean => 'unknownPart' in part && part.unknownPart.why === 'rest';
