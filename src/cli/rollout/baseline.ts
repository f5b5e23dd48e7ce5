/** What the record knows of the time before a proxy starts: what v1 gave each workspace, by which guards judge, and what comparing has asked of v2. */
import type { Logger } from 'pino';
import { type Baseline, kindOfAnswer } from '../../../proxy/guards.ts';
import { noStore } from '../../config/setting.ts';
import { dayInMs, hourInMs } from '../../contract/times.ts';
import { openReader } from '../../usage/store/open.ts';
import type { UsageReader } from '../../usage/store/store.ts';

/** How far back. */
const days = 14;

export interface Before {
  /** The answers of v1 in the last two weeks. */
  readonly baseline: Baseline;
  /** Questions to v2 in the last hour, by workspace. */
  readonly questionsAsked: ReadonlyMap<string | null, number>;
}

/** Reads it; nothing where there is no record yet. */
export async function recordedBefore(store: string, now: number, logger: Logger): Promise<Before> {
  const baseline = new Map<string | null, { calls: number; refused: number; failed: number }>();
  const questionsAsked = new Map<string | null, number>();
  if (store === noStore) return { baseline, questionsAsked };
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
      await countQuestions(reader, now, questionsAsked);
    } finally {
      await reader.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    logger.warn({ event: 'rollout_baseline_missing', code }, 'What v1 answered before cannot be read: guards count failures of v2 alone');
  }
  return { baseline, questionsAsked };
}

/** Counts what was compared within an hour. Rows add up whole stretches of recording, of which an hour has its part. */
async function countQuestions(reader: UsageReader, now: number, asked: Map<string | null, number>): Promise<void> {
  for (const { kind, workspace, count, first, last } of await reader.comparisons({ since: now - hourInMs, until: now })) {
    if (kind !== 'calls') continue;
    const ofTheHour = Math.ceil(count * Math.min(1, hourInMs / Math.max(1, last - first)));
    asked.set(workspace, (asked.get(workspace) ?? 0) + ofTheHour);
  }
}
