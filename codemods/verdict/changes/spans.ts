/** From what is proven to what is changed: the smallest stretches of the files' text. */
import { moduleOf } from '../../evaluate/module.ts';
import { v2Auth } from '../../../src/contract/auth.ts';
import type { Bases } from '../bases/routes.ts';
import { expressionMark, flat, sliceParts } from '../../evaluate/values/text.ts';
import type { Entry, Part, TextPart } from '../../evaluate/values/values.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { isScript } from '../../evaluate/module.ts';
import { maskWords } from '../../find/words/hiding-words.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { optionsOf, partsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { Edit } from '../../model.ts';
import { isNull } from '../../syntax/defaults.ts';
import type { Node } from '../../syntax/tree.ts';
import { isOfOldScript } from './old-scripts.ts';
import type { Range, Verdict } from '../verdict.ts';

export interface Change {
  readonly module: SourceText;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly what: Edit['what'];
}

/** Whether it is of a header's name, and not of its value or of an address. */
export const isNameChange = ({ what }: Pick<Change, 'what'>): boolean => what === 'header name';

/** Something that stands in the way of an edit: the finding's code, and where. */
export interface Obstacle {
  readonly code: 'escaped-literal' | 'base-split' | 'key-not-text' | 'authorization-present';
  readonly module: SourceText | undefined;
  readonly start: number;
  readonly end: number;
  /** Whether it is a header that is read, and goes on from there. */
  readonly isRead?: boolean;
  /** Whether its name is not, or not only, that of this key at this place. */
  readonly isShared?: boolean;
  /** Whether a shell would split it at its blank. */
  readonly isSplit?: boolean;
  /** Whether it is the version that no single text has. */
  readonly isVersion?: boolean;
  /** The number in such a version, where that stands elsewhere. */
  readonly number?: TextPart['number'];
}

export interface Changes {
  readonly changes: readonly Change[];
  readonly obstacles: readonly Obstacle[];
}

const headerName = v2Auth.fieldName;
const scheme = `${v2Auth.scheme} `;

/** Edits of a request's URL. */
export function urlChanges(
  url: readonly Part[],
  { version, base }: Pick<Extract<Verdict, { kind: 'ours' }>, 'version' | 'base'>,
  bases: Bases,
): Changes {
  const changes: Change[] = [];
  const obstacles: Obstacle[] = [];
  const replace = (range: Range, text: string, what: Change['what'], code: Obstacle['code']): void => {
    const parts = sliceParts(url, range.start, range.end);
    const [part, more] = parts;
    if (part !== undefined && more === undefined && 'text' in part && part.source?.isExact) {
      const { module, start } = part.source;
      changes.push({ module, start, end: start + part.text.length, text, what });
    } else
      obstacles.push({
        code: part !== undefined && (more === undefined || parts.some(isEscaped)) ? 'escaped-literal' : code,
        ...(what === 'path' && more !== undefined && { isVersion: true, number: numberOf(parts) }),
        ...placeOf(part),
      });
  };
  if (version !== undefined) replace(version, 'v2', 'path', 'base-split');
  const isOnePart = (start: number, end: number): boolean => sliceParts(url, start, end).length === 1;
  if (base !== undefined && bases.v2 !== undefined)
    for (const changed of differences(flat(url).slice(base.start, base.end), bases.v2, url.every(isWritten), isOnePart))
      replace(changed, changed.text, 'base', 'base-split');
  return { changes, obstacles };
}

/** The 1 of `v1`, where that stands apart: as a number, or as a text of its own. */
function numberOf([letter, digit, ...more]: readonly Part[]): Obstacle['number'] {
  if (letter === undefined || !('text' in letter) || letter.text !== 'v' || more.length > 0) return undefined;
  if (digit === undefined || !('text' in digit) || digit.source === undefined) return digit && 'text' in digit ? digit.number : undefined;
  const { node, module } = digit.source;
  return node.kind === 'string' && node.value === '1' && isScript(module) ? { node, module } : undefined;
}

const isEscaped = (part: Part): boolean => 'text' in part && part.source?.isExact === false;

const placeOf = (part: Part | undefined): Pick<Obstacle, 'module' | 'start' | 'end'> => {
  const source = part !== undefined && 'text' in part ? part.source : undefined;
  return { module: source?.module, start: source?.node.start ?? 0, end: source?.node.end ?? 0 };
};

interface Difference extends Range {
  readonly text: string;
}

/** Whether a part comes from a file that is no script: such a file is read whole, and with it everything that reads the part. */
const isWritten = (part: Part): boolean => 'unknownPart' in part || part.source === undefined || !isScript(part.source.module);

/**
 * What of one address has to change to make it the other: the same of a text in all addresses that have it.
 * @param byLabel label by label where both have as many, as they may stand apart
 * @param isOnePart whether a stretch stands together
 */
