/** What a verdict rests on that access logs tell, and that no figure of who is active knows of. */
import type { Blocker } from '../verdict-model.ts';

type BlockerOf<Code extends Blocker['code']> = Extract<Blocker, { readonly code: Code }>;

export interface PastProxies {
  /**
   * Clients that called past the proxies too lately for SAFE. There are two of a report of some workspaces alone: those whose keys are theirs,
   * and those of whom nobody knows whose they are.
   */
  readonly calls: readonly Omit<BlockerOf<'logged_calls'>, 'code'>[];
  /** Logs that had such calls, and end too early to tell who calls since. */
  readonly ended: BlockerOf<'ended_logs'>['sources'];
}

export const pastProxies = (blockers: readonly Blocker[]): PastProxies => ({
  calls: blockers.flatMap((blocker) => {
    if (blocker.code !== 'logged_calls') return [];
    const { code: _code, ...calls } = blocker;
    return [calls];
  }),
  ended: blockers.flatMap((blocker) => (blocker.code === 'ended_logs' ? blocker.sources : [])),
});
