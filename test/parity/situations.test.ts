import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQuestions } from '../../src/contract/assumptions.ts';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import type { CallOptions } from '../helpers/sandbox.ts';
import { type Worlds, expectSame, spoken, startWorlds } from './worlds.ts';

const json = ['Content-Type', 'application/json'];
const message = { channel: 'SMS', to: '+15550100', content: 'Hello' };

type KeyName = 'readWriteKey' | 'readOnlyKey' | 'expiredKey' | 'deletedKey';
interface Situation {
  readonly name: string;
  readonly call: string;
  readonly status: number;
  readonly options?: CallOptions;
  readonly demoKey?: KeyName;
}

/** Every situation of v1 that the reference documents, in an order in which each finds what it needs. */
const situations: readonly Situation[] = [
  { name: 'send over SMS', call: 'POST /v1/messages/send', options: { json: message }, status: 200 },
  { name: 'send over WhatsApp', call: 'POST /v1/messages/send', options: { json: { ...message, channel: 'WHATSAPP' } }, status: 200 },
  { name: 'send over email', call: 'POST /v1/messages/send', options: { json: { ...message, channel: 'EMAIL' } }, status: 200 },
  {
    name: 'send with a charset',
    call: 'POST /v1/messages/send',
    options: { raw: JSON.stringify(message), headers: ['content-TYPE', 'Application/JSON; charset=utf-8'] },
    status: 200,
  },
  { name: 'send without channel', call: 'POST /v1/messages/send', options: { json: { ...message, channel: undefined } }, status: 400 },
  { name: 'send without recipient', call: 'POST /v1/messages/send', options: { json: { ...message, to: undefined } }, status: 400 },
  { name: 'send without content', call: 'POST /v1/messages/send', options: { json: { ...message, content: '' } }, status: 400 },
  {
    name: 'send over a channel outside the enum',
    call: 'POST /v1/messages/send',
    options: { json: { ...message, channel: 'FAX' } },
    status: 400,
  },
  {
    name: 'send with values of other types',
    call: 'POST /v1/messages/send',
    options: { json: { channel: 'FAX', to: 5, content: [] } },
    status: 400,
  },
  { name: 'send invalid JSON', call: 'POST /v1/messages/send', options: { raw: '{"channel":', headers: json }, status: 400 },
  { name: 'send a list', call: 'POST /v1/messages/send', options: { json: [message] }, status: 400 },
  { name: 'send nothing', call: 'POST /v1/messages/send', options: { headers: json }, status: 400 },
  { name: 'send without Content-Type', call: 'POST /v1/messages/send', options: { raw: JSON.stringify(message) }, status: 400 },
  { name: 'list messages', call: 'GET /v1/messages', status: 200 },
  { name: 'list messages with a read-only key', call: 'GET /v1/messages', demoKey: 'readOnlyKey', status: 200 },
  { name: 'read a message that is not there', call: 'GET /v1/messages/msg_none', status: 404 },
  { name: 'read a message by an id with an encoded slash', call: 'GET /v1/messages/a%2Fb', status: 404 },
  {
    name: 'create a contact',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550100', email: 'a@example.com', name: 'A' } },
    status: 201,
  },
  {
    name: 'create another contact',
    call: 'POST /v1/contacts',
    options: { json: { email: 'b@example.com', customFields: { big: 1 } } },
    status: 201,
  },
  {
    name: 'create a contact whose phone number exists',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550100', email: 'new@example.com' } },
    status: 409,
  },
  {
    name: 'create a contact whose email exists',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550199', email: 'a@example.com' } },
    status: 409,
  },
  {
    name: 'create a contact whose phone number and email belong to two others',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550100', email: 'b@example.com' } },
    status: 409,
  },
  {
    name: 'create a contact with a field that is not accepted',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550111', shoeSize: 43 } },
    status: 500,
  },
  { name: 'create a contact without phone and email', call: 'POST /v1/contacts', options: { json: { name: 'Nobody' } }, status: 400 },
  { name: 'create a contact from invalid JSON', call: 'POST /v1/contacts', options: { raw: 'nope', headers: json }, status: 400 },
  { name: 'create a contact without Content-Type', call: 'POST /v1/contacts', options: { raw: '{}' }, status: 400 },
  { name: 'list contacts', call: 'GET /v1/contacts', status: 200 },
  { name: 'list contacts by page and limit', call: 'GET /v1/contacts?page=2&limit=1', status: 200 },
  { name: 'list contacts with a limit that is none', call: 'GET /v1/contacts?page=0&limit=x', status: 200 },
  { name: 'read a contact that is not there', call: 'GET /v1/contacts/con_none', status: 404 },
  { name: 'update a contact that is not there', call: 'PUT /v1/contacts/con_none', options: { json: { name: 'x' } }, status: 404 },
  { name: 'create a campaign', call: 'POST /v1/campaigns', options: { json: { name: 'Autumn' } }, status: 201 },
  { name: 'read a campaign that is not there', call: 'GET /v1/campaigns/cmp_none', status: 404 },
  { name: 'send a campaign that is not there', call: 'POST /v1/campaigns/cmp_none/send', status: 404 },
  { name: 'no key', call: 'GET /v1/contacts', options: { key: null }, status: 401 },
  { name: 'an empty key', call: 'GET /v1/contacts', options: { key: '' }, status: 401 },
  { name: 'an unknown key', call: 'GET /v1/contacts', options: { key: 'ak_unknown' }, status: 401 },
  { name: 'a deleted key', call: 'GET /v1/contacts', demoKey: 'deletedKey', status: 401 },
  { name: 'an expired key', call: 'GET /v1/contacts', demoKey: 'expiredKey', status: 401 },
  {
    name: 'a key as a Bearer credential',
    call: 'GET /v1/contacts',
    options: { key: null, headers: ['Authorization', 'Bearer ak_1'] },
    status: 401,
  },
  {
    name: 'a key beside a dashboard session',
    call: 'GET /v1/contacts',
    options: { headers: ['Authorization', 'Bearer session'] },
    status: 200,
  },
  { name: 'two keys', call: 'GET /v1/contacts', options: { headers: ['X-API-Key', 'ak_2'] }, status: 401 },
  { name: 'send with a read-only key', call: 'POST /v1/messages/send', options: { json: message }, demoKey: 'readOnlyKey', status: 403 },
  {
    name: 'create a contact with a read-only key',
    call: 'POST /v1/contacts',
    options: { json: { phone: '+15550122' } },
    demoKey: 'readOnlyKey',
    status: 403,
  },
  {
    name: 'update a contact with a read-only key',
    call: 'PUT /v1/contacts/con_none',
    options: { json: { name: 'x' } },
    demoKey: 'readOnlyKey',
    status: 403,
  },
  {
    name: 'create a campaign with a read-only key',
    call: 'POST /v1/campaigns',
    options: { json: { name: 'x' } },
    demoKey: 'readOnlyKey',
    status: 403,
  },
  { name: 'send a campaign with a read-only key', call: 'POST /v1/campaigns/cmp_none/send', demoKey: 'readOnlyKey', status: 403 },
  { name: 'a path that is no endpoint', call: 'GET /v1/nothing', status: 404 },
  { name: 'a path below an endpoint', call: 'GET /v1/contacts/con_1/notes', status: 404 },
  { name: 'a method that is not listed', call: 'DELETE /v1/contacts/con_1', status: 404 },
  { name: 'an endpoint of v2 only', call: 'GET /v1/webhooks', status: 404 },
  { name: 'an unlisted path without a key', call: 'GET /v1/nothing', options: { key: null }, status: 404 },
  { name: 'HEAD', call: 'HEAD /v1/contacts', status: 200 },
];

