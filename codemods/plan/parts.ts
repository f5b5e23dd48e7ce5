/** The script in a file: all of it, or the parts of a component or document, each at its own offset. */
import { scripts } from '../beside/beside.ts';
import type { FileKind } from '../find/kinds.ts';

interface Source {
  readonly file: string;
  readonly kind: FileKind;
  readonly text: string;
  /** Which code block of a document; components are read as a whole. */
  readonly part?: number | undefined;
}

/** @returns the path by which an engine knows the dialect, and a text of the same length with everything else blanked */
export function scriptIn({ file, kind, text, part }: Source): { readonly path: string; readonly script: string } {
  if (kind !== 'component' && kind !== 'markdown') return { path: pathOf(file), script: text };
  const all = scripts({ file, kind, text });
  const parts = part === undefined ? all : all.slice(part, part + 1);
  const blank = (from: number, to: number): string => text.slice(from, to).replaceAll(/[^\r\n]/g, ' ');
  let script = '';
  for (const { start, end } of parts) script += blank(script.length, start) + text.slice(start, end);
  return { path: parts[0]?.path ?? `${file}.ts`, script: script + blank(script.length, text.length) };
}

/** How many code blocks of a document there are. */
export const partsIn = (file: string, text: string): number => scripts({ file, kind: 'markdown', text }).length;

/** Apps Script's and programs without an extension are JavaScript. */
const pathOf = (file: string): string => (/\.(?:[cm]?[jt]sx?|json)$/.test(file) ? file : `${file}.js`);
