import { describe, expect, test } from 'vitest';
import { findingsOf, type Findings } from '../../../src/report/rollout/comparing.ts';
import type { NextStep } from '../../../src/report/rollout/model.ts';
import { type RoadFacts, roadOf } from '../../../src/report/rollout/next-step.ts';
import { RoadTally } from '../../../src/report/rollout/tally.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import type { Outcome } from '../../../src/usage/deprecated-use.ts';
import { daysAgo, hoursAgo, now } from '../../helpers/usage-store.ts';
import { comparisonRow } from './sample.ts';

/** Calls of one outcome, from so many hours ago to so many, and the shares of them with 404 and with 502. */
type Stretch = readonly [outcome: Outcome, from: number, to: number, calls: number, shares?: readonly [client: number, server: number]];

function tallyOf(stretches: readonly Stretch[], since: number): RoadTally {
  const tally = new RoadTally();
  for (const [outcome, from, to, calls, [client, server] = [0, 0]] of stretches) {
    if (to > since) continue;
    const times = { v2Calls: 0, repeats: 0, duration: 0, longest: 0, first: hoursAgo(Math.min(from, since)), last: hoursAgo(to) };
    const kind = { endpoint: 'GET /v1/contacts', method: 'GET', outcome } as const;
    const add = (status: number, share: number): void => tally.add({ ...kind, status }, { ...times, calls: calls * share });
    add(200, 1 - client - server);
    if (client > 0) add(404, client);
    if (server > 0) add(502, server);
  }
  return tally;
}

const found = (...rows: readonly Parameters<typeof comparisonRow>[]): Findings | undefined =>
  findingsOf(
    rows.map((row) => comparisonRow(...row)),
    usualThresholds,
  ).get('Acme');

function facts(stretches: readonly Stretch[], known: Partial<RoadFacts> = {}): RoadFacts {
  const all = tallyOf(stretches, Infinity);
  const recent = tallyOf(stretches, 7 * 24);
  return { all, recent, findings: undefined, tripped: [], stopped: undefined, until: now, accepted: true, ...known };
}

const compared = (calls: number, differing = 0): Findings | undefined =>
  found(
    ['calls', calls],
    ...(differing === 0 ? [] : [['missing', differing, { path: 'data[].name' }] satisfies Parameters<typeof comparisonRow>]),
  );
const trip = { rule: 'Acme first', at: daysAgo(1), detail: '7 of 20 calls failed' };

describe('the next step', () => {
  const week = 7 * 24;
  const cases: readonly [what: string, given: RoadFacts, step: NextStep['step'], figures?: object][] = [
    ['is to compare where v1 alone answers', facts([['observed', 100, 1, 50]]), 'compare', { calls: 50 }],
    [
      'is to compare more below 100 calls',
      facts([['compared', 100, 1, 50]], { findings: compared(12) }),
      'compare_more',
      { calls: 12, needed: 100 },
    ],
    ['is to compare more where nothing could be compared', facts([['compared', 100, 1, 50]]), 'compare_more', { calls: 0 }],
    [
      'is to mend what differs',
      facts([['compared', 100, 1, 50]], { findings: compared(1_240, 9) }),
      'mend',
      { differences: 1, path: 'data[].name', kind: 'missing' },
    ],
    ['is to mend it before more is compared', facts([['compared', 100, 1, 50]], { findings: compared(12, 9) }), 'mend'],
    [
      'is to translate where nothing differs',
      facts([['compared', 100, 1, 50]], { findings: compared(1_240) }),
      'translate',
      { calls: 1_240, uncompared: [] },
    ],
    [
      'is to translate where a part is compared, too',
      facts(
        [
          ['observed', 100, 1, 950],
          ['compared', 100, 1, 50],
        ],
        { findings: compared(100) },
      ),
      'translate',
    ],
    [
      'is to translate all where a part is',
      facts([
        ['observed', 100, 1, 900],
        ['translated', 100, 1, 100],
      ]),
      'translate_all',
      { share: 0.1 },
    ],
    [
      'is to mend before all is translated',
      facts(
        [
          ['compared', 99, 1, 9],
          ['translated', 99, 1, 9],
        ],
        { findings: compared(9, 9) },
      ),
      'mend',
    ],
    [
      'is to wait a week',
      facts([
        ['observed', 300, 100, 900],
        ['translated', 99, 1, 900],
      ]),
      'settle',
      { since: new Date(hoursAgo(99)).toISOString() },
    ],
    [
      'is the client after a week',
      facts([
        ['observed', 900, 217, 900, [0.005, 0]],
        ['translated', 216, 1, 900, [0.004, 0]],
      ]),
      'move_client',
      { duration: 216 * 3_600_000, before: { calls: 900, errors: 0.005, failures: 0 } },
    ],
    ['is the client where v1 never answered', facts([['translated', 900, 1, 900]]), 'move_client', { before: null }],
    [
      'is to look at more errors',
      facts([
        ['observed', 900, 217, 900],
        ['translated', 216, 1, 900, [0.02, 0]],
      ]),
      'look_at_errors',
    ],
    [
      'is to look at more failures of fewer errors',
      facts([
        ['observed', 900, 217, 900, [0.1, 0]],
        ['translated', 216, 1, 900, [0.02, 0.02]],
      ]),
      'look_at_errors',
    ],
    [
      'is to look at errors before all is translated',
      facts([
        ['observed', 99, 1, 900],
        ['translated', 99, 1, 900, [0.5, 0]],
      ]),
      'look_at_errors',
    ],
    ['is to look at failures where v1 never answered', facts([['translated', 900, 1, 900, [0, 0.02]]]), 'look_at_errors'],
    ['leaves errors of clients be where v1 never answered', facts([['translated', 900, 1, 900, [0.5, 0]]]), 'move_client'],
    [
      'says nothing of few errors',
      facts([
        ['observed', 900, 217, 900],
        ['translated', 216, 1, 19, [1, 0]],
      ]),
      'move_client',
    ],
    [
      'is to release what was taken back',
      facts([['compared', 99, 1, 900]], { tripped: [trip], stopped: now }),
      'release',
      { rule: 'Acme first' },
    ],
    ['is to resume where all is stopped', facts([['observed', 99, 1, 900]], { stopped: daysAgo(1) }), 'resume'],
    ['waits for calls', facts([['translated', 900, week + 1, 900]]), 'wait_for_calls', { refused: 0 }],
    ['waits for calls that are not refused', facts([['refused', 99, 98, 3]]), 'wait_for_calls', { refused: 3 }],
    ['goes by the proxy’s own answers where there is nothing else', facts([['local', 900, 1, 30]]), 'move_client'],
    [
      'does not go by them where v1 answers',
      facts([
        ['observed', 99, 1, 900],
        ['local', 99, 1, 3],
      ]),
      'compare',
    ],
  ];

  test.each(cases)('%s', (_what, given, step, figures = {}) => {
    expect(roadOf(given).next).toMatchObject({ step, ...figures });
  });

  test('of a key that v2 never accepted is none', () => {
    expect(roadOf(facts([['local', 99, 1, 30]], { accepted: false })).next).toBeNull();
  });
});

