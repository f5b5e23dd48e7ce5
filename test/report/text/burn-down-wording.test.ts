import { describe, expect, test } from 'vitest';
import type { Outlook } from '../../../src/report/burn-down/model.ts';
import { burnDownLine, callingText, inTimeText } from '../../../src/report/text/burn-down-wording.ts';
import { pastProxies } from '../../../src/report/logs/past.ts';
import { daily } from '../../helpers/usage-store.ts';
import { reportOf, sample } from '../formats/sample.ts';

const none = pastProxies([]);
const outlookText = (outlook: Outlook): string => inTimeText(outlook, none);

const forecast: Extract<Outlook, { state: 'forecast' }> = {
  state: 'forecast',
  date: '2026-12-20T00:00:00.000Z',
  earliest: '2026-12-01T00:00:00.000Z',
  latest: '2027-02-03T00:00:00.000Z',
  confidence: 0.9,
  inTime: 0.7,
  atSunset: { of: 11, expected: 1.2, low: 0, high: 4 },
  basis: { since: '2026-10-09T12:00:00.000Z', until: '2026-11-20T12:00:00.000Z', weeks: 6, workspaces: 20, stopped: 9 },
};

describe('the outlook', () => {
  const pace = 'at the pace of the last 6 weeks, in which 9 of 20 workspaces stopped';

  test('answers first, and says by which pace', () => {
    expect(outlookText(forecast)).toBe(
      `probably, ${pace}: the last one stops about 2026-12-20, with 90% confidence between 2026-12-01 and 2027-02-03; 0 to 4 of 11 still call at the sunset`,
    );
  });

  test.each([
    [0.95, 'yes'],
    [0.5, 'probably'],
    [0.49, 'probably not'],
    [0.09, 'no'],
    [0, 'no'],
  ])('of %s is %s', (inTime, answer) => {
    expect(outlookText({ ...forecast, inTime })).toMatch(new RegExp(`^${answer}, at the pace`));
  });

  test('has no end where it is years away', () => {
    expect(outlookText({ ...forecast, latest: null })).toContain('about 2026-12-20, with 90% confidence not before 2026-12-01;');
    expect(outlookText({ ...forecast, date: null, latest: null })).toContain(
      'in more than two years, with 90% confidence not before 2026-12-01;',
    );
    expect(outlookText({ ...forecast, date: null, earliest: null, latest: null })).toContain(
      ': the last one stops in more than two years;',
    );
  });

  test('after the sunset is the date alone', () => {
    expect(outlookText({ ...forecast, inTime: null, atSunset: null })).toBe(
      `${pace}: the last one stops about 2026-12-20, with 90% confidence between 2026-12-01 and 2027-02-03`,
    );
  });

  test('says why nobody can say', () => {
    expect(outlookText({ state: 'none', reason: 'nobody_stopped' })).toBe('not at this pace: nobody has stopped in the last six weeks');
  });
});

describe('calls past the proxies, as access logs show them,', () => {
  const quiet = { traffic: [{ key: 'mk_acme_1', calls: daily(130, 70, 2) }], recorded: [[130, 0]] } as const;
  const edge = (days: number) => ({ source: 'edge', reach: [days + 1, days], calls: [{ key: 'mk_bolt_1', days }, { days }] }) as const;
  const textOf = async (logs: readonly ReturnType<typeof edge>[]): Promise<readonly string[]> => {
    const { burnDown, verdict } = await reportOf({ ...quiet, logs });
    const past = pastProxies(verdict.blockers);
    return [inTimeText(burnDown.outlook, past), callingText(burnDown, past)];
  };
  const calling = '0 workspaces and 0 clients in the last 7 days (0 and 0 in the 7 days before)';

  test('are of somebody who is left, and in no figure', async () => {
    expect(await textOf([])).toEqual(['nobody is left who calls, or may call again by what was seen', calling]);
    expect(await textOf([edge(1)])).toEqual([
      'nobody is left who calls through the proxies, or may call again by what was seen; 2 clients called past them, and when that ends nobody can say',
      `${calling}; besides, 2 clients called past the proxies, the last time on 2026-11-19 (access logs: edge)`,
    ]);
  });

  test('may go on where the logs end', async () => {
    expect(await textOf([edge(100)])).toEqual([
      'nobody is left who calls through the proxies, or may call again by what was seen; who calls past them now nobody can say, as access logs end (edge on 2026-08-12)',
      calling,
    ]);
  });

  test('are in no forecast', async () => {
    const { verdict } = await reportOf({ ...quiet, logs: [edge(1)] });
    expect(inTimeText({ ...forecast, inTime: 0.95 }, pastProxies(verdict.blockers))).toMatch(
      /^through the proxies: yes, at the pace .* still call at the sunset; 2 clients called past them, and when that ends nobody can say$/,
    );
  });
});

describe('who calls now', () => {
  test('is told with who rests, and what of the week was not recorded', async () => {
    const { burnDown } = await sample();
    const resting = [{ workspace: 'Monthly', last: '2026-11-01T00:00:00.000Z', until: '2026-12-16T00:00:00.000Z' }];
    expect(callingText({ ...burnDown, resting, now: { ...burnDown.now, recorded: 0.5, unknownKeys: 0 } }, none)).toBe(
      '2 workspaces and 2 clients in the last 7 days (2 and 2 in the 7 days before); 1 more rest between two runs; 50% of that time was recorded',
    );
  });

  test('is drawn down to the sunset, into the room that there is', async () => {
    const report = await sample();
    const line = burnDownLine(report, 40);
    expect(line.length).toBeLessThanOrEqual(40);
    expect(line).toMatch(/^[▁-█]+╌+┤$/);
    expect(burnDownLine({ ...report, sunset: { ...report.sunset, passed: true } }, 40)).toMatch(/^[▁-█]+$/);
    expect(burnDownLine({ ...report, burnDown: { ...report.burnDown, days: [] } }, 40)).toBe('');
  });
});
