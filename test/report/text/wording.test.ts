import { describe, expect, test } from 'vitest';
import type { LimitFit, SaversFit } from '../../../src/report/model.ts';
import type { Blocker, Verdict } from '../../../src/report/verdict-model.ts';
import { blockerText, conditionText, verdictText } from '../../../src/report/text/verdict-wording.ts';
import { saversText } from '../../../src/report/text/savers-wording.ts';
import { emptyText, fitLabel, forecastText, gapText, limitText, sunsetText } from '../../../src/report/text/wording.ts';
import { dayInMs } from '../../../src/contract/times.ts';
import { sample } from '../formats/sample.ts';

const last = '2026-11-13T11:59:00.000Z';
const quietFrom = '2026-11-27T11:59:00.000Z';

describe('the words of the report', () => {
  test.each<[Blocker, string]>([
    [
      { code: 'recent_calls', workspaces: 1, clients: 3, last, quietFrom, latest: [] },
      '3 clients of 1 workspace called too recently; the last call was 7 days ago (2026-11-13 11:59 UTC); quiet for long enough on 2026-11-27 if they never call again',
    ],
    [
      { code: 'unidentified_calls', clients: 1, last, quietFrom },
      '1 client without a key called too recently: nobody knows whose; the last call was 7 days ago (2026-11-13 11:59 UTC); quiet for long enough on 2026-11-27 if they never call again. If they are scanners, list them under ignore in the configuration',
    ],
    [
      { code: 'coverage', share: 0.9949, needed: 0.995, goodFrom: quietFrom },
      'the record has gaps (no proxy was recording; a proxy served calls that it could not record): 99.4% of the time that has to be without calls was recorded, and 99.5% is needed; enough on 2026-11-27, if nothing more is missed',
    ],
    [
      { code: 'later_calls', clients: 1, last },
      '1 client called after the end of this report, the last time on 2026-11-13 11:59 UTC: leave out --until to see the calls',
    ],
    [
      { code: 'later_calls', clients: 2, last: quietFrom },
      '2 clients called after the end of this report, the last time on 2026-11-27 11:59 UTC, which is still to come: compare the clocks of this machine and of the proxy',
    ],
    [
      { code: 'lost_calls', calls: 9, last, quietFrom },
      '9 v1 calls could not be recorded: nobody knows whose; the last may have been 7 days ago (2026-11-13 11:59 UTC); long enough ago on 2026-11-27, if no more are lost',
    ],
    [
      { code: 'erased_calls', clients: 2, last, quietFrom },
      '2 clients whose key was erased from the record called too recently: nobody knows any more whose; the last call was on or before 2026-11-13; quiet for long enough on 2026-11-27 if they never call again',
    ],
    [
      { code: 'all_ignored' },
      'all v1 calls that were recorded are ignored: see whether the rules under ignore match more than they should',
    ],
    [
      { code: 'never_seen' },
      'no v1 call was ever recorded: either nobody makes any, or they go past the proxies of this store. See where your integrations send them',
    ],
    [
      { code: 'all_refused' },
      'v2 refused every call that was recorded, so the record shows no client that works: see whether the keys, and the address of v2, are right',
    ],
    [
      { code: 'rare_calls', clients: 1, seenOnce: 1, last, quietFrom, latest: [] },
      '1 client may be a job that runs rarely, and call again, seen on one day only; the last call was 7 days ago (2026-11-13 11:59 UTC); quiet for long enough on 2026-11-27 if they never call again. If you know that they run more often, say so with --rarest-job',
    ],
    [
      { code: 'rare_calls', clients: 3, seenOnce: 2, last, quietFrom, latest: [] },
      '3 clients may be jobs that run rarely, and call again, 2 of them seen on one day only; the last call was 7 days ago (2026-11-13 11:59 UTC); quiet for long enough on 2026-11-27 if they never call again. If you know that they run more often, say so with --rarest-job',
    ],
    [
      { code: 'moved_calls', clients: 1, last, quietFrom, latest: [] },
      '1 client with an unknown key is probably of this workspace, under a new key; the last call was 7 days ago (2026-11-13 11:59 UTC): if so, add that key to the workspace',
    ],
    [
      { code: 'short_record', needed: 62 * dayInMs, recorded: 60_000, goodFrom: '2027-01-21T00:00:00.000Z' },
      '62 days of record are needed to see twice a job that runs every 31 days, 1 minute so far: reached on 2027-01-21, which is after v1 is switched off. If all your jobs run at least every 7 days, say so, and 14 days are enough: --rarest-job 7d',
    ],
    [
      { code: 'short_record', needed: 14 * dayInMs, recorded: 60_000, goodFrom: '2026-12-04T00:00:00.000Z' },
      '14 days of record are needed, 1 minute so far: reached on 2026-12-04',
    ],
    [
      { code: 'hidden_calls', clients: 0, rarestJob: 7 * dayInMs, knownFrom: quietFrom },
      'a client that was never seen may have called in gaps of the record: a job that runs every 7 days could have met one each time; ruled out on 2026-11-27, if no gap comes again: a second proxy that records meanwhile leaves none, nor does a restart within a minute',
    ],
    [
      { code: 'hidden_calls', clients: 2, rarestJob: 7 * dayInMs, knownFrom: quietFrom },
      '2 clients that look quiet may have called in gaps of the record: a job that runs every 7 days could have met one each time; ruled out on 2026-11-27, if no gap comes again: a second proxy that records meanwhile leaves none, nor does a restart within a minute',
    ],
    [
      { code: 'silent_replicas', replicas: [{ name: 'eu-1', since: last }] },
      'silent without having been stopped: eu-1 (since 2026-11-13 11:59 UTC). What is silent may serve calls that nobody records: let it reach the store again, or if it is gone for good, say so with migrate-v2 usage retire NAME',
    ],
    [
      { code: 'missing_replicas', names: ['eu-2'] },
      'listed under replicas in the configuration, but not recording: eu-2. Start each with this --store and its name as --replica, or take it off that list',
    ],
    [{ code: 'no_record' }, 'nothing was ever recorded: start the proxy with this --store, and send the v1 traffic through it'],
  ])('say what is in the way and what to do: %j', async (blocker, text) => {
    expect(blockerText(blocker, await sample())).toBe(text);
  });

  test('name the clients that called last, and count the others', async () => {
    const report = await sample();
    const [first] = report.clients;
    const blocker = { code: 'recent_calls', workspaces: 2, clients: 4, last, quietFrom, latest: [first?.id ?? 0] } as const;
    expect(blockerText(blocker, report)).toMatch(/^4 clients of 2 workspaces called too recently: Acme \(legacy\/2\.1\) and 3 more; /);
  });

  test('name the client for which all have to wait, and why', async () => {
    const { clients, ...report } = await sample();
    const [acme] = clients;
    if (acme === undefined) throw new Error('no client');
    const paused = { ...acme, lastSeen: last, quiet: { duration: 0, longestPause: 35 * dayInMs, needed: 70 * dayInMs } };
    const told = (count: number, needed: number): string =>
      blockerText(
        { code: 'recent_calls', workspaces: 2, clients: count, last, quietFrom: '2027-01-22T11:59:00.000Z', latest: [] },
        { ...report, clients: [{ ...paused, quiet: { ...paused.quiet, needed } }] },
      ).replace(/^.*; /, '');
    const date = 'quiet for long enough on 2027-01-22 if they never call again';
    expect(told(2, 70 * dayInMs)).toBe(`${date}, the last of them Acme (legacy/2.1), which once paused for 35 days`);
    expect(told(1, 70 * dayInMs)).toBe(`${date}, as it once paused for 35 days`);
    expect(told(2, 14 * dayInMs)).toBe(date);
  });

  const recorder = (index: number) => ({ name: `eu-${index}`, since: last, until: quietFrom, state: 'recording' }) as const;

  test.each([
    [
      1,
      'Only calls through eu-0 (2026-11-13 to now, recording) were recorded: see that none goes another way, to v1 itself or through a proxy with another store',
    ],
    [
      40,
      'Only calls through 40 proxies (eu-0, eu-1, eu-2, eu-3, eu-4, eu-5, eu-6, eu-7 and 32 more) were recorded: see that none goes another way, to v1 itself or through a proxy with another store',
    ],
  ])('name %i proxies that recorded, at a length that can be read', (proxies, text) => {
    expect(conditionText({ code: 'recorded_by', replicas: Array.from({ length: proxies }, (_, index) => recorder(index)) })).toBe(text);
  });

  test.each<[Verdict['state'], string]>([
    ['safe', 'nobody has used v1 for 14 days, and the record would have shown any job that runs at least every 7 days'],
    ['not_yet', 'v1 is still in use'],
    ['unknown', 'nobody was seen lately, but that does not rule out a job that runs every 7 days'],
  ])('give the verdict %s in a sentence', (state, text) => {
    const window = { since: last, until: quietFrom, duration: 14 * dayInMs };
    expect(
      verdictText({ state, window, criteria: { rarestJob: 7 * dayInMs, quiet: 0, record: 0 }, coverage: 1, blockers: [], conditions: [] }),
    ).toBe(text);
  });

  test.each([
    [{ days: 40, passed: false }, '40 days until v1 is switched off on 2026-12-31 00:00 UTC'],
    [{ days: 1, passed: false }, '1 day until v1 is switched off on 2026-12-31 00:00 UTC'],
    [{ days: 0, passed: false }, 'v1 is switched off within a day, on 2026-12-31 00:00 UTC'],
    [{ days: -3, passed: true }, 'v1 was switched off on 2026-12-31 00:00 UTC'],
  ])('tell how far the sunset is: %j', (sunset, text) => {
    expect(sunsetText({ deprecatedSince: last, at: '2026-12-31T00:00:00.000Z', ...sunset })).toBe(text);
  });

  test('say why there is no forecast', () => {
    expect(forecastText({ state: 'none', reason: 'growing' })).toBe('no forecast: the calls grow from week to week');
  });

  test('tell a gap with what is known to be missing', () => {
    const gap = { since: last, until: '2026-11-13T13:59:00.000Z', duration: 7_200_000, reason: 'lost', calls: 1 } as const;
    expect(gapText(gap)).toBe(
      '2026-11-13 11:59 UTC to 2026-11-13 13:59 UTC (2 hours): a proxy served calls that it could not record; 1 call missing',
    );
  });

  test('have nothing to say of an empty period where there were calls', async () => {
    expect(emptyText(await sample())).toBeUndefined();
  });
});

