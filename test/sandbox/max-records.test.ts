import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Workspace } from '../../src/sandbox/store/workspace.ts';
import { listening } from '../helpers/process.ts';
import { call, startSandbox } from '../helpers/sandbox.ts';
import { serve } from '../cli/run.ts';
import { startReceiver } from './webhooks/service.ts';

const clock = '2026-08-01T12:00:00Z';

interface Kept {
  readonly sandbox: Sandbox;
  readonly demo: Workspace;
  readonly neighbour: Workspace;
}

function keep(maxRecords: number): Kept {
  const sandbox = createSandbox({ clock, maxRecords });
  const [demo, neighbour] = sandbox.store.workspaces();
  if (demo === undefined || neighbour === undefined) throw new Error('There are two workspaces');
  return { sandbox, demo, neighbour };
}

/** Sends a message, which counts once for each KiB. */
const send = ({ sandbox }: Kept, workspace: Workspace, content: string, kib = 1): void =>
  void sandbox.store.addMessage(workspace, { channel: 'SMS', to: 'x'.repeat((kib - 1) * 1_024), content });
const add = ({ sandbox }: Kept, workspace: Workspace, phone: string): void => void sandbox.store.addContact(workspace, { phone });
const contents = ({ messages }: Workspace): string[] => messages.all().map(({ content }) => content);
const phones = ({ contacts }: Workspace): unknown[] =>
  contacts
    .newestFirst({ page: 1, limit: 100 })
    .entries.map(({ fields }) => fields['phone'])
    .toReversed();

describe('when there are more records than are kept', () => {
  test('the oldest messages go first', () => {
    const kept = keep(3);
    add(kept, kept.demo, '+1');
    for (const content of ['a', 'b', 'c']) send(kept, kept.demo, content);
    expect(contents(kept.demo)).toEqual(['b', 'c']);
    expect(phones(kept.demo)).toEqual(['+1']);
  });
  test('they go across all workspaces', () => {
    const kept = keep(2);
    send(kept, kept.neighbour, 'a');
    send(kept, kept.demo, 'b');
    send(kept, kept.demo, 'c');
    expect([contents(kept.neighbour), contents(kept.demo)]).toEqual([[], ['b', 'c']]);
    send(kept, kept.neighbour, 'd');
    expect([contents(kept.neighbour), contents(kept.demo)]).toEqual([['d'], ['c']]);
  });
  test('also for other records than messages', () => {
    const kept = keep(2);
    send(kept, kept.neighbour, 'a');
    for (const phone of ['+1', '+2']) add(kept, kept.demo, phone);
    expect([contents(kept.neighbour), phones(kept.demo)]).toEqual([[], ['+1', '+2']]);
  });
  test('without messages, the oldest other records of the workspace go, of whatever kind', () => {
    const kept = keep(3);
    const { store } = kept.sandbox;
    add(kept, kept.neighbour, '+1');
    store.addCampaign(kept.demo, { name: 'a' });
    add(kept, kept.demo, '+2');
    const left = (): unknown[] => [kept.demo.campaigns.size, phones(kept.demo)];
    expect(left()).toEqual([1, ['+2']]);
    add(kept, kept.demo, '+3');
    expect(left()).toEqual([0, ['+2', '+3']]);
    add(kept, kept.demo, '+4');
    expect([...left(), phones(kept.neighbour)]).toEqual([0, ['+3', '+4'], ['+1']]);
  });
  test('webhook endpoints stay, and leave the others their room: the plan bounds them', () => {
    const kept = keep(2);
    for (const path of ['a', 'b', 'c'])
      kept.sandbox.store.addWebhook(kept.demo, { url: `https://example.com/${path}`, events: ['test.ping'] });
    for (const phone of ['+1', '+2', '+3']) add(kept, kept.demo, phone);
    expect([kept.demo.webhooks.size, phones(kept.demo)]).toEqual([3, ['+2', '+3']]);
    const restored = createSandbox({ clock, maxRecords: 2 });
    restored.restore(kept.sandbox.snapshot());
    expect(restored.store.workspace(kept.demo.id)?.webhooks.all()).toEqual(kept.demo.webhooks.all());
  });
  test('with nothing else in the workspace, those of the others go', () => {
    const kept = keep(2);
    for (const phone of ['+1', '+2']) add(kept, kept.neighbour, phone);
    add(kept, kept.demo, '+3');
    expect([phones(kept.neighbour), phones(kept.demo)]).toEqual([['+2'], ['+3']]);
  });
  test('messages go first again when there are some', () => {
    const kept = keep(2);
    for (const phone of ['+1', '+2', '+3']) add(kept, kept.demo, phone);
    for (const content of ['a', 'b', 'c']) send(kept, kept.demo, content);
    expect([phones(kept.demo), contents(kept.demo)]).toEqual([['+3'], ['c']]);
  });
  test('the phone number of a contact that had to go is free again', () => {
    const kept = keep(1);
    for (const phone of ['+1', '+2', '+1']) add(kept, kept.demo, phone);
    expect(phones(kept.demo)).toEqual(['+1']);
  });
  test('the newest one stays, however large it is', () => {
    const kept = keep(2);
    add(kept, kept.demo, '+1');
    send(kept, kept.demo, 'a', 50);
    expect([contents(kept.demo), phones(kept.demo)]).toEqual([['a'], []]);
    send(kept, kept.demo, 'b');
    expect(contents(kept.demo)).toEqual(['b']);
  });
  test('callers find what they just made, and nothing of what had to go', async () => {
    await using sandbox = await startSandbox({ maxRecords: 2 });
    const ids: string[] = [];
    for (const content of ['a', 'b', 'c']) {
      const { body } = await sandbox.call('POST /v1/messages/send', { json: { channel: 'SMS', to: '1', content } });
      ids.push((body as { messageId: string }).messageId);
    }
    const statuses = await Promise.all(ids.map((id) => sandbox.call(`GET /v2/messages/${id}`).then(({ status }) => status)));
    expect(statuses).toEqual([404, 200, 200]);
    expect((await sandbox.call('GET /v1/messages')).body).toMatchObject({ data: [{ content: 'c' }, { content: 'b' }], total: 2 });
  });
});

