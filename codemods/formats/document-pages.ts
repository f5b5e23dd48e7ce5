/**
 * Scripts that run with a document as its page, beside the code that it shows: those of VitePress, VuePress, Slidev and mdsvex in Markdown,
 * and what MDX imports, exports and puts in between.
 */
import { isMdx } from '../find/modules/document-pages.ts';
import { markupScripts, type ScriptPart, unreadIn } from './markup.ts';
import { expressionsIn } from './template-calls.ts';
import { type TextRange, blanked, coverOf } from './text.ts';

const hasScript = /^ {0,3}<script\b/m;

/** @param shown the code blocks of the document */
export function pageScripts(source: string, file: string, shown: readonly TextRange[]): readonly ScriptPart[] {
  if (isMdx(file, source)) return mdxIn(source, pageIn(source, shown)).parts;
  return hasScript.test(source) ? markupScripts(pageIn(source, shown), componentOf(source, file)) : [];
}

/** What the text of a page asks or hands on, and is not read. */
export function unreadInPage(source: string, file: string, shown: readonly TextRange[]): readonly TextRange[] {
  if (isMdx(file, source)) return mdxIn(source, pageIn(source, shown)).unread;
  return hasScript.test(source) ? unreadIn(pageIn(source, shown), componentOf(source, file)) : [];
}

/** What its text is a template of: Vue's pages say `setup`, or export a component. */
const componentOf = (source: string, file: string): string =>
  `${file}.${/<script\b[^>]*\ssetup\b|^\s*export\s+default\b/m.test(source) ? 'vue' : 'svelte'}`;

/** A document without the code that it shows, as long as it was. */
const pageIn = (source: string, shown: readonly TextRange[]): string => blanked(source, [...shown, ...inlineCode(source)]);

/** `` `code` `` in a sentence. */
const inlineCode = (source: string): TextRange[] =>
  Array.from(source.matchAll(/(?<!`)(`{1,2})(?!`)[^`\n]+\1(?!`)/g), ({ index: start, 0: { length } }) => ({ start, end: start + length }));

interface Mdx {
  readonly parts: readonly ScriptPart[];
  readonly unread: readonly TextRange[];
}

/** As one program: the statements, and of the text between them each element and expression as a statement of its own. */
function mdxIn(source: string, page: string): Mdx {
  const modules = statementsIn(page);
  if (modules.length === 0) return { parts: [], unread: [] };
  const part = partOf(source);
  const parts = modules.map(({ start, end }) => part(start, end));
  const unread: TextRange[] = [];
  const body = blanked(page, modules);
  const braces = expressionsIn({ text: body, kind: 'svelte' }).map(({ start, end }) => ({ start: start - 1, end: end + 1 }));
  const isInBraces = coverOf(braces);
  const tags = tagsIn(body).filter(({ start }) => !isInBraces({ start, end: start + 1 }));
  const isInTag = coverOf(tags);
  const expressions = braces.flatMap(({ start, end }) =>
    isInTag({ start, end }) || isNothing.test(source.slice(start + 1, end - 1)) ? [] : { start, end, kind: 'expression' as const },
  );
  const open: (TextRange & { readonly isKept: boolean })[] = [];
  let behind = 0;
  for (const { start, end, kind } of [...tags, ...expressions].toSorted((one, other) => one.start - other.start)) {
    const isInside = open.some(({ isKept }) => isKept);
    const isKept = kind === 'closing' ? open.pop()?.isKept === true : kind === 'expression' || isGiven.test(source.slice(start, end));
    if (kind === 'opening') open.push({ start, end, isKept });
    if (!isKept) continue;
    // A statement of its own has the semicolon before it in place of what stands there.
    if (isInside) parts.push(part(start, end));
    else if (start <= behind) unread.push({ start, end });
    else
      parts.push(
        kind === 'expression'
          ? part(start - 1, end, `;(${source.slice(start + 1, end - 1)})`)
          : part(start - 1, end, `;${source.slice(start, end)}`),
      );
    behind = end;
  }
  const inOrder = parts.toSorted((one, other) => one.start - other.start);
  const left = open.filter(({ isKept }) => isKept);
  return {
    parts: left.length > 0 ? inOrder.filter(({ start }) => start < (left[0]?.start ?? 0) - 1) : inOrder,
    unread: [...unread, ...left],
  };
}

/** As long as the place that it stands for. */
const partOf =
  (source: string) =>
  (start: number, end: number, text = source.slice(start, end)): ScriptPart => ({ start, end, extension: 'jsx', text });

/** What is given a value or an address; another element shows what it says, as any text. */
const isGiven = /\{|:\/\//;

/** A comment, or a blank. */
const isNothing = /^\s*(?:\/\*(?:(?!\*\/)[\s\S])*\*\/\s*)*$/;

/** What begins with `import` or `export` at the left edge behind a blank line, and goes on until one outside of all brackets. */
function statementsIn(text: string): TextRange[] {
  const found: TextRange[] = [];
  let from: number | undefined;
  let depth = 0;
  let isBehindBlank = true;
  for (const { index, 0: line } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const isBlank = line.trim() === '';
    if (from === undefined && isBehindBlank && /^(?:import|export)\s/.test(line)) [from, depth] = [index, 0];
    if (from !== undefined) {
      if (isBlank && depth <= 0) {
        found.push({ start: from, end: index });
        from = undefined;
      }
      depth += (line.match(/[([{]/g)?.length ?? 0) - (line.match(/[)\]}]/g)?.length ?? 0);
    }
    isBehindBlank = isBlank || line.trim() === '---';
  }
  if (from !== undefined) found.push({ start: from, end: text.length });
  return found;
}

type Tag = TextRange & { readonly kind: 'opening' | 'closing' | 'whole' };

function tagsIn(text: string): Tag[] {
  const found: Tag[] = [];
  let open = 0;
  for (const { index: start, 0: opened } of text.matchAll(/<\/?[A-Za-z][\w.:-]*(?=[\s>]|\/>)/g)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const end = endOfTag(text, start + opened.length);
    if (end === undefined) {
      // Such a document is no program, and each of them is looked for as far as a tag may go.
      if (++open > maxOpen) break;
      continue;
    }
    found.push({ start, end, kind: opened.startsWith('</') ? 'closing' : text[end - 2] === '/' ? 'whole' : 'opening' });
  }
  return found;
}

/** Longer than a tag of a document is, and more of them that do not end than a document has, where `<` is text. */
const maxTag = 10_000;
const maxOpen = 200;

function endOfTag(text: string, from: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  for (let at = from; at < Math.min(text.length, from + maxTag); at++) {
    const character = text[at] ?? '';
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
    } else if (`"'\``.includes(character)) quote = character;
    else if (character === '{') depth++;
    else if (character === '}') depth--;
    else if (depth === 0 && character === '>') return at + 1;
    else if (depth === 0 && character === '<') return undefined;
  }
  return undefined;
}
