/** Variables whose value is to change, and files that could not be read as code: that they mention one is all that is known. */
import { escaped } from '../../find/words/literals.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { Member } from './between-components.ts';

/** The variables whose value is to change. */
export const changingIn = (members: readonly Pick<Member, 'variables'>[]): ReadonlySet<string> =>
  new Set(
    members.flatMap(({ variables }) =>
      variables.flatMap(({ name, group, needsValue, isGiven }) => (needsValue && group !== undefined && isGiven !== true ? name : [])),
    ),
  );

/** @returns the places where one of these variables may be read: they stay */
export function usesIn(files: Iterable<string>, names: ReadonlySet<string>, textIn: (file: string) => string): VariableUse[] {
  if (names.size === 0) return [];
  return [...files].flatMap((file) => {
    const text = textIn(file);
    return [...names].flatMap((name) => {
      const start = text.search(wordOf(name));
      if (start === -1) return [];
      return {
        file,
        start,
        end: start + name.length,
        ...positionsOf(text)(start),
        name,
        group: undefined,
        why: 'unread',
        needsValue: true,
      };
    });
  });
}

const wordOf = (name: string): RegExp => new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`);
