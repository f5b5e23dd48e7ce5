/** `migrate-v2 report`: who is still on v1, and when it is safe to stop. */
import type { Settings } from '../../config/settings.ts';
import { commandOf } from '../command.ts';

// Loaded on demand: the other commands need none of it.
async function run(settings: Settings<'report'>): Promise<void> {
  const { runReport } = await import('../report/run.ts');
  await runReport(settings);
}

export const reportCommand = commandOf({
  name: 'report',
  describe: 'Tell who still uses v1, and when it is safe to stop',
  examples: [
    ['$0 report', 'Look at the record in migrate-v2.usage.db'],
    ['$0 report --since 7d --group-by client', 'Tell the clients of the last week'],
    ['$0 report --format csv --out usage.csv', 'Write one row for each workspace'],
    ['$0 report --watch', 'Keep it open in a terminal'],
    ['$0 report --digest', 'Tell what is new since a week ago, and what to do first'],
    ['$0 report --digest --post env:SLACK_WEBHOOK', 'Post it to Slack, Teams or another webhook; meant for cron'],
    ['$0 report --check', 'Exit with 0 where v1 may be stopped, 1 while it is in use, 2 where nobody can tell'],
  ],
  run,
});
