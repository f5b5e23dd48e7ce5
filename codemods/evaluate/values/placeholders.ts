/** Templates of paths that are filled at run time: `path.replace(`:${name}`, value)`, for whatever names there are. */
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isSame } from './same.ts';
import { filled, flat, unknownPart } from './text.ts';
import { choiceOf, nothing, optionsOf, partsOf, plainText, type TextValue, unknown, type Value } from './values.ts';

/** What templates write around a name, and what it is there. */
const around: readonly (readonly [written: RegExp, placeholder: (name: string) => string])[] = [
  [/^:([\w*-]+)$/, (name) => String.raw`(?<=^|[/.~-]):${name}(?!\w)`],
  [/^\{([\w*-]+)\}$/, (name) => String.raw`\{${name}\}`],
  [/^\{\{\s*([\w*-]+)\s*\}\}$/, (name) => String.raw`\{\{\s*${name}\s*\}\}`],
  [/^\$\{([\w*-]+)\}$/, (name) => String.raw`\$\{${name}\}`],
  [/^<([\w*-]+)>$/, (name) => `<${name}>`],
  [/^\[([\w*-]+)\]$/, (name) => String.raw`\[${name}\]`],
];
const anyName = String.raw`[A-Za-z_][\w-]*`;

/**
 * What `text.replace(search, value)` makes of a text where the name of what is replaced is not known, or may be one of several: every
 * placeholder that may be meant may be anything then.
 * @returns undefined where it is known what is looked for, or may be more than a placeholder
 */
export function filledAt(ev: Evaluation, text: TextValue, search: Value | undefined, node: CallNode, at: At): Value | undefined {
  const pattern = patternOf(ev, node, at);
  const options = optionsOf(pattern ?? search ?? unknown(node, at.module));
  if (pattern === undefined && options.length === 1 && options.every((option) => plainText(option) !== undefined)) return undefined;
  if (options.length === 0) return nothing;
  const placeholders = options.map((option) => placeholderIn(option, pattern !== undefined));
  return placeholders.includes(undefined) ? undefined : filled(text, new RegExp(placeholders.join('|'), 'g'), unknown(node, at.module));
}

/** What `new RegExp(…)` is made of, where that is looked for. */
function patternOf(ev: Evaluation, { args: [made] }: CallNode, at: At): Value | undefined {
  if (made?.kind !== 'call' || made.callee.kind !== 'name' || made.callee.name !== 'RegExp') return undefined;
  return at.module.scopes.bindingOf(made.callee) === undefined ? ev.args(made, at)[0] : undefined;
}

function placeholderIn(search: Value, isPattern: boolean): string | undefined {
  if (search.type !== 'text') return undefined;
  const text = flat(partsOf(search)).replaceAll(unknownPart, '*');
  const written = isPattern ? text.replace(/\\b$|\(\?=[^()]*\)$/, '').replaceAll(/\\(?=\W)/g, '') : text;
  for (const [wrapped, placeholder] of around) {
    const name = wrapped.exec(written)?.[1];
    if (name !== undefined) return placeholder(name.includes('*') ? anyName : name);
  }
  return undefined;
}

/** More items than these are folded by nobody who fills a path. */
const maxItems = 32;

/** What `items.reduce(fn, text)` makes of a text, and what names lead to in settings: `'texts.url'.split('.').reduce((at, name) => at[name], settings)`. Of items that are not known: what one of them makes of it, if another then makes no more. */
export function foldedText(ev: Evaluation, list: Value, node: CallNode, at: At): Value | undefined {
  if (node.callee.kind !== 'member' || node.callee.property !== 'reduce') return undefined;
  const [fn, start] = ev.args(node, at);
  if (fn?.type !== 'function' || start === undefined) return undefined;
  const isText = optionsOf(start).every(({ type }) => type === 'text' || type === 'param');
  if (!isText && !isWayInto(node.args[1], list)) return undefined;
  const next = (made: Value, item: Value): Value => ev.apply(fn, [made, item], node, at);
  if (list.type === 'list' && !list.isOpen) return list.items.length > maxItems ? undefined : list.items.reduce(next, start);
  const item = unknown(node, at.module);
  return foldedOverAny(start, (made) => next(made, item));
}

/** What is made of a text by items of which none is known: what one of them makes of it, if another then makes no more. */
export function foldedOverAny(start: Value, next: (made: Value) => Value): Value | undefined {
  const once = choiceOf(optionsOf(start).flatMap((each) => withoutTemplate(each, next(each))));
  return isSame(once, choiceOf([once, next(once)])) ? once : undefined;
}

const isWayInto = (start: Node | undefined, list: Value): boolean =>
  start?.kind === 'name' && list.type === 'list' && !list.isOpen && list.items.every((item) => plainText(item) !== undefined);

const anyPlaceholder = new RegExp(around.map(([, placeholder]) => placeholder(anyName)).join('|'), 'g');

/** A text and what is made of it; alone where that is the text with its placeholders filled: nobody asks for a template as it stands. */
function withoutTemplate(text: Value, made: Value): Value[] {
  const filledOnce = flat(partsOf(text)).replaceAll(anyPlaceholder, unknownPart);
  return made.type === 'text' && flat(partsOf(made)) === filledOnce ? [made] : [text, made];
}
