import { describe, expect, test as base } from 'vitest';
import { filters } from '../../src/sandbox/http/filters.ts';
import { sandboxFixtures, type TestSandbox } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

/** Five messages, the newest last. */
async function fiveMessages({ call, store, demo }: TestSandbox): Promise<void> {
  const drafts = ['SMS 1', 'EMAIL 2', 'SMS 2', 'WHATSAPP 3', 'SMS 1'];
  for (const [i, draft] of drafts.entries()) {
    const [channel, to] = draft.split(' ');
    await call('POST /v2/messages/send', { json: { channel, to, content: `m${i + 1}` } });
  }
  const newest = store.workspace(demo.workspaceId)?.messages.all().at(-1);
  if (newest !== undefined) newest.status = 'DELIVERED';
}

/** Five contacts, the newest last. */
async function fiveContacts({ call }: TestSandbox): Promise<void> {
  const contacts = [
    { name: 'c1', phone: '+4915', company: 'Acme' },
    { name: 'c2', phone: '+4916', email: 'ada@acme.example', company: 'Acme' },
    { name: 'c3', email: 'ada@example.com', company: 'Other' },
    { name: 'c4', phone: '+331', email: 'bob@acme.example', company: 'Acme & Söhne' },
    { name: 'c5', phone: '+332' },
  ];
  for (const json of contacts) await call('POST /v2/contacts', { json });
}

interface Listed {
  readonly data: readonly { readonly content?: string; readonly name?: string }[];
  readonly total: number;
}

/** What a list holds, by what the records were called, with the number of all that match. */
async function listed({ call }: TestSandbox, target: string): Promise<string> {
  const { status, body } = await call(`GET ${target}`);
  expect(status).toBe(200);
  const { data, total } = body as Listed;
  return `${data.map(({ content, name }) => content ?? name).join(' ')} of ${total}`;
}

describe('api.md §4: messages are listed with filtering, v2', () => {
  test.for([
    ['', 'm5 m4 m3 m2 m1 of 5'],
    ['channel=SMS', 'm5 m3 m1 of 3'],
    ['to=2', 'm3 m2 of 2'],
    ['status=DELIVERED', 'm5 of 1'],
    ['channel=SMS&to=2', 'm3 of 1'],
    ['channel=EMAIL&to=1', ' of 0'],
    ['channel=SMS&status=QUEUED', 'm3 m1 of 2'],
  ] as const)('%s: those that match all of it', async ([query, expected], { sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, `/v2/messages?${query}`)).toBe(expected);
  });
  test.for([
    ['channel=SMS&limit=2', 'm5 m3 of 3'],
    ['channel=SMS&limit=2&page=2', 'm1 of 3'],
    ['channel=SMS&limit=2&page=3', ' of 3'],
    ['page=2&limit=1&to=1', 'm1 of 2'],
  ] as const)('%s: pages are cut, and totals counted, from those that match', async ([query, expected], { sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, `/v2/messages?${query}`)).toBe(expected);
  });
  test('a parameter that is repeated asks for any of its values', async ({ sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, '/v2/messages?channel=EMAIL&channel=WHATSAPP')).toBe('m4 m2 of 2');
    expect(await listed(sandbox, '/v2/messages?channel=EMAIL&to=2&channel=SMS')).toBe('m3 m2 of 2');
  });
  test('an empty value counts as absent', async ({ sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, '/v2/messages?channel=&to=&status')).toBe('m5 m4 m3 m2 m1 of 5');
    expect(await listed(sandbox, '/v2/messages?channel=&channel=EMAIL')).toBe('m2 of 1');
  });
  test.for(['content=m1', 'messageId=x', 'search=m1', 'Channel=SMS', 'channel[]=SMS', '__proto__=x', 'constructor=x', 'toString=x'])(
    '%s is no filter and is ignored',
    async (query, { sandbox }) => {
      await fiveMessages(sandbox);
      expect(await listed(sandbox, `/v2/messages?${query}`)).toBe('m5 m4 m3 m2 m1 of 5');
    },
  );
  test.for(['channel=sms', 'channel=FAX', 'channel=SM', 'channel=%00', 'to=%2B1', 'to=%ff', 'to=%', 'to=../1'])(
    '%s matches nothing, and is no error',
    async (query, { sandbox }) => {
      await fiveMessages(sandbox);
      expect(await listed(sandbox, `/v2/messages?${query}`)).toBe(' of 0');
    },
  );
  test('4 kB of text match nothing, and are no error', async ({ sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, `/v2/messages?to=${'9'.repeat(4096)}`)).toBe(' of 0');
  });
  test('another workspace’s messages never match', async ({ sandbox }) => {
    await fiveMessages(sandbox);
    const { value: key } = sandbox.store.keys.create(sandbox.store.createWorkspace('Other', 'Free'), { name: 'Key', access: 'read' });
    expect((await sandbox.call('GET /v2/messages?channel=SMS', { key })).body).toMatchObject({ data: [], total: 0 });
  });
});

