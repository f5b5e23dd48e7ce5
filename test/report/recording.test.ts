import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverageOf } from '../../src/report/coverage.ts';
import { Recording } from '../../src/report/recording.ts';
import { hourInMs } from '../../src/contract/times.ts';
import type { Gap, Session } from '../../src/usage/model.ts';

/** Far enough after all spans that none of them is taken to go on. */
const later = 1_000_000;
const session = (since: number, seen: number, replica = 'a') => ({
  writer: `${replica}-${since}`,
  replica,
  since,
  seen,
  ended: true,
  behind: 0,
});
const recordingOf = (sessions: readonly Session[], gaps: readonly Gap[], until: number) => new Recording({ sessions, gaps }, until);
const gap = (since: number, until: number, calls = 1, writer = 'a') => ({ writer, since, until, calls });

test('the record is kept in the sessions of all writers together, but not where one of them lost calls', () => {
  const recording = recordingOf([session(0, 100), session(50, 200, 'b'), session(300, 400)], [gap(80, 120), gap(390, 500)], later);
  expect(recording.spans).toEqual([
    { since: 0, until: 80 },
    { since: 120, until: 200 },
    { since: 300, until: 390 },
  ]);
  expect([recording.since, recording.until]).toEqual([0, 390]);
});

test('a proxy that gave a sign of life just before the end is taken to be recording', () => {
  expect(recordingOf([session(0, 80_000)], [], 100_000).holes({ since: 0, until: 100_000 })).toEqual([]);
  expect(recordingOf([session(0, 70_000)], [], 100_000).holes({ since: 0, until: 100_000 })).toEqual([{ since: 70_000, until: 100_000 }]);
});

test('what comes after the end is not looked at', () => {
  expect(recordingOf([session(0, 100)], [], 60).within({ since: 0, until: 100 })).toBe(60);
});

describe('a proxy that falls silent without having ended', () => {
  const silent = (since: number, seen: number) => ({ ...session(since, seen, 'silent'), ended: false });
  const spansOf = (sessions: readonly Session[], end = later) => recordingOf(sessions, [], end).spans;

  test('leaves a hole in the record of the others until the end', () => {
    const recording = recordingOf([session(0, later), silent(0, 100)], [], later);
    expect(recording.spans).toEqual([{ since: 0, until: 100 }]);
    expect(recording.silences).toEqual([{ since: 100, until: later }]);
    expect(recording.until).toBe(later);
  });

  test('leaves one until the same proxy records again, and no other', () => {
    const healed = [
      { since: 0, until: 100 },
      { since: 150, until: later },
    ];
    expect(spansOf([session(0, later), silent(0, 100), session(150, later, 'silent')])).toEqual(healed);
    expect(spansOf([session(0, later), silent(0, 100), session(150, later, 'other')])).toEqual([{ since: 0, until: 100 }]);
  });

  test('leaves one until somebody says that it is gone', () => {
    const sessions = [session(0, later), silent(0, 100)];
    const told = (at: number) => new Recording({ sessions, gaps: [], retirements: [{ replica: 'silent', at }] }, later);
    expect(told(150).spans).toEqual([
      { since: 0, until: 100 },
      { since: 150, until: later },
    ]);
    expect(told(150).replicas).toMatchObject([
      { name: 'a', state: 'ended' },
      { name: 'silent', state: 'retired', until: 100 },
    ]);
    // What was said before it last recorded says nothing of now.
    expect(told(50).replicas).toMatchObject([{ name: 'a' }, { name: 'silent', state: 'silent' }]);
  });

  test('is healed by its own next start by a clock that is a little behind, but not by a proxy that has the same name', () => {
    const end = 10_000_000;
    const own = { ...session(0, 5_000_000, 'silent'), ended: false };
    expect(spansOf([own, session(4_970_000, end, 'silent')], end)).toEqual([{ since: 0, until: end }]);
    expect(spansOf([own, session(1_000_000, end, 'silent')], end)).toEqual([{ since: 0, until: 5_000_000 }]);
  });

  test('is recording while its last sign of life is young, and silent afterwards', () => {
    const states = (end: number) => recordingOf([silent(0, 80_000)], [], end).replicas.map(({ state }) => state);
    expect([states(100_000), states(110_000)]).toEqual([['recording'], ['silent']]);
  });

  test('leaves none while its last sign of life is young', () => {
    expect(spansOf([session(0, 100_000), silent(0, 80_000)], 100_000)).toEqual([{ since: 0, until: 100_000 }]);
  });

  test('is told as what it is', () => {
    const tell = (sessions: readonly Session[]) =>
      coverageOf(recordingOf(sessions, [], later), [], { since: 0, until: later }).gaps.map(({ reason }) => reason);
    expect(tell([session(0, later), silent(0, 100)])).toEqual(['silent']);
    expect(tell([silent(0, 100)])).toEqual(['silent']);
    expect(tell([session(0, 100)])).toEqual(['absent']);
  });
});

