import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };

function unauthorized(error: string) {
  return { status: 401, body: { success: false, error } };
}

const forbidden = { status: 403, body: { success: false, error: 'API key lacks write permission', code: 'API_KEY_PERMISSION' } };

/** A read & write key of another workspace than the demo's. */
function neighbourKey({ store, demo }: TestSandbox): string {
  const neighbour = store.workspaces().find(({ id }) => id !== demo.workspaceId);
  if (neighbour === undefined) throw new Error('A sandbox starts with two workspaces');
  return store.keys.create(neighbour, { name: 'Neighbour', access: 'read-write' }).value;
}

describe.each(versions)('version %s', (version) => {
  describe('api.md §§3, 5 and 7: keys', () => {
    test('§5.1 a key in the field of its version lets the call in', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages`)).toMatchObject({ status: 200, body: { success: true, data: [] } });
    });
    test('§1 a key identifies a workspace, and all data is scoped to it', async ({ sandbox }) => {
      const { call } = sandbox;
      const key = neighbourKey(sandbox);
      const sent = await call(`POST ${version}/messages/send`, { json: message });
      const { messageId } = sent.body as { messageId: string };
      expect(await call(`GET ${version}/messages/${messageId}`)).toMatchObject({ status: 200 });
      expect(await call(`GET ${version}/messages/${messageId}`, { key })).toMatchObject({ status: 404 });
      expect(await call(`GET ${version}/messages`, { key })).toMatchObject({ body: { data: [], total: 0 } });
    });
    test('§1 contacts of another workspace do not count as duplicates', async ({ sandbox }) => {
      const contact = { json: { phone: '+491' } };
      expect(await sandbox.call(`POST ${version}/contacts`, contact)).toMatchObject({ status: 201 });
      expect(await sandbox.call(`POST ${version}/contacts`, { ...contact, key: neighbourKey(sandbox) })).toMatchObject({ status: 201 });
    });
    test('§7 no key: 401 Missing API key', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages`, { key: null })).toMatchObject(unauthorized('Missing API key'));
    });
    test('§7 a key with nothing in it: 401 Missing API key', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages`, { key: '' })).toMatchObject(unauthorized('Missing API key'));
    });
    test('§7 an unknown key: 401 Invalid API key', async ({ sandbox: { call } }) => {
      expect(await call(`GET ${version}/messages`, { key: 'ak_nobody' })).toMatchObject(unauthorized('Invalid API key'));
    });
    test('§3 a deleted key is rejected: 401 Invalid API key', async ({ sandbox: { call, demo } }) => {
      expect(await call(`GET ${version}/messages`, { key: demo.deletedKey })).toMatchObject(unauthorized('Invalid API key'));
    });
    test('§3 an expired key is rejected: 401 API key expired', async ({ sandbox: { call, demo } }) => {
      expect(await call(`GET ${version}/messages`, { key: demo.expiredKey })).toMatchObject(unauthorized('API key expired'));
    });
    test('§2 a key is good up to its expiry date and rejected after it', async ({ sandbox: { call, store, demo, clock } }) => {
      const workspace = store.workspace(demo.workspaceId);
      if (workspace === undefined) throw new Error('The demo workspace exists');
      const { value: key } = store.keys.create(workspace, { name: 'Short', access: 'read', expiresAt: clock.now() + 1000 });
      clock.advance(1000);
      expect(await call(`GET ${version}/messages`, { key })).toMatchObject({ status: 200 });
      clock.advance(1);
      expect(await call(`GET ${version}/messages`, { key })).toMatchObject(unauthorized('API key expired'));
    });
    test('§3 a key that was deleted after its expiry is Invalid', async ({ sandbox: { call, store, demo, clock } }) => {
      const workspace = store.workspace(demo.workspaceId);
      if (workspace === undefined) throw new Error('The demo workspace exists');
      const { key, value } = store.keys.create(workspace, { name: 'Short', access: 'read', expiresAt: clock.now() - 1 });
      store.keys.delete(key);
      expect(await call(`GET ${version}/messages`, { key: value })).toMatchObject(unauthorized('Invalid API key'));
    });
    test('§5.3 a read-only key may GET', async ({ sandbox: { call, demo } }) => {
      expect(await call(`GET ${version}/contacts`, { key: demo.readOnlyKey })).toMatchObject({ status: 200 });
    });
    test('§5.3 a read-only key on any POST: 403 API_KEY_PERMISSION', async ({ sandbox: { call, demo } }) => {
      for (const path of ['/messages/send', '/contacts', '/campaigns', '/campaigns/cmp_1/send']) {
        expect(await call(`POST ${version}${path}`, { key: demo.readOnlyKey, json: {} })).toMatchObject(forbidden);
      }
    });
    test('assumption putNeedsWrite: a read-only key on PUT: 403 API_KEY_PERMISSION', async ({ sandbox: { call, demo } }) => {
      expect(await call(`PUT ${version}/contacts/con_1`, { key: demo.readOnlyKey, json: {} })).toMatchObject(forbidden);
    });
    test('the access is checked before the body', async ({ sandbox: { call, demo } }) => {
      expect(await call(`POST ${version}/contacts`, { key: demo.readOnlyKey, raw: 'nonsense' })).toMatchObject(forbidden);
    });
    test('the key is checked before the access and the body', async ({ sandbox: { call } }) => {
      expect(await call(`POST ${version}/contacts`, { key: null, raw: 'nonsense' })).toMatchObject(unauthorized('Missing API key'));
    });
  });

  describe('putNeedsWrite off', () => {
    test.override({ options: { assumptions: { putNeedsWrite: false } } });
    test('a read-only key may PUT', async ({ sandbox: { call, demo } }) => {
      const created = await call(`POST ${version}/contacts`, { json: { phone: '+491' } });
      const { id } = (created.body as { data: { id: string } }).data;
      expect(await call(`PUT ${version}/contacts/${id}`, { key: demo.readOnlyKey, json: { name: 'Ada' } })).toMatchObject({
        status: 200,
      });
    });
    test('a read-only key may still not POST', async ({ sandbox: { call, demo } }) => {
      expect(await call(`POST ${version}/contacts`, { key: demo.readOnlyKey, json: { phone: '+491' } })).toMatchObject(forbidden);
    });
  });
});

const twoTexts = { bearerOnV1Text: 'Invalid API key', repeatedKeyText: 'API key expired' };

describe('api.md §5, version 1 only', () => {
  test.override({ options: { assumptions: twoTexts } });
  test('§5.2 a good key as Authorization: Bearer is not accepted on v1: 401', async ({ sandbox: { call, demo } }) => {
    const headers = ['Authorization', `Bearer ${demo.readWriteKey}`];
    expect(await call('GET /v1/messages', { key: null, headers })).toMatchObject(unauthorized(twoTexts.bearerOnV1Text));
    expect(await call('GET /v1/messages', { key: '', headers })).toMatchObject(unauthorized(twoTexts.bearerOnV1Text));
  });
  test('§5.4 another scheme than Bearer is just no key', async ({ sandbox: { call } }) => {
    const headers = ['Authorization', 'Basic YTpi'];
    expect(await call('GET /v1/messages', { key: null, headers })).toMatchObject(unauthorized('Missing API key'));
  });
  test('§5.2 beside a good x-api-key, Authorization: Bearer says nothing', async ({ sandbox: { call } }) => {
    expect(await call('GET /v1/messages', { headers: ['Authorization', 'Bearer session'] })).toMatchObject({ status: 200 });
  });
  test('§5.2 beside an unknown x-api-key, Authorization: Bearer does not help', async ({ sandbox: { call, demo } }) => {
    const headers = ['Authorization', `Bearer ${demo.readWriteKey}`];
    expect(await call('GET /v1/messages', { key: 'ak_nobody', headers })).toMatchObject(unauthorized('Invalid API key'));
  });
  test('§5.1 exactly one key: the same good key twice is rejected', async ({ sandbox: { call, demo } }) => {
    const headers = ['X-Api-Key', demo.readWriteKey];
    expect(await call('GET /v1/messages', { headers })).toMatchObject(unauthorized(twoTexts.repeatedKeyText));
  });
  test('the name of x-api-key may be in any case', async ({ sandbox: { call, demo } }) => {
    expect(await call('GET /v1/messages', { key: null, headers: ['X-API-KEY', demo.readWriteKey] })).toMatchObject({ status: 200 });
  });
});

describe('api.md §5, version 2 only', () => {
  test('a key in x-api-key alone is no key on v2: 401 Missing API key', async ({ sandbox: { call, demo } }) => {
    const headers = ['x-api-key', demo.readWriteKey];
    expect(await call('GET /v2/messages', { key: null, headers })).toMatchObject(unauthorized('Missing API key'));
  });
  test('the scheme may be in any case', async ({ sandbox: { call, demo } }) => {
    const headers = ['Authorization', `bEARER ${demo.readWriteKey}`];
    expect(await call('GET /v2/messages', { key: null, headers })).toMatchObject({ status: 200 });
  });
  test('another scheme than Bearer is no key', async ({ sandbox: { call, demo } }) => {
    const headers = ['Authorization', `Basic ${demo.readWriteKey}`];
    expect(await call('GET /v2/messages', { key: null, headers })).toMatchObject(unauthorized('Missing API key'));
  });
  test('words after the key make it an unknown one', async ({ sandbox: { call, demo } }) => {
    const headers = ['Authorization', `Bearer ${demo.readWriteKey} more`];
    expect(await call('GET /v2/messages', { key: null, headers })).toMatchObject(unauthorized('Invalid API key'));
  });
  test('a read-only key on DELETE: 403 API_KEY_PERMISSION', async ({ sandbox: { call, demo } }) => {
    expect(await call('DELETE /v2/contacts/con_1', { key: demo.readOnlyKey })).toMatchObject(forbidden);
  });
});