function differences(from: string, to: string, byLabel: boolean, isOnePart: (start: number, end: number) => boolean): Difference[] {
  const labels = /[\w-]+/g;
  if (from === to) return [];
  if (!byLabel || from.replaceAll(labels, '*') !== to.replaceAll(labels, '*')) return [difference(from, to)];
  const next = Array.from(to.matchAll(labels));
  const found: Difference[] = [];
  let begin = 0;
  for (const [i, { index: start, 0: label }] of Array.from(from.matchAll(labels)).entries()) {
    const { 0: text = label, index = 0 } = next[i] ?? {};
    if (text === label) continue;
    const end = start + label.length;
    const last = found.at(-1);
    const isTogether = last !== undefined && isOnePart(last.start, end);
    if (!isTogether) begin = index;
    found.splice(isTogether ? -1 : found.length, 1, {
      start: isTogether ? last.start : start,
      end,
      text: to.slice(begin, index + text.length),
    });
  }
  return found;
}

/** Whole labels, so that it reads well. */
function difference(from: string, to: string): Difference {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  while (start > 0 && /[\w-]/.test(from[start - 1] ?? '')) start--;
  let [end, last] = [from.length, to.length];
  while (end > start && last > start && from[end - 1] === to[last - 1]) [end, last] = [end - 1, last - 1];
  while (end < from.length && /[\w-]/.test(from[end] ?? '')) [end, last] = [end + 1, last + 1];
  // Two labels that are gone cannot be an empty stretch between dots: take one dot along.
  return { start, end, text: to.slice(start, last) };
}

/**
 * Edits of one header: its name, and the scheme before its value.
 * @param hasArrived whether it is one that came to a server or into `Headers`, which keep no blank at its end (RFC 9110 §5.5)
 */
export function headerChanges(entry: Entry, hasArrived = false): Changes {
  const { module, rewrite } = entry;
  const value = valueChanges(entry, hasArrived);
  if (rewrite !== undefined)
    return { changes: rewrite.map((each) => ({ module, ...each, what: 'header name' })), obstacles: value.obstacles };
  // What is expected of a header whose name stays is of v1 as a whole.
  if (entry.isLookup === true && entry.isShared === true) return nameChange(entry.key, { ...entry, node: entry.nameNode ?? entry.node });
  const name = nameChange(entry.key, entry);
  return { changes: [...name.changes, ...value.changes], obstacles: [...name.obstacles, ...value.obstacles] };
}

const obstacle = (code: Obstacle['code'], { module, node, isLookup }: Entry): Changes => ({
  changes: [],
  obstacles: [{ code, module, start: node.start, end: node.end, ...(isLookup === true && { isRead: true }) }],
});

const splitByShell = (entry: Entry): Changes => {
  const { changes, obstacles } = obstacle('key-not-text', entry);
  return { changes, obstacles: obstacles.map((each) => ({ ...each, isSplit: true })) };
};

function nameChange(key: TextPart | undefined, entry: Entry): Changes {
  const source = key?.source;
  if (key === undefined || source === undefined || entry.isShared === true) {
    const { changes, obstacles } = obstacle('key-not-text', entry);
    return { changes, obstacles: obstacles.map((each) => ({ ...each, isShared: true })) };
  }
  if (!source.isExact) return obstacle('escaped-literal', entry);
  // A session of whoever asks would be sent in the place of the key.
  if (entry.besideArrived === 'before') return obstacle('authorization-present', entry);
  return {
    changes: [
      { module: source.module, start: source.start, end: source.start + key.text.length, text: nameFor(key, entry), what: 'header name' },
    ],
    obstacles: [],
  };
}

/** Headers that arrive are asked for as people write it, and what is sent on with them has to take the place of theirs. */
export const nameFor = ({ text }: TextPart, { isLookup, besideArrived }: Entry): string =>
  besideArrived !== undefined || (isLookup === true && text === text.toLowerCase()) ? headerName.toLowerCase() : headerName;

