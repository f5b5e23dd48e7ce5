import { describe, expect, test } from 'vitest';
import { Recording, type RecordKept } from '../../src/report/recording.ts';
import { type ClientCalls, type Subject, verdictOf as verdictOn } from '../../src/report/verdict.ts';
import { dayInMs, hourInMs } from '../../src/contract/times.ts';
import type { Session } from '../../src/usage/model.ts';
import { daysAgo, now } from '../helpers/usage-store.ts';

const session = (since: number, seen: number, changes: Partial<Session> = {}): Session => ({
  writer: String(since),
  replica: 'a',
  since,
  seen,
  ended: true,
  behind: 0,
  ...changes,
});
const recordingOf = (sessions: readonly Session[], kept: Partial<RecordKept> = {}, until = now) =>
  new Recording({ sessions, gaps: [], ...kept }, until);
const recorded = (...spans: readonly (readonly [from: number, to: number])[]): Recording =>
  recordingOf(spans.map(([from, to]) => session(daysAgo(from), daysAgo(to))));
const whole = recorded([200, 0]);

const everybody: Subject = {
  who: 'all',
  rarestJob: 7 * dayInMs,
  later: undefined,
  erased: [],
  ignores: false,
  moved: [],
  refused: 0,
  unseen: [],
  missing: [],
  logged: [],
  reach: new Map(),
};
const verdictOf = (clients: readonly ClientCalls[], recording: Recording, until: number, subject: Partial<Subject> = {}) =>
  verdictOn(clients, recording, until, { ...everybody, ...subject });

const client = (lastDaysAgo: number, changes: Partial<ClientCalls> = {}): ClientCalls => ({
  id: 1,
  workspace: 'Acme',
  last: daysAgo(lastDaysAgo),
  longestPause: dayInMs,
  rarestJob: 7 * dayInMs,
  ...changes,
});

const codes = (clients: readonly ClientCalls[], recording = whole) => {
  const { state, blockers } = verdictOf(clients, recording, now);
  return [state, ...blockers.map(({ code }) => code)];
};
const days = (instant: string): number => (Date.parse(instant) - now) / dayInMs;

describe('the verdict', () => {
  test.each<[string, readonly ClientCalls[], Recording, readonly string[]]>([
    ['safe after 14 days without a call', [client(14)], whole, ['safe']],
    ['not yet a moment before', [client(14, { last: daysAgo(14) + 1 })], whole, ['not_yet', 'recent_calls']],
    [
      'not yet before twice the longest pause of the client',
      [client(39, { longestPause: 20 * dayInMs })],
      whole,
      ['not_yet', 'recent_calls'],
    ],
    ['safe after twice the longest pause', [client(40, { longestPause: 20 * dayInMs })], whole, ['safe']],
    ['safe 14 days after a single day of calls', [client(14, { longestPause: undefined })], whole, ['safe']],
    [
      'not yet with calls of nobody knows whom',
      [client(50), client(3, { workspace: undefined })],
      whole,
      ['not_yet', 'unidentified_calls'],
    ],
    ['unknown without a record', [], recorded(), ['unknown', 'no_record']],
    ['unknown where nobody was ever seen', [], whole, ['unknown', 'never_seen']],
    ['unknown where too little of the time was recorded', [client(30)], recorded([60, 10], [9.9, 0]), ['unknown', 'coverage']],
    ['safe with 99.5 % of it', [client(30)], recorded([60, 10], [9.94, 0]), ['safe']],
    [
      'not yet where somebody called, however little was recorded',
      [client(1)],
      recorded([3, 0]),
      ['not_yet', 'recent_calls', 'short_record'],
    ],
    ['unknown where no proxy has been recording for a day', [client(40)], recorded([60, 1]), ['unknown', 'coverage']],
    [
      'not yet, and for want of a record, where both are too young',
      [client(9)],
      recorded([10, 0]),
      ['not_yet', 'recent_calls', 'short_record'],
    ],
  ])('is %s', (_name, clients, recording, expected) => {
    expect(codes(clients, recording)).toEqual(expected);
  });

  test('looks at the time that the client with the longest pause needs', () => {
    const { window, coverage } = verdictOf([client(60, { longestPause: 30 * dayInMs }), client(70)], recorded([30, 0]), now);
    expect(window).toEqual({ since: new Date(daysAgo(60)).toISOString(), until: new Date(now).toISOString(), duration: 60 * dayInMs });
    expect(coverage).toBe(0.5);
  });
});

