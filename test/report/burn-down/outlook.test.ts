import { describe, expect, test } from 'vitest';
import { dayInMs } from '../../../src/contract/times.ts';
import { numberOf, normals, gammas } from '../../../src/report/burn-down/chance.ts';
import { crowdsOf } from '../../../src/report/burn-down/changes.ts';
import { coursesOf, outlookFor } from '../../../src/report/burn-down/courses.ts';
import { missesOf, promisesOf } from '../../../src/report/burn-down/misses.ts';
import { Pauses } from '../../../src/report/burn-down/pauses.ts';
import type { WorkspaceMark } from '../../../src/report/model.ts';
import { type MigrationKind, recordBegins, recordOf, sunsetDay } from '../simulation/migrations.ts';
import { seenMigrations, shares } from '../simulation/outlooks.ts';

const today = 120;
const sunset = recordBegins + sunsetDay * dayInMs;

/** Calls of one workspace, day by day. */
type Days = (day: number) => number;
const stopping =
  (end: number): Days =>
  (day) =>
    day < end ? 20 : 0;
const goesOn = stopping(Infinity);
const fading: Days = (day) => Math.round(500 * 2 ** ((80 - day) / 6));

const day = (number: number): string => new Date(recordBegins + number * dayInMs).toISOString();
const mark = (status: WorkspaceMark['status'], on: number | null): WorkspaceMark => ({
  status,
  until: on === null ? null : day(on),
  past: on !== null && on < today,
  note: null,
  at: null,
  from: 'configuration',
});

/** What is said on a day of workspaces W0, W1 … */
function said(
  workspaces: readonly Days[],
  marks: Readonly<Record<string, WorkspaceMark>> = {},
  gap?: readonly [number, number],
  now = today,
) {
  const calls = workspaces.map((of) =>
    Float64Array.from({ length: 300 }, (_, at) => (gap !== undefined && at >= gap[0] && at < gap[1] ? 0 : of(at))),
  );
  const record = recordOf({ workspaces: calls, gap }, now);
  const courses = coursesOf(crowdsOf(record.activity), { ...record, pauses: new Pauses(record.activity, record.recording, record.until) });
  const known = new Map(Object.entries(marks));
  const { outlook, prospects } = outlookFor(courses, { ...record, sunset, promised: promisesOf(known, record.until) });
  return { outlook, misses: missesOf(prospects, known, sunset, record.until) };
}

/** One stops every four days, from so many days before today on. */
const oneByOne = (count: number, since: number): readonly Days[] =>
  Array.from({ length: count }, (_, number) => stopping(today - since + 4 * number));

describe('nobody can say', () => {
  test.each([
    ['no_calls', []],
    ['over', [stopping(60), stopping(70)]],
    ['nobody_stopped', [goesOn, goesOn, goesOn]],
  ] as const)('%s', (reason, workspaces) => {
    expect(said(workspaces).outlook).toEqual({ state: 'none', reason });
  });

  test('of less than four weeks', () => {
    expect(said([goesOn, stopping(9)], {}, undefined, 27).outlook).toEqual({ state: 'none', reason: 'too_short' });
    expect(said([goesOn, stopping(9)], {}, undefined, 29).outlook.state).toBe('forecast');
  });

  test('where much of the last weeks was not recorded', () => {
    expect(said([goesOn, stopping(85)], {}, [90, 104]).outlook).toEqual({ state: 'none', reason: 'too_patchy' });
  });
});

describe('where workspaces stop one by one', () => {
  const { outlook, misses } = said(oneByOne(20, 40));

  test('the last one is expected by the pace at which they do', () => {
    expect(outlook).toMatchObject({ state: 'forecast', confidence: 0.9, basis: { weeks: 6, workspaces: 20, stopped: 9 } });
    if (outlook.state === 'none') throw new Error('no forecast');
    expect([outlook.earliest, outlook.date, outlook.latest].toSorted()).toEqual([outlook.earliest, outlook.date, outlook.latest]);
    expect(outlook.earliest).toMatch(/^2026-1[12]/);
    expect(outlook.inTime).toBeGreaterThan(0.05);
    expect(outlook.inTime).toBeLessThan(0.6);
  });

  test('so is the number that is left at the sunset', () => {
    expect(outlook).toMatchObject({ atSunset: { of: 11, low: 0 } });
    if (outlook.state === 'none' || outlook.atSunset === null) throw new Error('no number');
    expect(outlook.atSunset.expected).toBeGreaterThan(0.5);
    expect(outlook.atSunset.expected).toBeLessThan(4);
    expect(outlook.atSunset.high).toBeLessThan(9);
  });

  test('nobody alone is said to miss the date', () => {
    expect(misses).toEqual([]);
  });

  test('after the sunset there is only the date', () => {
    const later = said([...oneByOne(20, 40), ...oneByOne(20, -40)], {}, undefined, 190).outlook;
    expect(later).toMatchObject({ state: 'forecast', inTime: null, atSunset: null });
  });
});

test('a monthly job has not stopped three weeks after its last run, and one that never came again has', () => {
  const monthly: Days = (at) => (at % 30 === 9 ? 40 : 0);
  const once: Days = (at) => (at === 90 ? 40 : 0);
  const { outlook } = said([monthly, once, stopping(95), goesOn]);
  expect(outlook).toMatchObject({ atSunset: { of: 2 }, basis: { workspaces: 4, stopped: 2 } });
});

