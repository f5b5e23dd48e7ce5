import { describe, expect, test } from 'vitest';
import { eventKindNames } from '../../../src/contract/events.ts';
import type { RaisedEvent } from '../../../src/sandbox/webhooks/attempt.ts';
import { after, start, startReceiver, startService, type Service } from './service.ts';

interface Sent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly timestamp: string;
}

const read = (body: unknown): Sent => JSON.parse(String(body)) as Sent;

/** What a message that arrives raises. */
function receive({ events, workspace }: Service, from: string, text = 'Hello', name?: string): Sent['data'] {
  const raised = events.receiveMessage(workspace, { from, text, name });
  if ('refused' in raised) throw new Error(raised.error);
  return read(raised.body).data;
}

const contacts = ({ workspace }: Service) => workspace.contacts.newestFirst({ page: 1, limit: 10 }).entries.map(({ fields }) => fields);

describe('api.md §6: all five kinds can be raised', () => {
  test.for(eventKindNames)('%s, with a sample where no data are given', async (kind) => {
    const service = startService();
    const receiver = await startReceiver();
    service.register(receiver.url);
    service.events.raise(service.workspace, kind);
    await service.clock.idle();
    expect(receiver.received[0]?.headers['x-service-event']).toBe(kind);
    expect(read(receiver.received[0]?.body)).toEqual({ event: kind, data: expect.any(Object), timestamp: start });
  });
  test.for(eventKindNames)('%s, with the data that are given', async (kind) => {
    const { events, workspace } = startService();
    expect(read(events.raise(workspace, kind, { mine: [1] }).body).data).toEqual({ mine: [1] });
  });
  test('samples differ in their ids', () => {
    const { events, workspace } = startService();
    const body = (): string => events.raise(workspace, 'order.created').body;
    expect(body()).not.toBe(body());
  });
  test('what was raised is told: its id, its body, and who is to receive it', async () => {
    const { events, workspace, register } = startService();
    const { url } = await startReceiver();
    register(url, ['order.created']);
    const webhook = register(url, ['lead.created']);
    expect(events.raise(workspace, 'lead.created', {})).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: 'lead.created',
      timestamp: start,
      body: `{"event":"lead.created","data":{},"timestamp":"${start}"}`,
      webhookIds: [webhook.id],
    } satisfies RaisedEvent);
  });
  test('the timestamp is the sandbox’s time', async () => {
    const { clock, events, workspace } = startService();
    await clock.advance(1_234);
    expect(events.raise(workspace, 'lead.created').timestamp).toBe(after(1.234));
  });
});

describe('api.md §6: the body of message.received', () => {
  test('has the documented fields and no others, and the contact’s number with and the sender’s without a plus', () => {
    const service = startService();
    const added = service.store.addContact(service.workspace, { phone: '+4917012345', name: 'Ada' });
    expect(receive(service, '+4917012345')).toEqual({
      messageId: expect.stringMatching(/^msg_/),
      conversationId: expect.stringMatching(/^conv_/),
      from: '4917012345',
      text: 'Hello',
      contactId: 'contact' in added && added.contact.id,
      contactName: 'Ada',
      contactPhone: '+4917012345',
      receivedAt: start,
    });
  });
  test.for(['4917012345', '49 170 12345'])('has a leading plus in contactPhone, though the contact’s number is written %s', (phone) => {
    const service = startService();
    service.store.addContact(service.workspace, { phone });
    expect(receive(service, '+4917012345')).toMatchObject({ from: '4917012345', contactPhone: '+4917012345' });
    expect(contacts(service)).toEqual([{ phone }]);
  });
  test('is delivered, with the event’s time', async () => {
    const service = startService();
    const receiver = await startReceiver();
    service.register(receiver.url, ['message.received']);
    receive(service, '4917012345', 'Grüße 👋');
    await service.clock.idle();
    expect(read(receiver.received[0]?.body)).toMatchObject({
      event: 'message.received',
      data: { text: 'Grüße 👋', receivedAt: start },
      timestamp: start,
    });
  });
  test.for(['4917012345', '+4917012345', '004917012345', '+49 170 12345', '+49 (170) 123-45', ' 49-170-12345 '])(
    'a sender’s number may be written as "%s"',
    (from) => {
      expect(receive(startService(), from)).toMatchObject({ from: '4917012345', contactPhone: '+4917012345' });
    },
  );
  test.for(['', '+', 'Ada', '+49 170 x', '49+170', '++49', '1234567890123456', '０１２'])('"%s" is no phone number', (from) => {
    const service = startService();
    expect(service.events.receiveMessage(service.workspace, { from, text: 'Hello' })).toMatchObject({ refused: 'badRequest' });
    expect(contacts(service)).toEqual([]);
  });
});

