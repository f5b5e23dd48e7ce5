import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { startSandbox, type TestSandbox } from '../helpers/sandbox.ts';

const clock = '2026-08-01T12:00:00Z';

async function transcript(sandbox: TestSandbox): Promise<readonly string[]> {
  const send = { json: { channel: 'SMS', to: '1', content: 'x' } };
  const replies = [
    await sandbox.call('POST /v1/messages/send', send),
    await sandbox.call('POST /v2/contacts', { json: { phone: '1' } }),
    await sandbox.call('POST /v1/campaigns', { json: {} }),
    await sandbox.call('GET /v2/messages'),
  ];
  return replies.map(({ text }) => text);
}

describe('a seed', () => {
  test('the same seed and the same calls give the same bytes', async () => {
    await using one = await startSandbox({ seed: 'a' });
    await using other = await startSandbox({ seed: 'a' });
    expect(other.demo).toEqual(one.demo);
    expect(await transcript(other)).toEqual(await transcript(one));
  });
  test('another seed gives other ids and keys', async () => {
    await using one = await startSandbox({ seed: 'a' });
    await using other = await startSandbox({ seed: 'b' });
    expect(new Set([...Object.values(one.demo), ...Object.values(other.demo)]).size).toBe(10);
  });
  test('no id is given out twice', async () => {
    await using sandbox = await startSandbox();
    const texts = await Promise.all(Array.from({ length: 50 }, () => transcript(sandbox)));
    const ids = new Set(texts.flatMap(([message = '']) => /msg_\w+/.exec(message)?.[0] ?? []));
    expect(ids.size).toBe(50);
  });
});

describe('api.md §§2 and 5: key values', () => {
  test('a value is shown once; afterwards only a prefix is visible', () => {
    const { store, demo } = createSandbox({ clock });
    const workspace = store.workspace(demo.workspaceId);
    const keys = workspace ? store.keys.list(workspace) : [];
    expect(keys.map(({ name, access, prefix }) => ({ name, access, prefix }))).toContainEqual({
      name: 'Demo, read & write',
      access: 'read-write',
      prefix: demo.readWriteKey.slice(0, 8),
    });
    const values = [demo.readWriteKey, demo.readOnlyKey, demo.expiredKey, demo.deletedKey];
    expect(values.filter((value) => JSON.stringify(keys).includes(value))).toEqual([]);
  });
  test('a list of keys tells their states', () => {
    const { store, demo } = createSandbox({ clock });
    const workspace = store.workspace(demo.workspaceId);
    const states = workspace ? store.keys.list(workspace).map((key) => store.keys.stateOf(key)) : [];
    expect(states.toSorted()).toEqual(['active', 'active', 'deleted', 'expired']);
  });
});

describe('faults of the sandbox itself', () => {
  test.for(['/v1', '/v2'])('an exception on %s is a 500 without details, and is told to onError', async (version) => {
    const errors: unknown[] = [];
    await using sandbox = await startSandbox({ onError: (error) => errors.push(error) });
    const fault = new Error('broken on purpose');
    sandbox.store.addContact = () => {
      throw fault;
    };
    expect(await sandbox.call(`POST ${version}/contacts`, { json: { phone: '1' } })).toMatchObject({
      status: 500,
      body: { success: false, error: 'Internal server error' },
    });
    expect(errors).toEqual([fault]);
  });
  test('an unaccepted contact field is no fault of the sandbox', async () => {
    const errors: unknown[] = [];
    await using sandbox = await startSandbox({ onError: (error) => errors.push(error) });
    await sandbox.call('POST /v1/contacts', { json: { phone: '1', nickname: 'x' } });
    expect(errors).toEqual([]);
  });
});

test('the handler works in a server of one’s own', async () => {
  const { handler, demo } = createSandbox({ clock });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const reply = await fetch(`http://127.0.0.1:${port}/v1/messages`, { headers: { 'x-api-key': demo.readOnlyKey } });
  expect(await reply.json()).toMatchObject({ success: true, data: [] });
  server.close();
  server.closeAllConnections();
});
