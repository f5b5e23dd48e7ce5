/** The hours of workspaces on v2 as they stand: what people see of a budget. */
import type { Standing } from './account.ts';

export interface WorkspaceHour extends Standing {
  readonly workspace: string;
  /** Calls of this hour that the proxy itself answered with 429. */
  readonly refused: number;
}

/** The same for programs: instants in ISO 8601, and null for what is not known. */
export const hourRecord = ({ workspace, limit, used, sends, kept, others, refused, blockedUntil, until }: WorkspaceHour) => ({
  workspace,
  limit: limit ?? null,
  used,
  sends,
  left: limit === undefined ? null : Math.max(0, limit - used),
  keptForWrites: kept,
  byOthers: others,
  refused,
  blockedUntil: blockedUntil === undefined ? null : new Date(blockedUntil).toISOString(),
  until: new Date(until).toISOString(),
});
