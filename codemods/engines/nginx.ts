import { none } from '../syntax/lists.ts';
import type { Comment, Expression, MemberNode, Node, OtherNode, ProgramNode, SyntaxTree, TemplateText } from '../syntax/tree.ts';
import { type Engine, orFault, SyntaxFault } from './engine.ts';

/** What a directive is called in the tree. Its children are its words, the first of which is its name, and the directives of its block. */
export const directive = 'NginxDirective';

/** Whether a tree is of nginx. */
export const isOfNginx = ({ body: [first] }: ProgramNode): boolean => first?.kind === 'other' && first.what === directive;

/** Reads the configuration of nginx. */
export const nginx: Engine = {
  name: 'nginx',
  parse: (_, text) => orFault(() => treeOf(text)),
  check(_, text) {
    orFault(() => treeOf(text));
  },
};

interface Token {
  readonly start: number;
  readonly text: string;
}

/** In a word a brace stands behind a dollar alone; what ends a block begins a word nowhere. */
const token =
  /(?<comment>#[^\n]*)|(?:"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')(?=[\s;{)]|$)|[{};]|(?:\$\{|\\[^]|[^\s;{}"'#\\])(?:\$\{|\\[^]|[^\s;{\\])*|(?<fault>\S)/g;

function treeOf(text: string): SyntaxTree {
  const [tokens, comments]: [Token[], Comment[]] = [[], []];
  for (const { index: start, 0: found, groups } of text.matchAll(token)) {
    if (groups?.['fault'] !== undefined) throw new SyntaxFault(`unexpected ${found}`, start);
    if (groups?.['comment'] === undefined) tokens.push({ start, text: found });
    else if (found.includes('migrate-v2')) comments.push({ start, end: start + found.length, text: found });
  }
  const body = new Directives(tokens, text.length).until(undefined);
  return { program: { kind: 'program', body, start: 0, end: text.length }, comments };
}

class Directives {
  #at = 0;
  readonly #tokens: readonly Token[];
  readonly #length: number;

  constructor(tokens: readonly Token[], length: number) {
    this.#tokens = tokens;
    this.#length = length;
  }

  /** @param end the sign that ends the block; undefined for the end of the file */
  until(end: '}' | undefined): Node[] {
    const found: Node[] = [];
    while (this.#tokens[this.#at]?.text !== end) found.push(this.#next());
    return found;
  }

  #next(): OtherNode {
    const words: Token[] = [];
    for (; !/^(?:[{};]|)$/.test(this.#text); this.#at++) words.push(this.#token);
    const [name] = words;
    // Lua has braces and quotes of its own.
    if (name === undefined || !/^[{;]$/.test(this.#text) || name.text.endsWith('_by_lua_block'))
      throw new SyntaxFault('no directive of nginx', this.#token.start);
    const isBlock = this.#text === '{';
    this.#at++;
    const block = isBlock ? this.until('}') : none;
    if (isBlock) this.#at++;
    const { start, text } = this.#tokens[this.#at - 1] ?? name;
    return { kind: 'other', what: directive, children: [...words.map(wordOf), ...block], start: name.start, end: start + text.length };
  }

  /** Where the file has ended, a token without a text. */
  get #token(): Token {
    return this.#tokens[this.#at] ?? { start: this.#length, text: '' };
  }

  get #text(): string {
    return this.#token.text;
  }
}

const variable = /\$(?:\{(?<braced>\w+)\}|(?<bare>[A-Za-z_]\w*|\d))/g;

function wordOf({ start, text }: Token): Expression {
  const [quote = ''] = /^["']/.exec(text) ?? [];
  const place = { start, end: start + text.length };
  const inner = { start: start + quote.length, text: text.slice(quote.length, text.length - quote.length) };
  const texts: TemplateText[] = [];
  const expressions: Expression[] = [];
  let from = 0;
  const literal = (end: number): TemplateText => ({ ...between(inner.start, from, end), value: unescaped(inner.text.slice(from, end)) });
  for (const { index, 0: found, groups = {} } of inner.text.matchAll(variable)) {
    texts.push(literal(index));
    expressions.push(variableAt(groups['braced'] ?? groups['bare'] ?? '', between(inner.start, index, index + found.length)));
    from = index + found.length;
  }
  const last = literal(inner.text.length);
  if (expressions.length === 0) return { kind: 'string', value: last.value, quote: quote === '"' || quote === "'" ? quote : '', ...place };
  return { kind: 'template', texts: [...texts, last], expressions, ...place };
}

const between = (start: number, from: number, to: number): { start: number; end: number } => ({ start: start + from, end: start + to });

const unescaped = (text: string): string => text.replaceAll(/\\(["'\\])/g, '$1');

/** What a container fills in before nginx reads it has a name as variables of the environment have: `${API_KEY}`. */
function variableAt(name: string, place: { readonly start: number; readonly end: number }): Expression {
  if (!/^[A-Z][A-Z\d_]*$/.test(name)) return { kind: 'other', what: 'NginxVariable', children: none, ...place };
  const member = (object: Expression, property: string): MemberNode => ({
    kind: 'member',
    object,
    property,
    propertyStart: place.start,
    propertyEnd: place.end,
    ...place,
  });
  return member(member({ kind: 'name', name: 'process', ...place }, 'env'), name);
}
