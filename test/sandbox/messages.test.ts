import { describe, expect, test as base } from 'vitest';
import { channels, sendMessageFields } from '../../src/contract/fields.ts';
import { sandboxFixtures, versions } from '../helpers/sandbox.ts';

const test = base.extend(sandboxFixtures);

const message = { channel: 'SMS', to: '+4915112345678', content: 'Hello' };

function badRequest(error: string) {
  return { status: 400, body: { success: false, error } };
}

describe.each(versions)('version %s', (version) => {
  const send = `POST ${version}/messages/send`;

  describe('api.md §§2, 4 and 7: messages', () => {
    test.for(channels)('§2 a message goes over %s, and the answer carries its messageId', async (channel, { sandbox: { call } }) => {
      const { status, body } = await call(send, { json: { ...message, channel } });
      const { messageId } = body as { messageId: string };
      expect(status).toBe(200);
      expect(messageId).toMatch(/^msg_/);
      expect(body).toEqual({
        success: true,
        messageId,
        data: { messageId, ...message, channel, status: 'QUEUED', createdAt: '2026-08-01T12:00:00.000Z' },
      });
    });
    test('§4 a message is read by its messageId, with its delivery status', async ({ sandbox: { call } }) => {
      const { messageId, data } = (await call(send, { json: message })).body as { messageId: string; data: object };
      const { status, body } = await call(`GET ${version}/messages/${messageId}`);
      expect({ status, body }).toEqual({ status: 200, body: { success: true, data } });
      expect(data).toMatchObject({ status: 'QUEUED' });
    });
    test('§4 messages are listed, newest first', async ({ sandbox: { call } }) => {
      for (const content of ['one', 'two', 'three']) await call(send, { json: { ...message, content } });
      expect((await call(`GET ${version}/messages`)).body).toMatchObject({
        success: true,
        data: [{ content: 'three' }, { content: 'two' }, { content: 'one' }],
        page: 1,
        limit: 20,
        total: 3,
      });
    });
    test.for(sendMessageFields)('§7 $name missing, empty or no string: 400 that names it', async ({ name }, { sandbox: { call } }) => {
      for (const value of [undefined, null, '', 5, true, {}, ['SMS']]) {
        const reply = await call(send, { json: { ...message, [name]: value } });
        expect({ value, ...reply }).toMatchObject({ value, ...badRequest(`Missing required field: ${name}`) });
      }
    });
    test('§7 of several missing fields the first is named', async ({ sandbox: { call } }) => {
      expect(await call(send, { json: {} })).toMatchObject(badRequest('Missing required field: channel'));
      expect(await call(send, { json: { channel: 'SMS' } })).toMatchObject(badRequest('Missing required field: to'));
    });
    test('§7 a missing field comes before a wrong channel', async ({ sandbox: { call } }) => {
      expect(await call(send, { json: { ...message, channel: 'FAX', to: '' } })).toMatchObject(badRequest('Missing required field: to'));
    });
    test.for(['FAX', 'sms', ' SMS', 'constructor'])('§7 the channel "%s" is none: 400', async (channel, { sandbox: { call } }) => {
      expect(await call(send, { json: { ...message, channel } })).toMatchObject(badRequest('channel must be one of WHATSAPP, SMS, EMAIL'));
    });
    test('a refused message is not kept', async ({ sandbox: { call } }) => {
      await call(send, { json: { ...message, channel: 'FAX' } });
      expect((await call(`GET ${version}/messages`)).body).toMatchObject({ total: 0 });
    });
    test('§9 both versions see the same messages', async ({ sandbox: { call } }) => {
      await call(send, { json: message });
      for (const other of versions) expect((await call(`GET ${other}/messages`)).body).toMatchObject({ total: 1 });
    });
  });
});
