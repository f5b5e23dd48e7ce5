/**
 * Templates of letters, in a part of Mustache's syntax that can do nothing but put texts in their places: `{{name}}`, `{{#name}} … {{/name}}` for each
 * of a list or where something is, `{{^name}} … {{/name}}` where nothing is, `{{> word}}` for a sentence of the language. A name that there is
 * not is an error with file and line, before anything is written: a letter with a hole in it would be sent.
 */
import { ConfigError } from '../../config/errors.ts';
import { didYouMean } from '../../config/suggest.ts';
import { plain } from '../../text/escape.ts';

export type Value = string | number | boolean | null | readonly Scope[];
export interface Scope {
  readonly [name: string]: Value;
}

type Tag = { readonly name: string; readonly line: number };
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'value' } & Tag)
  | ({ readonly kind: 'word' } & Tag)
  | ({ readonly kind: 'each' | 'none'; readonly nodes: readonly Node[] } & Tag);

export interface Template {
  readonly file: string;
  readonly nodes: readonly Node[];
}

/** Sentences of a language, by their names. */
export type Words = ReadonlyMap<string, Template>;

// A section that stands alone on its line takes the line away with it, as Mustache has it.
const tags = /(?:^[ \t]*\{\{([#^/])\s*([^{}\s]+)\s*\}\}[ \t]*\r?\n)|\{\{\s*([#^/>]?)\s*([^{}\s]*)\s*\}\}/gm;

const fail = (file: string, line: number, problem: string): ConfigError =>
  new ConfigError({ code: 'CONFIG_INVALID', key: `${plain(file)}:${line}`, problem });

/**
 * Reads a template.
 * @param first the line of the file that it begins in
 * @throws ConfigError with file and line where it is none
 */
export function compile(text: string, file: string, first = 1): Template {
  const root: Node[] = [];
  const open: { readonly name: string; readonly line: number; readonly nodes: Node[] }[] = [];
  const lineAt = (index: number): number => first + (text.slice(0, index).match(/\n/g)?.length ?? 0);
  /** Looks at what stands between two tags, and at the brace of either that is next to it: `{{{name}}}` is none. */
  const checkText = (since: number, until: number): void => {
    const begin = Math.max(0, since - 1);
    const [stray] = /\{\{|\}\}/.exec(text.slice(begin, until + 1)) ?? [];
    if (stray === undefined) return;
    const line = lineAt(text.indexOf(stray, begin));
    throw fail(file, line, `has ${stray} that is no part of a name; write {{name}}, and { { or } } for braces`);
  };
  let end = 0;
  for (const found of text.matchAll(tags)) {
    const [whole, sign = found[3] ?? '', name = found[4] ?? ''] = found;
    const line = lineAt(found.index);
    const nodes = open.at(-1)?.nodes ?? root;
    checkText(end, found.index);
    if (found.index > end) nodes.push({ kind: 'text', text: text.slice(end, found.index) });
    end = found.index + whole.length;
    if (!/^[a-z]\w*$/i.test(name)) throw fail(file, line, `${plain(whole.trim())} has no name; write {{name}}`);
    if (sign === '#' || sign === '^') {
      const within: Node[] = [];
      nodes.push({ kind: sign === '#' ? 'each' : 'none', name, line, nodes: within });
      open.push({ name, line, nodes: within });
    } else if (sign === '/') {
      const last = open.pop();
      if (last?.name !== name)
        throw fail(file, line, `{{/${name}}} ends ${last === undefined ? 'nothing' : `{{#${last.name}}} of line ${last.line}`}`);
    } else nodes.push(sign === '>' ? { kind: 'word', name, line } : { kind: 'value', name, line });
  }
  const [unended] = open;
  if (unended !== undefined) throw fail(file, unended.line, `{{#${unended.name}}} is never ended; write {{/${unended.name}}}`);
  checkText(end, text.length);
  return { file, nodes: [...root, { kind: 'text', text: text.slice(end) }] };
}

/**
 * Makes sure that all names are there.
 * @param scopes what a letter can hold: lists have one item that has all
 * @throws ConfigError with file and line of the first that is not
 */
export function check(template: Template, words: Words, scopes: readonly Scope[], within: readonly string[] = []): void {
  const { file } = template;
  const visit = (nodes: readonly Node[], known: readonly Scope[]): void => {
    for (const node of nodes) {
      if (node.kind === 'text') continue;
      const { name, line } = node;
      if (node.kind === 'word') {
        const word = words.get(name);
        if (word === undefined) throw fail(file, line, `{{> ${name}}} is no sentence of strings.json${didYouMean(name, words.keys())}`);
        if (within.includes(name)) throw fail(file, line, `{{> ${name}}} is within itself`);
        check(word, words, known, [...within, name]);
        continue;
      }
      const value = lookUp(name, known);
      if (value === undefined) {
        throw fail(
          file,
          line,
          `{{${name}}} is nothing that a letter has here${didYouMean(
            name,
            known.flatMap((scope) => Object.keys(scope)),
          )}`,
        );
      }
      if (node.kind === 'value') {
        if (isList(value)) throw fail(file, line, `{{${name}}} is a list; write {{#${name}}} … {{/${name}}}`);
      } else visit(node.nodes, isList(value) && node.kind === 'each' ? [...value.slice(0, 1), ...known] : known);
    }
  };
  visit(template.nodes, scopes);
}

const isList = (value: Value): value is readonly Scope[] => Array.isArray(value);
const lookUp = (name: string, scopes: readonly Scope[]): Value | undefined => scopes.find((scope) => Object.hasOwn(scope, name))?.[name];

/**
 * Fills a template that was checked.
 * @param escape makes text what the format takes for text; of the template itself nothing is escaped, of sentences everything
 */
export function fill({ nodes }: Template, words: Words, scope: Scope, escape: (text: string) => string): string {
  const write = (some: readonly Node[], scopes: readonly Scope[], literal: (text: string) => string): string =>
    some
      .map((node): string => {
        if (node.kind === 'text') return literal(node.text);
        if (node.kind === 'word') return write(words.get(node.name)?.nodes ?? [], scopes, escape);
        const value = lookUp(node.name, scopes) ?? null;
        if (node.kind === 'value') return value === null || typeof value === 'boolean' || isList(value) ? '' : escape(String(value));
        const items = isList(value) ? value : [];
        if (node.kind === 'none') return items.length === 0 && isNothing(value) ? write(node.nodes, scopes, literal) : '';
        if (isList(value)) return items.map((item) => write(node.nodes, [item, ...scopes], literal)).join('');
        return isNothing(value) ? '' : write(node.nodes, scopes, literal);
      })
      .join('');
  return write(nodes, [scope], (text) => text);
}

const isNothing = (value: Value): boolean =>
  isList(value) ? value.length === 0 : value === null || value === false || value === '' || value === 0;
