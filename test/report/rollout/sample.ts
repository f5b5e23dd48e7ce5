/** Records of a roll-out: beside calls, what happened on the road and what comparing found. */
import { buildReport, type ReportOptions } from '../../../src/report/build.ts';
import type { Report } from '../../../src/report/model.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import type { ComparisonRow, Step } from '../../../src/usage/model.ts';
import { daily, daysAgo, now, reportDefaults, type StoreContent, storeWith } from '../../helpers/usage-store.ts';

/** A row of what comparing found: of Acme, a day ago. */
export const comparisonRow = (kind: ComparisonRow['kind'], count: number, given: Partial<ComparisonRow> = {}): ComparisonRow => ({
  setup: 'newest',
  workspace: 'Acme',
  endpoint: 'GET /v1/contacts',
  kind,
  path: '',
  v1: '',
  v2: '',
  count,
  noise: 0,
  first: daysAgo(5),
  last: daysAgo(1),
  ...given,
});

export const stepOf = (kind: Step['kind'], at: number, rule = '', detail = ''): Step => ({
  id: `${kind} ${rule} ${at}`,
  at,
  replica: 'proxy',
  kind,
  rule,
  detail,
});

/** A brownout, as the proxy notes it with the first call in it. */
export const began = (name: string, since: number, until: number): Step => ({
  ...stepOf('brownout-began', since, name, `until ${new Date(until).toISOString()}`),
});

export async function roadReport(content: StoreContent, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(content);
  return buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, now, ...options });
}

const differing = { path: 'data[].name', v1: 'text', v2: 'absent' } as const;
/** One brownout, three days ago. */
const [from, to] = [daysAgo(3), daysAgo(3) + 30 * minuteInMs];

/** Workspaces at every stage of the road, and everything that can happen on it. */
export const roadContent: StoreContent = {
  traffic: [
    { key: 'mk_acme_1', outcome: 'compared', endpoint: 'GET /v1/contacts', v2Calls: 0, calls: daily(20, 0, 40) },
    { key: 'mk_acme_1', outcome: 'compared', endpoint: 'GET /v1/contacts', status: 404, v2Calls: 0, calls: daily(20, 0, 1) },
    { key: 'mk_bolt_1', outcome: 'compared', endpoint: 'GET /v1/contacts', v2Calls: 0, calls: daily(20, 0, 70) },
    { key: 'mk_bolt_1', outcome: 'compared', endpoint: 'GET /v1/campaigns', v2Calls: 0, calls: daily(20, 0, 3) },
    { key: 'mk_core_1', outcome: 'observed', v2Calls: 0, calls: daily(30, 10, 90) },
    { key: 'mk_core_1', outcome: 'observed', status: 500, v2Calls: 0, calls: daily(30, 10, 1) },
    { key: 'mk_core_1', calls: daily(9, 0, 90) },
    { key: 'mk_dune_1', outcome: 'observed', v2Calls: 0, calls: daily(30, 0, 12) },
    { key: 'mk_dune_1', outcome: 'refused', status: 503, v2Calls: 0, calls: [[from, 6]] },
    { key: 'mk_echo_1', calls: [...daily(12, 3, 30), [daysAgo(2) - hourInMs, 30]] },
    { key: 'mk_echo_1', status: 502, outcome: 'failed', calls: [[daysAgo(2) - hourInMs, 9]] },
    { key: 'mk_echo_1', outcome: 'observed', v2Calls: 0, calls: daily(1, 0, 30) },
    { key: 'mk_new_77', client: 'okhttp/4.12.0', outcome: 'refused', status: 503, v2Calls: 0, calls: [[from + minuteInMs, 2]] },
    { client: 'cron/1', outcome: 'refused', status: 503, v2Calls: 0, calls: [[from + minuteInMs, 1]] },
  ],
  steps: [
    stepOf('stopped', daysAgo(40), '', 'by the admin listener'),
    stepOf('resumed', daysAgo(39), '', 'by the admin listener'),
    began('first hour', from, to),
    stepOf('tripped', daysAgo(2), 'Echo first', '9 of 39 calls failed, where v1 failed 0 of as many before'),
  ],
  comparisons: [
    comparisonRow('calls', 800, { noise: 40 }),
    comparisonRow('missing', 36, differing),
    comparisonRow('value', 30, { path: 'data[].createdAt', v1: 'time (the same instant)', v2: 'time (the same instant)' }),
    comparisonRow('value', 80, { path: 'meta.requestId', v1: 'text of a UUID', v2: 'text of a UUID', noise: 40 }),
    comparisonRow('request', 3, { endpoint: 'POST /v1/messages/send', path: 'to', v1: 'absent', v2: 'text' }),
    comparisonRow('skipped', 12, { path: 'busy' }),
    comparisonRow('calls', 1_240, { workspace: 'Bolt' }),
    comparisonRow('missing', 9, { ...differing, workspace: 'Bolt', setup: 'before', last: daysAgo(9) }),
  ],
};

export const roadWorkspaces: ReportOptions['workspaces'] = ['Acme', 'Bolt', 'Core', 'Dune', 'Echo'].map((name) => ({
  name,
  keys: [`mk_${name.toLowerCase()}_`],
}));
