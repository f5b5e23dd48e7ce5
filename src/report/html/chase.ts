/** In which order people are called, and where each of them is found on the page. */
import type { WorkspaceRow } from '../model.ts';

/** How much of it is left to do comes last in the alphabet. */
export const urgency = { not_yet: 0, unknown: 1, safe: 2 } as const;

/** By verdict, then by what they call now, then by what they called. */
export const chased = (rows: readonly WorkspaceRow[]): readonly WorkspaceRow[] =>
  rows.toSorted(
    (a, b) => urgency[a.verdict.state] - urgency[b.verdict.state] || b.now.calls - a.now.calls || b.usage.calls - a.usage.calls,
  );

/** Under which its details are found; nothing where it was never seen. */
export const workspaceId = ({ keys: [key] }: Pick<WorkspaceRow, 'keys'>): string | undefined =>
  key === undefined ? undefined : `workspace-${key}`;
