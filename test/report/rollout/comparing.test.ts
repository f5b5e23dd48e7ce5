import { describe, expect, test } from 'vitest';
import { differencesOf, findingsOf } from '../../../src/report/rollout/comparing.ts';
import type { DifferenceRow } from '../../../src/report/rollout/model.ts';
import { usualThresholds } from '../../../src/rollout/noise.ts';
import type { ComparisonRow } from '../../../src/usage/model.ts';
import { daysAgo } from '../../helpers/usage-store.ts';
import { comparisonRow as row } from './sample.ts';

const found = (rows: readonly ComparisonRow[], thresholds = usualThresholds) => findingsOf(rows, thresholds);
const places = (rows: readonly ComparisonRow[]): readonly DifferenceRow[] => differencesOf(found(rows).values());

describe('what comparing found', () => {
  test('is that of the newest setup of each workspace', () => {
    const old = { setup: 'before', last: daysAgo(3) };
    const rows = [
      row('calls', 900, old),
      row('missing', 900, { ...old, path: 'data[].name' }),
      row('calls', 40),
      row('calls', 7, { ...old, workspace: 'Bolt' }),
      row('value', 7, { ...old, workspace: 'Bolt', path: 'total' }),
    ];
    const findings = found(rows);
    expect(findings.get('Acme')?.compared).toMatchObject({ calls: 40, differences: 0 });
    expect(findings.get('Bolt')?.compared).toMatchObject({ calls: 7, differences: 1 });
    expect(places(rows).map(({ path }) => path)).toEqual(['total']);
  });

  test('is added up over endpoints, with what was skipped by reason', () => {
    const rows = [
      row('calls', 40, { noise: 3, first: daysAgo(9) }),
      row('calls', 60, { endpoint: 'GET /v1/messages/:id', noise: 1 }),
      row('skipped', 5, { path: 'busy' }),
      row('skipped', 4, { path: 'busy', endpoint: 'GET /v1/messages/:id' }),
      row('skipped', 12, { path: 'too large' }),
    ];
    expect(found(rows).get('Acme')).toMatchObject({
      compared: { calls: 100, askedAgain: 4, differences: 0, noise: 0, since: new Date(daysAgo(9)).toISOString() },
      skipped: [
        { reason: 'too large', calls: 12 },
        { reason: 'busy', calls: 9 },
      ],
    });
  });

  const judged: readonly [what: string, rows: readonly ComparisonRow[], left: number, noise: number][] = [
    ['what v1 differs in as often itself', [row('calls', 200), row('value', 400, { path: 'now', noise: 200 })], 0, 1],
    ['what v1 never differs in', [row('calls', 200), row('value', 200, { path: 'now' })], 1, 0],
    ['one of 10,000 calls', [row('calls', 10_000), row('value', 1, { path: 'now' })], 0, 1],
    ['what was found of an endpoint without a count of its calls', [row('request', 1, { path: 'to' })], 1, 0],
  ];
  test.each(judged)('judges %s', (_what, rows, left, noise) => {
    expect(found(rows).get('Acme')?.compared).toMatchObject({ differences: left, noise });
  });

  test('is judged by other thresholds, where they are configured', () => {
    const rows = [row('calls', 200), row('value', 20, { path: 'now' })];
    const left = [usualThresholds, { ...usualThresholds, absolute: 0.5 }].map((each) => found(rows, each).get('Acme')?.left.length);
    expect(left).toEqual([1, 0]);
  });
});

describe('a difference', () => {
  test('is one row for all workspaces, those with the most calls first', () => {
    const at = { path: 'data[].name', v1: 'text', v2: 'absent' };
    const rows = [
      row('calls', 100),
      row('missing', 9, { ...at, v1: 'null' }),
      ...[row('calls', 500), row('missing', 41, { ...at, noise: 1 })].map((each) => ({ ...each, workspace: 'Bolt' })),
      ...[row('calls', 5), row('missing', 5, at)].map((each) => ({ ...each, workspace: null })),
    ];
    expect(places(rows)).toEqual([
      {
        endpoint: 'GET /v1/contacts',
        path: 'data[].name',
        kind: 'missing',
        v1: 'text',
        v2: 'absent',
        calls: 54,
        noise: 1,
        compared: 605,
        last: new Date(daysAgo(1)).toISOString(),
        workspaces: [
          { name: 'Bolt', calls: 40 },
          { name: 'Acme', calls: 9 },
          { name: null, calls: 5 },
        ],
        advice: 'map_answer',
      },
    ]);
  });

  const advised: readonly [kind: ComparisonRow['kind'], v1: string, v2: string, advice: DifferenceRow['advice']][] = [
    ['value', 'time (the same instant)', 'time (the same instant)', 'equal_instant'],
    ['value', 'number (written otherwise)', 'number (written otherwise)', 'equal_number'],
    ['value', 'text', 'text', 'look'],
    ['order', 'list', 'list', 'equal_any_order'],
    ['missing', 'text', 'absent', 'map_answer'],
    ['added', 'absent', 'text', 'map_answer'],
    ['type', 'integer', 'text of a number', 'map_answer'],
    ['request', 'absent', 'text', 'map_request'],
    ['status', '200', '404', 'look'],
    ['mediaType', 'application/json', 'text/html', 'look'],
  ];
  test.each(advised)('of %s, %s and %s is mended by %s', (kind, v1, v2, advice) => {
    expect(places([row('calls', 9), row(kind, 9, { v1, v2 })]).map((each) => each.advice)).toEqual([advice]);
  });
});
