/** What a report makes of calls that v1 answered itself, and of those that a brownout did. */
import { expect, test } from 'vitest';
import { buildReport } from '../../src/report/build.ts';
import type { Report } from '../../src/report/model.ts';
import { dayInMs } from '../../src/contract/times.ts';
import { daily, now, reportDefaults, storeWith, type Traffic } from '../helpers/usage-store.ts';

async function report(traffic: readonly Traffic[]): Promise<Report> {
  const { reader } = await storeWith({ traffic });
  return buildReport(reader, { since: { ago: 90 * dayInMs }, ...reportDefaults, now });
}

const key = 'mk_acme_1';
const quiet: Traffic = { key, calls: daily(80, 40, 1) };

test.each(['observed', 'compared', 'refused', 'translated'] as const)('a call that was %s is v1 use', async (outcome) => {
  const { total, verdict } = await report([quiet, { key, outcome, v2Calls: 0, calls: daily(3, 2, 4) }]);
  expect(total).toMatchObject({ calls: 49, outcomes: { [outcome]: outcome === 'translated' ? 49 : 8 } });
  expect([verdict.state, verdict.blockers.map(({ code }) => code)]).toEqual(['not_yet', expect.arrayContaining(['recent_calls'])]);
});

const guessing: Traffic = { key: 'mk_guess_1', status: 401, outcome: 'local', calls: daily(9, 1, 1) };
const accepted: readonly [name: string, traffic: Partial<Traffic>, isAccepted: boolean][] = [
  ['what v1 answered', { outcome: 'observed' }, true],
  ['what v1 answered while v2 was compared', { outcome: 'compared' }, true],
  ['a resource that v1 does not have', { outcome: 'observed', status: 404 }, true],
  ['a path that v1 does not have', { outcome: 'observed', status: 404, endpoint: 'unlisted' }, false],
  ['a path of which v1 alone knows', { outcome: 'observed', endpoint: 'unlisted' }, true],
  ['a v1 that was down', { outcome: 'observed', status: 502, endpoint: 'unlisted' }, true],
  ['a key that v1 refused', { outcome: 'compared', status: 401 }, false],
  ['a brownout that nobody can look behind', { outcome: 'refused', status: 503 }, true],
  ['a brownout without a key', { outcome: 'refused', status: 503, key: undefined }, false],
];

test.each(accepted)('of %s, the client is accepted: %j, %s', async (_name, traffic, isAccepted) => {
  const { clients } = await report([{ key, calls: daily(3, 2, 4), ...traffic }]);
  expect(clients.map((client) => client.accepted)).toEqual([isAccepted]);
});

test('a key that was always refused is not accepted for a brownout', async () => {
  const { clients } = await report([guessing, { ...guessing, outcome: 'refused', status: 503, calls: daily(12, 10, 1) }]);
  expect(clients.map((client) => client.accepted)).toEqual([false]);
});
