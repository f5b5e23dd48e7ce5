/** How things stand with workspaces, in every format. */
import { expect, test } from 'vitest';
import { renderCsv } from '../../../src/report/formats/csv.ts';
import { renderMarkdown } from '../../../src/report/formats/markdown.ts';
import { renderTable } from '../../../src/report/formats/table.ts';
import type { Report, WorkspaceMark } from '../../../src/report/model.ts';
import { parseCsv } from './parse-csv.ts';
import { sample } from './sample.ts';

const promise: WorkspaceMark = {
  status: 'promised',
  until: '2026-11-10T00:00:00.000Z',
  past: true,
  note: '=cmd | <b>"next"\u001b[31m sprint',
  at: '2026-11-03T09:00:00.000Z',
  from: 'record',
};
const contacted: WorkspaceMark = { ...promise, status: 'contacted', until: null, past: false, note: null };

/** With a promise of Acme, and an unknown key that somebody was asked about. */
async function marked(): Promise<Report> {
  const report = await sample();
  const workspaces = report.workspaces.map((row) =>
    row.name === 'Acme' ? { ...row, mark: promise } : row.origin === 'unknown' && row.accepted ? { ...row, mark: contacted } : row,
  );
  return { ...report, workspaces };
}

const options = { groupBy: 'workspace', width: Infinity, color: false } as const;

test('the table and Markdown have a column for it, and the note below; neither where nobody noted anything', async () => {
  const table = renderTable(await marked(), options);
  expect(table).toMatch(/^Acme .* promised 2026-11-10, overdue +NOT YET$/m);
  expect(table).toMatch(/^mk_new_7….* contacted /m);
  expect(table).toContain('Acme: promised 2026-11-10, overdue (noted 2026-11-03): =cmd | <b>"next"\\u{1b}[31m sprint');
  const markdown = renderMarkdown(await marked(), options);
  expect(markdown).toMatch(/^\| Acme \|.*\| promised 2026-11-10, overdue \| NOT YET \|$/m);
  expect(markdown).toContain('=cmd \\| &lt;b&gt;"next"\\\\u{1b}\\[31m sprint');
  for (const text of [renderTable(await sample(), options), renderMarkdown(await sample(), options)]) {
    expect(text).not.toMatch(/Status|Noted/);
  }
});

test('CSV has it near the end, and a note is no formula', async () => {
  const [head = [], ...rows] = parseCsv(renderCsv(await marked(), options));
  expect(head.slice(-11, -5)).toEqual(['status', 'status_until', 'status_past', 'status_note', 'status_at', 'status_from']);
  const rowOf = (name: string) => rows.find(([workspace]) => workspace === name)?.slice(-11, -5);
  expect(rowOf('Acme')).toEqual(['promised', promise.until, 'yes', expect.stringMatching(/^'=cmd \| <b>"next"/), promise.at, 'record']);
  expect(rowOf('Bolt')).toEqual(['', '', '', '', '', '']);
});
