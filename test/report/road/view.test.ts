import { describe, expect, test } from 'vitest';
import { renderRoad } from '../../../src/report/road/table.ts';
import { countUse } from '../../../src/report/road/use.ts';
import { roadViewOf } from '../../../src/report/road/view.ts';
import { hashOf, hoursAgo, now, storeWith } from '../../helpers/usage-store.ts';
import { sourceWith, step, workspaces } from './sources.ts';

const fallback = { errors: '5%', over: '5m', atLeast: 20, to: 'compare' };
const road = [
  { name: 'writes', stage: 'translate', match: { workspace: 'Acme', methods: 'POST' }, fallback },
  { name: 'acme', stage: 'translate', match: { workspace: 'Acme' } },
  { name: 'contacts', stage: 'compare', match: { endpoint: 'GET /v1/contacts' } },
  { name: 'rest', stage: 'observe', match: { unknown: true } },
];
const inForce = (steps: Parameters<typeof sourceWith>[1], given: object = {}) => {
  const { rules, unmatched } = roadViewOf(sourceWith({ rules: road, ...given }, steps));
  return [...rules, unmatched].map((each) => `${each.inForce}${each.because === null ? '' : ` ${each.because}`}`);
};

describe('the stage in force', () => {
  test('is what the rules say, and translate where none matches', () => {
    expect(inForce({})).toEqual(['translate', 'translate', 'compare', 'observe', 'translate']);
  });

  test('is observe once everything is stopped, until somebody resumes', () => {
    expect(inForce({ steps: [step('stopped')] })).toEqual(Array(5).fill('observe stopped'));
    expect(inForce({ steps: [step('stopped'), step('resumed')] })[0]).toBe('translate');
  });

  test('is what the guard says of a rule that was taken back, and of no other', () => {
    expect(inForce({ steps: [step('tripped', 'writes')] })).toEqual(['compare tripped', 'translate', 'compare', 'observe', 'translate']);
    expect(inForce({ steps: [step('tripped', 'acme')] })[1]).toBe('translate');
  });

  test('is translate once v1 is gone, unless it is to stay', () => {
    const steps = [step('changed-over')];
    expect(inForce({ steps })).toEqual(['translate', 'translate', 'translate sunset', 'translate sunset', 'translate']);
    expect(inForce({ steps }, { atSunset: 'stay' })[3]).toBe('observe');
  });

  test('goes by what this proxy found of v1, and not by what others noted', () => {
    const steps = [step('changed-over')];
    expect(inForce({ steps, live: { replica: 'two', isGone: false } })[3]).toBe('observe');
    expect(inForce({ live: { replica: 'two', isGone: true } })[3]).toBe('translate sunset');
  });

  test('is none of a rule that is over', () => {
    const rules = [{ name: 'old', stage: 'refuse', until: '2026-11-20T11:00:00Z' }, ...road];
    expect(inForce({}, { rules })[0]).toBe('null over');
  });
});

