'use server';

import { messaging } from '../lib/messaging.ts';

export async function sendMessage(formData: FormData) {
  const { messageId } = await messaging<{ messageId: string }>('/messages/send', {
    method: 'POST',
    body: JSON.stringify({
      channel: 'WHATSAPP',
      to: formData.get('to'),
      content: formData.get('content'),
    }),
  });
  return messageId;
}

export async function startCampaign(id: string) {
  await messaging(`/campaigns/${id}/send`, { method: 'POST' });
}
