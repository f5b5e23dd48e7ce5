/** Pairs of braces in code and configuration, as far as quotes and comments do not hide them. */
import type { TextRange } from './text.ts';

const token = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{}]/g;

/** @returns what tells the braces around an offset, the innermost first */
export function bracesIn(text: string): (offset: number) => readonly TextRange[] {
  const open: number[] = [];
  const found: TextRange[] = [];
  for (const { 0: all, index } of text.matchAll(token)) {
    if (all === '{') open.push(index);
    if (all === '}') {
      const start = open.pop();
      if (start !== undefined) found.push({ start, end: index + 1 });
    }
  }
  // An inner pair ends before the one around it.
  return (offset) => found.filter(({ start, end }) => start < offset && offset < end);
}
