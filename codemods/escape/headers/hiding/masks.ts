/** What people put in the place of a key that they hide. */
import { maskingWords, maskWords } from '../../../find/words/hiding-words.ts';
import { walk } from '../../../syntax/link.ts';
import type { Node } from '../../../syntax/tree.ts';

/** What stands in its place, … */
const mask = new RegExp(String.raw`redact|mask|${maskWords}|\*{2,}|^\s*[•…]+\s*$|^-+$`, 'i');
/** … and what they put around some of its letters … */
export const within = new RegExp(String.raw`\*{2,}|•{2,}|${maskWords}`, 'i');
/** What they call functions that put it there. */
const masking = new RegExp(maskingWords, 'i');
/** `'[redacted]'`, `` `${key.slice(0, 4)}****` ``, `mask(key)` */
export function isMask(node: Node): boolean {
  if (node.kind === 'string') return mask.test(node.value);
  if (node.kind === 'call') return masking.test(nameOf(node));
  // A variable that is called `filtered` or `removed` may hold anything.
  if (node.kind === 'name') return /^(?:mask|redacted|censor|placeholder|hidden)$/i.test(node.name);
  if (node.kind !== 'template' && node.kind !== 'concat') return false;
  let isMasked = false;
  walk(node, (each) => {
    const texts = each.kind === 'string' ? [each.value] : each.kind === 'template' ? each.texts.map(({ value }) => value) : [];
    isMasked ||= texts.some((text) => within.test(text));
    return !isMasked;
  });
  return isMasked;
}

/** What people put in its place beside all others: `'(set)'`, `'<key>'`, `headers['x-api-key'] ? 'set' : 'none'`. */
export function isPlaceholder(node: Node): boolean {
  if (node.kind === 'conditional') return isPlaceholder(node.whenTrue) && isPlaceholder(node.whenFalse);
  if (node.kind === 'logical') return isPlaceholder(node.right);
  return isNothing(node) || isMask(node) || (node.kind === 'string' && placeholder.test(node.value));
}
const placeholder = /^\W|[^\w/]$|^(?:un)?set$|^(?:none|present|missing|yes|no|x+)$/i;

export const isNothing = (node: Node): boolean =>
  (node.kind === 'name' && node.name === 'undefined') || (node.kind === 'literal' && node.value === null);

export function nameOf(node: Node): string {
  switch (node.kind) {
    case 'property':
    case 'classMember':
      return node.name ?? '';
    case 'variable':
      return node.target.kind === 'patternName' ? node.target.name : '';
    case 'function':
      return node.name?.name ?? '';
    case 'assign':
      return node.target.kind === 'member' ? (node.target.property ?? '') : node.target.kind === 'name' ? node.target.name : '';
    case 'call':
      return node.callee.kind === 'name' ? node.callee.name : node.callee.kind === 'member' ? (node.callee.property ?? '') : '';
    default:
      return '';
  }
}
