import { describe, expect, it } from 'vitest';
import { type ErrorContext, translateError } from '../../proxy/errors/translate.ts';
import { readV2Error } from '../../proxy/errors/read.ts';
import { assume } from '../../src/contract/assumptions.ts';
import { v1Endpoints } from '../../src/contract/endpoints.ts';

const now = Date.parse('2026-11-20T10:59:30Z');
const untilMidnight = String(13 * 3600 + 30);

/** What v1 answers to a send that v2 refuses with this. */
function translated(status: number, body: object | string, fields: Record<string, string> = {}) {
  const context: ErrorContext = {
    status,
    error: readV2Error(typeof body === 'string' ? body : JSON.stringify(body), 'application/json'),
    endpoint: v1Endpoints.createContact,
    field: (name) => fields[name],
    assumptions: assume(),
    now,
  };
  return translateError(context);
}

const daily = { success: false, error: 'Daily API limit reached', code: 'API_DAILY_LIMIT', upgradeUrl: '/settings/billing' };
const resetAt = '2026-11-21T00:00:00.000Z';

describe('a limit that v2 names by its code', () => {
  it.each([400, 401, 402, 403, 404, 409, 418, 422, 429])('is the daily limit at status %i', (status) => {
    const answer = translated(status, { code: 'API_DAILY_LIMIT', limit: 5 }, { 'retry-after': '9' });
    expect(answer).toEqual({ status: 429, body: { ...daily, limit: 5, resetAt }, retryAfter: untilMidnight });
  });

  it.each([400, 402, 403, 409, 429])('is the limit per minute at status %i', (status) => {
    const answer = translated(status, { error: { code: 'API_KEY_RATE_LIMITED', message: 'Slow down' } }, { 'retry-after': '9' });
    expect(answer).toEqual({
      status: 429,
      body: { success: false, error: 'Slow down', code: 'API_KEY_RATE_LIMITED' },
      retryAfter: '9',
    });
  });

  it('is a fault of the server at a status of 500 and above', () => {
    expect(translated(500, { code: 'API_DAILY_LIMIT' })).toMatchObject({ status: 500, body: { error: 'Internal server error' } });
  });
});

describe('the number of a daily limit', () => {
  it.each([
    ['5', 5],
    ['5e2', 500],
    ['"500"', 500],
    ['1e400', 0],
    ['-1e400', 0],
    ['1e-400', 0],
    ['2.5', 0],
    ['"many"', 0],
    ['""', 0],
    ['null', 0],
    ['true', 0],
    ['{"toString":1}', 0],
  ])('is read from %s as %i', (limit, expected) => {
    expect(translated(429, `{"code":"API_DAILY_LIMIT","limit":${limit}}`)).toMatchObject({ status: 429, body: { limit: expected } });
  });
});

describe('when a daily limit ends, and where to get more', () => {
  const said = (body: object): object => translated(429, { code: 'API_DAILY_LIMIT', ...body }).body;

  it.each(['2026-11-21T00:00:00Z', '2026-11-21T00:00:00.000Z', '2026-11-21T01:00:00+01:00'])('resetAt is what v2 says: %s', (given) => {
    expect(said({ resetAt: given })).toMatchObject({ resetAt: given });
  });
  it.each(['/billing', '/settings/plans?upgrade=1#pro'])('upgradeUrl is what v2 says: %s', (given) => {
    expect(said({ upgradeUrl: given })).toMatchObject({ upgradeUrl: given });
  });
  it.each(['', 'soon', 'Bearer ak_1', '2026-13-41T00:00:00Z', '2026-11-21', 5])('resetAt that is no timestamp is v1’s own: %j', (given) => {
    expect(said({ resetAt: given })).toMatchObject({ resetAt });
  });
  it.each(['', 'billing', 'Bearer ak_1', '//elsewhere.example', '/a b', 5])('upgradeUrl that is no path is v1’s own: %j', (given) => {
    expect(said({ upgradeUrl: given })).toMatchObject({ upgradeUrl: '/settings/billing' });
  });
});

describe('the time to try again', () => {
  it.each(['120', 'Fri, 20 Nov 2026 11:00:00 GMT'])('of a 503 is what v2 says: %s', (said) => {
    expect(translated(503, '', { 'retry-after': said }).retryAfter).toBe(said);
  });

  it.each([400, 500, 503])('of a %i is not made up', (status) => {
    expect(translated(status, '').retryAfter).toBeUndefined();
  });
});