describe('the calls under the rules', () => {
  const use = async (rules: unknown, traffic: Parameters<typeof storeWith>[0]['traffic']) => {
    const { reader } = await storeWith({ traffic });
    const source = sourceWith({ rules });
    return countUse(reader, { rules: source.rollout.rules, workspaces, now });
  };
  const calls = (times: number) => [[hoursAgo(2), times]] as const;

  test('are those of the last day that the first rule to match has', async () => {
    const { rules, unmatched } = await use(road, [
      { key: 'ak_acme_1', endpoint: 'POST /v1/messages/send', status: 422, calls: calls(3) },
      { key: 'ak_acme_1', endpoint: 'GET /v1/contacts', calls: calls(5) },
      { key: 'ak_acme_2', endpoint: 'GET /v1/contacts', client: 'curl/8', calls: [...calls(7), [hoursAgo(30), 100]] },
      { key: 'ak_bolt_1', endpoint: 'GET /v1/contacts', calls: calls(11) },
      { key: 'ak_bolt_1', endpoint: 'GET /v1/messages/:id', calls: calls(13) },
      { key: 'zz_nobody', calls: calls(17) },
      { calls: calls(19) },
    ]);
    expect(Object.fromEntries(rules)).toEqual({
      writes: { calls: 3, clients: 1, keys: 1, errors: 3 },
      acme: { calls: 12, clients: 2, keys: 2, errors: 0 },
      contacts: { calls: 11, clients: 1, keys: 1, errors: 0 },
      rest: { calls: 36, clients: 2, keys: 1, errors: 0 },
    });
    expect(unmatched).toEqual({ calls: 13, clients: 1, keys: 1, errors: 0 });
  });

  test('are told apart by hash, by share, and by what the proxy called the key where its beginning is not enough', async () => {
    const labelled = [{ name: 'Acme', keys: ['ak_same_one'] }];
    const { reader } = await storeWith({
      traffic: [
        { key: 'ak_same_one', workspace: 'Acme', calls: calls(1) },
        { key: 'ak_same_two', workspace: 'Gone', calls: calls(2) },
        { key: 'ak_other', calls: calls(4) },
      ],
    });
    const { rollout } = sourceWith({
      rules: [
        { name: 'hash', stage: 'observe', match: { keys: `hash:${hashOf('ak_other')}` } },
        { name: 'acme', stage: 'observe', match: { workspace: 'Acme' } },
        { name: 'none', stage: 'observe', match: { percent: '0%' } },
        { name: 'all', stage: 'observe', match: { percent: '100%' } },
      ],
    });
    const { rules } = await countUse(reader, { rules: rollout.rules, workspaces: labelled, now });
    expect([...rules].map(([name, { calls }]) => `${name} ${calls}`)).toEqual(['hash 4', 'acme 1', 'none 0', 'all 2']);
  });

  test('go to the next rule where one is over', async () => {
    const { rules } = await use(
      [
        { name: 'old', stage: 'refuse', until: '2026-11-20T11:00:00Z' },
        { name: 'rest', stage: 'observe' },
      ],
      [{ key: 'ak_acme_1', calls: calls(2) }],
    );
    expect([...rules].map(([name, { calls }]) => `${name} ${calls}`)).toEqual(['old 0', 'rest 2']);
  });
});

describe('brownouts', () => {
  const brownouts = [{ name: 'weekly', at: '2026-11-06T11:30:00Z', for: '1h', every: '7d', exempt: 'Acme', status: 410 }];

  test('have the times that were, the one that is on, and the next ones', () => {
    const { brownouts: seen } = roadViewOf(sourceWith({ brownouts }));
    expect(seen).toMatchObject([
      {
        exempt: ['Acme'],
        status: 410,
        stopped: null,
        on: { since: '2026-11-20T11:30:00.000Z', until: '2026-11-20T12:30:00.000Z' },
        next: [{ since: '2026-11-27T11:30:00.000Z' }, { since: '2026-12-04T11:30:00.000Z' }, { since: '2026-12-11T11:30:00.000Z' }],
        past: [{ since: '2026-11-06T11:30:00.000Z' }, { since: '2026-11-13T11:30:00.000Z' }],
        windows: { toCome: 5, past: 2 },
      },
    ]);
  });

  test('say that they were stopped', () => {
    const view = roadViewOf(sourceWith({ brownouts }, { steps: [step('brownout-stopped', 'weekly')] }));
    expect(view.brownouts[0]?.stopped).toMatchObject({ at: '2026-11-20T11:00:00.000Z' });
    expect(renderRoad(view, { width: Infinity, color: false })).toContain('weekly: stopped since 2026-11-20 11:00 UTC');
  });
});

test('of what happened, the last twenty are told, the newest first', () => {
  const steps = Array.from({ length: 25 }, (_, index) => step('stopped', '', `${index}`));
  expect(roadViewOf(sourceWith({}, { steps })).steps.map(({ detail }) => detail)).toEqual(
    Array.from({ length: 20 }, (_, index) => `${24 - index}`),
  );
});

test('no more of a key is told than the record has', () => {
  const key = 'ak_acme_live_0123456789';
  const view = roadViewOf(sourceWith({ rules: [{ stage: 'observe', match: { keys: [key, `hash:${hashOf(key)}`] } }] }));
  expect(view.rules[0]?.match).toEqual({ keys: ['ak_acme_…', `hash:${hashOf(key)}`] });
});

test.each([60, 100, Infinity])('in %s columns no line is wider, and nothing in a name is obeyed', (width) => {
  const rules = [{ name: 'a\u001b[31m red one', stage: 'observe', match: { workspace: ['Acme', 'Bolt'], percent: '12.5%' } }, ...road];
  const text = renderRoad(roadViewOf(sourceWith({ rules }, { steps: [step('tripped', 'writes')] })), { width, color: false });
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
