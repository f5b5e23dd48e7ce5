import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQuestions } from '../../src/contract/assumptions.ts';
import { endpointIds, v1Endpoints } from '../../src/contract/endpoints.ts';
import { json, situations } from './situations.ts';
import { type Worlds, expectSame, spoken, startWorlds } from './worlds.ts';

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
