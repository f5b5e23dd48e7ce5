import { describe, expect, test as base } from 'vitest';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { type Key, Keys } from '../../src/sandbox/store/keys.ts';
import type { Workspace } from '../../src/sandbox/store/workspace.ts';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

/** An empty workspace and a way to make keys in it. */
function setUp() {
  const { store, clock } = createSandbox({ clock: '2026-08-01T12:00:00Z' });
  const workspace = store.createWorkspace('Test', 'Free');
  let ids = 0;
  const keys = new Keys(clock, (kind) => `${kind}_${(++ids).toString().padStart(24, '0')}`);
  return { clock, keys, workspace, store };
}

describe('api.md §2: keys', () => {
  test('a key has the name, access, expiry and limit that were chosen', () => {
    const { keys, workspace, clock } = setUp();
    const expiresAt = clock.now() + 1;
    const { key } = keys.create(workspace, { name: 'Shop', access: 'read', expiresAt, perMinute: 5 });
    const createdAt = '2026-08-01T12:00:00.000Z';
    expect(key).toMatchObject({ name: 'Shop', access: 'read', expiresAt, perMinute: 5, createdAt, deleted: false });
  });
  test('the value can be had when the key is made, and from nothing afterwards: only its first 8 characters are kept', () => {
    const { keys, workspace } = setUp();
    const { key, value } = keys.create(workspace, { name: 'Shop', access: 'read' });
    expect(key.prefix).toBe(value.slice(0, 8));
    expect(value.length).toBeGreaterThan(20);
    for (const kept of [keys.list(workspace), keys.state(), keys.resolve(value)])
      expect(JSON.stringify(kept)).not.toContain(value.slice(8));
  });
  test('the keys of a workspace are listed in the order in which they were made, those of others are not', () => {
    const { keys, workspace, store } = setUp();
    const other = store.createWorkspace('Other', 'Free');
    for (const name of ['a', 'b', 'c']) {
      keys.create(workspace, { name, access: 'read' });
      keys.create(other, { name: `other ${name}`, access: 'read' });
    }
    expect(keys.list(workspace).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });
  test('a key that was deleted stays in the list, as deleted', () => {
    const { keys, workspace } = setUp();
    const { key, value } = keys.create(workspace, { name: 'Shop', access: 'read' });
    keys.delete(key);
    expect([keys.list(workspace).map((each) => keys.stateOf(each)), keys.resolve(value)]).toEqual([['deleted'], 'deleted']);
  });
  test('a value that nobody was given is unknown, whatever it looks like', () => {
    const { keys, workspace } = setUp();
    const { key } = keys.create(workspace, { name: 'Shop', access: 'read' });
    for (const value of ['', key.prefix, key.id, '__proto__', 'ak_'.repeat(10_000)]) expect(keys.resolve(value)).toBe('unknown');
  });
});

describe('changing a key', () => {
  const make = (): { keys: Keys; key: Key; clock: { now(): number } } => {
    const { keys, workspace, clock } = setUp();
    return { keys, clock, key: keys.create(workspace, { name: 'Shop', access: 'read', expiresAt: clock.now() + 9, perMinute: 5 }).key };
  };
  test('what is not named stays', () => {
    const { keys, key, clock } = make();
    keys.update(key, { perMinute: 6 });
    expect(key).toMatchObject({ expiresAt: clock.now() + 9, perMinute: 6 });
    keys.update(key, { expiresAt: clock.now() + 1, perMinute: undefined });
    expect(key).toMatchObject({ expiresAt: clock.now() + 1, perMinute: 6 });
  });
  test('null takes the expiry or the limit away', () => {
    const { keys, key } = make();
    keys.update(key, { expiresAt: null });
    expect([key.expiresAt, key.perMinute]).toEqual([undefined, 5]);
    keys.update(key, { perMinute: null });
    expect(key.perMinute).toBeUndefined();
  });
  test('a key that has expired lives again with a later expiry, one that was deleted does not', () => {
    const { keys, key, clock } = make();
    keys.update(key, { expiresAt: clock.now() - 1 });
    expect(keys.stateOf(key)).toBe('expired');
    keys.update(key, { expiresAt: clock.now() });
    expect(keys.stateOf(key)).toBe('active');
    keys.delete(key);
    keys.update(key, { expiresAt: null });
    expect(keys.stateOf(key)).toBe('deleted');
  });
});

describe('the state of the keys', () => {
  /** Other keys from the state, after a trip through JSON. */
  const restored = (keys: Keys, clock: { now(): number }, workspace: Workspace): Keys => {
    const state = JSON.parse(JSON.stringify(keys.state()));
    const workspaceOf = (id: string): Workspace => {
      expect(id).toBe(workspace.id);
      return workspace;
    };
    return new Keys(clock, (kind) => kind, { state, workspaceOf });
  };
  test('makes the same keys again: each value means what it meant', () => {
    const { keys, workspace, clock } = setUp();
    const active = keys.create(workspace, { name: 'Active', access: 'read-write', expiresAt: clock.now(), perMinute: 0 });
    const expired = keys.create(workspace, { name: 'Expired', access: 'read', expiresAt: clock.now() - 1 });
    const deleted = keys.create(workspace, { name: 'Deleted', access: 'read' });
    keys.delete(deleted.key);
    const again = restored(keys, clock, workspace);
    expect([active, expired, deleted].map(({ value }) => again.resolve(value))).toEqual([active.key, 'expired', 'deleted']);
    expect(again.list(workspace)).toEqual(keys.list(workspace));
    expect(again.state()).toEqual(keys.state());
  });
  test('later changes do not reach a state that was given out, nor the keys that it was made from', () => {
    const { keys, workspace, clock } = setUp();
    const { key, value } = keys.create(workspace, { name: 'Shop', access: 'read' });
    const state = keys.state();
    const before = structuredClone(state);
    const again = new Keys(clock, (kind) => kind, { state, workspaceOf: () => workspace });
    keys.delete(key);
    expect([state, again.resolve(value)]).toEqual([before, expect.objectContaining({ name: 'Shop' })]);
  });
});

describe.each(versions)('version %s', (version) => {
  const demoWorkspace = ({ store, demo }: TestSandbox): Workspace => {
    const workspace = store.workspace(demo.workspaceId);
    if (workspace === undefined) throw new Error('The demo workspace exists');
    return workspace;
  };
  test('§3 the passing of its expiry date rejects a key, and another date lets it in again', async ({ sandbox }) => {
    const { store, clock, call } = sandbox;
    const { key, value } = store.keys.create(demoWorkspace(sandbox), {
      name: 'Short',
      access: 'read',
      expiresAt: clock.now() + 86_400_000,
    });
    const status = async (): Promise<unknown> => {
      const reply = await call(`GET ${version}/contacts`, { key: value });
      return reply.status === 200 ? 200 : reply.body;
    };
    expect(await status()).toBe(200);
    await clock.advance(86_400_000);
    expect(await status()).toBe(200);
    await clock.advance(1);
    expect(await status()).toEqual({ success: false, error: 'API key expired' });
    store.keys.update(key, { expiresAt: clock.now() });
    expect(await status()).toBe(200);
  });
  test('§3 a key that is deleted is rejected from the next call on', async ({ sandbox }) => {
    const { key, value } = sandbox.store.keys.create(demoWorkspace(sandbox), { name: 'Gone', access: 'read' });
    expect((await sandbox.call(`GET ${version}/contacts`, { key: value })).status).toBe(200);
    sandbox.store.keys.delete(key);
    expect(await sandbox.call(`GET ${version}/contacts`, { key: value })).toMatchObject({
      status: 401,
      body: { error: 'Invalid API key' },
    });
  });
  test('§5 a key that replaces a deleted one has another value', async ({ sandbox }) => {
    const workspace = demoWorkspace(sandbox);
    const first = sandbox.store.keys.create(workspace, { name: 'Shop', access: 'read' });
    sandbox.store.keys.delete(first.key);
    const second = sandbox.store.keys.create(workspace, { name: 'Shop', access: 'read' });
    expect(second.value).not.toBe(first.value);
    expect((await sandbox.call(`GET ${version}/contacts`, { key: second.value })).status).toBe(200);
    expect((await sandbox.call(`GET ${version}/contacts`, { key: first.value })).status).toBe(401);
  });
  test('§5 neither the id nor the prefix of a key lets anybody in', async ({ sandbox }) => {
    const { key } = sandbox.store.keys.create(demoWorkspace(sandbox), { name: 'Shop', access: 'read' });
    for (const value of [key.id, key.prefix]) expect((await sandbox.call(`GET ${version}/contacts`, { key: value })).status).toBe(401);
  });
});