describe('the words on savers', () => {
  const free = { plan: 'Free', perHour: 100 } as const;
  /** Of settings that leave so many calls. */
  const saversOf = (left: readonly number[], changes: Partial<SaversFit> = {}): SaversFit => {
    const reuses = [0, 0, 5_000, 10_000, 30_000, 60_000];
    const settings = left.map((v2Calls, index) => ({
      coalescing: index > 0,
      reuse: reuses[index] ?? 0,
      clockHour: v2Calls === 0 ? null : { since: last, until: quietFrom, v2Calls },
    }));
    const needed = settings.find(({ clockHour }) => (clockHour?.v2Calls ?? 0) <= 100) ?? null;
    return { since: last, limit: free, untranslated: 0, settings, needed, smallestPlan: 'Free', ...changes };
  };
  const worst = '412 calls in its worst clock hour (from 2026-11-13 11:59 UTC)';

  test.each<[string, SaversFit, string | undefined]>([
    ['reuse that is enough', saversOf([412, 400, 200, 71, 50, 40]), `${worst}; with reuse of 10 s and coalescing 71: fits Free`],
    ['coalescing that is', saversOf([412, 90, 80, 71, 50, 40]), `${worst}; with coalescing alone 90: fits Free`],
    [
      'savers that are not',
      saversOf([412, 400, 400, 400, 310, 300], { smallestPlan: 'Pro' }),
      `${worst}; with reuse of 60 s and coalescing still 300: does not fit Free, but Pro`,
    ],
    [
      'savers that are not, for any plan',
      saversOf([412, 400, 400, 400, 310, 300], { smallestPlan: null }),
      `${worst}; with reuse of 60 s and coalescing still 300: does not fit Free`,
    ],
    [
      'a plan whose limit is not known',
      saversOf([412, 400, 200, 71, 50, 40], { limit: null, needed: null }),
      `${worst}; with reuse of 60 s and coalescing 40`,
    ],
    [
      'calls that v1 still answers',
      saversOf([412, 400, 200, 71, 50, 40], { untranslated: 400 }),
      `${worst}, of which v1 still answers 400; with reuse of 10 s and coalescing 71: fits Free`,
    ],
    [
      'calls that v1 still answers, and that fit',
      saversOf([90, 90, 90, 90, 90, 90], { untranslated: 90 }),
      '90 calls in its worst clock hour (from 2026-11-13 11:59 UTC), of which v1 still answers 90: fits Free without saving any',
    ],
    [
      'calls that v1 still answers, of which none would be saved',
      saversOf([412, 412, 412, 412, 412, 412], { untranslated: 12 }),
      `${worst}, of which v1 still answers 12; none of them would be saved`,
    ],
    ['calls that fit', saversOf([90, 90, 80, 71, 50, 40]), undefined],
    ['calls that cannot be saved', saversOf([412, 412, 412, 412, 412, 412]), undefined],
    ['no calls', saversOf([0, 0, 0, 0, 0, 0]), undefined],
  ])('speak of %s', (_name, savers, text) => {
    expect(saversText(savers)).toBe(text);
  });
});