/** A regular expression that says nothing of what stands before: without `^`, but in `[^…]`, and without looking around. */
const findsAnywhere = /^\/(?!.*\(\?<?[!=])(?:[^^\\]|\\.|(?<=\[)\^)*\/[dgimsuv]*$/s;

/** A regular expression of a text that begins as the key does, and of nothing else: `/^key-1$/`, `/^key-\w+/`. */
const beginsKey = /^\/\^(?![*+?{)$])(?:\[(?:\\.|[^\]\\])*\]|\\[^\n]|[^\\^|[\n])+\/[dgimsu]*$/;

/** No key arrives as the scheme without a blank behind it. */
const findsNothing = (node: Node): boolean =>
  node.kind === 'literal' && node.value !== null && typeof node.value === 'object' && new RegExp(node.value.pattern).test('');

/** `***`, `[redacted]`: no key at all. */
const hidden = new RegExp(String.raw`^(?:\*{2,}|•{2,}|[[<(]?(?:${maskWords})[\])>]?)$`, 'i');

/** A regular expression under a name, which others may go by. */
const isPattern = (value: Value): boolean =>
  value.type === 'unknown' && value.node?.kind === 'literal' && typeof value.node.value === 'object' && value.node.value !== null;

function valueChanges(entry: Entry, hasArrived: boolean): Changes {
  const { valueNode: node } = entry;
  // Whatever says that it is another's, an edit is made where its place stands.
  const module = node === undefined ? entry.module : moduleOf(node, entry.module);
  const value = entry.value();
  const isUnset = value.type === 'literal' && (value.value === undefined || value.value === null);
  // A header that is deleted, or only asked for, has no value to change. Of a name that nobody is seen to set, others may know: whoever types the key.
  if (isUnset && (node === undefined || isNull(node))) return { changes: [], obstacles: [] };
  const pattern = node?.kind === 'literal' ? module.text.slice(node.start, node.end) : '';
  // What a pattern finds in the key, it finds behind the scheme.
  if (findsAnywhere.test(pattern)) return { changes: [], obstacles: [] };
  if (node !== undefined && beginsKey.test(pattern) && !findsNothing(node)) {
    const start = node.start + 2;
    return { changes: [{ module, start, end: start, text: scheme, what: 'header value' }], obstacles: [] };
  }
  if (node === undefined || node.kind === 'literal' || optionsOf(value).some(isPattern)) return obstacle('key-not-text', entry);
  if (!isUnset && ['object', 'list', 'function', 'class', 'literal'].includes(value.type)) return obstacle('key-not-text', entry);
  if (optionsOf(value).some(hasScheme)) return obstacle('authorization-present', entry);
  if (entry.opening !== undefined) {
    const { start, space } = entry.opening;
    if (space === undefined) return splitByShell(entry);
    return { changes: [{ module, start, end: start, text: `${v2Auth.scheme}${space}`, what: 'header value' }], obstacles: [] };
  }
  const insert = (at: number, text: string): Change => ({ module, start: at, end: at, text, what: 'header value' });
  // What a test expects in the place of a key that is hidden is put there whatever the key was.
  if (node.kind === 'string' && isTest(module) && hidden.test(node.value)) return { changes: [], obstacles: [] };
  // What has no key behind the scheme arrives as that alone.
  const end = hasArrived && optionsOf(value).some((each) => plainText(each) === '') ? '.trimEnd()' : '';
  if (node.kind === 'string' || node.kind === 'template') {
    const start = node.start + (node.kind === 'string' ? node.quote.length : 1);
    const mark = expressionMark(module.text.slice(start, node.end - 1));
    if (node.kind === 'string') return { changes: [insert(start + mark, end === '' ? scheme : v2Auth.scheme)], obstacles: [] };
    return { changes: [insert(start + mark, scheme), ...(end === '' ? [] : [insert(node.end, end)])], obstacles: [] };
  }
  // Before what a constant holds, the mark of an expression would be none.
  if (optionsOf(value).some((each) => expressionMark(flat(partsOf(each))) > 0)) return obstacle('key-not-text', entry);
  const [before, behind] = isOfOldScript(module) && end === '' ? joinedBefore(node, entry) : [`\`${scheme}\${`, `}\`${end}`];
  // `{ name: 'x-api-key', value }` has its own name no more.
  const { parent } = node;
  const own = node.kind === 'name' && parent?.kind === 'property' && parent.shorthand && parent.value === node ? `${node.name}: ` : '';
  return { changes: [insert(node.start, own + before), ...(behind === '' ? [] : [insert(endOf(entry, node.end), behind)])], obstacles: [] };
}

/** What stands before and behind a value that is added to the scheme; in the quotes that the header's name has. */
function joinedBefore({ kind }: Node, { key }: Entry): readonly [before: string, behind: string] {
  const of = key?.source?.node;
  const quote = of?.kind === 'string' && of.quote === '"' ? '"' : "'";
  const isOne = kind === 'name' || kind === 'member' || kind === 'call';
  return [`${quote}${scheme}${quote} + ${isOne ? '' : '('}`, isOne ? '' : ')'];
}

const hasScheme = (value: Value): boolean => flat(partsOf(value)).toLowerCase().startsWith(scheme.toLowerCase());

/** After `as string` or `!`, which the tree leaves out: up to what ends the property or the argument. */
function endOf({ module }: Entry, end: number): number {
  const [after = ''] =
    /^(?:!(?!=)|\s+(?:as|satisfies)\s+(?:[\w.[\]|& ]|<[^<>]*>)+?(?=\s*[,;)}\]]))/.exec(module.text.slice(end, end + 200)) ?? [];
  return end + after.length;
}
