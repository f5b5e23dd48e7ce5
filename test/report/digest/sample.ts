/** Two weeks in which something of everything happens, and the digest of them. */
import { buildDigest } from '../../../src/report/digest/build.ts';
import type { Digest } from '../../../src/report/digest/model.ts';
import type { ReportOptions } from '../../../src/report/build.ts';
import { hourInMs } from '../../../src/contract/times.ts';
import type { Rollout } from '../../../src/rollout/rules.ts';
import { daily, daysAgo, now, reportDefaults, type StoreContent, storeWith } from '../../helpers/usage-store.ts';

export const workspaces: ReportOptions['workspaces'] = [
  { name: 'Acme', keys: ['mk_acme_'], plan: 'Free', owner: 'Ada', contact: 'ada@acme.test' },
  { name: 'Bolt', keys: ['mk_bolt_'], owner: 'Bob' },
  { name: 'Core', keys: ['mk_core_'], contact: 'core@example.test' },
  { name: 'Dart', keys: ['mk_dart_'] },
];

const everyDay = daily(60, 0, 5);

export const content: StoreContent = {
  traffic: [
    // Goes on, and meets the limit of its plan for the first time; an update of its client is no new one.
    { key: 'mk_acme_1', client: 'legacy/2.1', calls: daily(60, 3, 5) },
    { key: 'mk_acme_1', client: 'legacy/2.2', calls: [...daily(2, 0, 5), [daysAgo(2), 140]] },
    { key: 'mk_acme_1', client: 'batch/1.0', networks: ['198.51.100.0/24'], calls: daily(2, 1, 3) },
    { key: 'mk_acme_1', client: 'cron/1', calls: daily(40, 9, 1) },
    // Stopped nine days ago.
    { key: 'mk_bolt_1', client: 'bolt/1', calls: daily(60, 9, 2) },
    // Was SAFE, and calls again.
    { key: 'mk_core_1', client: 'core/1', calls: [...daily(70, 50, 2), ...daily(2, 1, 4)] },
    // Begins.
    { key: 'mk_dart_1', client: 'dart/1', calls: daily(3, 0, 7) },
    // Keys that nobody knows, a new one and an old one, and one that v2 refuses.
    { key: 'mk_new_77', client: 'axios/1.7.0', networks: ['2001:db8::/48'], calls: daily(4, 0, 6) },
    { key: 'mk_old_55', client: 'curl/8.5', calls: everyDay },
    { key: 'mk_bad_11', client: 'scan/1', status: 401, outcome: 'local', calls: daily(2, 0, 50) },
  ],
};

/** Nothing but the same from day to day. */
export const steady: StoreContent = { traffic: [{ key: 'mk_acme_1', client: 'legacy/2.1', calls: everyDay }] };

/** A roll-out in which everybody is refused for an hour, some days from now. */
export const withBrownout = (name: string, inDays: number): Rollout => ({
  rules: [],
  brownouts: [{ name, match: {}, exempt: [], at: daysAgo(-inDays), for: hourInMs, ramp: 0, status: 503 }],
  compare: { sample: 1, concurrency: 8, share: 0.25, noise: { relative: 0.2, absolute: 0.0003 }, equal: [] },
  atSunset: 'translate',
  announce: true,
});

/** Of this record or another one. */
export async function digestOf(store: StoreContent = content, options: Partial<ReportOptions> = {}): Promise<Digest> {
  const { reader } = await storeWith(store);
  const { digest } = await buildDigest(reader, { ...reportDefaults, workspaces, now, ...options });
  return digest;
}

/** Nobody has called for long, through the proxies: somebody calls past them, one who did a week ago as well, and a scanner that is refused. */
export const pastProxies: StoreContent = {
  traffic: [{ key: 'mk_acme_1', client: 'legacy/2.1', calls: daily(130, 70, 5) }],
  recorded: [[130, 0]],
  logs: [
    {
      source: 'edge',
      reach: [30, 0],
      calls: [
        { key: 'mk_bolt_1', days: 1, client: 'bolt/1' },
        { key: 'mk_lost_1', days: 2, client: 'curl/8.5', network: '' },
        { days: 9 },
        { days: 1, client: 'scan/1', status: 401 },
      ],
    },
    { source: 'old', reach: [90, 60], calls: [{ days: 70 }] },
  ],
};

let made: Promise<Digest> | undefined;
/** The digest of these weeks, with a brownout ahead, and a promise that is due; made once. */
export const sample = (): Promise<Digest> =>
  (made ??= digestOf(content, {
    rollout: withBrownout('one hour', 6),
    workspaces: workspaces.map((each) => (each.name === 'Acme' ? { ...each, status: { status: 'promised', until: daysAgo(2.5) } } : each)),
  }));

/** What is other people's text in a digest. */
const foreign = new Set([
  'workspace',
  'owner',
  'contact',
  'product',
  'name',
  'network',
  'note',
  'products',
  'networks',
  'probably',
  'exempt',
  'names',
  'source',
  'sources',
]);

/** The same digest, with a text in the place of all that others have written, and so many of everything. */
export async function digestWith(text: string, times: number): Promise<Digest> {
  const digest: Digest = JSON.parse(JSON.stringify(await sample()), (key, value: unknown) => {
    if (foreign.has(key)) return Array.isArray(value) ? [text, `${text} ${times}`] : text;
    return Array.isArray(value) ? Array.from({ length: times }, () => value).flat() : value;
  });
  return digest;
}