describe('the words on limits', () => {
  const peak = (v2Calls: number) => ({ since: last, until: quietFrom, v2Calls });
  const free = { plan: 'Free', perHour: 100, basis: 'published' } as const;
  const fit: LimitFit = {
    limit: free,
    clockHour: peak(90),
    sliding: peak(120),
    older: null,
    fit: 'depends',
    refused: { clockHour: 0, sliding: 20 },
    smallestPlan: 'Pro',
    notShown: ['Starter', 'Growth'],
    tame: { endpoint: 'GET /v1/messages/:id', v2Calls: 60, share: 0.5 },
    savers: null,
  };
  const worst = 'up to 120 v2 calls in 60 minutes (from 2026-11-13 11:59 UTC), 90 in the worst clock hour: ';

  test.each<[string, Partial<LimitFit>, string | undefined]>([
    [
      'one that depends on how v2 counts',
      {},
      `${worst}may exceed, depending on how v2 counts an hour, the 100 an hour of Free; 0 to 20 calls would have been refused with 429; the smallest plan that fits is Pro (the limit of Starter and Growth is not shown: ask); tame GET /v1/messages/:id first, which makes 50% of those for v1`,
    ],
    [
      'one that is not shown',
      { limit: { plan: 'Growth', perHour: null, basis: 'not_shown' }, fit: 'unknown', refused: null, smallestPlan: 'Pro' },
      `${worst}cannot be compared with the limit of Growth, which is not shown; the smallest plan that fits is Pro (the limit of Starter and Growth is not shown: ask)`,
    ],
    [
      'one by contract',
      { limit: { plan: 'Enterprise', perHour: null, basis: 'custom' }, fit: 'unknown', refused: null, smallestPlan: 'Enterprise' },
      `${worst}cannot be compared with the limit of Enterprise, which is custom`,
    ],
    [
      'no plan',
      { limit: null, fit: 'unknown', refused: null, notShown: [] },
      `${worst}cannot be compared with any limit, as no plan is configured; the smallest plan that fits is Pro`,
    ],
    ['no v2 call', { clockHour: null, sliding: null }, undefined],
    [
      'a peak that is long past',
      { fit: 'fits', older: peak(400) },
      `${worst}fits into the 100 an hour of Free; earlier up to 400 (from 2026-11-13 11:59 UTC)`,
    ],
    [
      'nothing but a peak that is long past',
      { clockHour: null, sliding: null, fit: 'fits', older: peak(400) },
      'no v2 call in 30 days; earlier up to 400 (from 2026-11-13 11:59 UTC)',
    ],
  ])('speak of %s', (_name, change, text) => {
    expect(limitText({ ...fit, ...change })).toBe(text);
  });

  test('are short in a cell', () => {
    expect([fitLabel(fit), fitLabel({ ...fit, limit: null }), fitLabel({ ...fit, sliding: null, clockHour: null })]).toEqual([
      '120 of 100',
      '120',
      '',
    ]);
  });
});
