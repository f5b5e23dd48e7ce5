/** Puts drafts together that share what they change: a variable, a header. Each such group is made as a whole or not at all. */
import type { FindingCode } from '../model.ts';
import type { Ignored } from '../verdict/ignore-comments.ts';
import type { Draft, Problem } from './candidate-edit.ts';
import type { Place } from './text.ts';

export interface DraftGroup {
  readonly drafts: readonly Draft[];
  /** What stands against the whole group; empty where it is made. */
  readonly problems: readonly Problem[];
  /** Why a person has to decide; undefined where it is made, or where nothing of it is ours. */
  readonly reason: FindingCode | undefined;
}

/** Joins drafts by what they edit and read, and says what becomes of each group. */
export function groupsOf(drafts: readonly Draft[], ignored: Ignored): DraftGroup[] {
  const leader = drafts.map((_, i) => i);
  const find = (i: number): number => {
    let at = i;
    while (leader[at] !== at) at = leader[at] ?? at;
    leader[i] = at;
    return at;
  };
  const edits = drafts
    .flatMap(({ edits }, draft) => edits.map((edit) => ({ start: edit.start, end: Math.max(edit.end, edit.start + 1), draft })))
    .toSorted((a, b) => a.start - b.start);
  edits.forEach((edit, i) => {
    // The same edit, wanted by two.
    const before = edits[i - 1];
    if (before?.start === edit.start) leader[find(edit.draft)] = find(before.draft);
  });
  drafts.forEach(({ reads, literals, problem }, i) => {
    // What may not be changed here may not be changed for others either.
    for (const read of problem === undefined ? reads : [...reads, ...literals])
      for (const { draft } of within(edits, read)) leader[find(draft)] = find(i);
  });
  return [...Map.groupBy(drafts, (_, i) => find(i)).values()].map((members) => judged(members, ignored));
}

/** The edits that overlap a place; edits are in order and apart from each other. */
function within<E extends Place>(edits: readonly E[], place: Place): E[] {
  let [low, high] = [0, edits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edits[middle]?.end ?? 0) <= place.start) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < edits.length && (edits[end]?.start ?? 0) < place.end) end++;
  return edits.slice(low, end);
}

function judged(drafts: readonly Draft[], ignored: Ignored): DraftGroup {
  const ours = drafts.filter(({ stance }) => stance === 'ours');
  const changes = drafts.some(({ edits }) => edits.length > 0);
  const problems: Problem[] = [];
  for (const draft of drafts) {
    const reason = ignored.reason(draft);
    if (reason !== undefined && draft.stance === 'ours')
      problems.push({ code: 'ignored', at: draft, detail: reason === '' ? {} : { reason } });
    else if (draft.stance === 'ours' && draft.problem !== undefined) problems.push(draft.problem);
    else if (draft.stance === 'foreign' && changes)
      problems.push({ code: 'shared-with-other-host', at: draft, detail: draft.problem?.detail ?? {} });
    else if (draft.stance === 'bystander' && changes) problems.push({ code: 'escapes', at: draft, detail: draft.problem?.detail ?? {} });
  }
  return { drafts, problems, reason: ours.length === 0 ? undefined : problems[0]?.code };
}
