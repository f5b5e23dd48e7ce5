/**
 * Groovy, as far as its texts: https://groovy-lang.org/syntax.html#all-strings. Of a text each character is known with its place, and what is put into it
 * by `${…}` is a placeholder.
 */
import { type Text, type TextRange, join, plain, standingFor } from './text.ts';

export interface GroovyText extends TextRange {
  /** What stands between its quotes. */
  readonly inner: string;
  readonly innerStart: number;
  /** Whether values are put into it. */
  readonly isPut: boolean;
}

export interface Groovy {
  /** As long as the source, without comments, and of texts the quotes alone, each as a single one. */
  readonly code: string;
  readonly texts: readonly GroovyText[];
}

const comment = String.raw`\/\/[^\n]*|\/\*[^]*?\*\/`;
const put = String.raw`\{(?:[^{}"'\n]|"[^"\n]*"|'[^'\n]*')*\}`;
/** A pattern between slashes stands where no division can. */
const pattern = String.raw`(?<=[=(,~:!&|?[{;]\s*|\breturn\s+)\/(?![*/])(?:\\.|[^/\\\n])+\/|\$\/[^]*?\/\$`;
const token = new RegExp(
  [
    `(?<aside>${comment}|${pattern})`,
    String.raw`'''(?<raw3>(?:\\[^]|[^\\])*?)'''`,
    String.raw`"""(?<put3>(?:\\[^]|[^\\])*?)"""`,
    String.raw`'(?<raw>(?:\\[^\n]|[^'\\\n])*)'`,
    String.raw`"(?<put>(?:\\[^\n]|\$${put}|\$(?!${put})|[^"\\\n$])*)"`,
    `(?<open>["'])`,
  ].join('|'),
  'g',
);

/** @returns undefined where a text does not end: what stands in which of them is not known then */
export function groovyIn(source: string): Groovy | undefined {
  const texts: GroovyText[] = [];
  let code = '';
  for (const { index: start, 0: found, groups = {} } of source.matchAll(token)) {
    if (groups['open'] !== undefined) return undefined;
    code += source.slice(code.length, start);
    const blank = found.replaceAll(/[^\n]/g, ' ');
    if (groups['aside'] === undefined) {
      const inner = groups['raw3'] ?? groups['put3'] ?? groups['raw'] ?? groups['put'] ?? '';
      const innerStart = start + (found.length - inner.length) / 2;
      texts.push({ start, end: start + found.length, inner, innerStart, isPut: found.startsWith('"') });
      code += `'${blank.slice(1, -1).replaceAll('\n', ' ')}'`;
    } else code += blank;
  }
  return { code: code + source.slice(code.length), texts };
}

/** The name of what is put in, where it is one: `$url`, `${url}`, `${env.URL}`, `${params.URL}`. */
const named = /^\$\{?\s*((?:env\.|params\.)?[A-Za-z_]\w*)\s*\}?$/;
const simpleEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', s: ' ' };
const part = /\\u+(?<code>[\da-fA-F]{4})|\\(?<escaped>\r?\n|[^])|(?<put>\$\{[^{}]*\}|\$[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|[^\\$]+|\$/g;

/** @param variableOf what a name is called in what reads the text; undefined where nobody knows its value */
export function valueOf({ inner, innerStart, isPut }: GroovyText, variableOf: (name: string) => string | undefined): Text {
  const parts = Array.from(inner.matchAll(part), ({ index, 0: found, groups = {} }): Text => {
    const { code, escaped, put: expression } = groups;
    const place = { start: innerStart + index, end: innerStart + index + found.length };
    if (code !== undefined) return spread(String.fromCodePoint(Number.parseInt(code, 16)), place);
    // A line end that is escaped is nothing.
    if (escaped !== undefined)
      return spread(escaped.endsWith('\n') ? '' : (simpleEscapes[escaped] ?? escaped), { start: place.start, end: place.start + 1 });
    if (expression === undefined || !isPut) return withEscapes(plain(found, place.start));
    const name = variableOf(named.exec(expression)?.[1] ?? '');
    return name === undefined ? notKnown(place) : placeholderOf(name, place);
  });
  return join(parts);
}

const expression = /\$\{(?:[^{}]|\{[^{}]*\})*\}|\$[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+/g;

/** What is put in that is more than a name, with its place. */
export const expressionsIn = ({ inner, innerStart, isPut }: GroovyText): { readonly value: string; readonly at: number }[] =>
  isPut
    ? Array.from(inner.matchAll(expression), ({ index, 0: value }) => (named.test(value) ? [] : [{ value, at: innerStart + index }])).flat()
    : [];

/** What is found out when the pipeline runs. */
export const notKnown = (place: TextRange): Text => spread('<groovy>', place);
export const placeholderOf = (name: string, place: TextRange): Text => spread(`{{${name}}}`, place);

const spread = (value: string, place: TextRange): Text => withEscapes(standingFor(value, place));
const withEscapes = (text: Text): Text => ({ ...text, marks: 'e'.repeat(text.value.length) });