test('an empty record has neither beginning nor end', () => {
  const recording = recordingOf([], [], 100);
  expect([recording.since, recording.until, recording.share({ since: 0, until: 100 })]).toEqual([undefined, undefined, 0]);
});

const range = fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => ({ since: Math.min(a, b), until: Math.max(a, b) }));

test('any time of any record is what counting each instant gives', () => {
  fc.assert(
    fc.property(fc.array(range, { maxLength: 6 }), fc.array(range, { maxLength: 6 }), range, (kept, lost, asked) => {
      const recording = recordingOf(
        kept.map(({ since, until }) => session(since, until)),
        lost.map(({ since, until }) => gap(since, until)),
        later,
      );
      const isIn = (ranges: readonly { since: number; until: number }[], at: number) =>
        ranges.some(({ since, until }) => at >= since && at < until);
      const instants = Array.from({ length: asked.until - asked.since }, (_, index) => asked.since + index);
      const recorded = instants.filter((at) => isIn(kept, at) && !isIn(lost, at));
      expect(recording.within(asked)).toBe(recorded.length);
      const holes = recording.holes(asked);
      expect(instants.filter((at) => !isIn(holes, at))).toEqual(recorded);
    }),
  );
});

describe('the gaps of a period', () => {
  const hours = (from: number, to: number) => ({ since: from * hourInMs, until: to * hourInMs });
  const lost = gap(4 * hourInMs, 5 * hourInMs, 7);
  const recording = recordingOf([session(2 * hourInMs, 6 * hourInMs), session(8 * hourInMs, 9 * hourInMs)], [lost], 10 * hourInMs);

  test('say why each of them is one', () => {
    const { share, gaps, lostCalls, recordedSince, recordedUntil } = coverageOf(recording, [lost], hours(0, 10));
    expect(share).toBe(0.4);
    expect(gaps.map(({ since, reason, calls, duration }) => [Date.parse(since) / hourInMs, reason, calls, duration / hourInMs])).toEqual([
      [0, 'before', 0, 2],
      [4, 'lost', 7, 1],
      [6, 'absent', 0, 2],
      [9, 'absent', 0, 1],
    ]);
    expect(lostCalls).toBe(7);
    expect([recordedSince, recordedUntil]).toEqual(['1970-01-01T02:00:00.000Z', '1970-01-01T09:00:00.000Z']);
  });

  test('are fifty at most, the longest, and the sum of the rest', () => {
    const restarts = Array.from({ length: 61 }, (_, index) => session(index * 1_000, index * 1_000 + 999 - index));
    const { gaps, more } = coverageOf(recordingOf(restarts, [], later), [], { since: 0, until: 60_999 });
    expect(gaps).toHaveLength(50);
    expect(gaps.map(({ since }) => since)).toEqual(gaps.map(({ since }) => since).toSorted());
    // The shortest eleven are those of the first restarts: 1, 2, … 11 ms.
    expect(more).toEqual({ gaps: 11, duration: 66 });
  });
});
