import { createMessaging } from './clients/messaging.js';
import { readEnv } from './env.js';
import { sendDigests } from './jobs/digest.js';

export default async function main({ key }) {
  const env = readEnv({ MESSAGING_API_KEY: key, WEATHER_KEY: 'weather-key', DIGEST_LIMIT: '3' });
  const messaging = createMessaging(env);
  const messageId = await messaging.send('ada@example.org', 'Hello');
  const { status } = await messaging.message('nobody').catch((error) => error);
  const sent = await sendDigests({ messaging, weather: { today: async () => 'sunny' }, env });
  return { messageId: typeof messageId, status, sent: sent.length };
}