describe('a record counts', () => {
  test('once for every KiB begun of its JSON', () => {
    const kept = keep(10);
    for (let i = 0; i < 5; i++) send(kept, kept.demo, 'small');
    send(kept, kept.demo, 'large', 7);
    expect(contents(kept.demo)).toEqual(['small', 'small', 'small', 'large']);
  });
  test('in bytes, however few characters it has', () => {
    const kept = keep(4);
    for (const content of ['a', 'b']) send(kept, kept.demo, content);
    // 3 KiB in UTF-8, and as many characters as fit into 1 KiB.
    send(kept, kept.demo, '€'.repeat(900));
    expect(kept.demo.messages.size).toBe(2);
  });
  test('anew when it grows', () => {
    const kept = keep(4);
    const { store } = kept.sandbox;
    for (const phone of ['+1', '+2', '+3']) add(kept, kept.demo, phone);
    const newest = kept.demo.contacts.newestFirst({ page: 1, limit: 1 }).entries[0];
    if (newest !== undefined) store.updateContact(kept.demo, newest, { phone: '+3', notes: 'x'.repeat(2_048) });
    expect(phones(kept.demo)).toEqual(['+2', '+3']);
    const campaign = store.addCampaign(kept.demo, {});
    store.updateCampaign(kept.demo, campaign, { text: 'x'.repeat(2_048) });
    expect([phones(kept.demo), kept.demo.campaigns.size]).toEqual([[], 1]);
  });
  test('and stays where it is the oldest itself that grows', () => {
    const kept = keep(3);
    const { store } = kept.sandbox;
    const oldest = store.addCampaign(kept.demo, { name: 'oldest' });
    for (const phone of ['+1', '+2']) add(kept, kept.demo, phone);
    store.updateCampaign(kept.demo, oldest, { text: 'x'.repeat(1_024) });
    expect([kept.demo.campaigns.size, phones(kept.demo)]).toEqual([1, ['+2']]);
    add(kept, kept.demo, '+3');
    add(kept, kept.demo, '+4');
    expect(kept.demo.campaigns.size).toBe(0);
  });
  test('no more once it is deleted', () => {
    const kept = keep(2);
    for (const phone of ['+1', '+2']) add(kept, kept.demo, phone);
    const newest = kept.demo.contacts.newestFirst({ page: 1, limit: 1 }).entries[0];
    if (newest !== undefined) kept.sandbox.store.deleteContact(kept.demo, newest);
    add(kept, kept.demo, '+3');
    expect(phones(kept.demo)).toEqual(['+1', '+3']);
  });
});

