import type { SQSEvent, SQSHandler } from 'aws-lambda';
import { loadEnv } from '../env.ts';
import { invoiceTotal } from '../lib/billing.ts';
import { createMessagingClient } from '../messaging/client.ts';

export const handler: SQSHandler = async (event: SQSEvent) => {
  const env = loadEnv();
  const messaging = createMessagingClient(env);
  for (const record of event.Records) {
    const { order, phone } = JSON.parse(record.body) as { order: string; phone: string };
    const total = await invoiceTotal(env, order);
    await messaging.sendMessage(phone, total === undefined ? `Order ${order} is paid.` : `Order ${order} is paid: ${total}.`);
  }
};
