/** What a shell puts in the place of the output of a command: `$(…)`, or `$$(…)` in a Makefile, with whatever parentheses and quotes stand in it. */
import type { TextRange } from './text.ts';

/** The outermost ones of a text. One that does not end is left to those who look for simpler things. */
export function substitutionsIn(value: string): TextRange[] {
  const found: TextRange[] = [];
  for (let start = value.indexOf('$('); start !== -1;) {
    const end = endOf(value, start + 2);
    if (end === undefined) break;
    found.push({ start: value.charAt(start - 1) === '$' ? start - 1 : start, end });
    start = value.indexOf('$(', end);
  }
  return found;
}

/** What is read as one: an escaped character, a text between quotes, in which another may begin only between double ones, and all else by itself. */
const token = /\\[^]|'[^']*'|\$?\(|[)"]|[^\\'"()$]+|[^]/gy;

/** Behind the parenthesis that closes what is open at an offset. */
function endOf(value: string, from: number): number | undefined {
  const open = ['('];
  token.lastIndex = from;
  for (let found = token.exec(value)?.[0]; found !== undefined; found = token.exec(value)?.[0]) {
    const isQuoted = open.at(-1) === '"';
    if (found === '$(' || (found === '(' && !isQuoted)) open.push('(');
    else if (found === '"' && !isQuoted) open.push('"');
    else if (found === '"' || (found === ')' && !isQuoted)) open.pop();
    // Between double quotes a single one is a character as any.
    else if (isQuoted && found.startsWith("'")) token.lastIndex -= found.length - 1;
    if (open.length === 0) return token.lastIndex;
  }
  return undefined;
}
