/** Puts drafts together that share what they change: a variable, a header. Each such group is made as a whole or not at all. */
import type { FindingCode } from '../model.ts';
import type { Ignored } from './ignored.ts';
import { type Draft, type Problem } from './draft.ts';
import { overlap } from './text.ts';

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
  const find = (i: number): number => (leader[i] === i ? i : find(leader[i] ?? i));
  drafts.forEach((draft, i) => {
    if (draft.edits.length === 0) return;
    drafts.forEach((other, k) => {
      if (i !== k && shares(draft, other)) leader[find(i)] = find(k);
    });
  });
  return [...Map.groupBy(drafts, (_, i) => find(i)).values()].map((members) => judged(members, ignored));
}

function shares(draft: Draft, other: Draft): boolean {
  return draft.edits.some((edit) => {
    const touched = { start: edit.start, end: Math.max(edit.end, edit.start + 1) };
    return (
      other.reads.some((read) => overlap(touched, read)) || other.edits.some(({ start, end }) => start === edit.start && end === edit.end)
    );
  });
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
