import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Endpoint, v1Endpoints, v2Endpoints } from '../../src/contract/endpoints.ts';
import { type ControlRoute, routes } from '../../src/sandbox/control/routes.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { call, startSandbox, type TestSandbox } from '../helpers/sandbox.ts';

const message = { channel: 'SMS', to: '+1', content: 'x' };
const options: SandboxOptions = { allowPrivateWebhooks: true };

/** A snapshot as it may be written to a file and changed there. */
type Json = ReturnType<typeof JSON.parse>;
const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** Something of everything that a snapshot can hold. */
async function use(sandbox: TestSandbox): Promise<void> {
  await sandbox.call('POST /v1/messages/send', { json: message });
  await sandbox.call('POST /v2/contacts', { json: { phone: '+1', name: 'Ann' } });
  await sandbox.call('POST /v2/contacts', { json: { phone: '+2' } });
  await sandbox.call('POST /v1/campaigns', { json: { name: 'a' } });
  await sandbox.dashboard.registerWebhook('demo', { url: 'http://127.0.0.1:9/hook' });
  sandbox.dashboard.raise('demo', 'lead.created');
  await sandbox.clock.advance('1d');
  sandbox.dashboard.raise('demo', 'order.created');
  await sandbox.clock.idle();
  const never = { route: 'GET /v1/campaigns/:id', fault: { kind: 'error', status: 429 }, probability: 0 } as const;
  for (const rule of [never, never]) sandbox.faults.add(rule);
}

/** Deeper than any body of a client may nest. */
const deep: unknown = JSON.parse(`${'['.repeat(250)}${']'.repeat(250)}`);

/** The place of what is wrong, and how it got wrong. */
const wrong: readonly [string, (snapshot: Json) => unknown][] = [
  ['snapshot', () => undefined],
  ['snapshot', () => 'text'],
  ['snapshot', () => []],
  ['snapshot', (s) => Object.assign(s, { self: s })],
  ['snapshot', (s) => Object.assign(s, { more: 1 })],
  ['snapshot.version', (s) => Object.assign(s, { version: 2 })],
  ['snapshot.store', (s) => Object.assign(s, { store: undefined })],
  ['snapshot.clock.now', (s) => Object.assign(s, { clock: { now: -1, frozen: true } })],
  ['snapshot.ids.counts.msg', (s) => Object.assign(s.ids.counts, { msg: '1' }) && s],
  ['snapshot.demo.workspaceId', (s) => Object.assign(s.demo, { workspaceId: 'ws_other' }) && s],
  ['snapshot.store.workspaces.0.plan', (s) => Object.assign(s.store.workspaces[0], { plan: 'Huge' }) && s],
  ['snapshot.store.workspaces.2', (s) => s.store.workspaces.push(s.store.workspaces[0]) && s],
  ['snapshot.store.keys.0.workspaceId', (s) => Object.assign(s.store.keys[0], { workspaceId: 'ws_other' }) && s],
  ['snapshot.store.records.0.kind', (s) => Object.assign(s.store.records[0], { kind: 'letter' }) && s],
  ['snapshot.store.records.0.record.channel', (s) => Object.assign(s.store.records[0].record, { channel: 'FAX' }) && s],
  ['snapshot.store.records.1.record.fields', (s) => Object.assign(s.store.records[1].record, { fields: [] }) && s],
  ['snapshot.store.records.5', (s) => s.store.records.push(s.store.records[0]) && s],
  [
    'snapshot: The contacts',
    (s) => Object.assign(s.store.records[1].record.fields, { phone: '+2' }) && Object.assign(s, { clock: { now: 0, frozen: false } }),
  ],
  ['snapshot.faults.entries.0.rule.route', (s) => Object.assign(s.faults.entries[0].rule, { route: '/v3/*' }) && s],
  ['snapshot.store.keys.0.expiresAt', (s) => Object.assign(s.store.keys[0], { expiresAt: 1e20 }) && s],
  ['snapshot.store.keys.1', (s) => Object.assign(s.store.keys[1], { id: s.store.keys[0].id }) && s],
  ['snapshot.ids.counts.msg', (s) => Object.assign(s.ids.counts, { msg: Number.MAX_SAFE_INTEGER }) && s],
  ['snapshot.store.records.1.record.fields', (s) => Object.assign(s.store.records[1].record, { fields: { customFields: deep } }) && s],
  ['snapshot: The phone number', (s) => Object.assign(s.store.records[1].record.fields, { phone: 1 }) && s],
  ['snapshot.store.records.4.record.url', (s) => Object.assign(s.store.records[4].record, { url: 'hook' }) && s],
  [
    'snapshot.store.records.4.record.events.1',
    (s) => Object.assign(s.store.records[4].record, { events: ['test.ping', 'test.ping'] }) && s,
  ],
  ['snapshot.faults.made', (s) => Object.assign(s.faults, { made: 1 }) && s],
  ['snapshot.faults.entries.0.id', (s) => Object.assign(s.faults.entries[0], { id: 'first' }) && s],
  ['snapshot.faults.entries.1', (s) => Object.assign(s.faults.entries[1], { id: s.faults.entries[0].id }) && s],
  ['snapshot.deliveries.log.1', (s) => Object.assign(s.deliveries.log[1].entry, { id: s.deliveries.log[0].entry.id }) && s],
  ['snapshot.deliveries.pending.1', (s) => s.deliveries.pending.push(s.deliveries.pending[0]) && s],
  ['snapshot.deliveries.notifications.1', (s) => s.deliveries.notifications.push(s.deliveries.notifications[0]) && s],
  ['snapshot.deliveries.log.0.workspaceId', (s) => Object.assign(s.deliveries.log[0], { workspaceId: 'ws_other' }) && s],
  ['snapshot.deliveries.pending', (s) => Object.assign(s.deliveries, { pending: [{}] }) && s],
];

