import { describe, expect, it } from 'vitest';
import { callerId } from '../../src/usage/caller-id.ts';
import { RecordingSession } from '../../src/usage/recording-session.ts';
import { hourInMs, minuteInMs } from '../../src/contract/times.ts';
import { networkOf } from '../../src/usage/network.ts';
import { Rollup } from '../../src/usage/rollup.ts';
import { addLoad, encodeLoad, minutesOfPeak, peakOf } from '../../src/usage/store/load.ts';
import type { Use } from '../../src/usage/use.ts';
import { callerOf } from './rows.ts';
import { start, useOf } from './uses.ts';

/** Rows and sources that these uses make. */
function rolledUp(uses: readonly Partial<Use>[], callers = 10_000) {
  const session = new RecordingSession(start);
  const rollup = new Rollup(session, { callers, rows: 100_000 });
  for (const use of uses) rollup.add(useOf(use));
  return { rows: session.take(100_000).rows, sources: rollup.takeSources() };
}

const repeatsOf = (uses: readonly Partial<Use>[]): number => rolledUp(uses).rows.reduce((sum, { counts }) => sum + counts.repeats, 0);

describe('the roll-up', () => {
  it('adds up what one caller does in one minute', () => {
    const { rows } = rolledUp([
      { at: start + 5, duration: 10 },
      { at: start + 9, duration: 30, v2Calls: 2 },
    ]);
    expect(rows.map(({ counts }) => counts)).toEqual([
      { calls: 2, v2Calls: 3, repeats: 0, duration: 40, longest: 30, first: start + 5, last: start + 9 },
    ]);
  });

  it.each<[string, Partial<Use>]>([
    ['minutes', { at: start + minuteInMs }],
    ['keys', { key: { prefix: 'key_', hash: 'b'.repeat(16) } }],
    ['calls without a key', { key: undefined }],
    ['clients', { client: 'curl/8.9.1' }],
    ['names of clients', { name: 'billing' }],
    ['endpoints', { endpoint: 'unlisted' }],
    ['methods', { method: 'HEAD' }],
    ['statuses', { status: 404 }],
    ['outcomes', { outcome: 'failed' }],
  ])('tells %s apart', (_, use) => {
    expect(rolledUp([{}, use, {}, use]).rows).toHaveLength(2);
  });

  it('counts a GET of the same resource within the hour as a repeat', () => {
    const resource = '/v1/messages/1';
    expect(repeatsOf([{ resource }, { resource, at: start + hourInMs - 1 }, { resource, at: start + hourInMs * 2 }])).toBe(1);
  });

  it.each<[string, Partial<Use>]>([
    ['another resource', { resource: '/v1/messages/2' }],
    ['another query', { resource: '/v1/messages/1?page=2' }],
    ['another caller', { resource: '/v1/messages/1', client: 'curl/8.9.1' }],
    ['no GET', { resource: undefined }],
  ])('takes %s for no repeat', (_, use) => {
    expect(repeatsOf([{ resource: '/v1/messages/1' }, use])).toBe(0);
  });

  it('forgets resources where there are too many, and takes hardly a new one for a repeat', () => {
    const many = Array.from({ length: 30_000 }, (_, index) => ({ resource: `/v1/messages/${index}` }));
    expect(repeatsOf(many)).toBeLessThan(10);
    expect(repeatsOf([...many, ...many.slice(-10_000)]) - repeatsOf(many)).toBe(10_000);
  });

  it('takes of a call to v2 what it costs, and neither where it came from nor what it asked for', () => {
    const use = { outcome: 'passed', resource: '/v2/messages/1', address: '192.0.2.1' } as const;
    const { rows, sources } = rolledUp([use, use]);
    expect(rows).toMatchObject([{ kind: { outcome: 'passed' }, counts: { calls: 2, v2Calls: 2, repeats: 0 } }]);
    expect(sources).toEqual([]);
  });

  it('never takes a call to v2 for a lost one, and keeps half of the room for v1 calls', () => {
    const session = new RecordingSession(start);
    const rollup = new Rollup(session, { callers: 100, rows: 4 });
    const add = (outcome: Use['outcome'], minutes: readonly number[]) =>
      minutes.map((minute) => rollup.add(useOf({ outcome, at: start + minute * minuteInMs })));
    expect([...add('passed', [0, 1, 2]), session.held, session.unwritten]).toEqual([true, true, true, 2, undefined]);
    expect([...add('translated', [2, 3, 4]), session.unwritten?.calls]).toEqual([true, true, false, 3]);
  });

  it('makes one caller of all that there is no room for', () => {
    const uses = Array.from({ length: 5 }, (_, index) => ({ key: { prefix: 'key_', hash: String(index).repeat(16) } }));
    const { rows } = rolledUp(uses, 3);
    expect(rows.map(({ caller, counts }) => [caller.client, caller.keyHash === null, counts.calls])).toEqual([
      ['axios/1.7.0', false, 1],
      ['axios/1.7.0', false, 1],
      ['axios/1.7.0', false, 1],
      ['_other', true, 2],
    ]);
  });

  it('keeps half of the room for callers whom v2 accepts', () => {
    const key = (name: string) => ({ prefix: 'key_', hash: name.repeat(16) });
    const strangers = Array.from({ length: 6 }, (_, index) => ({ key: key(String(index)), status: 401 }));
    const refused = Array.from({ length: 6 }, (_, index) => ({ key: key(String(index)), outcome: 'local' as const, status: 404 }));
    for (const crowd of [strangers, refused]) {
      const { rows } = rolledUp([...crowd, { key: key('a') }, { key: key('b') }], 4);
      expect(rows.map(({ caller }) => caller.keyHash?.[0] ?? caller.client)).toEqual(['0', '1', '_other', 'a', 'b']);
    }
  });

  it('keeps it for those whom v1 accepts, too, and takes no answer for it that anybody can have', () => {
    const key = (name: string) => ({ prefix: 'key_', hash: name.repeat(16) });
    const endings: readonly Partial<Use>[] = [
      { outcome: 'observed', status: 401 },
      { outcome: 'compared', status: 404 },
      { outcome: 'observed', endpoint: 'unlisted' },
      { outcome: 'refused', status: 503 },
    ];
    for (const ending of endings) {
      const strangers = Array.from({ length: 6 }, (_, index) => ({ key: key(String(index)), ...ending }));
      const { rows } = rolledUp([...strangers, { key: key('a'), outcome: 'observed' }, { key: key('b'), outcome: 'compared' }], 4);
      expect(rows.map(({ caller }) => caller.keyHash?.[0] ?? caller.client)).toEqual(['0', '1', '_other', 'a', 'b']);
    }
  });

  it('makes room for new callers where others have not called for an hour', () => {
    const use = (index: number, at: number) => ({ key: { prefix: 'key_', hash: String(index).repeat(16) }, at });
    const { rows } = rolledUp([use(1, start), use(2, start), use(3, start + hourInMs + 1)], 2);
    expect(rows.at(-1)?.caller.keyHash).toBe('3'.repeat(16));
  });

  it('knows the networks of a caller, eight at most', () => {
    const uses = Array.from({ length: 12 }, (_, index) => ({ address: `192.0.${index}.7` }));
    expect(rolledUp([...uses, ...uses]).sources.map(({ network }) => network)).toEqual(
      Array.from({ length: 8 }, (_, index) => `192.0.${index}.0/24`),
    );
  });
});