describe('api.md §4: contacts are listed with search and filters, v2', () => {
  test.for([
    ['company=Acme', 'c2 c1 of 2'],
    ['company=Acme+%26+S%C3%B6hne', 'c4 of 1'],
    ['company=Acme&company=Other', 'c3 c2 c1 of 3'],
    ['name=c3&company=Other', 'c3 of 1'],
    ['phone=%2B331', 'c4 of 1'],
    ['email=ada@example.com', 'c3 of 1'],
    ['phone=%2B33', ' of 0'],
    ['notes=x', 'c5 c4 c3 c2 c1 of 5'],
    ['createdAt=x&id=x', 'c5 c4 c3 c2 c1 of 5'],
  ] as const)('%s: fields are compared as a whole', async ([query, expected], { sandbox }) => {
    await fiveContacts(sandbox);
    expect(await listed(sandbox, `/v2/contacts?${query}`)).toBe(expected);
  });
  test.for([
    ['search=%2B33', 'c5 c4 of 2'],
    ['search=acme', 'c4 c2 of 2'],
    ['search=acme&company=Acme', 'c2 of 1'],
    ['search=ada&company=Acme&company=Other&limit=1', 'c3 of 2'],
    ['search=ada&company=Acme&company=Other&limit=1&page=2', 'c2 of 2'],
    ['search=', 'c5 c4 c3 c2 c1 of 5'],
    ['search=%2B33&search=acme', 'c5 c4 of 2'],
    ['search=nobody', ' of 0'],
    ['search=__proto__', ' of 0'],
  ] as const)('%s: phone numbers and emails are searched for a part, besides the filters', async ([query, expected], { sandbox }) => {
    await fiveContacts(sandbox);
    expect(await listed(sandbox, `/v2/contacts?${query}`)).toBe(expected);
  });
  test('what is no text is matched by nothing', async ({ sandbox }) => {
    await sandbox.call('POST /v2/contacts', { json: { phone: '1', name: 5, company: ['Acme'] } });
    for (const query of ['name=5', 'company=Acme', 'company=undefined', 'email=undefined', 'email=null']) {
      expect(await listed(sandbox, `/v2/contacts?${query}`)).toBe(' of 0');
    }
  });
  test('a contact is found by what it was changed to', async ({ sandbox }) => {
    await fiveContacts(sandbox);
    const { body } = await sandbox.call('GET /v2/contacts?name=c5');
    const [found] = (body as { data: readonly { id: string }[] }).data;
    await sandbox.call(`PUT /v2/contacts/${found?.id}`, { json: { company: 'New' } });
    expect(await listed(sandbox, '/v2/contacts?company=New')).toBe('c5 of 1');
    await sandbox.call(`DELETE /v2/contacts/${found?.id}`);
    expect(await listed(sandbox, '/v2/contacts?company=New')).toBe(' of 0');
  });

  describe('where the search goes by the name of a field', () => {
    test.override({ options: { assumptions: { contactSearchParameter: 'phone' } } });
    test('it searches for parts, and emails too', async ({ sandbox }) => {
      await fiveContacts(sandbox);
      expect(await listed(sandbox, '/v2/contacts?phone=%2B33')).toBe('c5 c4 of 2');
      expect(await listed(sandbox, '/v2/contacts?phone=acme&company=Acme')).toBe('c2 of 1');
    });
  });
});

describe('other filters, where they are assumed', () => {
  test.override({
    options: {
      assumptions: {
        messageFilterParameters: ['content', '__proto__', 'constructor'],
        contactFilterParameters: ['notes', '__proto__', 'toString', 'constructor'],
        contactFields: ['name', 'notes', 'constructor'],
      },
    },
  });
  test('take the place of the assumed ones', async ({ sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, '/v2/messages?content=m2&channel=SMS')).toBe('m2 of 1');
  });
  test('a name that every object inherits matches no record', async ({ sandbox }) => {
    await fiveMessages(sandbox);
    for (const query of ['__proto__=x', '__proto__=[object Object]', 'constructor=Object', 'constructor=x']) {
      expect(await listed(sandbox, `/v2/messages?${query}`)).toBe(' of 0');
    }
    await sandbox.call('POST /v2/contacts', { json: { phone: '1', name: 'c1' } });
    expect(await listed(sandbox, '/v2/contacts?toString=x')).toBe(' of 0');
  });
  test('a field that a client wrote is found by its name, whatever other objects inherit by it', async ({ sandbox }) => {
    await sandbox.call('POST /v2/contacts', { json: { phone: '1', name: 'c1', constructor: 'x' } });
    await sandbox.call('POST /v2/contacts', { json: { phone: '2', name: 'c2' } });
    expect(await listed(sandbox, '/v2/contacts?constructor=x')).toBe('c1 of 1');
  });
});

describe('v1 lists', () => {
  test.for(['channel=EMAIL', 'to=2', 'status=DELIVERED', 'search=m1'])('messages are not filtered by %s', async (query, { sandbox }) => {
    await fiveMessages(sandbox);
    expect(await listed(sandbox, `/v1/messages?${query}&limit=2`)).toBe('m5 m4 of 5');
  });
  test.for(['company=Acme', 'search=acme', 'phone=%2B331', 'email=x', 'name=c1'])(
    'contacts are not filtered by %s',
    async (query, { sandbox }) => {
      await fiveContacts(sandbox);
      expect(await listed(sandbox, `/v1/contacts?${query}&limit=2&page=2`)).toBe('c3 c2 of 5');
    },
  );
});

test('a query without filters asks for all, so that no record need be looked at', () => {
  expect(filters(new URLSearchParams('page=2&channel='), ['channel'], () => ({}))).toBeUndefined();
});
