import { describe, expect, test as base } from 'vitest';
import { plans } from '../../src/contract/plans.ts';
import { sandboxFixtures } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };

/** A refusal of the dashboard. @param says a part of its message */
function refusal(code: string, says = '') {
  return expect.objectContaining({ name: 'DashboardError', code, message: expect.stringContaining(says) });
}

/** What a call throws. */
function thrown(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return 'nothing was thrown';
}

describe('workspaces', () => {
  test('demo stands for the demo workspace', ({ sandbox: { dashboard, demo } }) => {
    dashboard.changeWorkspace('demo', { name: 'Renamed' });
    expect(dashboard.workspaces()).toContainEqual(expect.objectContaining({ id: demo.workspaceId, name: 'Renamed' }));
  });
  test.for(plans)('one is created on the plan %s', (plan, { sandbox: { dashboard } }) => {
    const created = dashboard.createWorkspace({ name: ' Shop ', plan });
    expect(created).toMatchObject({ name: 'Shop', plan, limits: {}, createdAt: '2026-08-01T12:00:00.000Z' });
    expect(dashboard.workspaces()).toContainEqual(created);
  });
  test.for(['', '  ', 'x'.repeat(201)])('a name must be a text of 1 to 200 characters: %j', (name, { sandbox: { dashboard } }) => {
    expect(thrown(() => dashboard.createWorkspace({ name, plan: 'Free' }))).toEqual(refusal('INVALID', 'name: '));
    expect(thrown(() => dashboard.changeWorkspace('demo', { name }))).toEqual(refusal('INVALID', 'name: '));
  });
  test('an id that does not exist is said to', ({ sandbox: { dashboard } }) => {
    expect(thrown(() => dashboard.usage('ws_nothing'))).toEqual(refusal('WORKSPACE_NOT_FOUND'));
  });
  test('own limits count in place of those of the plan, and null gives the plan’s back', ({ sandbox: { dashboard } }) => {
    const { id } = dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
    dashboard.changeWorkspace(id, { limits: { perDay: 7, perHour: 9 } });
    expect(dashboard.changeWorkspace(id, { limits: { perHour: null } })).toMatchObject({ plan: 'Free', limits: { perDay: 7 } });
    expect(dashboard.usage(id)).toMatchObject({ day: { limit: 7 }, hour: { limit: 100 } });
  });
  test.for([-1, 1.5, Number.NaN])('a limit must be a whole number that is not negative: %d', (perDay, { sandbox: { dashboard } }) => {
    expect(thrown(() => dashboard.changeWorkspace('demo', { limits: { perDay } }))).toEqual(refusal('INVALID', 'limits.perDay: '));
  });
  test('usage shows the calls so far, beside what is allowed', async ({ sandbox: { dashboard, call } }) => {
    const { id } = dashboard.createWorkspace({ name: 'Shop', plan: 'Pro' });
    const { value: key, id: keyId } = dashboard.createKey(id, { name: 'CRM', access: 'read', perMinute: 5 });
    dashboard.deleteKey(id, dashboard.createKey(id, { name: 'Old', access: 'read' }).id);
    for (const path of ['/v1/messages', '/v1/contacts', '/v2/messages']) await call(`GET ${path}`, { key });
    expect(dashboard.usage(id)).toEqual({
      minute: [{ keyId, used: 2, limit: 5 }],
      day: { used: 2, limit: 50_000 },
      hour: { used: 1, limit: 1_000 },
      webhookEndpoints: { used: 0, limit: 100 },
    });
  });
  test('where there is no limit, usage says null', ({ sandbox: { dashboard } }) => {
    dashboard.changeWorkspace('demo', { plan: 'Agency' });
    expect(dashboard.usage('demo').webhookEndpoints).toEqual({ used: 0, limit: null });
  });
});

