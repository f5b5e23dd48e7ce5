/** The script in a file: all of it, or the parts of a component or document, each at its own offset. */
import { scripts } from '../beside/beside.ts';
import { pathOf, type ScriptIn, type Source } from './script-reader.ts';

/** See `ScriptIn`. */
export function scriptIn({ file, kind, text, part }: Source): ReturnType<ScriptIn> {
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
