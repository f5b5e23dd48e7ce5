/**
 * The oracle of comparing: one sandbox is both versions, over one store, so that v1 itself and the translation of v2 differ in nothing. What is
 * planted between them is found, and nothing else is.
 */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { MappingConfig } from '../../proxy/mappings.ts';
import { errorDialects, successEnvelopes } from '../../src/contract/dialects.ts';
import { type TestProxy, startTestProxy } from '../helpers/proxy.ts';
import { type CallOptions, type Reply, type TestSandbox, call, startSandbox } from '../helpers/sandbox.ts';
import { MemoryRecord } from '../proxy/rollout/record.ts';
import { rulesOf } from '../proxy/rollout/road.ts';
import { situations } from './situations.ts';
import { mappingsFor } from './worlds.ts';

interface ComparedWorld extends AsyncDisposable {
  readonly sandbox: TestSandbox;
  readonly record: MemoryRecord;
  readonly proxy: TestProxy;
  /** Makes a call and waits until it was compared. */
  compared(endpoint: string, options?: CallOptions): Promise<Reply>;
}

async function startComparedWorld(sandbox: TestSandbox, mappings: MappingConfig, compare: object = {}): Promise<ComparedWorld> {
  const record = new MemoryRecord();
  const proxy = await startTestProxy(sandbox.url, {
    v1Base: sandbox.url,
    mappings,
    now: sandbox.clock.now,
    usage: record,
    workspaces: [{ name: 'Demo', plan: 'Agency', keys: [sandbox.demo.readWriteKey.slice(0, 3)] }],
    rollout: rulesOf({ rules: [{ stage: 'compare' }], compare: { share: '100%', ...compare } }),
  });
  let calls = 0;
  let comparable = 0;
  return {
    sandbox,
    record,
    proxy,
    async compared(endpoint, { key = sandbox.demo.readWriteKey, ...rest } = {}) {
      const reply = await call(proxy.url, endpoint, { key, ...rest });
      const [line] = (await proxy.log.waitFor('deprecated_use', ++calls)).slice(-1);
      if (line?.['endpoint'] !== 'unlisted') await record.done(++comparable);
      return reply;
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

/** Each dialect of errors and each envelope of successes at least once: an answer is written in one of them. */
const covering = errorDialects.map((dialect, index) => [dialect, successEnvelopes[index % successEnvelopes.length] ?? 'v1'] as const);

describe.each(covering)('with errors in the dialect %s and successes in the envelope %s', (dialect, envelope) => {
  let sandbox: TestSandbox;
  let world: ComparedWorld;
  beforeAll(async () => {
    sandbox = await startSandbox({ dialect, envelope });
    world = await startComparedWorld(sandbox, await mappingsFor(envelope));
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });

  it('comparing finds nothing in any situation of v1', async () => {
    for (const { call, options, demoKey } of situations)
      await world.compared(call, { ...options, ...(demoKey === undefined ? {} : { key: sandbox.demo[demoKey] }) });
    for (const kind of ['messages', 'contacts'] as const) {
      const { body } = await world.compared(`GET /v1/${kind}`);
      for (const { id, messageId } of (body as { data: { id?: string; messageId?: string }[] }).data)
        await world.compared(`GET /v1/${kind}/${messageId ?? id}`);
    }
    const { body } = await world.compared('POST /v1/campaigns', { json: { name: 'Winter' } });
    await world.compared(`GET /v1/campaigns/${(body as { data: { id: string } }).data.id}`);
    expect(world.record.skipped).toEqual([]);
    expect(world.record.found).toEqual([]);
    expect(world.record.comparisons.length).toBeGreaterThan(55);
  });
});

/** Two contacts, as the mapping of a planted difference finds them. */
const contacts = [
  { name: 'Ada', email: 'ada@example.com', phone: '+491700000001' },
  { name: 'Bob', email: 'bob@example.com', phone: '+491700000002' },
];

/** What JSONata makes of a list of contacts or of one, and what is found. `$` is what v1 would give. */
const planted: readonly (readonly [what: string, of: 'list' | 'one', mapping: string, found: readonly string[]])[] = [
  ['a field that is missing', 'one', '$ ~> |data|{}, "email"|', ['missing data.email: text / absent']],
  [
    'a field that was renamed',
    'one',
    '$ ~> |data|{"mail": email}, "email"|',
    ['missing data.email: text / absent', 'added data.mail: absent / text'],
  ],
  ['a field that is new', 'one', '$ ~> |data|{"score": 1}|', ['added data.score: absent / integer']],
  ['text for an object', 'one', '$ ~> |$|{"data": "none"}|', ['type data: object / text']],
  ['null for a text', 'one', '$ ~> |data|{"name": null}|', ['type data.name: text / null']],
  ['an empty text for a text', 'one', '$ ~> |data|{"name": ""}|', ['value data.name: text / empty text']],
  ['a number for a text', 'one', '$ ~> |data|{"name": 7}|', ['type data.name: text / integer']],
  ['a list for a text', 'one', '$ ~> |data|{"name": [name, name]}|', ['type data.name: text / list']],
  ['an object for a text', 'one', '$ ~> |data|{"name": {"first": name}}|', ['type data.name: text / object']],
  ['a boolean as text', 'one', '$ ~> |$|{"success": "true"}|', ['type success: boolean / text']],
  ['another boolean', 'one', '$ ~> |$|{"success": false}|', ['value success: boolean / boolean']],
  ['text in capitals', 'one', '$ ~> |data|{"name": $uppercase(name)}|', ['value data.name: text (other case) / text (other case)']],
  ['text that was cut', 'one', '$ ~> |data|{"name": $substring(name, 0, 2)}|', ['value data.name: text / text (cut)']],
  [
    'text with a space behind it',
    'one',
    '$ ~> |data|{"name": name & " "}|',
    ['value data.name: text (other spaces) / text (other spaces)'],
  ],
  ['a number without its plus', 'one', '$ ~> |data|{"phone": $substringAfter(phone, "+")}|', ['value data.phone: text / text of a number']],
  ['a phone number as a number', 'one', '$ ~> |data|{"phone": 491700000001}|', ['type data.phone: text / integer']],
  ['the ids of others', 'one', '$ ~> |data|{"id": id & "x"}|', ['value data.id: text (cut) / text']],
  [
    'a time without its zone',
    'one',
    '$ ~> |data|{"createdAt": $substringBefore(createdAt, "Z")}|',
    ['value data.createdAt: text of a time / text of a time'],
  ],
  [
    'a time an hour later',
    'one',
    '$ ~> |data|{"createdAt": $fromMillis($toMillis(createdAt) + 3600000)}|',
    ['value data.createdAt: text of a time / text of a time'],
  ],
  [
    'a time in seconds',
    'one',
    '$ ~> |data|{"createdAt": $floor($toMillis(createdAt) / 1000)}|',
    ['type data.createdAt: text of a time / integer'],
  ],
  [
    'an envelope that is gone',
    'one',
    'data',
    ['missing success: boolean / absent', 'missing data: object / absent', 'added id: absent / text'],
  ],
  [
    'an envelope that is new',
    'one',
    '{"result": $}',
    ['missing success: boolean / absent', 'missing data: object / absent', 'added result: absent / object'],
  ],
  ['a list for the whole', 'one', '[$, $]', ['type : object / list']],
  ['a text for the whole', 'one', '"ok"', ['type : object / text']],
  ['an empty object for the whole', 'one', '{}', ['missing success: boolean / absent', 'missing data: object / absent']],
  ['a list that was cut', 'list', '$ ~> |$|{"data": [data[0]]}|', ['missing data[]: object / absent']],
  ['a list with one more', 'list', '$ ~> |$|{"data": $append(data, {"id": "x"})}|', ['added data[]: absent / object']],
  ['an empty list', 'list', '$ ~> |$|{"data": []}|', ['missing data[]: object / absent']],
  ['a list in another order', 'list', '$ ~> |$|{"data": $reverse(data)}|', ['order data: list / list']],
  ['an object for a list', 'list', '$ ~> |$|{"data": data[0]}|', ['type data: list / object']],
  ['a list within a list', 'list', '$ ~> |$|{"data": [[1], [2]]}|', ['type data[]: object / list']],
  ['a field that each item of a list lacks', 'list', '$ ~> |data|{}, "email"|', ['missing data[].email: text / absent']],
  ['a field that one item of a list lacks', 'list', '$ ~> |data[0]|{}, "email"|', ['missing data[].email: text / absent']],
  [
    'an item that stands twice',
    'list',
    '$ ~> |$|{"data": [data[0], data[0]]}|',
    ['missing data[]: object / absent', 'added data[]: absent / object'],
  ],
  [
    'a list under another name',
    'list',
    '{"success": success, "items": data}',
    ['missing data: list / absent', 'added items: absent / list'],
  ],
];

describe('of what is planted between the versions', () => {
  let sandbox: TestSandbox;
  let id = '';
  beforeAll(async () => {
    sandbox = await startSandbox();
    for (const json of contacts) {
      const { body } = await sandbox.call('POST /v1/contacts', { json });
      id = (body as { data: { id: string } }).data.id;
    }
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test.each(planted)('%s is found', async (_what, of, mapping, found) => {
    const body = { response: { body: mapping } };
    await using world = await startComparedWorld(sandbox, { listContacts: body, getContact: body });
    await world.compared(of === 'one' ? `GET /v1/contacts/${id}` : 'GET /v1/contacts');
    expect(world.record.found).toEqual(expect.arrayContaining([...found]));
    expect(world.record.found.filter((mark) => mark.startsWith('noise'))).toEqual([]);
  });

  test('nothing is found where it is declared equal', async () => {
    const body = { response: { body: '$ ~> |$|{"data": $reverse(data)}|' } };
    await using world = await startComparedWorld(sandbox, { listContacts: body }, { equal: [{ path: 'data', as: 'anyOrder' }] });
    await world.compared('GET /v1/contacts');
    expect([world.record.comparisons.length, world.record.found]).toEqual([1, []]);
  });
});