describe('api.md §§2, 3, 5: keys', () => {
  test('a created key works on both versions, and its value is shown this once', async ({ sandbox: { dashboard, call } }) => {
    const { value, ...key } = dashboard.createKey('demo', { name: 'CRM', access: 'read-write' });
    expect(await call('POST /v1/messages/send', { key: value, json: message })).toMatchObject({ status: 200 });
    expect(await call('POST /v2/messages/send', { key: value, json: message })).toMatchObject({ status: 200 });
    expect(key).toMatchObject({ name: 'CRM', access: 'read-write', prefix: value.slice(0, 8), state: 'active' });
    expect(dashboard.keys('demo')).toContainEqual(key);
    expect(JSON.stringify(dashboard.keys('demo'))).not.toContain(value);
  });
  test('a key belongs to its workspace alone', async ({ sandbox: { dashboard, call } }) => {
    await call('POST /v1/messages/send', { json: message });
    const { id } = dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
    const { value: key } = dashboard.createKey(id, { name: 'CRM', access: 'read' });
    expect((await call('GET /v1/messages', { key })).body).toMatchObject({ total: 0 });
    expect(await call('POST /v1/messages/send', { key, json: message })).toMatchObject({ body: { code: 'API_KEY_PERMISSION' } });
  });
  test.for(['owner', 'admin'] as const)('an %s creates, changes and deletes keys', (role, { sandbox: { dashboard } }) => {
    const { id } = dashboard.createKey('demo', { name: 'CRM', access: 'read' }, role);
    expect(dashboard.changeKey('demo', id, { perMinute: 3 }, role)).toMatchObject({ perMinute: 3 });
    expect(dashboard.deleteKey('demo', id, role)).toMatchObject({ state: 'deleted' });
  });
  test('a member does not', ({ sandbox: { dashboard } }) => {
    const { id } = dashboard.createKey('demo', { name: 'CRM', access: 'read' });
    expect(thrown(() => dashboard.createKey('demo', { name: 'CRM', access: 'read' }, 'member'))).toEqual(refusal('ROLE'));
    expect(thrown(() => dashboard.changeKey('demo', id, {}, 'member'))).toEqual(refusal('ROLE'));
    expect(thrown(() => dashboard.deleteKey('demo', id, 'member'))).toEqual(refusal('ROLE'));
    expect(dashboard.keys('demo').at(-1)).toMatchObject({ id, state: 'active' });
  });
  test('a deleted key is rejected at once, and cannot be changed', async ({ sandbox: { dashboard, call } }) => {
    const { id, value: key } = dashboard.createKey('demo', { name: 'CRM', access: 'read' });
    dashboard.deleteKey('demo', id);
    expect(await call('GET /v1/messages', { key })).toMatchObject({ status: 401, body: { error: 'Invalid API key' } });
    expect(thrown(() => dashboard.changeKey('demo', id, { expiresAt: null }))).toEqual(refusal('KEY_NOT_FOUND'));
  });
  test('a key expires when its instant is past, and lives again without one', async ({ sandbox: { dashboard, clock, call } }) => {
    const draft = { name: 'CRM', access: 'read', expiresAt: '2026-08-02T00:00:00Z' } as const;
    const { id, value: key } = dashboard.createKey('demo', draft);
    expect(dashboard.keys('demo').at(-1)).toMatchObject({ state: 'active', expiresAt: '2026-08-02T00:00:00.000Z' });
    await clock.set('2026-08-02T00:00:00.001Z');
    expect(dashboard.keys('demo').at(-1)).toMatchObject({ state: 'expired' });
    expect(await call('GET /v1/messages', { key })).toMatchObject({ status: 401, body: { error: 'API key expired' } });
    expect(dashboard.changeKey('demo', id, { expiresAt: null })).toMatchObject({ state: 'active', expiresAt: null });
    expect(await call('GET /v1/messages', { key })).toMatchObject({ status: 200 });
  });
  test('a key keeps to its own limit', async ({ sandbox: { dashboard, call } }) => {
    const { value: key } = dashboard.createKey('demo', { name: 'CRM', access: 'read', perMinute: 1 });
    expect(await call('GET /v1/messages', { key })).toMatchObject({ status: 200 });
    expect(await call('GET /v1/messages', { key })).toMatchObject({ status: 429, body: { code: 'API_KEY_RATE_LIMITED' } });
  });
  test('a key of another workspace is not found', ({ sandbox: { dashboard } }) => {
    const { id } = dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
    const [key] = dashboard.keys('demo');
    expect(thrown(() => dashboard.deleteKey(id, key?.id ?? ''))).toEqual(refusal('KEY_NOT_FOUND'));
  });
});

describe('where the assumption says that members may change keys', () => {
  test.override({ options: { assumptions: { keyChangesNeedAdmin: false } } });
  test('they still cannot create any (api.md §2)', ({ sandbox: { dashboard } }) => {
    const { id } = dashboard.createKey('demo', { name: 'CRM', access: 'read' });
    expect(dashboard.changeKey('demo', id, { perMinute: 3 }, 'member')).toMatchObject({ perMinute: 3 });
    expect(dashboard.deleteKey('demo', id, 'member')).toMatchObject({ state: 'deleted' });
    expect(thrown(() => dashboard.createKey('demo', { name: 'CRM', access: 'read' }, 'member'))).toEqual(refusal('ROLE'));
  });
});
