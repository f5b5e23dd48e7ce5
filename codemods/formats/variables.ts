/** Variables that a file sets, and the places that read them, in all the ways the formats write a reference. */
import { type TextRange, type Text, join, slice } from './text.ts';

export interface Definition {
  readonly name: string;
  readonly value: Text;
  /** Whether it counts only where nothing around sets it: `NAME ?= value`. */
  readonly isDefault?: boolean;
}

/** The variables that can be seen from a place. A name set more than once has several. */
export interface Scope {
  has(name: string): boolean;
  /** None where there are more than anybody can follow. */
  get(name: string): readonly Definition[];
}

export interface Reference extends TextRange {
  readonly name: string;
  /** Where the default stands, as in `${NAME:-default}`. */
  readonly fallback: TextRange | undefined;
  /** Whether a slash at the end of the value is taken away. */
  readonly isCut: boolean;
}

/** A default behind a variable of the Serverless Framework: `${param:url, 'https://…'}`. */
const otherwise = String.raw`(?:\s*,\s*(?:'(?<single>[^'{}]*)'|"(?<double>[^"{}]*)")\s*(?=\})|[^{}]*)`;
const references = new RegExp(
  [
    /\$\{\{\s*(?:(?:env|vars)\.(?<a>\w+)|(?<m>matrix\.[\w-]+))\s*\}\}/,
    /\{\{\s*(?:_?\.|\$(?:dotenv|processEnv|shared)\s+|process\.env\.|%)?(?<b>[\w.-]+)\s*\}\}/,
    // `${API%/}` is without a slash at its end, `${API:?not set}` as it is set.
    /\$\{(?<c>[A-Za-z_]\w*)(?:(?<cut>%%?\/)|:?\?[^{}]*|:?[-=](?<fallback>[^{}]*))?\}/,
    /\$\((?<d>\w+)\)/,
    /\$\{(?<s>self:[\w-]+(?:\.(?:[\w-]|\$\{[^{}]*\})+)+)\s*(?:,[^{}]*)?\}/,
    new RegExp(String.raw`\$\{(?:(?:env|localEnv):(?<f>[A-Za-z_]\w*)|(?<p>param:[\w-]+))${otherwise}\}`),
    /\$\$?(?<e>[A-Za-z_]\w*)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'dg',
);

/** All references in a text, in order; offsets are the text's. */
export function referencesIn(value: string): Reference[] {
  return Array.from(value.matchAll(references), ({ 0: found, index, indices, groups = {} }) => {
    const name =
      groups['s']?.replaceAll(/\$\{[^{}]*\}/g, '*') ??
      groups['a'] ??
      groups['m'] ??
      groups['b'] ??
      groups['c'] ??
      groups['d'] ??
      groups['e'] ??
      groups['f'] ??
      groups['p'] ??
      '';
    const [start, end] = ['fallback', 'single', 'double'].flatMap((each) => indices?.groups?.[each] ?? []);
    const fallback = start === undefined || end === undefined ? undefined : { start, end };
    return { name, start: index, end: index + found.length, fallback, isCut: groups['cut'] !== undefined };
  });
}

/** @param outer what is set around it, which is not searched again */
export function scopeOf(definitions: readonly Definition[], outer?: Scope): Scope {
  const own = Map.groupBy(definitions, ({ name }) => name);
  return {
    has: (name) => own.has(name) || outer?.has(name) === true,
    get(name) {
      const found = own.get(name) ?? [];
      return found.length > maxAlternatives ? [] : [...(outer?.get(name) ?? []), ...found];
    },
  };
}

/** What a function sets hides what is set outside of it. */
export function shadowing(definitions: readonly Definition[], outer: Scope): Scope {
  const own = scopeOf(definitions);
  return { has: (name) => own.has(name) || outer.has(name), get: (name) => (own.has(name) ? own : outer).get(name) };
}

/** A text has no more alternatives than this, a URL is no longer, and no variable is set by way of more others: what goes on stays as it is written. */
const maxAlternatives = 16;
const maxLength = 2_000;
const maxDepth = 32;
/** Variables of variables can stand for more than fits into memory: those that are looked up for one text. */
const maxLookups = 64;

/**
 * Puts in the values of variables, one text for each value of one that is set several times, and defaults of those that are not set.
 * @param within names being expanded: a variable that refers to itself stays as written, or is its own default
 */
export function expansions(text: Text, scope: Scope, within: readonly string[] = [], budget = { left: maxLookups }): Text[] {
  let made: Text[][] = [[]];
  let length = text.value.length;
  let from = 0;
  for (const reference of referencesIn(text.value)) {
    const values = budget.left-- > 0 ? valuesOf(reference, text, scope, within, budget) : [];
    const whole = reference.isCut ? values.map((value) => slice(value, 0, value.value.replace(/\/$/, '').length)) : values;
    const inner = isSegment(text, reference) ? whole.filter(({ value }) => value !== '') : whole;
    length += Math.max(0, ...inner.map(({ value }) => value.length));
    if (inner.length === 0 || made.length * inner.length > maxAlternatives || length > maxLength) continue;
    const before = slice(text, from, reference.start);
    made = made.flatMap((parts) => inner.map((value) => [...parts, before, value]));
    from = reference.end;
  }
  const rest = slice(text, from);
  return made.map((parts) => join([...parts, rest]));
}

/** Whether it is a whole segment of a path: no route has an empty one, so a variable that is empty there is not set yet. */
const isSegment = ({ value }: Text, { start, end }: Reference): boolean =>
  /[^/]\/$/.test(value.slice(0, start)) && /^(?:[/?#\s]|$)/.test(value.slice(end));

function valuesOf(
  { name, fallback, start, end }: Reference,
  text: Text,
  scope: Scope,
  within: readonly string[],
  budget: { left: number },
): Text[] {
  const definitions = scope.get(name);
  if (within.length >= maxDepth || definitions.length > maxAlternatives) return [];
  const further = [...within, name];
  const around = start === 0 ? [slice(text, start, end)] : [];
  const defaults = (): Text[] =>
    fallback === undefined ? [] : expansions(slice(text, fallback.start, fallback.end), scope, further, budget);
  if (definitions.length > 0 && !within.includes(name)) {
    const set = definitions.flatMap(({ value, isDefault = false }) => [
      ...(isDefault ? around : []),
      ...expansions(value, scope, further, budget),
    ]);
    // A default that nothing comes to says the same again.
    const hosts = new Set(set.flatMap(({ value }) => URL.parse(value)?.host ?? []));
    const again = defaults().filter(({ value }) => hosts.has(URL.parse(value)?.host ?? ''));
    return [...set, ...(again.length > 0 ? around : []), ...again];
  }
  // `BASE="${BASE:-https://…}"` keeps what is set around the script, or sets the default.
  const isOwn = definitions.length === 0 || within.at(-1) === name;
  if (fallback === undefined || !isOwn) return [];
  const byDefault = defaults();
  // A base may be what is set around it, too: whoever sets that has to be seen.
  return [...around, ...byDefault];
}
