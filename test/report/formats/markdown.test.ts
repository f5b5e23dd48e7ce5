import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../../src/report/formats/markdown.ts';
import { daily } from '../../helpers/usage-store.ts';
import { groupings } from '../../../src/config/report-formats.ts';
import { reportOf, sample } from './sample.ts';

describe('Markdown', () => {
  test('has the verdict, its reasons and the tables of the terminal', async () => {
    const text = renderMarkdown(await sample(), { groupBy: 'workspace' });
    expect(text).toMatch(
      /^## v1 usage from 2026-08-22 00:00 UTC to 2026-11-20 12:00 UTC\n\n\*\*NOT YET\*\*: v1 is still in use\n\n- 2 clients of/,
    );
    expect(text).toContain('| Acme | Ada &lt;ada&#64;acme.test&gt; | 48 | 2,528 |');
    expect(text).toContain('\n### Not recorded\n\n- 2026-08-22 00:00 UTC to 2026-09-11 12:00 UTC (20 days): the record had not begun\n');
  });

  test('has instants where the terminal says how long ago', async () => {
    expect(renderMarkdown(await sample(), { groupBy: 'key' })).toContain('| 2026-11-20 11:59 UTC |');
  });

  test.each(groupings.filter((each) => each !== 'site' && each !== 'log'))('by %s has a table of these', async (groupBy) => {
    const heading = { workspace: 'Workspaces', key: 'Keys', client: 'Clients', endpoint: 'Endpoints', log: 'Access logs', site: '' }[
      groupBy
    ];
    expect(renderMarkdown(await sample(), { groupBy })).toContain(`### ${heading}\n\n| `);
  });

  test('fits into a comment, and says where the rest is', async () => {
    const traffic = Array.from({ length: 400 }, (_, index) => ({ key: `${index}_key_of_somebody`, calls: daily(1, 1, 1) }));
    const text = renderMarkdown(await reportOf({ traffic }), { groupBy: 'workspace' });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('… and 350 more: `--format csv` has them all.');
  });
});
