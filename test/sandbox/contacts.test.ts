import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, type TestSandbox, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

type ContactBody = { readonly data: { readonly id: string } & Record<string, unknown> };

const ada = { phone: '+491', email: 'ada@example.com', name: 'Ada' };
const time = '2026-08-01T12:00:00.000Z';

async function create({ call }: TestSandbox, json: object): Promise<ContactBody['data']> {
  const reply = await call('POST /v1/contacts', { json });
  expect(reply.status).toBe(201);
  return (reply.body as ContactBody).data;
}

function duplicateOf(data: object) {
  return { status: 409, body: { success: false, error: 'Contact already exists', data, existed: true } };
}

const noIdentity = { status: 400, body: { success: false, error: 'phone or email is required' } };
const badRequest = { status: 400, body: { success: false, error: 'Bad request' } };
const serverFault = { status: 500, body: { success: false, error: 'Internal server error' } };
const notFound = { status: 404, body: { success: false, error: 'Not found' } };

describe.each(versions)('version %s', (version) => {
  const contacts = `${version}/contacts`;

  describe('api.md §§2, 4 and 7: creating contacts', () => {
    test('§4 a contact is created', async ({ sandbox: { call } }) => {
      const { status, body } = await call(`POST ${contacts}`, { json: ada });
      const { id } = (body as ContactBody).data;
      expect(id).toMatch(/^con_/);
      expect({ status, body }).toEqual({ status: 201, body: { success: true, data: { id, ...ada, createdAt: time, updatedAt: time } } });
    });
    test('§2 a phone number alone identifies a contact, and so does an email', async ({ sandbox: { call } }) => {
      expect(await call(`POST ${contacts}`, { json: { phone: '+491' } })).toMatchObject({ status: 201 });
      expect(await call(`POST ${contacts}`, { json: { email: 'ada@example.com' } })).toMatchObject({ status: 201 });
    });
    test('§2 neither phone nor email: 400', async ({ sandbox: { call } }) => {
      for (const json of [{}, { name: 'Ada' }, { phone: '', email: null }]) {
        expect(await call(`POST ${contacts}`, { json })).toMatchObject(noIdentity);
      }
    });
    test('a phone or email that is no text: 400', async ({ sandbox: { call } }) => {
      for (const phone of [491, true, {}, ['+491']]) {
        expect(await call(`POST ${contacts}`, { json: { ...ada, phone } })).toMatchObject(badRequest);
      }
    });
    test.for(['nickname', 'id', 'createdAt', 'constructor'])('§7 %s is a field that is not accepted: 500', async (field, { sandbox }) => {
      expect(await sandbox.call(`POST ${contacts}`, { json: { ...ada, [field]: 'x' } })).toMatchObject(serverFault);
      expect((await sandbox.call(`GET ${contacts}`)).body).toMatchObject({ total: 0 });
    });
    test('§7 the same phone number: 409 with the existing contact and existed', async ({ sandbox }) => {
      const existing = await create(sandbox, ada);
      const { status, body } = await sandbox.call(`POST ${contacts}`, { json: { phone: ada.phone, email: 'other@example.com' } });
      expect({ status, body }).toEqual(duplicateOf(existing));
    });
    test('§7 the same email: 409 with the existing contact and existed', async ({ sandbox }) => {
      const existing = await create(sandbox, ada);
      const { status, body } = await sandbox.call(`POST ${contacts}`, { json: { phone: '+492', email: ada.email } });
      expect({ status, body }).toEqual(duplicateOf(existing));
    });
    test('where phone and email belong to two contacts, the 409 shows the one with the phone', async ({ sandbox }) => {
      await create(sandbox, { email: ada.email });
      const holder = await create(sandbox, { phone: ada.phone });
      expect((await sandbox.call(`POST ${contacts}`, { json: ada })).body).toMatchObject({ data: holder });
    });
    test('§2 of many calls at once with one phone number exactly one creates the contact', async ({ sandbox: { call } }) => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => call(`POST ${contacts}`, { json: ada })));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    });
  });

  describe('api.md §§2, 4 and 7: reading and updating contacts', () => {
    test('§4 a contact is read', async ({ sandbox }) => {
      const data = await create(sandbox, ada);
      const { status, body } = await sandbox.call(`GET ${contacts}/${data.id}`);
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data } });
    });
    test('§4 contacts are listed, newest first', async ({ sandbox }) => {
      const first = await create(sandbox, { phone: '+491' });
      const second = await create(sandbox, { phone: '+492' });
      expect((await sandbox.call(`GET ${contacts}`)).body).toEqual({ success: true, data: [second, first], page: 1, limit: 20, total: 2 });
    });
    test('§4 a contact is updated', async ({ sandbox }) => {
      const data = await create(sandbox, ada);
      sandbox.clock.advance(60_000);
      const expected = { success: true, data: { ...data, name: 'Ada L.', updatedAt: '2026-08-01T12:01:00.000Z' } };
      expect(await sandbox.call(`PUT ${contacts}/${data.id}`, { json: { name: 'Ada L.' } })).toMatchObject({ status: 200, body: expected });
      expect((await sandbox.call(`GET ${contacts}/${data.id}`)).body).toEqual(expected);
    });
    test('a contact may be updated with its own phone and email', async ({ sandbox }) => {
      const { id } = await create(sandbox, ada);
      expect(await sandbox.call(`PUT ${contacts}/${id}`, { json: ada })).toMatchObject({ status: 200 });
    });
    test('§2 an update that takes the phone of another contact: 409, and nothing changes', async ({ sandbox }) => {
      const other = await create(sandbox, ada);
      const data = await create(sandbox, { phone: '+492' });
      const { status, body } = await sandbox.call(`PUT ${contacts}/${data.id}`, { json: { phone: ada.phone } });
      expect({ status, body }).toEqual(duplicateOf(other));
      expect((await sandbox.call(`GET ${contacts}/${data.id}`)).body).toMatchObject({ data });
    });
    test('§2 a phone number that an update gave up is free again, and the new one is taken', async ({ sandbox }) => {
      const { id } = await create(sandbox, { phone: '+491' });
      await sandbox.call(`PUT ${contacts}/${id}`, { json: { phone: '+492' } });
      expect(await sandbox.call(`POST ${contacts}`, { json: { phone: '+491' } })).toMatchObject({ status: 201 });
      expect(await sandbox.call(`POST ${contacts}`, { json: { phone: '+492' } })).toMatchObject({ status: 409, body: { data: { id } } });
    });
    test('§2 an update may not take away both phone and email', async ({ sandbox }) => {
      const { id } = await create(sandbox, ada);
      expect(await sandbox.call(`PUT ${contacts}/${id}`, { json: { phone: null } })).toMatchObject({ status: 200 });
      expect(await sandbox.call(`PUT ${contacts}/${id}`, { json: { email: '' } })).toMatchObject(noIdentity);
    });
    test('§7 an update with a field that is not accepted: 500', async ({ sandbox }) => {
      const { id } = await create(sandbox, ada);
      expect(await sandbox.call(`PUT ${contacts}/${id}`, { json: { nickname: 'x' } })).toMatchObject(serverFault);
    });
    test('an update with a phone that is no text: 400', async ({ sandbox }) => {
      const { id } = await create(sandbox, ada);
      expect(await sandbox.call(`PUT ${contacts}/${id}`, { json: { phone: 1 } })).toMatchObject(badRequest);
    });
    test('§7 updating a contact that does not exist: 404', async ({ sandbox: { call } }) => {
      expect(await call(`PUT ${contacts}/con_1`, { json: { name: 'x' } })).toMatchObject(notFound);
    });
    test('the fields of an update are checked before the contact is looked for', async ({ sandbox: { call } }) => {
      expect(await call(`PUT ${contacts}/con_1`, { json: { nickname: 'x' } })).toMatchObject(serverFault);
    });
  });

  describe('putKeepsFields off', () => {
    test.override({ options: { assumptions: { putKeepsFields: false } } });
    test('an update replaces all fields', async ({ sandbox }) => {
      const { id } = await create(sandbox, ada);
      const { body } = await sandbox.call(`PUT ${contacts}/${id}`, { json: { phone: '+492' } });
      expect(body).toEqual({ success: true, data: { id, phone: '+492', createdAt: time, updatedAt: time } });
    });
  });

  describe('contact fields by other names', () => {
    test.override({ options: { assumptions: { contactPhoneField: 'mobile', contactEmailField: 'mail', contactFields: ['nickname'] } } });
    test('the assumed names decide what is unique, needed and accepted', async ({ sandbox: { call } }) => {
      expect(await call(`POST ${contacts}`, { json: { mobile: '+491', nickname: 'A' } })).toMatchObject({ status: 201 });
      expect(await call(`POST ${contacts}`, { json: { mobile: '+491' } })).toMatchObject({ status: 409 });
      expect(await call(`POST ${contacts}`, { json: { mail: 'a@example.com', phone: '+491' } })).toMatchObject({ status: 500 });
      expect(await call(`POST ${contacts}`, { json: { nickname: 'A' } })).toMatchObject({ status: 400 });
    });
  });
});

