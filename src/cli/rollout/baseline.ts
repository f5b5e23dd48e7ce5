/** What the record knows of the time before a proxy starts: what v1 gave each workspace, by which guards judge. */
import type { Logger } from 'pino';
import { type Baseline, kindOfAnswer } from '../../../proxy/guards.ts';
import { noStore } from '../../config/setting.ts';
import { dayInMs } from '../../contract/times.ts';
import { openReader } from '../../usage/store/open.ts';

/** How far back. */
const days = 14;

/** Reads the answers of v1 in the last two weeks; nothing where there is no record yet. */
export async function recordedBefore(store: string, now: number, logger: Logger): Promise<Baseline> {
  const baseline = new Map<string | null, { calls: number; refused: number; failed: number }>();
  if (store === noStore) return baseline;
  try {
    const reader = await openReader(store);
    try {
      const workspaces = new Map((await reader.callers()).map(({ id, workspace }) => [id, workspace]));
      for await (const { caller, kind, counts } of reader.totals({ since: now - days * dayInMs, until: now })) {
        if (kind.outcome !== 'observed' && kind.outcome !== 'compared') continue;
        const workspace = workspaces.get(caller) ?? null;
        const before = baseline.get(workspace) ?? { calls: 0, refused: 0, failed: 0 };
        baseline.set(workspace, before);
        before.calls += counts.calls;
        const answer = kindOfAnswer(kind.status);
        if (answer !== undefined) before[answer] += counts.calls;
      }
    } finally {
      await reader.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    logger.warn({ event: 'rollout_baseline_missing', code }, 'What v1 answered before cannot be read: guards count failures of v2 alone');
  }
  return baseline;
}
