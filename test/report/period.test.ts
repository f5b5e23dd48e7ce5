import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/config/errors.ts';
import { moment } from '../../src/config/types-report.ts';
import { iso, periodBefore, resolvePeriod } from '../../src/report/period.ts';
import { now } from '../helpers/usage-store.ts';

const resolved = (since: string, until?: string) => {
  const {
    since: from,
    until: to,
    size,
  } = resolvePeriod({ since: moment.parse(since), until: until === undefined ? undefined : moment.parse(until) }, now);
  return [new Date(from).toISOString().slice(0, 16), new Date(to).toISOString().slice(0, 16), size];
};

describe('a period', () => {
  test.each([
    ['30d', undefined, ['2026-10-21T00:00', '2026-11-20T12:00', 'day']],
    ['24h', undefined, ['2026-11-19T12:00', '2026-11-20T12:00', 'hour']],
    ['90m', undefined, ['2026-11-20T10:00', '2026-11-20T12:00', 'hour']],
    ['2026-11-01', '2026-11-10T06:30:00Z', ['2026-11-01T00:00', '2026-11-11T00:00', 'day']],
    ['2026-11-09T22:15:00Z', '2026-11-10T06:30:00Z', ['2026-11-09T22:00', '2026-11-10T07:00', 'hour']],
    ['2026-11-01', '2027-01-01', ['2026-11-01T00:00', '2026-11-20T12:00', 'day']],
    ['30d', '20d', ['2026-10-21T00:00', '2026-11-01T00:00', 'day']],
    ['3650d', undefined, ['2016-11-22T00:00', '2026-11-20T12:00', 'day']],
    ['2016-11-20', undefined, ['2016-11-20T00:00', '2026-11-20T12:00', 'day']],
  ])('from %s to %s is in whole hours or days, and ends now at the latest', (since, until, expected) => {
    expect(resolved(since, until)).toEqual(expected);
  });

  test.each([
    ['10d', '20d', '--since: 2026-11-10T12:00:00.000Z is not before --until, which is 2026-10-31T12:00:00.000Z; give an earlier one'],
    ['2026-11-21', undefined, '--since: 2026-11-21T00:00:00.000Z is not before now; give an earlier one'],
    ['2026-11-21', '2026-11-22', '--since: 2026-11-21T00:00:00.000Z lies in the future, of which there is no record; give an earlier one'],
    ['3655d', undefined, '--since: lies more than ten years back; give a later one, 3650d at most'],
    ['1999-12-31', '30d', '--since: lies more than ten years back; give a later one, 3650d at most'],
    ['104249991d', undefined, '--since: lies more than ten years back; give a later one, 3650d at most'],
    ['30d', '104249991d', '--until: lies more than ten years back; give a later one, 3650d at most'],
  ])('from %s to %s is refused', (since, until, message) => {
    expect(() => resolved(since, until)).toThrow(expect.objectContaining({ message, code: 'CONFIG_CONFLICT' }));
    expect(() => resolved(since, until)).toThrow(ConfigError);
  });
});

test('the time before a period ends at the same hour of the day, and before the period begins', () => {
  const period = resolvePeriod({ since: { ago: 7 * 86_400_000 } }, now);
  const { since, until } = periodBefore(period);
  expect([new Date(since).toISOString(), new Date(until).toISOString()]).toEqual(['2026-11-05T00:00:00.000Z', '2026-11-12T12:00:00.000Z']);
  expect(until).toBeLessThanOrEqual(period.since);
});

test('an instant is written as Date writes it', () => {
  for (const time of [
    0,
    1,
    now,
    now + 59_999,
    Date.UTC(2024, 1, 29, 23, 59, 59, 999),
    Date.UTC(1969, 11, 31, 23, 0, 0, 7),
    Date.UTC(12_000, 0, 1),
    now + 0.7,
  ])
    expect(iso(time)).toBe(new Date(time).toISOString());
  expect(() => iso(NaN)).toThrow(RangeError);
});
