/** What a report makes of calls that the record does not hold, or not any more. */
import { expect, test } from 'vitest';
import { buildReport, type ReportOptions } from '../../src/report/build.ts';
import type { Report } from '../../src/report/model.ts';
import { dayInMs, hourInMs } from '../../src/contract/times.ts';
import { otherCallers } from '../../src/usage/model.ts';
import { daily, daysAgo, hashOf, type StoreContent, now, reportDefaults, storeWith } from '../helpers/usage-store.ts';

async function report(content: StoreContent, options: Partial<ReportOptions> = {}): Promise<Report> {
  const { reader } = await storeWith(content);
  return buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, now, ...options });
}

test('a pause whose calls are forgotten holds for all versions of the product', async () => {
  const old = { key: 'mk_acme_1', calls: [...daily(80, 80, 1), ...daily(50, 50, 1)] };
  const updated = { key: 'mk_acme_1', client: 'axios/1.8.0', calls: daily(40, 40, 1) };
  const { clients } = await report({ traffic: [old, updated], rolledUp: true, keepDays: 52 });
  expect(clients.map(({ quiet }) => quiet.longestPause)).toEqual([30 * dayInMs, 30 * dayInMs]);
});

test('that less was recorded makes no pause shorter', async () => {
  const { clients } = await report({
    traffic: [{ key: 'mk_acme_1', calls: [...daily(60, 60, 1), ...daily(40, 40, 1)] }],
    recorded: [
      [90, 55],
      [50, 0],
    ],
  });
  expect(clients[0]?.quiet.longestPause).toBe(20 * dayInMs);
});

test('a workspace is not safe while some calls may be its own', async () => {
  const workspaces = [{ name: 'Acme', keys: ['mk_acme_'] }];
  const acme = { key: 'mk_acme_1', calls: daily(60, 50, 1) };
  const stateWith = async (content: Partial<StoreContent>, traffic: StoreContent['traffic'] = []) =>
    (await report({ ...content, traffic: [acme, ...traffic] }, { workspaces })).workspaces[0]?.verdict.state;
  expect(await stateWith({})).toBe('safe');
  expect(await stateWith({}, [{ client: 'curl/8.5', calls: daily(3, 1, 1) }])).toBe('safe');
  expect(await stateWith({}, [{ client: otherCallers, calls: daily(3, 1, 1) }])).toBe('unknown');
  const ignore = [{ client: otherCallers, reason: 'scanners' }];
  const ignored = await report({ traffic: [acme, { client: otherCallers, calls: daily(3, 1, 1) }] }, { workspaces, ignore });
  expect(ignored.workspaces[0]?.verdict.state).toBe('safe');
  expect(await stateWith({ erased: ['mk_acme_2'] }, [{ key: 'mk_acme_2', calls: daily(3, 1, 1) }])).toBe('unknown');
});

test('a proxy that fell silent without having ended keeps the report of others from being safe', async () => {
  const traffic = [{ key: 'mk_acme_1', calls: daily(60, 50, 1) }];
  expect((await report({ traffic })).verdict.state).toBe('safe');
  const { verdict, coverage } = await report({ traffic, unended: [120, 1] });
  expect(verdict).toMatchObject({
    state: 'unknown',
    blockers: [{ code: 'silent_replicas' }, { code: 'coverage' }],
  });
  expect(coverage.gaps).toMatchObject([{ reason: 'silent', duration: dayInMs }]);
});

test('erasing the key that is in use makes nothing safe', async () => {
  const traffic = [
    { key: 'mk_acme_1', calls: daily(60, 50, 1) },
    { key: 'mk_bolt_1', calls: daily(20, 10, 1) },
  ];
  const { verdict, keys } = await report({ traffic, erased: ['mk_bolt_1'] });
  expect(keys.map(({ hash }) => hash)).toEqual([hashOf('mk_acme_1')]);
  // The end of the day, which is at noon half a day from now.
  const last = daysAgo(10) + 12 * hourInMs;
  const quietFrom = new Date(last + 14 * dayInMs).toISOString();
  expect(verdict).toMatchObject({ state: 'not_yet', blockers: [{ code: 'erased_calls', last: new Date(last).toISOString(), quietFrom }] });
});

test('a client that pauses for long is waited for as long, though of its calls only the last is still recorded', async () => {
  const traffic = [{ key: 'mk_acme_1', calls: [...daily(80, 80, 1), ...daily(50, 50, 1)] }];
  const { clients, verdict } = await report({ traffic, rolledUp: true, keepDays: 52 });
  expect(clients.map(({ firstSeen, quiet }) => [firstSeen, quiet.longestPause])).toEqual([
    [new Date(daysAgo(50) - 60_000).toISOString(), 30 * dayInMs],
  ]);
  expect(verdict).toMatchObject({ state: 'not_yet', blockers: [{ code: 'recent_calls' }] });
});