describe.each(spoken)(
  'v1 through the proxy, with v2 errors in the dialect %s and successes in the envelope %s, is as v1 itself:',
  (dialect, envelope) => {
    let worlds: Worlds;
    beforeAll(async () => {
      worlds = await startWorlds(dialect, envelope);
    });
    afterAll(() => worlds[Symbol.asyncDispose]());

    it.each(situations)('$name', async ({ call, options, demoKey, status }) => {
      const [direct, proxied] = await worlds.both(call, { ...options, ...(demoKey === undefined ? {} : { key: worlds.demo[demoKey] }) });
      expect(direct.status).toBe(status);
      expectSame(direct, proxied);
    });

    it('read back what was made', async () => {
      for (const kind of ['messages', 'contacts'] as const) {
        const [list] = await worlds.both(`GET /v1/${kind}`);
        const { data } = list.body as { data: { id?: string; messageId?: string }[] };
        expect(data.length).toBeGreaterThan(1);
        for (const { id, messageId } of data) expectSame(...(await worlds.both(`GET /v1/${kind}/${messageId ?? id}`)));
      }
    });

    it('update a contact into a duplicate of another', async () => {
      const [list] = await worlds.both('GET /v1/contacts');
      const contacts = (list.body as { data: { id: string; email: string }[] }).data;
      const other = contacts.find(({ email }) => email === 'b@example.com');
      const [direct, proxied] = await worlds.both(`PUT /v1/contacts/${other?.id}`, {
        json: { email: 'a@example.com', phone: '+15550177' },
      });
      expect(direct.status).toBe(409);
      expectSame(direct, proxied);
    });

    it('create a contact whose phone number begins that of another, whose email it has too', async () => {
      await worlds.both('POST /v1/contacts', { json: { phone: '+4930' } });
      await worlds.both('POST /v1/contacts', { json: { phone: '+49301', email: 'longer@example.com' } });
      const [direct, proxied] = await worlds.both('POST /v1/contacts', { json: { phone: '+4930', email: 'longer@example.com' } });
      expect(direct.body).toMatchObject({ data: { phone: '+4930' } });
      expectSame(direct, proxied);
    });

    it('create a contact whose phone number begins those of more than a page of newer ones', async () => {
      await worlds.both('POST /v1/contacts', { json: { phone: '+4420' } });
      for (let n = 0; n <= openQuestions.limitDefault.value; n++) await worlds.both('POST /v1/contacts', { json: { phone: `+4420${n}` } });
      const [direct, proxied] = await worlds.both('POST /v1/contacts', { json: { phone: '+4420' } });
      expect(direct.body).toMatchObject({ data: { phone: '+4420' } });
      expectSame(direct, proxied);
    });

    it('create a contact whose email differs from that of another only in its case', async () => {
      for (const email of ['case@example.com', 'Case@example.com']) await worlds.both('POST /v1/contacts', { json: { email } });
      const [direct, proxied] = await worlds.both('POST /v1/contacts', { json: { email: 'case@example.com' } });
      expect(direct.body).toMatchObject({ data: { email: 'case@example.com' } });
      expectSame(direct, proxied);
    });

    it('numbers that JavaScript would change', async () => {
      const numbers = '[12345678901234567890,1e400,0.12345678901234567890]';
      const [direct, proxied] = await worlds.both('POST /v1/campaigns', { raw: `{"name":"Numbers","budget":${numbers}}`, headers: json });
      expect([direct, proxied].map(({ text }) => text.includes(numbers))).toEqual([true, true]);
    });

    it('a campaign from its creation to its sending', async () => {
      const [created] = await worlds.both('POST /v1/campaigns', { json: { name: 'Winter' } });
      const { id } = (created.body as { data: { id: string } }).data;
      for (const call of ['GET /v1/campaigns/:id', 'POST /v1/campaigns/:id/send', 'GET /v1/campaigns/:id', 'POST /v1/campaigns/:id/send']) {
        const [direct, proxied] = await worlds.both(call.replace(':id', id));
        expect(direct.status, call).not.toBe(404);
        expectSame(direct, proxied, call);
      }
    });
  },
);

describe('the table of situations', () => {
  it('has a failure of every endpoint', () => {
    const matches = (call: string, id: keyof typeof v1Endpoints): boolean =>
      new RegExp(`^${v1Endpoints[id].method} ${v1Endpoints[id].path.replace(':id', '[^/]+')}$`).test(call.split('?')[0] ?? '');
    const failures = endpointIds(v1Endpoints).filter((id) => !situations.some(({ call, status }) => status >= 400 && matches(call, id)));
    // Listing messages fails only by its key, which every endpoint shares.
    expect(failures).toEqual(['listMessages']);
  });
});
