/** Scripts of Bruno's requests, collections and folders, which nobody runs here: what of them has to do with requests that are read. */
import type { Block } from './bruno-blocks.ts';
import type { PassedOn, Stretch } from './reading.ts';
import { unplaced } from './text.ts';
import { partsIn } from './written.ts';

export const isScript = ({ name }: Block): boolean => /^(?:script|tests)\b/.test(name);

const textOf = ({ lines }: Block): string => lines.map(({ text }) => text).join('\n');

/** Variables that scripts ask for: what they do with one is not known. */
const reading =
  /\bbru\s*\.\s*get\w*Var\(\s*(?:"(?<double>[\w.-]+)"|'(?<single>[\w.-]+)'|`(?<tick>[\w.-]+)`)\s*\)|\{\{\s*(?<held>[\w.-]+)\s*\}\}/g;

export const scriptReads = (blocks: readonly Block[], stretch: Stretch): PassedOn[] =>
  blocks.filter(isScript).flatMap(({ lines }) =>
    lines.flatMap(({ text, start }) =>
      Array.from(text.matchAll(reading), ({ index, 0: found, groups = {} }): PassedOn => {
        const name = groups['double'] ?? groups['single'] ?? groups['tick'] ?? groups['held'] ?? '';
        const from = stretch.start + start + index;
        return { name, start: from, end: from + found.length, parts: partsIn(unplaced(`{{${name}}}`), stretch) };
      }),
    ),
  );

/** What says nothing of the headers of a request, and changes none. */
const besideHeaders =
  /\breq\s*\.\s*(?:get(?:Url|Method|Name|Body|AuthMode|Tags|ExecutionMode|ExecutionPlatform|Timeout)|set(?:Body|Timeout|MaxRedirects))\(/g;

/** Whether a script may do something with the headers of its request, or reads variables that nobody can name: it asks nothing else by itself, for all that is known. */
export function speaksOfRequest(block: Block): boolean {
  const text = textOf(block);
  const known = text.replaceAll(besideHeaders, '').replaceAll(reading, '');
  const asksItself = /\b(?:axios|fetch|bru\s*\.\s*sendRequest)\b/.test(text);
  return !asksItself || /\breq\b|\bbru\s*\.\s*(?:get\w*Var|interpolate|set\w*Var|cwd)\b|\bprocess\s*\.\s*env\b/.test(known);
}