describe('the network of an address', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2::3', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['::1', '::/48'],
    ['/run/proxy.sock', undefined],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('the id of a caller', () => {
  it('is the same wherever it is made', () => {
    expect(callerId({ keyHash: 'a', keyPrefix: 'k', workspace: null, client: 'axios/1.7.0', name: null })).toBe(
      callerId({ ...callerOf(), keyHash: 'a', keyPrefix: 'k' }),
    );
  });

  it('differs wherever a part differs, also where the parts make the same text', () => {
    const ids = [
      { keyHash: null, keyPrefix: null, workspace: null, client: 'ab', name: 'c' },
      { keyHash: null, keyPrefix: null, workspace: null, client: 'a', name: 'bc' },
      { keyHash: null, keyPrefix: null, workspace: 'a', client: 'bc', name: null },
      { keyHash: null, keyPrefix: null, workspace: '', client: 'abc', name: null },
      { keyHash: null, keyPrefix: null, workspace: null, client: 'abc', name: null },
      { keyHash: null, keyPrefix: null, workspace: null, client: 'abc', name: '' },
    ].map(callerId);
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toBeLessThan(2 ** 48);
  });
});

describe('the load of a key', () => {
  it('is kept as it was', () => {
    const minutes = Float64Array.from({ length: 60 }, (_, minute) => (minute % 7 === 0 ? 0 : 3 ** (minute % 25)));
    const back = new Float64Array(60);
    addLoad(encodeLoad(minutes), back, 0);
    expect(back).toEqual(minutes);
  });

  it('has its worst hour and its worst 60 minutes, which may begin the day before', () => {
    const minutes = new Float64Array(minutesOfPeak);
    minutes[59] = 5;
    minutes[60 + 59] = 6;
    minutes[60 + 30 * 6] = 10;
    expect(peakOf(2, minutes)).toEqual({ hour: 48 + 3, hourCalls: 10, window: 2 * 1440 - 1, windowCalls: 11 });
  });

  it('is none on a day without calls', () => {
    const minutes = new Float64Array(minutesOfPeak);
    minutes[59] = 5;
    expect(peakOf(2, minutes)).toBeUndefined();
  });
});
