/** What methods of texts make of them. */
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';
import { isLeftToDefault } from './or-default.ts';
import { filled, flat, mapText, recased, replaced, sliceParts, stripped, textOf, concatenated, unknownPart } from '../values/text.ts';
import { after, choiceOf, type ListValue, optionsOf, partsOf, plainText, type Value } from '../values/values.ts';
import { mayLeadElsewhere } from '../settings/replaced-in-variables.ts';
import { versionEndIn } from '../values/version-ends.ts';

/** Methods after which a text still says the same. */
const keeping = new Set(['toString', 'valueOf', 'normalize']);
/** Methods that take blanks away, by the ends at which they do. */
const trimming: Readonly<Record<string, readonly RegExp[]>> = { trim: [/^\s+/, /\s+$/], trimStart: [/^\s+/], trimEnd: [/\s+$/] };

/** Methods that change letter case: the names of methods and headers, mostly, where it does not count. */
const casing: Readonly<Record<string, (text: string) => string>> = {
  toUpperCase: (text) => text.toUpperCase(),
  toLowerCase: (text) => text.toLowerCase(),
};

/** What is not known says the same after these, too, where a default speaks for it: `(options.base || '…').replace(/\/$/, '')`. */
export const tidying = new Set([...keeping, ...Object.keys(trimming), ...Object.keys(casing), 'replace', 'slice', 'substring']);

/** Of a text that is nothing but what is not known this: it may be missing, as in `env.URL?.trim() ?? '…'`. */
export function bare(value: Value | undefined): Value | undefined {
  const [part, ...more] = value?.type === 'text' ? value.parts : [];
  return part !== undefined && 'unknownPart' in part && more.length === 0 ? part.unknownPart : value;
}

/** What a method of a text gives, where that is known. */
export function textMethod(receiver: Value, name: string, node: CallNode, args: readonly Value[], module: SourceModule): Value | undefined {
  if (keeping.has(name)) return receiver;
  const trimmed = Object.hasOwn(trimming, name) ? trimming[name] : undefined;
  if (trimmed !== undefined) return receiver.type === 'text' ? trimmed.reduce<Value>(stripped, receiver) : receiver;
  const inCase = Object.hasOwn(casing, name) ? casing[name] : undefined;
  if (inCase !== undefined) return recased(receiver, inCase);
  if (name === 'concat') return concatenated([receiver, ...args]);
  if (name === 'split') return wordsOf(receiver, node.args[0], module);
  if (name === 'slice' || name === 'substring') return cutText(receiver, args);
  if (name !== 'replace' && name !== 'replaceAll') return undefined;
  const [pattern] = node.args;
  const [search, by] = args;
  const version = versionEndIn(node);
  if (version?.literal.kind === 'literal') return stripped(receiver, version.form);
  if (pattern?.kind === 'literal' && typeof pattern.value === 'object' && pattern.value !== null)
    return by === undefined ? undefined : replacedByPattern(receiver, pattern.value, by);
  const text = search === undefined ? undefined : plainText(search);
  // What stands for something in a replacement is not followed: `$&`.
  if (text === undefined || by === undefined || optionsOf(by).some((each) => plainText(each)?.includes('$') === true)) return undefined;
  return mayLeadElsewhere(receiver, text, by) ? undefined : replaced(receiver, text, by, name === 'replaceAll');
}

/** Slashes at an end, as a pattern. */
const slashes = /^(?:\\?\/[+*?]?\$|\^\\?\/[+*]?|\[(?:\\s|\\?\/)+\][+*]?\$)$/;

/** Patterns of the end of a text with what stands there in the place of it: one slash, where there is none. */
const endings: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/^(?:\\?\/[?*]\$|\(\?<!\\?\/\)\$)$/, '/'],
  [/^\(\[\^\\?\/\]\)(?:\\?\/[?*])?\$$/, '$1/'],
];

/** `url.replace(/\/?$/, '/')` */
const withSlash = (value: Value): Value => mapText(value, (parts) => (flat(parts).endsWith('/') ? parts : [...parts, { text: '/' }]));