describe('calls that the record has not, or has after the period', () => {
  const losing = (from: number, to: number, calls: number): Recording =>
    recordingOf([session(daysAgo(200), now, { ended: false })], {
      gaps: [{ writer: 'a', since: daysAgo(from), until: daysAgo(to), calls }],
    });

  const erased = (last: number, pause?: number) => ({ last: daysAgo(last), longestPause: pause === undefined ? null : pause * dayInMs });

  test.each<[string, Recording, Partial<Subject>, readonly string[]]>([
    ['not yet with a call that was lost in the window', losing(3, 2.99, 9), {}, ['not_yet', 'lost_calls']],
    ['not yet with one that was lost in no time', losing(3, 3, 9), {}, ['not_yet', 'lost_calls']],
    ['unknown for a workspace, whose call it may not have been', losing(3, 3, 9), { who: 'workspace' }, ['unknown', 'lost_calls']],
    ['safe with one that was lost before the window', losing(15, 14.5, 9), {}, ['safe']],
    ['safe with a short time of loss in which nobody called', losing(3, 2.99, 0), {}, ['safe']],
    ['not yet with a call of a key that was erased', whole, { erased: [erased(3)] }, ['not_yet', 'erased_calls']],
    ['not yet with an erased one that pauses for long', whole, { erased: [erased(30, 16)] }, ['not_yet', 'erased_calls']],
    ['safe with an erased one that has been quiet for long enough', whole, { erased: [erased(14), erased(30, 15)] }, ['safe']],
    [
      'unknown for a workspace, whose key the erased one may have been',
      whole,
      { who: 'workspace', erased: [erased(3)] },
      ['unknown', 'erased_calls'],
    ],
    ['not yet with a later call', whole, { later: { clients: 1, last: now + dayInMs } }, ['not_yet', 'later_calls']],
  ])('make it %s', (_name, recording, subject, expected) => {
    const { state, blockers } = verdictOf([client(30)], recording, now, subject);
    expect([state, ...blockers.map(({ code }) => code)]).toEqual(expected);
  });

  test('make a workspace unknown with calls of whom there was no room to tell apart', () => {
    const crowd = client(3, { workspace: undefined });
    expect(verdictOf([client(30), crowd], whole, now, { who: 'workspace' })).toMatchObject({
      state: 'unknown',
      blockers: [{ code: 'unidentified_calls' }],
    });
    expect(verdictOf([crowd], whole, now, { who: 'workspace' }).blockers.map(({ code }) => code)).toEqual([
      'unidentified_calls',
      'never_seen',
    ]);
  });

  test('say how many erased ones there are, and when all of them are quiet', () => {
    expect(verdictOf([client(30)], whole, now, { erased: [erased(3), erased(20, 20), erased(14)] }).blockers).toEqual([
      { code: 'erased_calls', clients: 2, last: new Date(daysAgo(3)).toISOString(), quietFrom: new Date(daysAgo(-20)).toISOString() },
    ]);
  });

  test('say how many were lost, and when they have left the window', () => {
    expect(verdictOf([client(30)], losing(3, 3, 9), now).blockers).toEqual([
      { code: 'lost_calls', calls: 9, last: new Date(daysAgo(3)).toISOString(), quietFrom: new Date(daysAgo(-11)).toISOString() },
    ]);
  });

  test('are not said to go another way where all that was recorded is ignored', () => {
    expect(verdictOf([], whole, now, { ignores: true })).toMatchObject({ state: 'unknown', blockers: [{ code: 'all_ignored' }] });
  });
});

describe('a blocker', () => {
  test('names the latest clients, five at most, and says when all have been quiet for long enough', () => {
    const many = Array.from({ length: 7 }, (_, id) => client(id, { id, workspace: `W${id % 2}` }));
    const { blockers } = verdictOf([...many, client(10, { id: 99, workspace: 'slow', longestPause: 10 * dayInMs })], whole, now);
    expect(blockers).toEqual([
      {
        code: 'recent_calls',
        workspaces: 3,
        clients: 8,
        last: new Date(now).toISOString(),
        quietFrom: new Date(now + 14 * dayInMs).toISOString(),
        latest: [0, 1, 2, 3, 4],
      },
    ]);
  });

  test('says when the record will be good enough', () => {
    const [blocker] = verdictOf([client(60)], recorded([100, 5], [4, 0]), now).blockers;
    if (blocker?.code !== 'coverage') throw new Error('no such blocker');
    expect(blocker.share).toBeCloseTo(13 / 14, 6);
    // The missing day leaves the window, but for the 0.5 % of 14 days that may be missing.
    expect(days(blocker.goodFrom)).toBeCloseTo(14 - 4 - 14 * 0.005, 4);
    expect(verdictOf([client(60)], recorded([100, 5], [4, -20]), Date.parse(blocker.goodFrom)).state).toBe('unknown');
  });

  test('is right about when the record will be good enough', () => {
    const spans = [session(daysAgo(100), daysAgo(5)), session(daysAgo(4), now + 30 * dayInMs, { ended: false })];
    const at = (time: number) => verdictOf([client(60)], recordingOf(spans, {}, time), time);
    const [blocker] = at(now).blockers;
    if (blocker?.code !== 'coverage') throw new Error('no such blocker');
    const good = Date.parse(blocker.goodFrom);
    expect([at(good - hourInMs).state, at(good + 1).state]).toEqual(['unknown', 'safe']);
  });
});
