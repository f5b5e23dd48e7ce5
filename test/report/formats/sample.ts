/** A record with something of everything, and the report of it. */
import { buildReport, type ReportOptions } from '../../../src/report/build.ts';
import type { Report } from '../../../src/report/model.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { daily, daysAgo, hashOf, now, reportDefaults, type StoreContent, storeWith, type Traffic } from '../../helpers/usage-store.ts';

export const workspaces: ReportOptions['workspaces'] = [
  { name: 'Acme', keys: ['mk_acme_'], plan: 'Free', owner: 'Ada', contact: 'ada@acme.test', note: 'calls at night' },
  { name: 'Bolt', keys: [`hash:${hashOf('mk_bolt_1')}`], plan: 'Pro', owner: 'Bob' },
  { name: 'Core', keys: ['mk_core_'], plan: 'Starter' },
];

export const content: StoreContent = {
  traffic: [
    {
      key: 'mk_acme_1',
      client: 'legacy/2.1',
      calls: daily(60, 1, (day) => Math.round(150 * 0.94 ** day)),
      repeats: 0.8,
      networks: ['192.0.2.0/24'],
      savings: [[daysAgo(1), { asked: 412, untranslated: 12, saved: [12, 200, 341, 360, 370] }]],
    },
    { key: 'mk_acme_1', client: 'legacy/2.1', endpoint: 'POST /v1/messages/send', calls: daily(30, 0, 3) },
    {
      key: 'mk_bolt_1',
      client: 'curl/8.5',
      name: 'billing',
      endpoint: 'GET /v1/contacts',
      status: 503,
      outcome: 'failed',
      calls: daily(40, 20, 5),
    },
    { key: 'mk_new_77', client: 'axios/1.7.0', endpoint: 'POST /v1/contacts', calls: daily(8, 2, 4), networks: ['2001:db8::/48'] },
    { client: 'Mozilla/5.0', endpoint: 'unlisted', status: 401, outcome: 'local', calls: daily(7, 7, 5) },
    { key: 'mk_probe_1', client: 'uptime/1', calls: daily(20, 0, 2) },
  ],
  recorded: [
    [70, 30],
    [28, 0],
  ],
  lost: [[3, 2.99, 12]],
};

/** Calls past the proxies: of a workspace, of an unknown key, of nobody known, and refused ones. */
export const sampleLogs: StoreContent['logs'] = [
  {
    source: 'edge',
    reach: [30, 0.5],
    calls: [
      { key: 'mk_acme_2', days: 1, client: 'legacy/2.1' },
      { key: 'mk_acme_2', days: 2, client: 'legacy/2.1', endpoint: 'POST /v1/contacts', status: 401 },
      { key: 'mk_lost_1', days: 3, client: 'curl/8.5', network: '' },
      { days: 4 },
      { days: 200 },
    ],
  },
  { source: 'old', reach: [90, 60], calls: [{ days: 70, endpoint: 'unlisted', status: 404 }] },
];

/** A use that ends within months. */
export const decline: Traffic = { key: 'mk_acme_1', client: 'legacy/2.1', calls: daily(80, 0, (day) => Math.round(200 * 0.93 ** day)) };

/** Calls that v1 served itself, and that a brownout answered. */
export const road: readonly Traffic[] = [
  { key: 'mk_acme_1', outcome: 'observed', v2Calls: 0, calls: daily(9, 7, 500) },
  { key: 'mk_acme_1', outcome: 'compared', v2Calls: 0, calls: daily(6, 5, 1) },
  { key: 'mk_acme_1', outcome: 'refused', status: 503, v2Calls: 0, calls: daily(2, 2, 4) },
];

/** Its report over 90 days, of this record or another one. */
export async function reportOf(store: StoreContent = content, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(store);
  return buildReport(reader, {
    since: { ago: 90 * dayInMs },
    ...reportDefaults,
    workspaces,
    ignore: [{ reason: 'our own check', client: 'uptime' }],
    now,
    ...options,
  });
}

let made: Promise<Report> | undefined;
/** The report of the record with something of everything, made once. */
export const sample = (): Promise<Report> => (made ??= reportOf());
