import { describe, expect, test as base } from 'vitest';
import { call, sandboxFixtures } from '../../helpers/sandbox.ts';
import { startReceiver } from '../webhooks/service.ts';

const test = base.extend(sandboxFixtures);

const start = '2026-08-01T12:00:00.000Z';

describe('the clock', () => {
  test('is read', async ({ sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'GET /clock')).toMatchObject({ status: 200, body: { now: start, frozen: true } });
  });
  test.for([
    [0, start],
    [1, '2026-08-01T12:00:00.001Z'],
    ['90s', '2026-08-01T12:01:30.000Z'],
    ['5m', '2026-08-01T12:05:00.000Z'],
    ['24h', '2026-08-02T12:00:00.000Z'],
    ['30d', '2026-08-31T12:00:00.000Z'],
    ['500ms', '2026-08-01T12:00:00.500Z'],
  ] as const)('is advanced by %s', async ([by, now], { sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'POST /clock/advance', { json: { by } })).toMatchObject({ status: 200, body: { now, frozen: true } });
  });
  test.for([
    ['2026-12-31T00:00:00Z', '2026-12-31T00:00:00.000Z'],
    ['2026-12-31T02:00:00+02:00', '2026-12-31T00:00:00.000Z'],
    ['2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.001Z'],
  ] as const)('is set to %s', async ([to, now], { sandbox: { adminUrl } }) => {
    expect(await call(adminUrl, 'POST /clock/set', { json: { to } })).toMatchObject({ status: 200, body: { now, frozen: true } });
  });
  test.for([
    ['advance', { by: '90' }, 'by: '],
    ['advance', { by: '90 years' }, 'by: '],
    ['advance', { by: -1 }, 'by: '],
    ['advance', { by: 1e15 }, 'instant'],
    ['advance', {}, 'by: '],
    ['set', { to: 'tomorrow' }, 'to: '],
    ['set', { to: '2026-12-31' }, 'to: '],
    ['set', { to: '2026-02-30T00:00:00Z' }, 'to: '],
  ] as const)('is not turned by what makes no sense: %s %j', async ([path, json, says], { sandbox: { adminUrl } }) => {
    const error = { code: 'INVALID', message: expect.stringContaining(says) };
    expect(await call(adminUrl, `POST /clock/${path}`, { json })).toMatchObject({ status: 400, body: { error } });
    expect(await call(adminUrl, 'GET /clock')).toMatchObject({ body: { now: start } });
  });
  test('runs on, and stands still again', async ({ sandbox: { adminUrl, clock } }) => {
    expect(await call(adminUrl, 'POST /clock/resume')).toMatchObject({ status: 200, body: { frozen: false } });
    expect(clock.frozen).toBe(false);
    expect(await call(adminUrl, 'POST /clock/freeze')).toMatchObject({ status: 200, body: { frozen: true } });
    expect(clock.frozen).toBe(true);
  });
  test('past the sunset, v1 is switched off', async ({ sandbox: { adminUrl, call: callApi } }) => {
    await call(adminUrl, 'POST /clock/set', { json: { to: '2026-12-31T00:00:00Z' } });
    expect(await callApi('GET /v1/messages')).toMatchObject({ status: 410, body: { success: false } });
    expect(await callApi('GET /v2/messages')).toMatchObject({ status: 200 });
  });
});

describe('advancing past what falls due', () => {
  test.override({ options: { allowPrivateWebhooks: true } });
  test('answers when all of it is done', async ({ sandbox: { adminUrl } }) => {
    const receiver = await startReceiver(500);
    await call(adminUrl, 'POST /workspaces/demo/webhooks', { json: { url: receiver.url } });
    await call(adminUrl, 'POST /workspaces/demo/events', { json: { event: 'lead.created' } });
    // Attempts after 0, 5, 15, 35 and 75 seconds.
    await call(adminUrl, 'POST /clock/advance', { json: { by: '74s' } });
    expect(receiver.received).toHaveLength(4);
    await call(adminUrl, 'POST /clock/advance', { json: { by: '1s' } });
    expect(receiver.received).toHaveLength(5);
    expect((await call(adminUrl, 'GET /workspaces/demo/notifications')).body).toMatchObject({ notifications: [{}] });
  });
});
