import { describe, expect, test } from 'vitest';
import { faultOfBrownouts, scheduleOf, windowAt, windowsOf } from '../../src/rollout/brownouts.ts';
import { overlapsOf } from '../../src/rollout/overlaps.ts';
import { roadOf } from '../../src/rollout/road.ts';
import type { Brownout, Match, Rule, Stage } from '../../src/rollout/rules.ts';

const rule = (name: string, match: Match, stage: Stage = 'observe', until?: number): Rule => ({ name, match, stage, until });

describe('of an order of rules it is said', () => {
  test.each<[string, readonly Rule[], readonly (readonly [string, string, string])[]]>([
    ['that nothing is odd where the narrower one comes first', [rule('a', { workspace: ['Acme'] }, 'translate'), rule('all', {})], []],
    [
      'that a rule behind one for all is never reached',
      [rule('all', {}), rule('a', { workspace: ['Acme'] }, 'translate')],
      [['unreachable', 'all', 'a']],
    ],
    [
      'that a longer prefix behind a shorter is never reached',
      [rule('s', { keys: ['ak_'] }), rule('l', { keys: ['ak_acme'] })],
      [['unreachable', 's', 'l']],
    ],
    [
      'that one version of a client behind all of them is never reached',
      [rule('all', { client: ['curl'] }), rule('one', { client: ['curl/8.5.0'] })],
      [['unreachable', 'all', 'one']],
    ],
    [
      'that a smaller share behind a larger is never reached',
      [rule('20', { percent: 0.2 }), rule('10', { percent: 0.1 })],
      [['unreachable', '20', '10']],
    ],
    ['that a larger share behind a smaller is', [rule('10', { percent: 0.1 }, 'translate'), rule('20', { percent: 0.2 }, 'compare')], []],
    [
      'that rules share calls of which neither is the narrower',
      [rule('m', { methods: ['GET'] }, 'compare'), rule('a', { workspace: ['Acme'] }, 'translate')],
      [['partial', 'm', 'a']],
    ],
    ['nothing where both say the same', [rule('m', { methods: ['GET'] }), rule('a', { workspace: ['Acme'] })], []],
    [
      'nothing where they share no call',
      [rule('a', { workspace: ['Acme'], methods: ['GET'] }), rule('u', { unknown: true }, 'refuse', 1)],
      [],
    ],
    ['nothing where the earlier one ends', [rule('all', {}, 'refuse', 1), rule('a', { workspace: ['Acme'] }, 'translate')], []],
  ])('%s', (_what, rules, expected) => {
    expect(overlapsOf(rules).map(({ kind, first, second }) => [kind, first.name, second.name])).toEqual(expected);
  });

  test('of ten thousand rules about a workspace each, the one behind another of the same', () => {
    const rules = Array.from({ length: 10_000 }, (_, index) => rule(String(index), { workspace: [`W${index}`], percent: 0.1 }));
    const last = rule('last', { workspace: ['W5000'], percent: 0.1 });
    expect(overlapsOf([...rules, last])).toEqual([{ kind: 'unreachable', first: rules[5000], second: last }]);
  });

  test('and of two that name several workspaces, once', () => {
    const several = (name: string, ...workspace: string[]) => rule(name, { workspace });
    const [a, b, c] = [several('a', 'X', 'Y', 'Z'), several('b', 'Y', 'X'), several('c', 'V')];
    expect(overlapsOf([a, b, c])).toEqual([{ kind: 'unreachable', first: a, second: b }]);
  });

  test('the first few things of many', () => {
    const rules = Array.from({ length: 100 }, (_, index) => rule(String(index), {}));
    expect(overlapsOf(rules, 5)).toHaveLength(5);
  });
});

const hour = 3_600_000;
const sunset = 100 * hour;
const brownout = (given: Partial<Brownout>): Brownout => ({
  name: 'b',
  match: {},
  exempt: [],
  at: 10 * hour,
  for: hour,
  ramp: 0,
  status: 503,
  ...given,
});
const times = (given: Partial<Brownout>): readonly (readonly [number, number])[] =>
  windowsOf(brownout(given), sunset).map(({ from, to }) => [from / hour, to / hour]);

describe('a brownout', () => {
  test('comes once where nothing says how often', () => expect(times({})).toEqual([[10, 11]]));
  test('comes again until its end', () =>
    expect(times({ every: 24 * hour, until: 58 * hour })).toEqual([
      [10, 11],
      [34, 35],
    ]));
  test('comes again until the sunset where it has no end of its own', () =>
    expect(times({ every: 40 * hour })).toEqual([
      [10, 11],
      [50, 51],
      [90, 91],
    ]));
  test('lasts longer each time', () =>
    expect(times({ every: 30 * hour, ramp: hour })).toEqual([
      [10, 11],
      [40, 42],
      [70, 73],
    ]));
  test('never comes after the sunset', () => expect(times({ at: sunset })).toEqual([]));

  test('is on from its beginning up to its end, however the clock goes', () => {
    const at = windowAt(scheduleOf([brownout({ every: 24 * hour, until: 58 * hour })], sunset));
    const isOn = [9.9, 10, 10.99, 11, 33.9, 34, 36, 10.5, 40].map((time) => at(time * hour) !== undefined);
    expect(isOn).toEqual([false, true, true, false, false, true, false, true, false]);
  });

  test.each<[string, readonly Brownout[], RegExp | undefined]>([
    ['with another', [brownout({ name: 'a' }), brownout({ name: 'b', at: 10.5 * hour })], /at once: "a" of .* and "b" of/],
    ['with itself, as it lasts ever longer', [brownout({ name: 'a', every: 2 * hour, ramp: hour })], /at once: "a" of .* and "a" of/],
    ['without end', [brownout({ every: 1, for: 1, ramp: 0 })], /comes too often/],
    ['not with one that begins when it ends', [brownout({ name: 'a' }), brownout({ name: 'b', at: 11 * hour })], undefined],
  ])('that would be on %s is found', (_what, given, expected) => {
    const fault = faultOfBrownouts(given, sunset);
    expect(fault === undefined || expected?.test(fault)).toBe(fault !== undefined || expected === undefined);
  });
});

describe('the state of the road', () => {
  const step = (kind: Parameters<typeof roadOf>[0][number]['kind'], at: number, name = '') => ({
    id: `${kind} ${at}`,
    at,
    kind,
    rule: name,
  });

  test('is stopped until somebody resumes', () => {
    expect(roadOf([step('stopped', 1)]).stopped).toMatchObject({ at: 1 });
    expect(roadOf([step('stopped', 1), step('resumed', 2)]).stopped).toBeUndefined();
    expect(roadOf([step('resumed', 2), step('stopped', 3)]).stopped).toMatchObject({ at: 3 });
  });

  test('keeps what tripped until somebody releases it, rule by rule', () => {
    const { tripped } = roadOf([step('tripped', 1, 'a'), step('tripped', 2, 'b'), step('released', 3, 'a')]);
    expect([...tripped.keys()]).toEqual(['b']);
    expect(roadOf([step('released', 1, 'a'), step('tripped', 2, 'a')]).tripped.size).toBe(1);
  });

  test('goes by the order of the record, and not by clocks that differ', () => {
    expect(roadOf([step('stopped', 5), step('resumed', 4)]).stopped).toBeUndefined();
  });
});
