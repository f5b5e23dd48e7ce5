/** Options of the project's own programs that files give another host than ours: `node sync.mjs --api-url https://staging.example.dev/v1`. */
import { isLocal } from '../component/hosts-set.ts';
import type { VariableUse } from '../cross-file-uses.ts';
import { escaped } from '../find/literals.ts';
import { positionsOf } from '../syntax/position.ts';
import type { Bases } from '../verdict/routes.ts';
import type { Member } from './cross-file-constraints.ts';

/** @returns the first place of each file where an option that would move with its default is given a host that the user has not named */
export function optionsSetIn(
  files: readonly string[],
  members: readonly Pick<Member, 'variables'>[],
  bases: Bases,
  textIn: (file: string) => string,
): VariableUse[] {
  const moving = members.flatMap(({ variables }) => variables.filter(({ isGiven, group }) => isGiven === true && group !== undefined));
  const names = [...new Set(moving.map(({ name }) => name))].filter((name) => name.startsWith('--'));
  if (names.length === 0) return [];
  const ours = new Set(bases.v1.map((base) => new URL(base).hostname));
  const patterns = names.map((name) => ({ name, pattern: new RegExp(`(?<![\\w-])${escaped(name)}[=\\s"',]+https?://([\\w.-]+)`, 'gi') }));
  return files.flatMap((file) => {
    const text = textIn(file);
    return patterns.flatMap(({ name, pattern }) => {
      if (!text.includes(name)) return [];
      const found = Array.from(text.matchAll(pattern)).find(
        ([, host = '']) => !ours.has(host.toLowerCase()) && !isLocal(host.toLowerCase()),
      );
      if (found === undefined) return [];
      const { index: start } = found;
      const end = start + found[0].length;
      return [{ file, start, end, ...positionsOf(text)(start), name, group: undefined, needsValue: false, isGiven: true, isOther: true }];
    });
  });
}
