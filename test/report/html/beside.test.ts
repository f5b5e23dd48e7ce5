/** What the page has beside who calls: what people noted, access logs, code, answers by status. */
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../../src/report/html/render.ts';
import type { WorkspaceMark } from '../../../src/report/model.ts';
import { daily } from '../../helpers/usage-store.ts';
import { content, reportOf, sampleLogs } from '../formats/sample.ts';
import { byId, elements, rows, textOf, withClass } from './dom.ts';
import { sampleReport } from './sample-report.ts';

describe('how things stand with a workspace', () => {
  const mark: WorkspaceMark = {
    status: 'promised',
    until: '2026-11-10T00:00:00.000Z',
    past: true,
    note: '<b>next</b> sprint',
    at: '2026-11-03T09:00:00.000Z',
    from: 'record',
  };

  test('has a column, in red where a promise is over, and its note below', async () => {
    const report = await sampleReport();
    const workspaces = report.workspaces.map((row) => (row.name === 'Acme' ? { ...row, mark } : row));
    const page = renderHtml({ ...report, workspaces });
    const table = byId(page, 'workspaces');
    expect(withClass(table, 'tone').map(textOf)).toContain('overdue 2026-11-10');
    // Such a cell is cut where it is long.
    expect(withClass(table, 'text').map(textOf)).not.toContain('overdue 2026-11-10');
    const acme = report.workspaces.find(({ name }) => name === 'Acme');
    expect(textOf(byId(page, `workspace-${acme?.keys[0]}`))).toMatch(
      /Status promised 2026-11-10, overdue \(noted 2026-11-03 \) ?: <b>next<\/b> sprint/,
    );
  });

  test('has none where nobody noted anything', async () => {
    const heads = elements(byId(renderHtml(await sampleReport()), 'workspaces'), 'th').map(textOf);
    expect(heads).not.toContain('Status');
  });
});

describe('access logs', () => {
  test('are named with how far they reach, and who called past the proxies', async () => {
    const page = renderHtml(await reportOf({ ...content, logs: sampleLogs }));
    expect(rows(page, 'logs').map(([name, format, calls, refused]) => [name, format, calls, refused])).toEqual([
      ['edge', 'combined', '4', '1'],
      ['old', 'combined', '1', '1'],
    ]);
    expect(rows(page, 'past').map(([client, source, , workspace]) => [client, source, workspace?.replace(/….*/, '…')])).toContainEqual([
      'legacy/2.1',
      'edge',
      'Acme',
    ]);
    expect(page).toContain('Past the proxies');
  });

  test('have no part where none was imported', async () => {
    expect(renderHtml(await reportOf())).not.toContain('logs-section');
  });
});

test('call sites of the code stand with who calls them, those that are called first', async () => {
  const site = { line: 41, library: 'axios', state: 'found' } as const;
  const findings = [
    {
      repository: 'billing-sync',
      bases: ['https://api.example.com'],
      sites: [
        { ...site, file: 'src/list.ts', endpoint: 'GET /v1/contacts' },
        { ...site, file: 'src/send.ts', endpoint: 'POST /v1/messages/send' },
      ],
    },
  ];
  const traffic = [{ key: 'mk_acme_1', client: 'axios/1.7.0', endpoint: 'POST /v1/messages/send', calls: daily(20, 0, 3) }];
  const page = renderHtml(await reportOf({ traffic }, { findings }));
  expect(rows(page, 'sites').map(([where, repository, , use]) => [where, repository, use])).toEqual([
    ['src/send.ts:41', 'billing-sync', 'now'],
    ['src/list.ts:41', 'billing-sync', 'not in the period'],
  ]);
  expect(textOf(byId(page, 'code-section'))).toContain('1 of 2 sites of billing-sync is still called: src/send.ts:41');
});

test('answers stand by status, with who got most of each, and failures marked', async () => {
  const page = renderHtml(await sampleReport());
  expect(rows(page, 'statuses').map(([status, , , most]) => [status, most])).toEqual([
    ['200 OK', expect.stringMatching(/^Acme [\d,]+$/)],
    ['400 Bad Request', 'Acme 112'],
    ['401 Unauthorized', '–'],
    ['502 Bad Gateway', 'Bolt Logistics 27'],
  ]);
  expect(withClass(byId(page, 'statuses'), 'first').map(textOf)).toEqual([expect.stringMatching(/^502 /)]);
});
