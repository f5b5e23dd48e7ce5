import { loadEnv } from '../env.ts';
import { createMessagingClient } from '../messaging/client.ts';

/** Each morning: how yesterday's campaign went. */
export async function handler(event: { campaign: string }): Promise<{ messageId?: string }> {
  const env = loadEnv();
  const messaging = createMessagingClient(env);
  const campaign = await messaging.getCampaign(event.campaign);
  if (env.REPORT_PHONE === undefined) return {};
  return messaging.sendMessage(env.REPORT_PHONE, `Campaign ${event.campaign}: ${JSON.stringify(campaign)}`);
}
