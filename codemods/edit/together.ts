/** Files that are written together: a group of edits is made as a whole or not at all, in however many files it stands. */
import type { Edit } from '../model.ts';
import type { ChangedFile } from '../result.ts';

/**
 * Parts the files into sets that share no group.
 * @returns sets in the order of their first files, each in the order of the files
 */
export function together(changed: readonly ChangedFile[], edits: readonly Pick<Edit, 'file' | 'group'>[]): ChangedFile[][] {
  const groupsOf = setsOf(edits.map(({ file, group }) => [file, group]));
  const filesOf = setsOf(edits.map(({ file, group }) => [group, file]));
  const left = new Map(changed.map((each, index) => [each.file, { each, index }]));
  return changed.flatMap(({ file }) => {
    if (!left.has(file)) return [];
    const set = new Set([file]);
    // What is added while the set is walked is walked too.
    for (const each of set) for (const group of groupsOf.get(each) ?? []) for (const other of filesOf.get(group) ?? []) set.add(other);
    const members = [...set].flatMap((each) => left.get(each) ?? []).toSorted((one, other) => one.index - other.index);
    for (const each of set) left.delete(each);
    return [members.map(({ each }) => each)];
  });
}

function setsOf(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sets = new Map<string, Set<string>>();
  for (const [key, value] of pairs) sets.set(key, (sets.get(key) ?? new Set()).add(value));
  return sets;
}
