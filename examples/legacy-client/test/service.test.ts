/** Against the service itself, or a sandbox: the one that MESSAGING_API_URL and MESSAGING_API_KEY lead to. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { campaignStatus, launch } from '../src/campaigns.ts';
import { contactPage, ensureContact, getContact, renameContact } from '../src/contacts.ts';
import { deliveryStatus, recentMessages, sendMessage } from '../src/messages.ts';
import { waitForDelivery } from '../src/poller.ts';

const message = { channel: 'SMS', to: '+15550100', content: 'Your table is ready' } as const;
const script = fileURLToPath(new URL('../scripts/send-test-message.sh', import.meta.url));

describe.skipIf(process.env['MESSAGING_API_URL'] === undefined)('the service', () => {
  test('sends messages and knows them', async () => {
    const messageId = await sendMessage(message);
    expect(await deliveryStatus(messageId)).toBe('QUEUED');
    expect(await recentMessages()).toContainEqual(expect.objectContaining({ messageId, ...message }));
  });

  test('is asked again and again for the status', async () => {
    expect(await waitForDelivery(await sendMessage(message), 3, async () => undefined)).toBe('QUEUED');
  });

  test('keeps one contact for a phone number', async () => {
    // Another one each time: the service remembers.
    const phone = `+1${Date.now()}`;
    const contact = await ensureContact({ phone, name: 'Ann' });
    expect(await ensureContact({ phone })).toMatchObject({ id: contact.id, name: 'Ann' });
    await renameContact(contact.id, 'Anne');
    expect(await getContact(contact.id)).toMatchObject({ name: 'Anne' });
    expect(await contactPage(1)).not.toEqual([]);
  });

  test('sends campaigns', async () => {
    const id = await launch({ name: 'Autumn' });
    expect(await campaignStatus(id)).toBe('SENDING');
  });

  test('is reached by the script', async () => {
    const { stdout } = await promisify(execFile)('bash', [script, '+15550100', 'Is this on?']);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, messageId: expect.any(String) });
  });
});
