/** The limit fit with savers, from a store to the report. */
import { expect, test } from 'vitest';
import { buildReport, type ReportOptions } from '../../src/report/build.ts';
import { dayInMs, hourInMs } from '../../src/contract/times.ts';
import type { SavingCounts } from '../../src/usage/model.ts';
import { hoursAgo, now, reportDefaults, type StoreContent, storeWith, type Traffic } from '../helpers/usage-store.ts';

const workspaces: ReportOptions['workspaces'] = [{ name: 'Acme', keys: ['mk_acme_'], plan: 'Free' }];

async function limitOf(content: StoreContent, ago = 7 * dayInMs) {
  const { reader } = await storeWith(content);
  const { workspaces: rows } = await buildReport(reader, { since: { ago }, ...reportDefaults, workspaces, now });
  return rows.find(({ name }) => name === 'Acme')?.limit;
}

const counts = (asked: number, ...saved: number[]): SavingCounts => ({ asked, untranslated: 0, saved });

test('are those of the plan, against all keys of the workspace together, where nothing is translated yet', async () => {
  const key = (name: string, at: number, saving: SavingCounts): Traffic => ({
    key: name,
    outcome: 'observed',
    v2Calls: 0,
    calls: [[hoursAgo(at), saving.asked]],
    savings: [[hoursAgo(at), { ...saving, untranslated: saving.asked }]],
  });
  const limit = await limitOf({
    traffic: [
      key('mk_acme_1', 4, counts(300, 0, 200, 260, 270, 280)),
      key('mk_acme_2', 4, counts(112, 10, 60, 81, 90, 90)),
      key('mk_acme_2', 3, counts(150, 20, 60, 70, 75, 80)),
      key('mk_bolt_1', 4, counts(10, 0, 0, 0, 0, 0)),
    ],
  });
  const [hour, next] = ['2026-11-20T08:00:00.000Z', '2026-11-20T09:00:00.000Z'];
  const at = (v2Calls: number, since = hour, until = next) => ({ since, until, v2Calls });
  expect(limit).toMatchObject({
    clockHour: null,
    savers: {
      since: hour,
      limit: { plan: 'Free', perHour: 100 },
      untranslated: 412,
      settings: [
        { coalescing: false, reuse: 0, clockHour: at(412) },
        { coalescing: true, reuse: 0, clockHour: at(402) },
        { coalescing: true, reuse: 5_000, clockHour: at(152) },
        { coalescing: true, reuse: 10_000, clockHour: at(80, next, '2026-11-20T10:00:00.000Z') },
        { coalescing: true, reuse: 30_000, clockHour: at(75, next, '2026-11-20T10:00:00.000Z') },
        { coalescing: true, reuse: 60_000, clockHour: at(70, next, '2026-11-20T10:00:00.000Z') },
      ],
      needed: { coalescing: true, reuse: 10_000 },
      smallestPlan: 'Free',
    },
  });
});

test('are judged by the hours of the last 30 days within the period', async () => {
  const traffic: readonly Traffic[] = [
    {
      key: 'mk_acme_1',
      calls: [
        [hoursAgo(31 * 24), 900],
        [hoursAgo(4), 1],
      ],
      savings: [
        [hoursAgo(31 * 24), counts(900, 0, 0, 0, 0, 0)],
        [hoursAgo(4), counts(200, 0, 0, 0, 0, 0)],
      ],
    },
  ];
  expect((await limitOf({ traffic }, 90 * dayInMs))?.savers?.settings[0]?.clockHour?.v2Calls).toBe(200);
  expect((await limitOf({ traffic }, 2 * hourInMs))?.savers).toBeNull();
});
