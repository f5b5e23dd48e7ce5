import { describe, expect, test } from 'vitest';
import type { BrownoutRow, RolloutReport } from '../../../src/report/rollout/model.ts';
import type { Brownout, Rollout } from '../../../src/rollout/rules.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import { dayInMs, hourInMs, minuteInMs } from '../../../src/contract/times.ts';
import { type Calls, daysAgo, hashOf, now, type StoreContent, type Traffic } from '../../helpers/usage-store.ts';
import { began, roadReport, stepOf } from './sample.ts';

const iso = (at: number): string => new Date(at).toISOString();
/** A brownout of half an hour, yesterday. */
const since = daysAgo(1);
const until = since + 30 * minuteInMs;
const workspaces = [
  { name: 'Acme', keys: ['mk_acme'] },
  { name: 'Bolt', keys: ['mk_bolt'] },
];

const refused = (key: string | undefined, calls: Calls, client = 'axios/1.7.0'): Traffic => ({
  ...(key === undefined ? {} : { key }),
  client,
  outcome: 'refused',
  status: 503,
  v2Calls: 0,
  calls: [calls],
});
const answered = (key: string, at: readonly number[], client = 'axios/1.7.0'): Traffic => ({
  key,
  client,
  calls: at.map((each) => [each, 1]),
});

async function road(content: StoreContent): Promise<RolloutReport> {
  const { rollout } = await roadReport(content, { workspaces });
  if (rollout === undefined) throw new Error('There is no road');
  return rollout;
}

async function only(content: StoreContent): Promise<BrownoutRow> {
  const { brownouts } = await road(content);
  const [row, ...more] = brownouts;
  if (row === undefined || more.length > 0) throw new Error(`There are ${brownouts.length} brownouts`);
  return row;
}

test('a brownout tells who was hit, who came back, who stayed away, and which unknown keys spoke up', async () => {
  const steps = [began('first', since, until)];
  const traffic = [
    answered('mk_acme_1', [daysAgo(5), until + 90 * minuteInMs]),
    refused('mk_acme_1', [since + minuteInMs, 3]),
    answered('mk_bolt_1', [daysAgo(5)]),
    refused('mk_bolt_1', [since + minuteInMs, 9]),
    refused('mk_new_77', [since + 2 * minuteInMs, 2]),
    refused(undefined, [since + minuteInMs, 1]),
  ];
  expect(await only({ traffic, steps })).toEqual({
    name: 'first',
    since: iso(since),
    until: iso(until),
    times: 1,
    over: true,
    calls: 15,
    hit: [
      { workspace: 'Bolt', origin: 'configured', calls: 9, clients: 1, clientsBack: 0, back: null, after: null, isNew: false },
      {
        workspace: 'Acme',
        origin: 'configured',
        calls: 3,
        clients: 1,
        clientsBack: 1,
        back: iso(until + 90 * minuteInMs),
        after: 90 * minuteInMs,
        isNew: false,
      },
      {
        workspace: `mk_new_7…${hashOf('mk_new_77').slice(0, 8)}`,
        origin: 'unknown',
        calls: 2,
        clients: 1,
        clientsBack: 0,
        back: null,
        after: null,
        isNew: true,
      },
      { workspace: null, origin: null, calls: 1, clients: 1, clientsBack: 0, back: null, after: null, isNew: true },
    ],
  });
});

test('a client that came back while another one of its workspace stayed away is told', async () => {
  const traffic = ['old/1', 'new/2'].map((client) => refused('mk_acme_1', [since, 1], client));
  const { hit } = await only({ traffic: [...traffic, answered('mk_acme_1', [until], 'new/2')], steps: [began('first', since, until)] });
  expect(hit).toMatchObject([{ workspace: 'Acme', clients: 2, clientsBack: 1, after: 0 }]);
});

describe('the time of a brownout', () => {
  const traffic = [refused('mk_acme_1', [since, 1]), answered('mk_acme_1', [since - minuteInMs, since + 10 * minuteInMs, until])];
  const step = began('first', since, until);

  test('begins when it was to begin, and not with the first call in it', async () => {
    const late = { ...step, at: since + 5 * minuteInMs };
    expect(await only({ traffic, steps: [late] })).toMatchObject({ since: iso(since) });
  });

  test('ends when somebody stopped it', async () => {
    const steps = [step, stepOf('brownout-stopped', since + 5 * minuteInMs, 'first')];
    expect(await only({ traffic, steps })).toMatchObject({ until: iso(since + 5 * minuteInMs), hit: [{ after: 5 * minuteInMs }] });
  });

  test('is not that of another one that was stopped', async () => {
    const steps = [step, stepOf('brownout-stopped', since + 5 * minuteInMs, 'second')];
    expect(await only({ traffic, steps })).toMatchObject({ until: iso(until), hit: [{ after: 0 }] });
  });

  test('is that of the calls where rules refused them', async () => {
    const { name, ...row } = await only({ traffic });
    expect([name, row.since, row.calls]).toEqual(['', iso(since), 1]);
  });

  test('goes on where it is not over', async () => {
    const steps = [began('now', now - minuteInMs, now + hourInMs)];
    expect(await only({ traffic: [refused('mk_acme_1', [now - minuteInMs, 1])], steps })).toMatchObject({
      over: false,
      hit: [{ back: null }],
    });
  });
});

