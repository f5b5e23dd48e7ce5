/** When two contacts have the same phone number or email (api.md §2): formats are not shown. */
import { describe, expect, test as base } from 'vitest';
import { sandboxFixtures, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const pairs = [
  [{ phone: '+15550100' }, { phone: '15550100' }],
  [{ phone: '+15550100' }, { phone: '+1 (555) 01-00' }],
  [{ email: 'a@x.example' }, { email: 'A@X.example' }],
] as const;

describe.each(versions)('version %s', (version) => {
  const create = `POST ${version}/contacts`;

  test.for(pairs)('as they are written, %j and %j are two contacts', async ([first, second], { sandbox: { call } }) => {
    expect(await call(create, { json: first })).toMatchObject({ status: 201 });
    expect(await call(create, { json: second })).toMatchObject({ status: 201 });
  });

  describe('contactIdentityExact false', () => {
    test.override({ options: { assumptions: { contactIdentityExact: false } } });

    test.for(pairs)('%j and %j are one contact, shown as it was written', async ([first, second], { sandbox: { call } }) => {
      const { body } = await call(create, { json: first });
      const { data } = body as { data: object };
      expect(data).toMatchObject(first);
      expect(await call(create, { json: second })).toMatchObject({ status: 409, body: { data, existed: true } });
    });
    test('another number or email is another contact', async ({ sandbox: { call } }) => {
      for (const json of [{ phone: '+15550100' }, { phone: '+15550101' }, { email: 'a@x.example' }, { email: 'b@x.example' }])
        expect(await call(create, { json })).toMatchObject({ status: 201 });
    });
    test('what is no phone number is compared as it is', async ({ sandbox: { call } }) => {
      for (const [phone, status] of [
        ['none', 201],
        ['None', 201],
        ['none', 409],
      ] as const)
        expect(await call(create, { json: { phone } })).toMatchObject({ status });
    });
    test('a contact may write its own number in another way, and then holds it in that one', async ({ sandbox: { call } }) => {
      const { body } = await call(create, { json: { phone: '+15550100' } });
      const { id } = (body as { data: { id: string } }).data;
      const renamed = await call(`PUT ${version}/contacts/${id}`, { json: { phone: '1 555 0100' } });
      expect(renamed).toMatchObject({ status: 200, body: { data: { phone: '1 555 0100' } } });
      expect(await call(create, { json: { phone: '+15550100' } })).toMatchObject({ status: 409 });
    });
    test('a deleted contact sets its number free, in every way of writing it', async ({ sandbox: { call } }) => {
      const { body } = await call(create, { json: { phone: '+15550100' } });
      await call(`DELETE /v2/contacts/${(body as { data: { id: string } }).data.id}`);
      expect(await call(create, { json: { phone: '15550100' } })).toMatchObject({ status: 201 });
    });
  });
});
