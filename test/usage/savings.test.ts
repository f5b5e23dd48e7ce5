import { describe, expect, it } from 'vitest';
import { hourInMs, minuteInMs } from '../../src/contract/times.ts';
import type { SavingRow } from '../../src/usage/model.ts';
import { RecordingSession } from '../../src/usage/recording-session.ts';
import { Rollup } from '../../src/usage/rollup.ts';
import type { Use } from '../../src/usage/use.ts';
import { callerOf } from './rows.ts';
import { start, useOf } from './uses.ts';

const hour = start / hourInMs;
const bounds = { callers: 10_000, rows: 100_000 };
const write = { method: 'POST', endpoint: 'POST /v1/messages/send' } as const;

/** A read of one message, so many seconds after the start. */
const readAt = (seconds: number, changes: Partial<Use> = {}): Partial<Use> => ({
  at: start + seconds * 1_000,
  resource: '/v1/messages/1',
  ...changes,
});

/** What these uses leave, once their session is over. */
function savingsOf(uses: readonly Partial<Use>[]): readonly SavingRow[] {
  const session = new RecordingSession(start);
  const rollup = new Rollup(session, bounds);
  for (const use of uses) rollup.add(useOf(use));
  session.end();
  return session.take(100_000).savings ?? [];
}

describe('savings', () => {
  it('are counted by caller and clock hour', () => {
    const other = { client: 'curl/8.9.1' };
    expect(savingsOf([readAt(0), readAt(3), readAt(4, other), readAt(3_600), readAt(7_199)])).toEqual([
      { hour, caller: callerOf().id, counts: { asked: 2, untranslated: 0, saved: [0, 1, 1, 1, 1] } },
      // Another client with the same key.
      { hour, caller: callerOf(other).id, counts: { asked: 1, untranslated: 0, saved: [0, 1, 1, 1, 1] } },
      { hour: hour + 1, caller: callerOf().id, counts: { asked: 2, untranslated: 0, saved: [0, 0, 0, 0, 0] } },
    ]);
  });

  it.each<[string, Partial<Use>, number, number]>([
    ['a translated call', { v2Calls: 1 }, 1, 0],
    ['one with a look-up', { ...write, v2Calls: 2 }, 2, 0],
    ['one that failed', { outcome: 'failed', status: 502, v2Calls: 1 }, 1, 0],
    ['one that failed before v2', { outcome: 'failed', status: 502, v2Calls: 0 }, 0, 0],
    ['a read that was saved indeed', { v2Calls: 0 }, 1, 0],
    ['one that v1’s rules refused', { outcome: 'local', status: 401, v2Calls: 0 }, 0, 0],
    ['one that the budget refused', { outcome: 'local', status: 429, v2Calls: 0 }, 1, 0],
    ['one that v1 answered', { outcome: 'observed', v2Calls: 0 }, 1, 1],
    ['one that v1 answered, of no endpoint', { outcome: 'observed', endpoint: 'unlisted', v2Calls: 0 }, 0, 0],
    ['one that was compared', { outcome: 'compared', v2Calls: 0 }, 1, 1],
    ['the question that compared it', { outcome: 'passed', v2Calls: 1 }, 0, 0],
    ['one to v2 that passed', { outcome: 'passed', endpoint: 'GET /v2/messages/:id', v2Calls: 1 }, 1, 0],
    ['one to v2 that the budget refused', { outcome: 'passed', endpoint: 'GET /v2/messages/:id', status: 429, v2Calls: 0 }, 1, 0],
    ['one that a brownout refused', { outcome: 'refused', status: 503, v2Calls: 0 }, 0, 0],
  ])('know what v2 would be asked for %s', (_, use, asked, untranslated) => {
    const rows = savingsOf([use]);
    expect([rows[0]?.counts.asked ?? 0, rows[0]?.counts.untranslated ?? 0]).toEqual([asked, untranslated]);
  });

  it.each<[string, Partial<Use>]>([
    ['answered by v1', { outcome: 'observed', v2Calls: 0 }],
    ['compared', { outcome: 'compared', v2Calls: 0 }],
    ['saved indeed, and not once more', { v2Calls: 0 }],
    ['refused by the budget', { outcome: 'local', status: 429, v2Calls: 0 }],
    ['refused by v2', { status: 429 }],
  ])('are those of reads that were %s', (_, use) => {
    expect(savingsOf([readAt(0, use), readAt(1, use), readAt(2, use)])[0]?.counts).toMatchObject({ asked: 3, saved: [0, 2, 2, 2, 2] });
  });

  it.each<[string, readonly Partial<Use>[]]>([
    ['a read without a key', [readAt(0, { key: undefined }), readAt(1, { key: undefined })]],
    ['a read that failed', [readAt(0, { status: 404 }), readAt(1, { status: 404 })]],
    ['a write', [readAt(0, write), readAt(1, write)].map((use) => ({ ...use, resource: undefined }))],
    ['a read that passed to v2', [readAt(0, { outcome: 'passed' }), readAt(1, { outcome: 'passed' })]],
    ['a read after a write', [readAt(0), { ...write, at: start + 1_000 }, readAt(2)]],
    [
      'a read after a write to v2',
      [readAt(0), { method: 'POST', endpoint: 'POST /v2/messages', outcome: 'passed', at: start + 1_000 }, readAt(2)],
    ],
    [
      'a read after a write with another key of the workspace',
      [
        readAt(0, { workspace: 'Acme' }),
        { ...write, workspace: 'Acme', key: { prefix: 'key_', hash: 'b'.repeat(16) }, at: start + 1_000 },
        readAt(2, { workspace: 'Acme' }),
      ],
    ],
  ])('are none of %s', (_, uses) => {
    expect(savingsOf(uses).flatMap(({ counts }) => counts.saved)).not.toContain(1);
  });

  it('go to the store every few seconds, and all of them with the end', () => {
    const session = new RecordingSession(start);
    const rollup = new Rollup(session, bounds);
    const taken = (seconds: number, most = 100) => {
      session.seen = start + seconds * 1_000;
      const news = session.take(most);
      session.written(news);
      return (news.savings ?? []).map(({ counts }) => counts.asked);
    };
    rollup.add(useOf());
    expect([taken(1), session.hasNews]).toEqual([[], false]);
    expect(taken(5)).toEqual([1]);
    expect(taken(10)).toEqual([]);
    rollup.add(useOf());
    rollup.add(useOf({ client: 'curl/8.9.1' }));
    // A row of a caller that the store does not know would be lost.
    expect(taken(15, 1)).toEqual([]);
    session.end();
    expect(session.hasNews).toBe(true);
    expect(taken(16)).toEqual([2, 1]);
    expect(session.settled).toBe(true);
  });

  it('are all in the store before a session is settled, however many callers there are', () => {
    const session = new RecordingSession(start);
    const rollup = new Rollup(session, bounds);
    for (let index = 0; index < 5_001; index++) rollup.add(useOf({ name: `${index}` }));
    session.end();
    const sizes = [];
    while (session.hasNews) {
      const news = session.take(100_000);
      session.written(news);
      sizes.push(news.savings?.length);
    }
    expect(sizes).toEqual([5_000, 1]);
  });

  it('are given to the store again where it did not take them', () => {
    const session = new RecordingSession(start);
    const rollup = new Rollup(session, bounds);
    rollup.add(useOf());
    session.end();
    session.take(100);
    session.failed();
    rollup.add(useOf());
    expect(session.take(100).savings).toMatchObject([{ counts: { asked: 2 } }]);
  });

  it('begin anew with a session', () => {
    const session = new RecordingSession(start);
    const rollup = new Rollup(session, bounds);
    rollup.add(useOf());
    const next = new RecordingSession(start);
    rollup.begin(next);
    rollup.add(useOf());
    for (const each of [session, next]) each.end();
    expect([session, next].map((each) => each.take(100).savings)).toMatchObject([[{ counts: { asked: 1 } }], [{ counts: { asked: 1 } }]]);
  });

  it('stay with the newest hour where a clock is a little behind', () => {
    expect(savingsOf([{ at: start }, { at: start - minuteInMs }]).map((row) => row.hour)).toEqual([hour]);
  });
});