test('of several brownouts each has its own calls, and who came back after the second had not come back before', async () => {
  const second = since + 6 * hourInMs;
  const steps = [began('first', since, until), began('second', second, second + hourInMs)];
  const traffic = [
    refused('mk_acme_1', [since, 2]),
    refused('mk_acme_1', [second, 5]),
    refused('mk_bolt_1', [since, 1]),
    answered('mk_bolt_1', [until + minuteInMs]),
    answered('mk_acme_1', [second + 2 * hourInMs]),
  ];
  const { brownouts } = await road({ traffic, steps });
  const told = brownouts.map(({ name, calls, hit }) => [name, calls, hit.map(({ workspace, after }) => [workspace, after])]);
  expect(told).toEqual([
    ['second', 5, [['Acme', hourInMs]]],
    [
      'first',
      3,
      [
        ['Acme', 7.5 * hourInMs],
        ['Bolt', minuteInMs],
      ],
    ],
  ]);
});

test('who calls within the next brownout, which spares it, has come back', async () => {
  const second = since + 6 * hourInMs;
  const steps = [began('first', since, until), began('second', second, second + hourInMs)];
  const traffic = [
    refused('mk_acme_1', [since, 2]),
    refused('mk_bolt_1', [second, 1]),
    answered('mk_acme_1', [second + minuteInMs, second + 3 * hourInMs]),
  ];
  const { brownouts } = await road({ traffic, steps });
  expect(brownouts.find(({ name }) => name === 'first')?.hit).toMatchObject([{ workspace: 'Acme', back: iso(second + minuteInMs) }]);
});

test('of an hour of which the record has no minutes, the first call after a brownout is known where there was none before it', async () => {
  const hour = daysAgo(10);
  const steps = [began('first', hour, hour + 10 * minuteInMs)];
  const again = [hour + 20 * minuteInMs, hour + 50 * minuteInMs];
  const traffic = [
    refused('mk_acme_1', [hour, 2]),
    answered('mk_acme_1', again),
    refused('mk_bolt_1', [hour + minuteInMs, 1]),
    answered('mk_bolt_1', [hour, ...again]),
  ];
  const { hit } = await only({ traffic, steps, rolledUp: true });
  expect(hit.map(({ workspace, after }) => [workspace, after])).toEqual([
    ['Acme', 10 * minuteInMs],
    ['Bolt', 40 * minuteInMs],
  ]);
});

test('brownouts of one day are one where the record has only days of it', async () => {
  const first = Math.floor(daysAgo(60) / dayInMs) * dayInMs;
  const second = first + 4 * hourInMs;
  const steps = [began('first', first, first + hourInMs), began('first', second, second + hourInMs)];
  const traffic = [refused('mk_acme_1', [first, 2]), refused('mk_acme_1', [second, 3]), answered('mk_acme_1', [first + 30 * hourInMs])];
  const row = await only({ traffic, steps, rolledUp: true });
  expect(row).toMatchObject({
    name: 'first',
    times: 2,
    calls: 5,
    since: iso(first),
    until: iso(second + hourInMs),
    hit: [{ after: 25 * hourInMs }],
  });
});

test('a brownout before the period is not told', async () => {
  const { rollout } = await roadReport(
    { traffic: [answered('mk_acme_1', [daysAgo(1)])], steps: [began('first', daysAgo(9), daysAgo(9) + 1)] },
    { since: { ago: dayInMs } },
  );
  expect(rollout?.brownouts).toEqual([]);
});

describe('a brownout to come', () => {
  const brownout: Brownout = {
    name: 'weekly',
    match: { workspace: ['Acme', 'Bolt'] },
    exempt: ['Bolt'],
    at: daysAgo(3),
    for: hourInMs,
    every: 7 * dayInMs,
    ramp: hourInMs,
    status: 503,
  };
  const compare = { sample: 1, concurrency: 8, share: 0.05, noise: usualThresholds, equal: [] };
  const rollout: Rollout = { rules: [], brownouts: [brownout], compare, atSunset: 'translate', announce: true };
  const traffic = [answered('mk_acme_1', [daysAgo(1)])];

  test('is announced by the configuration', async () => {
    const report = await roadReport({ traffic }, { rollout });
    expect(report.rollout?.announced).toHaveLength(6);
    expect(report.rollout?.announced[0]).toEqual({
      name: 'weekly',
      since: iso(daysAgo(-4)),
      until: iso(daysAgo(-4) + 2 * hourInMs),
      status: 503,
      workspaces: ['Acme', 'Bolt'],
      exempt: ['Bolt'],
    });
  });

  test('is not, once it is stopped', async () => {
    const report = await roadReport({ traffic, steps: [stepOf('brownout-stopped', daysAgo(1), 'weekly')] }, { rollout });
    expect(report.rollout?.announced).toEqual([]);
  });
});