describe('what is no snapshot', () => {
  test.for(wrong)('is refused with the place, and nothing changes: %s', async ([place, spoil]) => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
    const before = sandbox.snapshot();
    const snapshot = spoil(copy(before));
    expect(() => sandbox.restore(snapshot)).toThrow(
      expect.objectContaining({
        code: 'SNAPSHOT_INVALID',
        message: expect.stringMatching(new RegExp(`^${place.replaceAll('.', '\\.')}\\b`)),
      }),
    );
    expect(sandbox.snapshot()).toEqual(before);
  });
  test('does not end a turn of the clock that is under way, nor what is on its agenda', async () => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
    const snapshot = copy(sandbox.snapshot());
    Object.assign(snapshot.store.records[1].record.fields, { phone: '+2' });
    const end = sandbox.clock.now() + 20;
    const slow = Promise.withResolvers<void>();
    let ran = false;
    sandbox.clock.at(end - 10, () => slow.promise);
    sandbox.clock.at(end - 5, () => {
      ran = true;
    });
    const turned = sandbox.clock.advance(20);
    expect(refusal(() => sandbox.restore(snapshot))).toBe('SNAPSHOT_INVALID');
    slow.resolve();
    await turned;
    expect([sandbox.clock.now(), ran]).toEqual([end, true]);
  });
  test('is refused also where nobody thought of it; otherwise the sandbox works with it', async () => {
    await using one = await startSandbox(options);
    await use(one);
    const good = one.snapshot();
    // Statuses and the fields of contacts are assumed: those that this sandbox does not know may come from another.
    const place = fc.constantFrom(...placesIn(good, []).filter((names) => !['status', 'fields'].includes(names.at(-1) ?? '')));
    const value = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e15, 1e20, '', 'x', '2026-08-01T12:00:00.000Z', [], {}, undefined);
    await using other = await startSandbox(options);
    await fc.assert(
      fc.asyncProperty(place, fc.oneof(value, place.map(at(good))), async (spoilt, replacement) => {
        const snapshot = copy(good);
        const holder = at(snapshot)(spoilt.slice(0, -1));
        const name = spoilt.at(-1) ?? '';
        if (replacement === undefined) delete holder[name];
        else holder[name] = replacement;
        const before = stateOf(other);
        const refused = refusal(() => other.restore(snapshot));
        expect(refused).toBeOneOf([undefined, 'SNAPSHOT_INVALID']);
        expect(refused === undefined || stateOf(other) === before).toBe(true);
        expect(refused === undefined ? await serverFaults(other, good.demo.readWriteKey) : []).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

/** What a sandbox holds. A snapshot before may have set its clock going: then what it shows changes by itself. */
function stateOf(sandbox: TestSandbox): string {
  const { clock, ...state } = sandbox.snapshot();
  return JSON.stringify({ ...state, clock: clock.frozen ? clock : 'running' });
}

/** Every GET of the control surface and of both versions, and a send, that is answered with a 5xx. */
async function serverFaults(sandbox: TestSandbox, key: string): Promise<readonly string[]> {
  const [record] = sandbox.store.workspaces().flatMap(({ messages }) => messages.all());
  const gets = (table: Readonly<Record<string, Endpoint | ControlRoute>>): string[] =>
    Object.values(table).flatMap(({ method, path }) => (method === 'GET' ? [`GET ${path}`] : []));
  const surface = gets(routes).map((get) => call(sandbox.adminUrl, get.replace(':workspace', 'demo')));
  const api = [...gets(v1Endpoints), ...gets(v2Endpoints), 'POST /v1/messages/send', 'POST /v2/webhooks'].map((endpoint) =>
    sandbox.call(endpoint.replace(':id', encodeURIComponent(record?.messageId ?? 'none')), {
      key,
      ...(endpoint.startsWith('POST') && { json: { ...message, url: 'http://127.0.0.1:9/hook' } }),
    }),
  );
  const replies = await Promise.all([...surface, ...api]);
  return replies.flatMap(({ status, text }) => (status >= 500 ? [text] : []));
}

describe('a snapshot whose counts are behind its ids', () => {
  const kinds = ['msg', 'con', 'cmp', 'wh', 'secret', 'ws', 'key', 'ak', 'evt', 'dlv', 'ntf'];
  test.for(kinds)('gives no %s twice', async (kind) => {
    await using sandbox = await startSandbox(options);
    await use(sandbox);
    const snapshot = copy(sandbox.snapshot());
    const expected = await namesAfter(sandbox, snapshot);
    delete snapshot.ids.counts[kind];
    expect(await namesAfter(sandbox, snapshot)).toBe(expected);
  });
});

/** How many ids and secrets there are, each counted once, when a snapshot was restored and everything made once more. */
async function namesAfter(sandbox: TestSandbox, snapshot: unknown): Promise<number> {
  sandbox.restore(snapshot);
  await use(sandbox);
  await sandbox.call('POST /v2/contacts', { json: { phone: '+3' } });
  sandbox.dashboard.createWorkspace({ name: 'Shop', plan: 'Free' });
  sandbox.dashboard.createKey('demo', { name: 'CRM', access: 'read' });
  const { store, deliveries } = sandbox.snapshot();
  const names = [
    ...store.workspaces.map(({ id }) => id),
    ...store.keys.flatMap(({ id, hash }) => [id, hash]),
    ...store.records.flatMap(({ record }) =>
      'messageId' in record ? record.messageId : 'secret' in record ? [record.id, record.secret] : record.id,
    ),
    ...deliveries.pending.map(({ raised }) => raised.id),
    ...deliveries.log.flatMap(({ entry }) => [entry.id, entry.eventId]),
    ...deliveries.notifications.map(({ entry }) => entry.id),
  ];
  return new Set(names).size;
}

/** The code of what is thrown; nothing where it works. */
function refusal(restore: () => void): unknown {
  try {
    restore();
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
}

/** The names that lead to each value inside of another one. */
function placesIn(value: Json, place: readonly string[]): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((name) => [[...place, name], ...placesIn(value[name], [...place, name])]);
}

const at =
  (value: Json) =>
  (place: readonly string[]): Json =>
    place.reduce((inner, name) => inner[name], value);