describe('who will miss the date', () => {
  const few = [goesOn, stopping(90)];

  test('calls as ever, where hardly anybody stops', () => {
    expect(said([...Array.from({ length: 20 }, () => goesOn), stopping(90)]).misses[0]).toMatchObject({
      reason: 'no_decline',
      promised: null,
    });
  });

  test('calls more and more', () => {
    const growing: Days = (at) => Math.round(50 * 1.03 ** (at - 60));
    const { misses } = said([...Array.from({ length: 20 }, () => goesOn), growing]);
    expect(misses.find(({ workspace }) => workspace === 'W20')).toMatchObject({ reason: 'growing' });
  });

  test('fades too slowly', () => {
    const slowly: Days = (at) => Math.round(2_000 * 0.975 ** Math.max(0, at - 60));
    expect(said([slowly]).misses).toMatchObject([{ workspace: 'W0', reason: 'slow' }]);
    expect(said([fading]).misses).toEqual([]);
  });

  test('is not said to fade because others do: who calls too seldom, or only since some days', () => {
    const seldom: Days = (at) => (at % 20 === 0 ? 3 : 0);
    const newcomer: Days = (at) => (at > today - 6 ? 12 : 0);
    const slowly: Days = (at) => Math.round(2_000 * 0.975 ** Math.max(0, at - 60));
    const { misses } = said([...Array.from({ length: 8 }, () => slowly), seldom, newcomer]);
    expect(Object.fromEntries(misses.map(({ workspace, reason }) => [workspace, reason]))).toMatchObject({
      W0: 'slow',
      W8: 'no_decline',
      W9: expect.stringMatching(/no_decline|growing/),
    });
  });

  test('promised a day after the sunset, or one that is over: before all others', () => {
    const marks = { W0: mark('promised', today - 2), W1: mark('promised', sunsetDay + 20), W2: mark('promised', sunsetDay - 20) };
    const { misses } = said([...Array.from({ length: 25 }, () => goesOn), stopping(90)], marks);
    expect(misses.slice(0, 2)).toMatchObject([
      { workspace: 'W1', reason: 'promised_late', probability: null, promised: day(sunsetDay + 20) },
      { workspace: 'W0', reason: 'promise_overdue', promised: day(today - 2) },
    ]);
    expect(misses.map(({ workspace }) => workspace)).not.toContain('W2');
    expect(misses).toHaveLength(24);
  });

  test('does so for the day of the sunset itself: v1 is gone when it begins', () => {
    expect(said(few, { W0: mark('promised', sunsetDay) }).misses).toMatchObject([{ reason: 'promised_late' }]);
    expect(said(few, { W0: mark('promised', sunsetDay - 1) }).misses).toEqual([]);
  });

  test('is nobody after the sunset', () => {
    expect(said([goesOn], { W0: mark('promised', 195) }, undefined, 190).misses).toEqual([]);
  });
});

describe('a promise', () => {
  test('is the end of whoever made it', () => {
    expect(said([goesOn], { W0: mark('promised', today + 9) }).outlook).toMatchObject({
      date: day(today + 10),
      latest: day(today + 10),
      inTime: 1,
      atSunset: { of: 1, expected: 0, low: 0, high: 0 },
    });
  });

  test('for a day after the sunset leaves no chance to be in time', () => {
    expect(said([goesOn], { W0: mark('promised', sunsetDay + 9) }).outlook).toMatchObject({
      earliest: day(sunsetDay + 10),
      inTime: 0,
      atSunset: { low: 1, high: 1 },
    });
  });

  test('without a day, that somebody was only told, or one that is over changes nothing', () => {
    const plain = said(oneByOne(20, 40)).outlook;
    for (const given of [mark('promised', null), mark('contacted', today + 5), mark('promised', today - 1)])
      expect(said(oneByOne(20, 40), { W19: given }).outlook).toEqual(plain);
  });
});

describe('of random migrations', () => {
  const seen = seenMigrations(5, 1, [5, 20, 60]);
  const of = (kind: MigrationKind) => shares(seen.filter((each) => each.kind === kind));

  test.each([
    ['decay', 220],
    ['steps', 300],
  ] as const)('that go by %s the outlook is mostly right, and says something', (kind, widest) => {
    const { outlook, byCalls } = of(kind);
    expect(outlook.said).toBeGreaterThan(0.85);
    expect(outlook.right).toBeGreaterThan(0.75);
    expect(outlook.right / outlook.said).toBeGreaterThan(0.8);
    expect(outlook.rightCount).toBeGreaterThan(0.8);
    expect(outlook.width).toBeLessThan(widest);
    expect(outlook.countWidth).toBeLessThan(0.75);
    expect(outlook.right).toBeGreaterThan(byCalls.right);
  });

  test('that end in a rush it says what the pace of these weeks would lead to', () => {
    expect(of('rush').outlook.right).toBeLessThan(0.3);
  });
});

describe('approximations', () => {
  test('of how many of some events happen are exact for few, and near for many', () => {
    expect([...numberOf([0.5, 0.5, 0.2])]).toEqual([0.2, 0.45, 0.3, 0.05].map((each) => expect.closeTo(each, 10)));
    const many = numberOf(Array.from({ length: 100 }, () => 0.3));
    expect(many[30]).toBeCloseTo(0.0868, 3);
    expect(many.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 10);
  });

  test('of distributions have their means', () => {
    const mean = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    expect(mean(normals(9))).toBeCloseTo(0, 6);
    expect(mean(gammas(4, 99))).toBeCloseTo(4, 1);
    expect(mean(gammas(0.5, 999))).toBeCloseTo(0.5, 1);
  });
});