describe('a stage', () => {
  const stagesOf = (...stretches: readonly Stretch[]): readonly (readonly [string, number, boolean])[] =>
    roadOf(facts(stretches)).stages.map(({ stage, calls, current }) => [stage, calls, current]);

  test('is over once another one has followed', () => {
    expect(stagesOf(['observed', 100, 51, 9], ['compared', 50, 21, 5], ['translated', 20, 1, 7])).toEqual([
      ['observe', 9, false],
      ['translate', 7, true],
      ['compare', 5, false],
    ]);
  });

  test('is over as well where replicas read the rules some seconds apart', () => {
    expect(stagesOf(['observed', 100, 20, 9], ['translated', 20.01, 1, 7])).toEqual([
      ['observe', 9, false],
      ['translate', 7, true],
    ]);
  });

  test('goes on beside another one', () => {
    expect(stagesOf(['observed', 100, 5, 9], ['translated', 20, 1, 7]).map(([, , current]) => current)).toEqual([true, true]);
  });

  test('is over a day after its last call, also where it was taken up in between', () => {
    expect(stagesOf(['observed', 100, 1, 9], ['translated', 90, 26, 7])).toEqual([
      ['observe', 9, true],
      ['translate', 7, false],
    ]);
  });

  test('of calls that brownouts refused is none', () => {
    expect(
      roadOf(
        facts([
          ['observed', 100, 1, 9],
          ['refused', 50, 49, 3],
        ]),
      ),
    ).toMatchObject({ refused: 3, stages: [{ stage: 'observe' }] });
  });
});

describe('errors', () => {
  test('are shares of what v1 answered, and of what v2 did', () => {
    const { before, after, movedAt } = roadOf(
      facts([
        ['observed', 99, 50, 100, [0.02, 0.01]],
        ['failed', 40, 1, 10, [0, 1]],
        ['local', 40, 1, 10],
      ]),
    );
    expect(before).toEqual({ calls: 100, errors: expect.closeTo(0.03), failures: expect.closeTo(0.01) });
    expect(after).toEqual({ calls: 20, errors: 0.5, failures: 0.5 });
    expect(movedAt).toBe(new Date(hoursAgo(40)).toISOString());
  });

  test('of a move that is not over have no time of it', () => {
    expect(
      roadOf(
        facts([
          ['observed', 99, 1, 100],
          ['translated', 40, 2, 10],
        ]),
      ).movedAt,
    ).toBeNull();
  });
});

test('reads that were never compared are told', () => {
  const given = facts([['compared', 100, 1, 500]], { findings: found(['calls', 500, { endpoint: 'GET /v1/messages/:id' }]) });
  expect(roadOf(given)).toMatchObject({ uncompared: ['GET /v1/contacts'], next: { step: 'translate', uncompared: ['GET /v1/contacts'] } });
});
