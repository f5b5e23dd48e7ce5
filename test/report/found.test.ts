import { describe, expect, test } from 'vitest';
import { dayInMs } from '../../src/contract/times.ts';
import { buildReport } from '../../src/report/build.ts';
import type { Find } from '../../src/report/found/search.ts';
import type { Report } from '../../src/report/model.ts';
import { marked } from './own/marked.ts';
import { daily, now, reportDefaults, storeWith, type Traffic } from '../helpers/usage-store.ts';

const workspaces = [
  { name: 'Acme', keys: ['mk_acme'], owner: 'Ada Lovelace', plan: 'Pro' },
  { name: 'Bolt', keys: ['mk_bolt'], owner: 'Grace Hopper', note: 'moves with Acme' },
  { name: 'Core', keys: ['mk_core'], owner: 'Ada Lovelace' },
] as const;

const traffic: readonly Traffic[] = [
  { key: 'mk_acme_1', client: 'axios/1.7.0', calls: daily(60, 0, 3), networks: ['198.51.100.0/24'] },
  { key: 'mk_acme_1', client: 'billing/2.0', endpoint: 'POST /v1/messages/send', calls: daily(90, 60, 5) },
  { key: 'mk_bolt_1', client: 'okhttp/4.12.0', calls: daily(90, 50, 7) },
  { key: 'zz_new_1', client: 'axios/1.7.0', calls: daily(30, 0, 11) },
  { client: 'curl/8.5.0', calls: daily(20, 0, 2) },
];

async function found(find: Find, given: readonly Traffic[] = traffic): Promise<Report> {
  const { reader } = await storeWith({ traffic: given });
  return buildReport(reader, { since: { ago: 120 * dayInMs }, ...reportDefaults, workspaces, now, find });
}

const names = ({ workspaces }: Report): readonly string[] => workspaces.map(({ name }) => name.replace(/….*/, '…')).toSorted();
const products = ({ clients }: Report): readonly string[] => clients.map(({ product }) => product).toSorted();

describe('a search', () => {
  test('that is empty finds all, and the report is of all', async () => {
    const report = await found({ search: ' ' });
    expect(names(report)).toEqual(['Acme', 'Bolt', 'Core', 'zz_new_1…']);
    expect([report.of, report.search]).toEqual([null, undefined]);
  });

  test.for<[string, string, readonly string[], readonly string[]]>([
    ['a name, with all clients of it, and a note', 'ACME', ['Acme', 'Bolt'], ['axios/1.7.0', 'billing/2.0', 'okhttp/4.12.0']],
    ['an owner, with who was never seen', 'lovelace', ['Acme', 'Core'], ['axios/1.7.0', 'billing/2.0']],
    ['a product, and whole workspaces by it', 'axios', ['Acme', 'zz_new_1…'], ['axios/1.7.0', 'axios/1.7.0', 'billing/2.0']],
    ['a network', '198.51.100', ['Acme'], ['axios/1.7.0', 'billing/2.0']],
    ['the beginning of a key', 'mk_bolt', ['Bolt'], ['okhttp/4.12.0']],
    ['an endpoint, by its path', '/v1/messages/send', ['Acme'], ['axios/1.7.0', 'billing/2.0']],
    ['calls without a key', 'curl', [], ['curl/8.5.0']],
    ['nobody', 'nowhere', [], []],
  ])('finds %s', async ([, search, expectedNames, expectedProducts]) => {
    const report = await found({ search });
    expect(names(report)).toEqual(expectedNames);
    expect(products(report)).toEqual(expectedProducts);
    expect(report.search).toBe(search);
  });

  test('finds what was noted of a workspace', async () => {
    const { reader } = await storeWith({ traffic });
    const mark = { subject: 'Bolt', at: now - 1, status: 'contacted', until: null, note: 'waits for their release' } as const;
    const options = { since: { ago: 120 * dayInMs }, ...reportDefaults, workspaces, now };
    for (const search of ['contacted', 'their release'])
      expect(names(await buildReport(marked(reader, [mark]), { ...options, find: { search } }))).toEqual(['Bolt']);
  });

  test('makes every figure and the verdict of what it finds', async () => {
    const report = await found({ search: 'okhttp' });
    expect(report.total.calls).toBe(41 * 7);
    expect(report.trend.reduce((sum, { calls }) => sum + (calls ?? 0), 0)).toBe(41 * 7);
    expect(report.endpoints.map(({ usage }) => usage.calls)).toEqual([41 * 7]);
    expect(report.burnDown.now).toMatchObject({ workspaces: 0, clients: 0 });
    expect(Math.max(...report.burnDown.days.map(({ clients }) => clients ?? 0))).toBe(1);
    expect(report.of).toEqual(['Bolt']);
    expect((await found({ search: 'mk_acme' })).verdict.state).toBe('not_yet');
  });

  test('says SAFE of no workspace of which it finds a client that is quiet, while another calls', async () => {
    const mixed: readonly Traffic[] = [
      { key: 'mk_acme_1', client: 'curl/8', calls: daily(120, 60, 3) },
      { key: 'mk_acme_1', client: 'axios/1', calls: daily(120, 0, 900) },
    ];
    const report = await found({ search: 'curl' }, mixed);
    const whole = await found({ search: 'acme' }, mixed);
    expect([report.verdict.state, report.workspaces[0]?.verdict.state]).toEqual(['not_yet', 'not_yet']);
    expect(report.workspaces).toEqual(whole.workspaces.filter(({ name }) => name === 'Acme'));
    expect(report.workspaces[0]?.now.calls).toBeGreaterThan(6000);
  });

  test('says SAFE of nobody who may go on under a key that nobody knows', async () => {
    const moved: readonly Traffic[] = [
      { key: 'mk_bolt_1', client: 'okhttp/4.12.0', networks: ['192.0.2.0/24'], calls: daily(90, 30, 7) },
      { key: 'zz_new_1', client: 'okhttp/4.12.0', networks: ['192.0.2.0/24'], calls: daily(29, 0, 7) },
    ];
    const report = await found({ search: 'bolt' }, moved);
    expect(names(report)).toEqual(['Bolt']);
    expect(report.verdict.blockers.map(({ code }) => code)).toContain('moved_calls');
    expect((await found({ search: 'bolt' }, moved.slice(0, 1))).verdict.state).toBe('safe');
  });
});

describe('one workspace', () => {
  test('is found by its whole name alone, and searched in', async () => {
    expect(products(await found({ search: '', workspace: 'Acme' }))).toEqual(['axios/1.7.0', 'billing/2.0']);
    expect(products(await found({ search: 'billing', workspace: 'Acme' }))).toEqual(['axios/1.7.0', 'billing/2.0']);
    expect(products(await found({ search: 'okhttp', workspace: 'Acme' }))).toEqual([]);
    expect(names(await found({ search: '', workspace: 'Acm' }))).toEqual([]);
    expect(names(await found({ search: '', workspace: 'Core' }))).toEqual(['Core']);
  });
});
