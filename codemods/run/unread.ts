/** Files that could not be read as code: that they mention a variable is all that is known. */
import { escaped } from '../find/literals.ts';
import { positionsOf } from '../syntax/position.ts';
import type { VariableUse } from '../cross-file-uses.ts';
import type { Member } from './cross-file-constraints.ts';

/**
 * @param members what the files say that could be read
 * @returns the places where a variable may be read whose value is to change: they stay
 */
export function usesIn(files: Iterable<string>, members: readonly Member[], textIn: (file: string) => string): VariableUse[] {
  const uses = members.flatMap(({ variables }) => variables);
  const names = new Set(uses.flatMap(({ name, group, needsValue }) => (needsValue && group !== undefined ? name : [])));
  if (names.size === 0) return [];
  return [...files].flatMap((file) => {
    const text = textIn(file);
    return [...names].flatMap((name) => {
      const start = text.search(new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`));
      if (start === -1) return [];
      return { file, start, end: start + name.length, ...positionsOf(text)(start), name, group: undefined, needsValue: true };
    });
  });
}
