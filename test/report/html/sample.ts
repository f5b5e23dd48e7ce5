/** A record with all that a report can show. */
import type { ReportOptions } from '../../../src/report/build.ts';
import { dayInMs, minuteInMs } from '../../../src/contract/times.ts';
import { type Calls, daily, daysAgo, hashOf, hoursAgo, now, reportDefaults, type StoreContent } from '../../helpers/usage-store.ts';

/** When no proxy ran, in days before now. */
const absent = [41, 38] as const;

/** So many calls in each of some minutes, one after the other. */
const burst = (start: number, minutes: number, calls: number): readonly Calls[] =>
  Array.from({ length: minutes }, (_, index) => [start + index * minuteInMs, calls]);

const declining = (day: number): number => Math.round(900 * 0.975 ** day + 40 * Math.sin(day));

/** Day by day, but for the days that nobody recorded. */
const recordedDays = (...days: Parameters<typeof daily>): readonly Calls[] =>
  daily(...days).filter(([at]) => at < daysAgo(absent[0]) || at > daysAgo(absent[1]));

export const sampleStore: StoreContent = {
  recorded: [
    [85, absent[0]],
    [absent[1], 0],
  ],
  lost: [[12, 11.5, 240]],
  traffic: [
    {
      key: 'mk_acme_1',
      client: 'acme-billing/2.4.1',
      networks: ['198.51.100.0/24', '203.0.113.0/24', '2001:db8:1::/48'],
      calls: recordedDays(85, 0, declining),
    },
    { key: 'mk_acme_1', client: 'acme-billing/2.4.1', repeats: 0.4, calls: burst(hoursAgo(30), 90, 12) },
    {
      key: 'mk_acme_2',
      client: 'axios/1.7.0',
      endpoint: 'POST /v1/messages/send',
      networks: ['198.51.100.0/24'],
      calls: recordedDays(60, 3, 120),
    },
    { key: 'mk_acme_2', client: 'axios/1.7.0', endpoint: 'POST /v1/messages/send', status: 400, outcome: 'local', calls: daily(30, 3, 4) },
    {
      key: 'mk_bolt_1',
      client: 'python-requests/2.32',
      endpoint: 'POST /v1/contacts',
      v2Calls: 2,
      calls: [...recordedDays(70, 1, 55), ...burst(daysAgo(4), 50, 23)],
    },
    {
      key: 'mk_bolt_1',
      client: 'python-requests/2.32',
      endpoint: 'GET /v1/contacts',
      status: 502,
      outcome: 'failed',
      calls: daily(20, 18, 9),
    },
    { key: 'mk_core_1', client: 'Go-http-client/2.0', endpoint: 'GET /v1/messages/:id', calls: daily(80, 45, 30) },
    { key: 'mk_new_77', client: 'okhttp/4.12.0', endpoint: 'POST /v1/messages/send', networks: ['192.0.2.0/24'], calls: daily(9, 0, 31) },
    { client: 'Mozilla/5.0', endpoint: 'unlisted', status: 401, outcome: 'local', networks: ['192.0.2.0/24'], calls: daily(7, 2, 5) },
    { client: 'uptime-check/1', endpoint: 'GET /v1/contacts', status: 401, outcome: 'local', calls: daily(38, 0, 24) },
  ],
};

export const sampleOptions: ReportOptions = {
  ...reportDefaults,
  since: { ago: 90 * dayInMs },
  workspaces: [
    {
      name: 'Acme',
      keys: ['mk_acme_'],
      plan: 'Free',
      owner: 'Ada Lovelace',
      contact: 'ada@acme.test',
      note: 'Nightly invoices; release train every second Tuesday',
    },
    { name: 'Bolt Logistics', keys: [`hash:${hashOf('mk_bolt_1')}`], plan: 'Pro', owner: 'Team Rivet' },
    { name: 'Core', keys: ['mk_core'], plan: 'Enterprise' },
    { name: 'Dune', keys: ['mk_dune'], owner: 'Frank' },
  ],
  ignore: [{ client: 'uptime-check', reason: 'our own uptime checks' }],
  now,
};