describe('the contact of an inbound message', () => {
  test.for(['4917012345', '+4917012345', '+49 170 12345'])('is found by its number written as %s', (phone) => {
    const service = startService();
    const added = service.store.addContact(service.workspace, { phone, email: 'a@example.com' });
    expect(receive(service, '+4917012345').contactId).toBe('contact' in added && added.contact.id);
    expect(contacts(service)).toHaveLength(1);
  });
  test('has its own name before the one that the sender gives', () => {
    const service = startService();
    service.store.addContact(service.workspace, { phone: '1', firstName: 'Ada', lastName: 'Lovelace' });
    service.store.addContact(service.workspace, { phone: '2' });
    expect([receive(service, '1', 'Hello', 'A.').contactName, receive(service, '2', 'Hello', 'A.').contactName]).toEqual([
      'Ada Lovelace',
      'A.',
    ]);
  });
  test('is one of the same workspace', () => {
    const service = startService();
    service.store.addContact(service.store.createWorkspace('Other', 'Free'), { phone: '+1' });
    receive(service, '1');
    expect(contacts(service)).toEqual([{ phone: '+1' }]);
  });
  test('assumption inboundCreatesContact: an unknown number makes one', () => {
    const service = startService();
    const { contactId } = receive(service, '1 555', 'Hello', 'Ada');
    expect(service.workspace.contacts.get(String(contactId))?.fields).toEqual({ phone: '+1555', name: 'Ada' });
    expect(receive(service, '1555').contactId).toBe(contactId);
  });
  test('assumption inboundCreatesContact off: an unknown number makes none, and contactId is empty', () => {
    const service = startService({ assumptions: { inboundCreatesContact: false } });
    expect(receive(service, '1555', 'Hello', 'Ada')).toMatchObject({ contactId: '', contactName: 'Ada', contactPhone: '+1555' });
    expect(contacts(service)).toEqual([]);
  });
  test('assumptions contactPhoneField and contactFields name its fields', () => {
    const service = startService({ assumptions: { contactPhoneField: 'mobile', contactFields: ['notes'] } });
    receive(service, '1555', 'Hello', 'Ada');
    expect(contacts(service)).toEqual([{ mobile: '+1555' }]);
  });
});

describe('the conversation of an inbound message', () => {
  test('is that of the contact, also once its number is another one', () => {
    const service = startService();
    const before = receive(service, '1');
    const contact = service.workspace.contacts.get(String(before.contactId));
    if (contact === undefined) throw new Error('the message made no contact');
    service.store.updateContact(service.workspace, contact, { phone: '+2' });
    expect(receive(service, '2')).toMatchObject({ conversationId: before.conversationId, contactId: before.contactId });
    expect(receive(service, '1').conversationId).not.toBe(before.conversationId);
  });
  test('is the same for all messages of a contact, and another one for another contact', () => {
    const service = startService();
    const ids = ['1', '+1', '2'].map((from) => receive(service, from).conversationId);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });
  test('every message has an id of its own', () => {
    const service = startService();
    expect(receive(service, '1').messageId).not.toBe(receive(service, '1').messageId);
  });
  test('without a contact it is that of the number', () => {
    const service = startService({ assumptions: { inboundCreatesContact: false } });
    const ids = ['1', '+1', '2'].map((from) => receive(service, from).conversationId);
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });
});