/** Blanks, quotes and the mark of an order of bytes, which no address has, as a pattern. */
const cleaning = /^\^?(?:\\s|\\uFEFF|["'`]|\[(?:\\s|\\uFEFF|["'`])+\])[+*]?\$?$/i;
const isUnclean = (option: Value): boolean => /[\s\uFEFF"'`]/.test(flat(partsOf(option)));

/** Slashes at one end or both that are trimmed, what is cleaned away that is not there, or a text at the beginning that is another: `path.replace(/^\/api/, '')`. */
function replacedByPattern(
  receiver: Value,
  { pattern, flags }: { readonly pattern: string; readonly flags: string },
  by: Value,
): Value | undefined {
  const ends = pattern.split('|');
  if (plainText(by) === '' && (ends.length === 1 || flags.includes('g')) && ends.every((end) => slashes.test(end)))
    return ends.reduce((text, end) => stripped(text, new RegExp(end)), receiver);
  if (flags === '' && endings.some(([end, slash]) => end.test(pattern) && plainText(by) === slash))
    return withSlash(pattern.includes('*') ? stripped(receiver, /\/+$/) : receiver);
  if (plainText(by) === '' && ends.every((end) => cleaning.test(end)) && !optionsOf(receiver).some(isUnclean)) return receiver;
  if (/^(?::|\\?\{)/.test(pattern)) return filled(receiver, new RegExp(pattern, 'g'), by);
  const begins = /^\^((?:\\\/|[\w-])+)$/.exec(pattern)?.[1]?.replaceAll('\\', '');
  if (begins === undefined || flags.includes('i') || plainText(by)?.includes('$') === true) return undefined;
  const texts = optionsOf(receiver).map((option) => flat(partsOf(option)));
  return texts.every((text) => text.startsWith(begins)) ? replaced(receiver, begins, by) : undefined;
}

/** `text.slice(0, -1)`, where the numbers are written out and the text is known. */
function cutText(receiver: Value, args: readonly Value[]): Value | undefined {
  const numbers = args.map((arg) => (arg.type === 'literal' && typeof arg.value === 'number' ? arg.value : undefined));
  if (numbers.includes(undefined)) return undefined;
  // `base.endsWith('/') ? base.slice(0, -1) : base`
  if (isLeftToDefault(receiver) && numbers[0] === 0 && (numbers[1] ?? 0) < 0) return receiver;
  const [begin = 0, ...ends] = numbers;
  const isCutWithinKnown = ends.length === 0 && begin > 0 && optionsOf(receiver).every((option) => beginsWithAsMuch(option, begin));
  if (!isCutWithinKnown && optionsOf(receiver).some((option) => plainText(option) === undefined)) return undefined;
  return mapText(receiver, (parts) => {
    // Less of what is not known is as unknown.
    if (isCutWithinKnown) return parts[0] !== undefined && 'text' in parts[0] ? sliceParts(parts, begin, Infinity) : parts;
    const { length } = flat(parts);
    const [from = 0, to = length] = numbers.map((number = 0) => (number < 0 ? Math.max(length + number, 0) : number));
    return sliceParts(parts, from, to);
  });
}

/** `path.startsWith('/') ? path.slice(1) : path` of `/contacts/${id}`: whether all that is cut off is known, or nothing is. A variable may hold a base, which is no longer the same. */
function beginsWithAsMuch(option: Value, length: number): boolean {
  const [first] = option.type === 'text' ? option.parts : [];
  return option.type === 'text'
    ? first !== undefined && 'text' in first && first.text.length >= length
    : option.type === 'param' || option.type === 'unknown' || isOfParameter(option);
}

/** `options.path` */
const isOfParameter = (value: Value): boolean =>
  value.type === 'method' && value.receiver.type === 'unknown' && value.receiver.node?.kind === 'param';

const between: Readonly<Record<string, RegExp>> = { '.': /(?<=^|\.)[^.]*/g, ':': /(?<=^|:)[^:]*/g };

/** What a text has between its blanks, as a route is written with what it is asked by (`'GET /v1/contacts'.split(' ')`), or between its dots: `'texts.url'.split('.')`. */
function wordsOf(text: Value, by: Node | undefined, module: SourceModule): Value | undefined {
  const isBlank =
    by?.kind === 'string' ? by.value === ' ' : by?.kind === 'literal' && typeof by.value === 'object' && by.value?.pattern === '\\s+';
  if (by?.kind === 'string' && /^[?#]$/.test(by.value)) return beforeSign(text, by.value, module);
  // What is not known hardly has a blank, and may well have a dot.
  const isWhole = optionsOf(text).every((option) => plainText(option) !== undefined);
  const word = isBlank ? /\S+/g : by?.kind === 'string' && isWhole ? between[by.value] : undefined;
  if (word === undefined) return undefined;
  const lists = optionsOf(text).map((option) => {
    const parts = partsOf(option);
    const words = Array.from(flat(parts).matchAll(word), ({ 0: found, index }) => textOf(sliceParts(parts, index, index + found.length)));
    const list: ListValue = { type: 'list', items: words, nodes: [], isOpen: option.type !== 'text', module };
    return after(list, option.provenance);
  });
  return choiceOf(lists);
}

/** `url.split('?')`: what is before it, and behind. What is not known of an address may have one, too, which takes nothing from what is known. */
function beforeSign(text: Value, sign: string, module: SourceModule): Value {
  const lists = optionsOf(text).map((option) => {
    const parts = partsOf(option);
    const whole = flat(parts);
    const at = whole.indexOf(sign);
    const before = at === -1 ? option : textOf(sliceParts(parts, 0, at));
    const isOpen = at === -1 ? whole.includes(unknownPart) : whole.includes(sign, at + 1);
    const items = at === -1 || isOpen ? [before] : [before, textOf(sliceParts(parts, at + 1, Infinity))];
    const list: ListValue = { type: 'list', items, nodes: [], isOpen, module };
    return after(list, option.provenance);
  });
  return choiceOf(lists);
}