describe('api.md §4: contacts on v2 only', () => {
  test('a contact is deleted, and then is nowhere', async ({ sandbox }) => {
    const data = await create(sandbox, ada);
    const kept = await create(sandbox, { phone: '+492' });
    const { status, body } = await sandbox.call(`DELETE /v2/contacts/${data.id}`);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data } });
    expect(await sandbox.call(`GET /v2/contacts/${data.id}`)).toMatchObject(notFound);
    expect(await sandbox.call(`DELETE /v2/contacts/${data.id}`)).toMatchObject(notFound);
    expect((await sandbox.call('GET /v1/contacts')).body).toMatchObject({ data: [kept], total: 1 });
  });
  test('deleting frees phone and email', async ({ sandbox }) => {
    const { id } = await create(sandbox, ada);
    await sandbox.call(`DELETE /v2/contacts/${id}`);
    expect(await sandbox.call('POST /v2/contacts', { json: { phone: ada.phone } })).toMatchObject({ status: 201 });
    expect(await sandbox.call('POST /v2/contacts', { json: { email: ada.email } })).toMatchObject({ status: 201 });
  });
  test('the search finds contacts whose phone or email is or contains the text', async ({ sandbox }) => {
    const byPhone = await create(sandbox, { phone: '+4917' });
    const byEmail = await create(sandbox, { email: 'x+4917@example.com', name: 'nobody@example.com' });
    const searches = [
      ['%2B4917', [byEmail, byPhone]],
      ['4917%40', [byEmail]],
      ['x%2B4917%40example.com', [byEmail]],
      ['nobody%40example.com', []],
      ['', [byEmail, byPhone]],
    ] as const;
    for (const [text, data] of searches) {
      const { body } = await sandbox.call(`GET /v2/contacts?search=${text}`);
      expect({ text, body }).toMatchObject({ text, body: { data, total: data.length } });
    }
  });
  test('v1 has no search', async ({ sandbox }) => {
    await create(sandbox, ada);
    expect((await sandbox.call('GET /v1/contacts?search=zzz')).body).toMatchObject({ total: 1 });
  });
});

for (const [assumed, answered] of [
  [400, { status: 400, body: { success: false, error: 'Bad request' } }],
  [500, serverFault],
] as const) {
  describe(`v2UnacceptedFieldStatus ${assumed}`, () => {
    test.override({ options: { assumptions: { v2UnacceptedFieldStatus: assumed } } });
    test('v2 answers with it', async ({ sandbox: { call } }) => {
      expect(await call('POST /v2/contacts', { json: { ...ada, nickname: 'x' } })).toMatchObject(answered);
    });
    test('v1 answers 500 as documented', async ({ sandbox: { call } }) => {
      expect(await call('POST /v1/contacts', { json: { ...ada, nickname: 'x' } })).toMatchObject(serverFault);
    });
  });
}

describe('the name of the search parameter is assumed', () => {
  test.override({ options: { assumptions: { contactSearchParameter: 'q' } } });
  test('another name works in its place', async ({ sandbox }) => {
    await create(sandbox, ada);
    expect((await sandbox.call('GET /v2/contacts?q=zzz')).body).toMatchObject({ total: 0 });
    expect((await sandbox.call('GET /v2/contacts?search=zzz')).body).toMatchObject({ total: 1 });
  });
});