test('whatever is sent, the newest messages are there, as many as fit', () => {
  const sent = fc.record({ to: fc.constantFrom('demo', 'neighbour'), kib: fc.integer({ min: 1, max: 6 }) });
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (messages, max) => {
      const kept = keep(max);
      for (const [index, { to, kib }] of messages.entries()) send(kept, kept[to], String(index), kib);
      let room = max;
      const fitting = messages.toReversed().findIndex(({ kib }) => (room -= kib) < 0);
      const count = Math.max(fitting === -1 ? messages.length : fitting, Math.min(1, messages.length));
      const expected = (name: string): string[] =>
        messages.flatMap(({ to }, index) => (to === name && index >= messages.length - count ? [String(index)] : []));
      expect([contents(kept.demo), contents(kept.neighbour)]).toEqual([expected('demo'), expected('neighbour')]);
    }),
    { numRuns: 100 },
  );
});

describe('what had to go is told', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A sandbox that keeps one record, and what it tells. */
  function tell(): { readonly sandbox: Sandbox; readonly told: readonly number[]; sendOne(): void } {
    const told: number[] = [];
    const sandbox = createSandbox({ clock, maxRecords: 1, onEvict: (count) => void told.push(count) });
    const { store, demo } = sandbox;
    const workspace = store.workspace(demo.workspaceId);
    if (workspace === undefined) throw new Error('There is a demo workspace');
    return { sandbox, told, sendOne: () => void store.addMessage(workspace, { channel: 'SMS', to: '1', content: 'x' }) };
  }

  test('at once, and then at most once a minute with the sum', () => {
    const { told, sendOne } = tell();
    sendOne();
    expect(told).toEqual([]);
    sendOne();
    expect(told).toEqual([1]);
    for (let i = 0; i < 5; i++) sendOne();
    vi.advanceTimersByTime(59_999);
    sendOne();
    expect(told).toEqual([1]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([1, 6]);
    sendOne();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([1, 6, 1]);
  });
  test('at once again after a minute without', () => {
    const { told, sendOne } = tell();
    for (let i = 0; i < 2; i++) sendOne();
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([1]);
    sendOne();
    expect(told).toEqual([1, 1]);
  });
  test('when the sandbox is closed, and no timer is left', async () => {
    const { sandbox, told, sendOne } = tell();
    for (let i = 0; i < 4; i++) sendOne();
    await sandbox.close();
    expect([told, vi.getTimerCount()]).toEqual([[1, 2], 0]);
  });
  test('by a timer that does not keep the process', () => {
    vi.useRealTimers();
    const before = process.getActiveResourcesInfo();
    const { told, sendOne } = tell();
    for (let i = 0; i < 2; i++) sendOne();
    expect([told, process.getActiveResourcesInfo()]).toEqual([[1], before]);
  });
  test('nothing when it is closed and all was told', async () => {
    const { sandbox, told, sendOne } = tell();
    for (let i = 0; i < 2; i++) sendOne();
    await sandbox.close();
    expect(told).toEqual([1]);
  });
  test('of events that wait to be delivered, too', async () => {
    vi.useRealTimers();
    const told: number[] = [];
    await using sandbox = createSandbox({ clock, maxRecords: 1, allowPrivateWebhooks: true, onEvict: (count) => void told.push(count) });
    const receiver = await startReceiver(500);
    await sandbox.dashboard.registerWebhook('demo', { url: receiver.url });
    for (let i = 0; i < 2; i++) sandbox.dashboard.raise('demo', 'lead.created');
    expect(told).toEqual([1]);
    await sandbox.clock.idle();
  });
});

describe('what had to go', () => {
  test('is told in the log of the command: at once, and the rest when it stops', async () => {
    await using running = serve(['sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--clock', clock, '--max-records', '2']);
    const { url } = await listening(running);
    const key = (await running.line(/read & write/, 'stderr')).replace(/.* /, '');
    for (let i = 0; i < 5; i++) await call(url, 'POST /v2/messages/send', { key, json: { channel: 'SMS', to: '1', content: 'x' } });
    expect(JSON.parse(await running.line(/records_evicted/))).toMatchObject({
      level: 40,
      evicted: 1,
      msg: expect.stringContaining('--max-records'),
    });
    await running.stop();
    const evicted = running.stdout.filter((line) => line.includes('records_evicted')).map((line) => JSON.parse(line).evicted);
    expect(evicted).toEqual([1, 2]);
  });
});

test('a number of records that is none is refused by its name', () => {
  expect(() => createSandbox({ maxRecords: 0 })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', key: 'maxRecords' }));
});
